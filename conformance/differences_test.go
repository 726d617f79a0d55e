package conformance

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"sortkey.dev/engine"
)

// Each test here asserts what the engine does today where that differs from
// DynamoDB. See DIFFERENCES.md for what to do when one fails.

// direct opens an engine with the table things in it and its direct door.
func direct(t *testing.T) door {
	t.Helper()
	d := directDoor(openEngine(t))
	mustCall(t, d, "CreateTable", createThings)
	return d
}

// checkOutput compares the members of an output that matter to a test.
func checkOutput(t *testing.T, operation string, got map[string]any, want string) {
	t.Helper()
	for _, difference := range compare(operation, got, parsed(t, want), true) {
		t.Errorf("%s: %s", operation, difference)
	}
}

func checkFailure(t *testing.T, got failure, code, part string) {
	t.Helper()
	if got.code != code || !strings.Contains(got.message, part) {
		t.Errorf("got %s: %s, want %s with %q", got.code, got.message, code, part)
	}
}

func TestDifference01TablesCanBeUsedAtOnce(t *testing.T) {
	d := direct(t)
	mustCall(t, d, "PutItem", `{"TableName": "things", "Item": {"pk": {"S": "a"}}}`)
	got := mustCall(t, d, "UpdateTable", `{"TableName": "things", "BillingMode": "PROVISIONED", "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}}`)
	checkOutput(t, "UpdateTable", got, `{"TableDescription": {"TableStatus": "UPDATING"}}`)
	mustCall(t, d, "UpdateTable", `{"TableName": "things", "BillingMode": "PAY_PER_REQUEST"}`)
	got = mustCall(t, d, "DeleteTable", `{"TableName": "things"}`)
	checkOutput(t, "DeleteTable", got, `{"TableDescription": {"TableStatus": "DELETING"}}`)
	mustCall(t, d, "CreateTable", createThings)
}

func TestDifference02GlobalIndexesAreNeverBehind(t *testing.T) {
	d := directDoor(openEngine(t))
	mustCall(t, d, "CreateTable", `{"TableName": "things", "BillingMode": "PAY_PER_REQUEST",
		"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "g", "AttributeType": "N"}],
		"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
		"GlobalSecondaryIndexes": [{"IndexName": "by-g", "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}]}`)
	for i := range 100 {
		mustCall(t, d, "PutItem", fmt.Sprintf(`{"TableName": "things", "Item": {"pk": {"S": "a"}, "g": {"N": "%d"}}}`, i))
		got := mustCall(t, d, "Query", fmt.Sprintf(`{"TableName": "things", "IndexName": "by-g", "KeyConditionExpression": "g = :g", "ExpressionAttributeValues": {":g": {"N": "%d"}}}`, i))
		checkOutput(t, "Query", got, `{"Count": 1}`)
	}
}

func TestDifference03AnyCredentialsAreAccepted(t *testing.T) {
	server := serve(t, openEngine(t))
	for _, authorization := range []string{
		"", "nonsense",
		"AWS4-HMAC-SHA256 Credential=AKIA/19700101/nowhere/s3/aws4_request, SignedHeaders=host, Signature=0000",
	} {
		response, body := post(t, server, listCall, "{}", map[string]string{"Authorization": authorization})
		checkAnswer(t, response, body, http.StatusOK, listEmpty)
	}
}

func TestDifference04NothingIsThrottled(t *testing.T) {
	d := directDoor(openEngine(t))
	mustCall(t, d, "CreateTable", strings.Replace(createThings, `"BillingMode": "PAY_PER_REQUEST"`, `"ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}`, 1))
	for range 2000 { // a table saves up 300 seconds of unused units
		mustCall(t, d, "PutItem", `{"TableName": "things", "Item": {"pk": {"S": "a"}}}`)
	}
}

func TestDifference06DescribeEndpointsNamesTheHost(t *testing.T) {
	server := serve(t, openEngine(t))
	response, body := post(t, server, "DynamoDB_20120810.DescribeEndpoints", "{}", nil)
	host := strings.TrimPrefix(server.URL, "http://")
	checkAnswer(t, response, body, http.StatusOK, `{"Endpoints":[{"Address":"`+host+`","CachePeriodInMinutes":1440}]}`)
}

func TestDifference07EncryptionIsDescribedOnly(t *testing.T) {
	d := directDoor(openEngine(t))
	got := mustCall(t, d, "CreateTable", strings.Replace(createThings, "{", `{"SSESpecification": {"Enabled": true}, `, 1))
	checkOutput(t, "CreateTable", got, `{"TableDescription": {"SSEDescription": {"Status": "ENABLED", "SSEType": "KMS"}}}`)
}

