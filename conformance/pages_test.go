package conformance

import (
	"fmt"
	"testing"
)

// A start key belongs to the segment it came from. Which segment a partition is
// in is the service's secret, so this cannot be a case file: the test finds out.
// The message was observed on AWS before June 2026.
func TestStartKeyOfAnotherSegment(t *testing.T) {
	d := direct(t)
	mustCall(t, d, "PutItem", `{"TableName": "things", "Item": {"pk": {"S": "a"}}}`)
	refused := 0
	for segment := range 2 {
		scan := fmt.Sprintf(`{"TableName": "things", "TotalSegments": 2, "Segment": %d}`, segment)
		there := len(mustCall(t, d, "Scan", scan)["Items"].([]any)) == 1
		from := fmt.Sprintf(`{"TableName": "things", "TotalSegments": 2, "Segment": %d, "ExclusiveStartKey": {"pk": {"S": "a"}}}`, segment)
		if there {
			checkOutput(t, "Scan", mustCall(t, d, "Scan", from), `{"Count": 0}`)
			continue
		}
		refused++
		checkFailure(t, mustFail(t, d, "Scan", from), "ValidationException", fmt.Sprintf(
			"The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. TotalSegments: 2 Segment: %d", segment))
	}
	if refused != 1 {
		t.Errorf("the item is in %d of 2 segments", 2-refused)
	}
}

// Where 1 MB ends is not documented to the byte, but no page is larger by more
// than its last item, none is empty without a filter, and together they are all.
func TestPagesOf1MB(t *testing.T) {
	d := directDoor(openEngine(t))
	mustCall(t, d, "CreateTable", `{"TableName": "things", "BillingMode": "PAY_PER_REQUEST",
		"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "N"}],
		"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]}`)
	const items, size = 30, 100_000
	for i := range items {
		mustCall(t, d, "PutItem", fmt.Sprintf(`{"TableName": "things", "Item": {"pk": {"S": "a"}, "sk": {"N": "%d"}, "x": {"S": "%0*d"}}}`, i, size, 0))
	}
	for _, call := range []struct{ operation, members string }{
		{"Query", `"KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "a"}}`},
		{"Query", `"KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "a"}}, "ScanIndexForward": false, "ProjectionExpression": "sk"`},
		{"Scan", `"Limit": 1000`},
	} {
		total, start := 0, ""
		for page := 0; ; page++ {
			got := mustCall(t, d, call.operation, `{"TableName": "things", `+call.members+start+`}`)
			n := len(got["Items"].([]any))
			last := got["LastEvaluatedKey"]
			if n < 1 || (n-1)*size > 1<<20 || last != nil && (n+1)*size < 1<<20 {
				t.Fatalf("%s: page %d has %d items of %d bytes", call.operation, page, n, size)
			}
			total += n
			if last == nil {
				break
			}
			start = `, "ExclusiveStartKey": ` + inJSON(last)
		}
		if total != items {
			t.Errorf("%s: %d items in all pages, want %d", call.operation, total, items)
		}
	}
}
