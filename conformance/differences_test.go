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

func checkFailure(t *testing.T, got failure, code, part string) {
	t.Helper()
	if got.code != code || !strings.Contains(got.message, part) {
		t.Errorf("got %s: %s, want %s with %q", got.code, got.message, code, part)
	}
}

// checkOutput compares the members of an output that matter to a test.
func checkOutput(t *testing.T, operation string, got map[string]any, want string) {
	t.Helper()
	for _, difference := range compare(operation, got, parsed(t, want), true) {
		t.Errorf("%s: %s", operation, difference)
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
	response, body := post(t, closed, listCall, "{}", map[string]string{"Origin": origin})
	checkAnswer(t, response, body, http.StatusBadRequest, `{"__type":"com.amazon.coral.service#AccessDeniedException","Message":"Web pages of `+origin+
		` may not call this endpoint. To let them in, allow their origin: sortkey serve --allow-origin, or Options.AllowOrigin"}`)
	checkHeader(t, response, "Access-Control-Allow-Origin", "")
	response, body = send(t, closed, preflight)
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
	files, err := filepath.Glob("differences*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var source []byte
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		source = append(source, text...)
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