func TestDifference08WebPagesMayNotCall(t *testing.T) {
	const origin = "https://example.com"
	preflight := wireRequest{method: http.MethodOptions, header: map[string]string{
		"Origin": origin, "Access-Control-Request-Headers": "x-amz-target", "Access-Control-Request-Method": "POST",
	}}
	closed := serve(t, openEngine(t))
	response, _ := post(t, closed, listCall, "{}", map[string]string{"Origin": origin})
	checkHeader(t, response, "Access-Control-Allow-Origin", "")
	response, body := send(t, closed, preflight)
	checkAnswer(t, response, body, http.StatusNotFound, unknown)

	db, err := engine.Open("", &engine.Options{AllowOrigin: "*"}) // as DynamoDB does
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	open := serve(t, db)
	response, body = post(t, open, listCall, "{}", map[string]string{"Origin": origin})
	checkAnswer(t, response, body, http.StatusOK, listEmpty)
	checkHeader(t, response, "Access-Control-Allow-Origin", origin)
	response, body = send(t, open, preflight)
	checkAnswer(t, response, body, http.StatusOK, "")
	checkHeader(t, response, "Access-Control-Allow-Origin", origin)
	checkHeader(t, response, "Access-Control-Allow-Headers", "x-amz-target")
	checkHeader(t, response, "Access-Control-Allow-Methods", "POST")
	checkHeader(t, response, "Access-Control-Max-Age", "172800")
}

func TestDifference09MissingOperations(t *testing.T) {
	d := direct(t)
	for _, c := range []struct{ operation, input string }{
		{"ExecuteStatement", `{"Statement": "SELECT * FROM things"}`},
		{"BatchExecuteStatement", `{"Statements": []}`},
		{"ExecuteTransaction", `{"TransactStatements": []}`},
	} {
		checkFailure(t, mustFail(t, d, c.operation, c.input), "UnknownOperationException", c.operation)
	}
}

func TestDifference45BackupsExportsAndImportsComeLater(t *testing.T) {
	d := direct(t)
	for _, c := range []struct{ operation, input, feature string }{
		{"CreateBackup", `{"TableName": "things", "BackupName": "b"}`, "backups"},
		{"RestoreTableFromBackup", `{"TargetTableName": "t", "BackupArn": "arn"}`, "backups"},
		{"UpdateContinuousBackups", `{"TableName": "things", "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": true}}`, "point-in-time recovery"},
		{"RestoreTableToPointInTime", `{"TargetTableName": "t"}`, "point-in-time recovery"},
		{"ExportTableToPointInTime", `{"TableArn": "arn", "S3Bucket": "b"}`, "exports"},
		{"ImportTable", `{}`, "imports"},
	} {
		got := mustFail(t, d, c.operation, c.input)
		checkFailure(t, got, "UnknownOperationException", "sortkey does not have "+c.feature+" yet: "+c.operation+" comes in a later release")
	}
}

func TestDifference46OneRegion(t *testing.T) {
	d := direct(t)
	const refused = "it has one region, and tables have no replicas"
	for _, c := range []struct{ operation, input string }{
		{"UpdateGlobalTableSettings", `{"GlobalTableName": "things"}`},
		{"UpdateTableReplicaAutoScaling", `{"TableName": "things"}`},
		{"CreateTable", strings.Replace(createThings, "{", `{"GlobalTableSourceArn": "arn", `, 1)},
		{"UpdateTable", `{"TableName": "things", "ReplicaUpdates": [{"Create": {"RegionName": "eu-west-2"}}]}`},
		{"UpdateTable", `{"TableName": "things", "MultiRegionConsistency": "STRONG"}`},
		{"UpdateTable", `{"TableName": "things", "GlobalTableWitnessUpdates": [{"Create": {"RegionName": "eu-west-2"}}]}`},
	} {
		checkFailure(t, mustFail(t, d, c.operation, c.input), "ValidationException", refused)
	}
}

