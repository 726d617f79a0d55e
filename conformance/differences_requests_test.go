package conformance

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

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
}

func TestDifference76LateRequestsAreRefused(t *testing.T) {
	server := serve(t, openEngine(t))
	post(t, server, "DynamoDB_20120810.CreateTable", createThings, nil)
	put := `{"TableName": "things", "Item": {"pk": {"S": "a"}}}`
	response, body := post(t, server, "DynamoDB_20120810.PutItem", put, map[string]string{"X-Sortkey-Until": "1000"})
	if response.StatusCode != http.StatusBadRequest || !strings.HasPrefix(body, `{"__type":"com.amazonaws.dynamodb.v20120810#LateRequestException","message":"The request was to be carried out before 1970-01-01T00:00:01Z`) {
		t.Errorf("%d %s", response.StatusCode, body)
	}
	response, body = post(t, server, "DynamoDB_20120810.PutItem", put, map[string]string{"X-Sortkey-Until": "99999999999999"})
	checkAnswer(t, response, body, http.StatusOK, "{}")
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
		checkAnswer(t, response, body, http.StatusInternalServerError, `{"__type":"com.amazon.coral.service#InternalFailure","Message":"`+c.want+`"}`)
	}
	response, _ := post(t, server, "DynamoDB_20120810.GetItem", `{"TableName": "`+strings.Repeat("x", 9000)+`"}`, map[string]string{"Accept-Encoding": "gzip"})
	checkHeader(t, response, "Content-Encoding", "") // AWS says gzip here and sends the error as it is
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
	checkFailure(t, mustFail(t, d, "GetItem", `{"TableName": "ab", "Key": {"pk": {"S": "a"}}}`), "ValidationException", short)
	const missing = "Requested resource not found"
	checkFailure(t, mustFail(t, d, "GetItem", `{"TableName": "arn:aws:dynamodb:us-east-1:123456789012:table/ab", "Key": {"pk": {"S": "a"}}}`), "ResourceNotFoundException", missing)
	checkFailure(t, mustFail(t, d, "ExecuteStatement", `{"Statement": "SELECT * FROM ab"}`), "ResourceNotFoundException", missing)
}

func TestDifference69AQueryForOneItemCanBeRestarted(t *testing.T) {
	d := directDoor(openEngine(t))
	mustCall(t, d, "CreateTable", `{"TableName": "sorted", "BillingMode": "PAY_PER_REQUEST",
		"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "S"}],
		"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]}`)
	mustCall(t, d, "PutItem", `{"TableName": "sorted", "Item": {"pk": {"S": "a"}, "sk": {"S": "b"}}}`)
	got := mustCall(t, d, "Query", `{"TableName": "sorted", "KeyConditionExpression": "pk = :p AND sk = :s",
		"ExpressionAttributeValues": {":p": {"S": "a"}, ":s": {"S": "b"}}, "ExclusiveStartKey": {"pk": {"S": "a"}, "sk": {"S": "b"}}}`)
	checkOutput(t, "Query", got, `{"Count": 0}`)
}

func TestDifference70PlaceholdersForLongNames(t *testing.T) {
	d := direct(t)
	got := mustFail(t, d, "Scan", fmt.Sprintf(`{"TableName": "things", "FilterExpression": "attribute_exists(#n)", "ExpressionAttributeNames": {"#n": %q}}`, strings.Repeat("n", 65_536)))
	checkFailure(t, got, "ValidationException", "ExpressionAttributeNames contains invalid value: Attribute name is too large, must be less than 65536 bytes for key #n")
}

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

func TestDifference74SumsOfMoreThan38Digits(t *testing.T) {
	d := direct(t)
	for sum, want := range map[string]string{"1e38 0.1": "Number overflow.", "1e37 1e-130": "Attempting to store more than 38 significant digits"} {
		a, b, _ := strings.Cut(sum, " ")
		got := mustFail(t, d, "UpdateItem", fmt.Sprintf(`{"TableName": "things", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET n = :a + :b", "ExpressionAttributeValues": {":a": {"N": %q}, ":b": {"N": %q}}}`, a, b))
		checkFailure(t, got, "ValidationException", want)
	}
}

func TestDifference75AZeroWithManyPlaces(t *testing.T) {
	d := direct(t)
	for _, zero := range []string{"0.0e-130", "0." + strings.Repeat("0", 131)} {
		mustCall(t, d, "PutItem", fmt.Sprintf(`{"TableName": "things", "Item": {"pk": {"S": "a"}, "n": {"N": %q}}}`, zero))
	}
}