func TestDifference47PoliciesAreNotEnforced(t *testing.T) {
	d := direct(t)
	policy := func(action string) string {
		return fmt.Sprintf(`{"ResourceArn": %q, "Policy": "{\"Version\": \"2012-10-17\", \"Statement\": [{\"Effect\": \"Deny\", \"Principal\": \"*\", \"Action\": \"%s\", \"Resource\": \"*\"}]}"}`, localARN("things"), action)
	}
	mustCall(t, d, "PutResourcePolicy", policy("dynamodb:PutItem"))
	mustCall(t, d, "PutItem", `{"TableName": "things", "Item": {"pk": {"S": "a"}}}`)
	mustCall(t, d, "PutResourcePolicy", policy("dynamodb:PutResourcePolicy")) // at once, and without ConfirmRemoveSelfResourceAccess
	mustCall(t, d, "DeleteResourcePolicy", fmt.Sprintf(`{"ResourceArn": %q}`, localARN("things")))
}

func TestDifference48ContributorInsightsCountNoKeys(t *testing.T) {
	d := direct(t)
	mustCall(t, d, "UpdateContributorInsights", `{"TableName": "things", "ContributorInsightsAction": "ENABLE"}`)
	mustCall(t, d, "PutItem", `{"TableName": "things", "Item": {"pk": {"S": "a"}}}`)
	got := mustCall(t, d, "DescribeContributorInsights", `{"TableName": "things"}`) // at once, and nothing else tells the keys
	checkOutput(t, "DescribeContributorInsights", got, `{"ContributorInsightsStatus": "ENABLED", "ContributorInsightsMode": "ACCESSED_AND_THROTTLED_KEYS"}`)
}

func TestDifference49KinesisRecordsGoToAFile(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ dir, status string }{{dir, "ACTIVE"}, {"", "ENABLE_FAILED"}} {
		db, err := engine.Open("", &engine.Options{KinesisDir: c.dir})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		d := directDoor(db)
		mustCall(t, d, "CreateTable", createThings)
		mustCall(t, d, "EnableKinesisStreamingDestination", `{"TableName": "things", "StreamArn": "arn:aws:kinesis:us-east-1:123456789012:stream/changes"}`)
		got := mustCall(t, d, "DescribeKinesisStreamingDestination", `{"TableName": "things"}`)
		checkOutput(t, "DescribeKinesisStreamingDestination", got, `{"KinesisDataStreamDestinations": [{"DestinationStatus": "`+c.status+`"}]}`)
	}
	if _, err := os.Stat(filepath.Join(dir, "changes.jsonl")); err != nil {
		t.Error(err)
	}
}

func TestDifference12LegacyParametersAreRefused(t *testing.T) {
	d := direct(t)
	const key, condition = `"Key": {"pk": {"S": "a"}}`, `{"x": {"ComparisonOperator": "NULL"}}`
	for _, c := range []struct{ operation, members, refused, successor string }{
		{"PutItem", `"Item": {"pk": {"S": "a"}}, "Expected": {"x": {"Exists": false}}`, "Expected", "ConditionExpression"},
		{"DeleteItem", key + `, "Expected": {"x": {"Exists": false}}`, "Expected", "ConditionExpression"},
		{"UpdateItem", key + `, "AttributeUpdates": {"x": {"Action": "DELETE"}}`, "AttributeUpdates", "UpdateExpression"},
		{"GetItem", key + `, "AttributesToGet": ["x"]`, "AttributesToGet", "ProjectionExpression"},
		{"Query", `"KeyConditions": {"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "a"}]}}`, "KeyConditions", "KeyConditionExpression"},
		{"Scan", `"ScanFilter": ` + condition, "ScanFilter", "FilterExpression"},
		{"Scan", `"AttributesToGet": ["x"]`, "AttributesToGet", "ProjectionExpression"},
	} {
		got := mustFail(t, d, c.operation, `{"TableName": "things", `+c.members+`}`)
		checkFailure(t, got, "ValidationException", c.refused+" is not supported by sortkey yet")
		checkFailure(t, got, "ValidationException", c.successor)
	}
}

func TestDifference13ItemCollectionsAreNotMeasured(t *testing.T) {
	d := directDoor(openEngine(t))
	mustCall(t, d, "CreateTable", `{"TableName": "things", "BillingMode": "PAY_PER_REQUEST",
		"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "N"}],
		"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
		"LocalSecondaryIndexes": [{"IndexName": "again", "Projection": {"ProjectionType": "ALL"},
			"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]}]}`)
	for i := range 10 { // eight megabytes with the index
		got := mustCall(t, d, "PutItem", fmt.Sprintf(`{"TableName": "things", "ReturnItemCollectionMetrics": "SIZE",
			"Item": {"pk": {"S": "a"}, "sk": {"N": "%d"}, "x": {"S": %q}}}`, i, strings.Repeat("x", 400_000)))
		checkOutput(t, "PutItem", got, `{"ItemCollectionMetrics": {"SizeEstimateRangeGB": [0, 1]}}`)
	}
}

// Where regions differ, the engine speaks as most of them: of BatchWriteItem in
// the older words, of BatchGetItem in the newer.
func TestDifference16OneWording(t *testing.T) {
	d := direct(t)
	checkFailure(t, mustFail(t, d, "BatchWriteItem", `{"RequestItems": {}}`), "ValidationException", "The requestItems parameter is required for BatchWriteItem")
	checkFailure(t, mustFail(t, d, "BatchGetItem", `{"RequestItems": {}}`), "ValidationException", "Value at 'RequestItems' failed")
}

func TestDifference17TheSameTypeTwice(t *testing.T) {
	server := serve(t, openEngine(t))
	d := httpDoor{url: server.URL, client: server.Client()}
	mustCall(t, d, "CreateTable", createThings)
	got := mustFail(t, d, "PutItem", `{"TableName": "things", "Item": {"pk": {"S": "a", "S": "b"}}}`)
	checkFailure(t, got, "ValidationException", "Supplied AttributeValue has more than one datatypes set")
}

func TestDifference18ConstantsOfDifferentTypes(t *testing.T) {
	d := direct(t)
	got := mustFail(t, d, "PutItem", `{"TableName": "things", "Item": {"pk": {"S": "a"}}, "ConditionExpression": ":a = :b", "ExpressionAttributeValues": {":a": {"S": "x"}, ":b": {"N": "1"}}}`)
	checkFailure(t, got, "ConditionalCheckFailedException", "The conditional request failed")
}

func TestDifference19EmptyNamesInMaps(t *testing.T) {
	d := direct(t)
	mustCall(t, d, "PutItem", `{"TableName": "things", "Item": {"pk": {"S": "a"}, "m": {"M": {"": {"S": "x"}}}}}`)
	checkFailure(t, mustFail(t, d, "PutItem", `{"TableName": "things", "Item": {"pk": {"S": "a"}, "": {"S": "x"}}}`), "ValidationException", "Empty attribute name")
}

func TestDifference20NamesInMessagesAreSorted(t *testing.T) {
	d := direct(t)
	got := mustFail(t, d, "GetItem", `{"TableName": "things", "Key": {"pk": {"S": "a"}}, "ProjectionExpression": "x", "ExpressionAttributeNames": {"#c": "c", "#a": "a", "#b": "b"}}`)
	checkFailure(t, got, "ValidationException", "keys: {#a, #b, #c}")
}

func TestDifference22FaultsFromLeftToRight(t *testing.T) {
	d := direct(t)
	for expression, want := range map[string]string{
		"((a = :v)) AND":          "The expression has redundant parentheses;",
		"size(a) AND nonsense(b)": "function: size",
		"status = a AND size(b)":  "reserved keyword: status",
	} {
		got := mustFail(t, d, "Scan", fmt.Sprintf(`{"TableName": "things", "FilterExpression": %q}`, expression))
		checkFailure(t, got, "ValidationException", want)
	}
}

func TestDifference23TimeToLiveCanBeSwitchedAtAnyTime(t *testing.T) {
	d := direct(t)
	for _, enabled := range []bool{true, false, true} {
		mustCall(t, d, "UpdateTimeToLive", fmt.Sprintf(`{"TableName": "things", "TimeToLiveSpecification": {"AttributeName": "until", "Enabled": %t}}`, enabled))
	}
}

func TestDifference24ExpiredItemsAreGoneWithinSeconds(t *testing.T) {
	d := direct(t)
	mustCall(t, d, "UpdateTimeToLive", `{"TableName": "things", "TimeToLiveSpecification": {"AttributeName": "until", "Enabled": true}}`)
	mustCall(t, d, "PutItem", fmt.Sprintf(`{"TableName": "things", "Item": {"pk": {"S": "a"}, "until": {"N": "%d"}}}`, time.Now().Unix()-10))
	for { // the test's own timeout is the limit
		got := mustCall(t, d, "GetItem", `{"TableName": "things", "Key": {"pk": {"S": "a"}}}`)
		if fmt.Sprint(got) == "map[]" {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func TestDifference25CountsAreImmediate(t *testing.T) {
	d := direct(t)
	mustCall(t, d, "PutItem", `{"TableName": "things", "Item": {"pk": {"S": "a"}}}`)
	table := mustCall(t, d, "DescribeTable", `{"TableName": "things"}`)["Table"].(map[string]any)
	if got := fmt.Sprintf("%v %v", table["ItemCount"], table["TableSizeBytes"]); got != "1 3" {
		t.Errorf("count and size are %s, want 1 and 3", got)
	}
}

func TestDifference28DeepValuesInTransactions(t *testing.T) {
	d := direct(t)
	deep := strings.Repeat(`{"M": {"k": `, 32) + `{"S": "x"}` + strings.Repeat(`}}`, 32)
	got := mustFail(t, d, "TransactWriteItems", `{"TransactItems": [{"ConditionCheck": {"TableName": "things", "Key": {"pk": {"S": "a"}},
		"ConditionExpression": "x = :deep", "ExpressionAttributeValues": {":deep": `+deep+`}}}]}`)
	checkFailure(t, got, "ValidationException", "Nesting Levels have exceeded supported limits")
func TestDifference27IteratorsByTime(t *testing.T) {
	d := direct(t)
	got := mustFail(t, d, "GetShardIterator", `{"StreamArn": "arn:aws:dynamodb:us-east-1:123456789012:table/things/stream/2026-11-15T00:00:00.000",
		"ShardId": "shardId-00000001414562045508-2bac9cd2", "ShardIteratorType": "AT_TIMESTAMP"}`)
	checkFailure(t, got, "ValidationException", "shardIteratorType")
}

func TestDifference65KeysOfSeveralAttributesInASentence(t *testing.T) {
	d := direct(t)
	got := mustFail(t, d, "UpdateTable", `{"TableName": "things", "AttributeDefinitions": [{"AttributeName": "g", "AttributeType": "S"}, {"AttributeName": "pk", "AttributeType": "N"}],
		"GlobalSecondaryIndexUpdates": [{"Create": {"IndexName": "by-g", "Projection": {"ProjectionType": "ALL"},
			"KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}, {"AttributeName": "pk", "KeyType": "RANGE"}]}}]}`)
	checkFailure(t, got, "ValidationException", "New schema: Schema:[SchemaElement: key{g:S:HASH}, SchemaElement: key{pk:N:RANGE}]")
}

func TestDifference66WhatDeleteTableTells(t *testing.T) {
	d := directDoor(openEngine(t))
	mustCall(t, d, "CreateTable", strings.Replace(createThings, "{", `{"SSESpecification": {"Enabled": true}, "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "KEYS_ONLY"}, `, 1))
	got := mustCall(t, d, "DeleteTable", `{"TableName": "things"}`)
	checkOutput(t, "DeleteTable", got, `{"TableDescription": {"TableStatus": "DELETING", "SSEDescription": "(absent)", "StreamSpecification": "(absent)", "LatestStreamArn": "(absent)"}}`)
}

func TestDifference67TheKeyBehindAnAliasIsInvented(t *testing.T) {
	for range 2 {
		d := directDoor(openEngine(t))
		got := mustCall(t, d, "CreateTable", strings.Replace(createThings, "{", `{"SSESpecification": {"Enabled": true}, `, 1))
		checkOutput(t, "CreateTable", got, `{"TableDescription": {"SSEDescription": {"KMSMasterKeyArn": "arn:aws:kms:us-east-1:123456789012:key/9512c8d4-eeff-89b1-1c4e-d411fbc7f1d8"}}}`)
	}
}

func TestDifference68TableNamesOfTwoLetters(t *testing.T) {
	d := direct(t)
	const short = "Member must have length greater than or equal to 3"
	checkFailure(t, mustFail(t, d, "UpdateTable", `{"TableName": "ab", "BillingMode": "PAY_PER_REQUEST"}`), "ValidationException", short)
	checkFailure(t, mustFail(t, d, "BatchGetItem", `{"RequestItems": {"ab": {"Keys": [{"pk": {"S": "a"}}]}}}`), "ValidationException", short)
	checkFailure(t, mustFail(t, d, "GetItem", `{"TableName": "ab", "Key": {"pk": {"S": "a"}}}`), "ResourceNotFoundException", "Requested resource not found")
}

func TestDifference69AQueryForOneItemCanBeRestarted(t *testing.T) {
	d := direct(t)
	mustCall(t, d, "PutItem", `{"TableName": "things", "Item": {"pk": {"S": "a"}}}`)
	got := mustCall(t, d, "Query", `{"TableName": "things", "KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "a"}}, "ExclusiveStartKey": {"pk": {"S": "a"}}}`)
	checkOutput(t, "Query", got, `{"Count": 0}`)
}

func TestDifference70PlaceholdersForLongNames(t *testing.T) {
	d := direct(t)
	got := mustFail(t, d, "Scan", fmt.Sprintf(`{"TableName": "things", "FilterExpression": "attribute_exists(#n)", "ExpressionAttributeNames": {"#n": %q}}`, strings.Repeat("n", 65_536)))
	checkFailure(t, got, "ValidationException", "ExpressionAttributeNames contains invalid value: Attribute name is too large, must be less than 65536 bytes for key #n")
}

func TestDifference60IteratorsByTimeAreRefusedInOurWords(t *testing.T) {
	d := direct(t)
	table := mustCall(t, d, "UpdateTable", `{"TableName": "things", "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "KEYS_ONLY"}}`)
	stream := table["TableDescription"].(map[string]any)["LatestStreamArn"].(string)
	described := mustCall(t, d, "DescribeStream", fmt.Sprintf(`{"StreamArn": %q}`, stream))["StreamDescription"].(map[string]any)
	shard := described["Shards"].([]any)[0].(map[string]any)["ShardId"].(string)
	for members, want := range map[string]string{
		`"ShardIteratorType": "AT_TIMESTAMP"`:                            "One or more parameter values were invalid: Timestamp is required when ShardIteratorType is AT_TIMESTAMP",
		`"ShardIteratorType": "AT_TIMESTAMP", "Timestamp": 99999999999`:  "One or more parameter values were invalid: Timestamp must not be in the future",
		`"ShardIteratorType": "TRIM_HORIZON", "Timestamp": 1791316726.5`: "One or more parameter values were invalid: Timestamp must not be specified when ShardIteratorType is TRIM_HORIZON",
	} {
		got := mustFail(t, d, "GetShardIterator", fmt.Sprintf(`{"StreamArn": %q, "ShardId": %q, %s}`, stream, shard, members))
		checkFailure(t, got, "ValidationException", want)
	}
}

func TestDifference61ShardsCanBeSplit(t *testing.T) {
	server := serve(t, openEngine(t))
	withStream := strings.TrimSuffix(strings.TrimSpace(createThings), "}") + `, "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "KEYS_ONLY"}}`
	_, created := post(t, server, "DynamoDB_20120810.CreateTable", withStream, nil)
	stream := parsed(t, created)["TableDescription"].(map[string]any)["LatestStreamArn"].(string)
	response, body := post(t, server, "Sortkey.SplitShards", `{"TableName": "things"}`, nil)
	checkAnswer(t, response, body, http.StatusOK, "{}")
	_, described := post(t, server, "DynamoDBStreams_20120810.DescribeStream", fmt.Sprintf(`{"StreamArn": %q}`, stream), nil)
	shards := parsed(t, described)["StreamDescription"].(map[string]any)["Shards"].([]any)
	children := map[any]int{}
	for _, shard := range shards {
		children[shard.(map[string]any)["ParentShardId"]]++
	}
	if len(shards) != 12 || len(children) != 5 || children[nil] != 4 {
		t.Errorf("%d shards; children by their parents: %v", len(shards), children)
	}
	for target, want := range map[string]string{"Sortkey.NoSuchThing": "UnknownOperationException", "DynamoDB_20120810.SplitShards": "UnknownOperationException"} {
		response, body := post(t, server, target, `{"TableName": "things"}`, nil)
		checkAnswer(t, response, body, http.StatusBadRequest, coral(want))
	}
func TestDifference30KeyConditionsOnSeveralAttributes(t *testing.T) {
	d := directDoor(openEngine(t))
	mustCall(t, d, "CreateTable", `{"TableName": "things", "BillingMode": "PAY_PER_REQUEST",
		"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "g", "AttributeType": "S"}, {"AttributeName": "r", "AttributeType": "N"},
			{"AttributeName": "q", "AttributeType": "N"}],
		"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
		"GlobalSecondaryIndexes": [{"IndexName": "wide", "Projection": {"ProjectionType": "KEYS_ONLY"}, "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"},
			{"AttributeName": "r", "KeyType": "RANGE"}, {"AttributeName": "q", "KeyType": "RANGE"}]}]}`)
	for i := range 4 {
		mustCall(t, d, "PutItem", fmt.Sprintf(`{"TableName": "things", "Item": {"pk": {"S": "%d"}, "g": {"S": "a"}, "r": {"N": "1"}, "q": {"N": "%d"}}}`, i, i))
	}
	const query = `{"TableName": "things", "IndexName": "wide", "Select": "COUNT", "KeyConditions": {"g": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "a"}]}, %s}}`
	const r, q = `"r": {"ComparisonOperator": "%s", "AttributeValueList": [{"N": "1"}]}`, `"q": {"ComparisonOperator": "GE", "AttributeValueList": [{"N": "2"}]}`
	got := mustCall(t, d, "Query", fmt.Sprintf(query, fmt.Sprintf(r, "EQ")+", "+q))
	checkOutput(t, "Query", got, `{"Count": 2}`)
	failed := mustFail(t, d, "Query", fmt.Sprintf(query, fmt.Sprintf(r, "LT")+", "+q))
	checkFailure(t, failed, "ValidationException", "RANGE key attributes r must have equality conditions specified in the query because a condition is present on key attribute q")
	failed = mustFail(t, d, "Query", fmt.Sprintf(query, fmt.Sprintf(r, "EQ")+", "+q+`, "x": {"ComparisonOperator": "EQ", "AttributeValueList": [{"N": "1"}]}`))
	checkFailure(t, failed, "ValidationException", "The number of query conditions (4) exceeds the number of key attributes defined in the schema (3)")
}

func TestDifference31MembersOfLegacyParameters(t *testing.T) {
	d := direct(t)
	const key = `{"TableName": "things", "Key": {"pk": {"S": "a"}}, `
	for _, c := range []struct{ operation, input, message string }{
		{"DeleteItem", key + `"Expected": {"a": {"Exists": false}, "b": {"Exists": false}}, "ConditionalOperator": "NOT"}`, "'conditionalOperator' failed to satisfy constraint: Member must satisfy enum value set: [OR, AND]"},
		{"UpdateItem", key + `"AttributeUpdates": {"a": {"Action": "SET"}}}`, "'attributeUpdates.a.member.action' failed to satisfy constraint: Member must satisfy enum value set: [ADD, PUT, DELETE]"},
		{"UpdateItem", key + `"AttributeUpdates": {"": {"Action": "DELETE"}}}`, "Empty attribute name"},
		{"UpdateItem", key + `"AttributeUpdates": {"a": {"Action": "ADD"}}, "Expected": {"a": {"Exists": true}}}`, "Value must be provided when Exists is true for Attribute: a"},
		{"Query", `{"TableName": "things", "KeyConditions": {}}`, "Conditions can be of length 1 or 2 only"},
	} {
		checkFailure(t, mustFail(t, d, c.operation, c.input), "ValidationException", c.message)
	}
}

func TestDifference32NotContainsOfAnotherType(t *testing.T) {
	d := direct(t)
	mustCall(t, d, "PutItem", `{"TableName": "things", "Item": {"pk": {"S": "a"}, "s": {"S": "1"}, "n": {"N": "1"}}}`)
	const scan = `{"TableName": "things", "ScanFilter": {"%s": {"ComparisonOperator": "NOT_CONTAINS", "AttributeValueList": [{"N": "1"}]}}, "Select": "COUNT"}`
	checkOutput(t, "Scan", mustCall(t, d, "Scan", fmt.Sprintf(scan, "s")), `{"Count": 1}`)
	checkOutput(t, "Scan", mustCall(t, d, "Scan", fmt.Sprintf(scan, "n")), `{"Count": 0}`)
}

func TestDifference33DeleteFromAMissingItem(t *testing.T) {
	d := direct(t)
	mustCall(t, d, "UpdateItem", `{"TableName": "things", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "DELETE s :s", "ExpressionAttributeValues": {":s": {"SS": ["x"]}}}`)
	checkOutput(t, "Scan", mustCall(t, d, "Scan", `{"TableName": "things", "Select": "COUNT"}`), `{"Count": 0}`)
func TestDifference71PartitionsFollowTheThroughput(t *testing.T) {
	d := direct(t)
	const scan = `{"TableName": "things", "ReturnConsumedCapacity": "TOTAL"}`
	checkOutput(t, "Scan", mustCall(t, d, "Scan", scan), `{"ConsumedCapacity": {"CapacityUnits": 2}}`)
	mustCall(t, d, "UpdateTable", `{"TableName": "things", "BillingMode": "PROVISIONED", "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}}`)
	checkOutput(t, "Scan", mustCall(t, d, "Scan", scan), `{"ConsumedCapacity": {"CapacityUnits": 0.5}}`)
}

// The item is exactly 400 KB large: 2 and 1 byte for the key, 1 for the name x.
func TestDifference72UpdatesAreMeasuredAsInMostRegions(t *testing.T) {
	d := direct(t)
	value := strings.Repeat("x", 409_600-4)
	got := mustFail(t, d, "UpdateItem", fmt.Sprintf(`{"TableName": "things", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET x = :x", "ExpressionAttributeValues": {":x": {"S": %q}}}`, value))
	checkFailure(t, got, "ValidationException", "Item size to update has exceeded the maximum allowed size")
	mustCall(t, d, "TransactWriteItems", fmt.Sprintf(`{"TransactItems": [{"Update": {"TableName": "things", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET x = :x", "ExpressionAttributeValues": {":x": {"S": %q}}}}]}`, value))
}

func TestDifference73WhereTheOlderValidatorTakesOver(t *testing.T) {
	d := direct(t)
	for levels, want := range map[int]string{62: "1 validation error detected: Nesting Levels", 63: "Nesting Levels"} {
		deep := strings.Repeat(`{"M": {"k": `, levels) + `{"S": "x"}` + strings.Repeat(`}}`, levels)
		got := mustFail(t, d, "PutItem", `{"TableName": "things", "Item": {"pk": {"S": "a"}, "v": `+deep+`}}`)
		if got.code != "ValidationException" || !strings.HasPrefix(got.message, want) {
			t.Errorf("%d levels: got %s: %s, want %s", levels, got.code, got.message, want)
		}
	}
}

func TestDifference62OtherPathsAreUnknown(t *testing.T) {
	server := serve(t, openEngine(t))
	server.URL += "/some/path"
	response, body := post(t, server, listCall, "{}", nil)
	checkAnswer(t, response, body, http.StatusNotFound, unknown)
}

func TestDifference63BodiesThatDoNotInflate(t *testing.T) {
	server := serve(t, openEngine(t))
	packed := gzipped(t, `{"Limit": 5}`)
	for _, c := range []struct{ encoding, body, want string }{
		{"gzip", "{}", "The body of the request is not what its Content-Encoding gzip says"},
		{"gzip", packed[:len(packed)-9], "The body of the request is not what its Content-Encoding gzip says"},
		{"deflate", packed, "The body of the request is not what its Content-Encoding deflate says"},
		{"br", packed, "The Content-Encoding br is not supported; gzip and deflate are"},
	} {
		response, body := post(t, server, listCall, c.body, map[string]string{"Content-Encoding": c.encoding})
		checkAnswer(t, response, body, http.StatusBadRequest, `{"__type":"com.amazon.coral.service#SerializationException","Message":"`+c.want+`"}`)
	}
	response, _ := post(t, server, "DynamoDB_20120810.GetItem", `{"TableName": "`+strings.Repeat("x", 9000)+`"}`, map[string]string{"Accept-Encoding": "gzip"})
	checkHeader(t, response, "Content-Encoding", "") // AWS says gzip here and sends the error as it is
}

// TestDifferencesAreNumbered holds DIFFERENCES.md and the tests here together.
func TestDifferencesAreNumbered(t *testing.T) {
	// Another order cannot be told from ours without AWS (05), and conflicts need a slow disk: package
	// table tests them (26).
	untestable := []string{"05", "26"}
	document, err := os.ReadFile("DIFFERENCES.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("differences_test.go")
	if err != nil {
		t.Fatal(err)
	}
	entry := regexp.MustCompile(`(?m)^\*\*([0-9]{2})\. `)
	listed := numbers(entry, document)
	tested := numbers(regexp.MustCompile(`(?m)^func TestDifference([0-9]{2})[A-Z]`), source)
	for chapter := range strings.SplitSeq(string(document), "\n## ") {
		if in := numbers(entry, []byte(chapter)); !slices.IsSorted(in) {
			t.Errorf("the entries of a chapter of DIFFERENCES.md are not in order: %v", in)
		}
	}
	if all := slices.Sorted(slices.Values(listed)); len(slices.Compact(all)) != len(listed) {
		t.Errorf("DIFFERENCES.md uses a number twice: %v", listed)
	}
	for _, number := range listed {
		if !slices.Contains(tested, number) && !slices.Contains(untestable, number) {
			t.Errorf("difference %s has no test", number)
		}
	}
	for _, number := range tested {
		if !slices.Contains(listed, number) {
			t.Errorf("difference %s is not in DIFFERENCES.md", number)
		}
	}
}

func numbers(pattern *regexp.Regexp, text []byte) []string {
	var all []string
	for _, match := range pattern.FindAllSubmatch(text, -1) {
		all = append(all, string(match[1]))
	}
	return all
}
