package request

import (
	"testing"

	"sortkey.dev/engine/internal/dynamo"
)

func TestScanErrors(t *testing.T) {
	tests := []struct {
		name   string
		change func(in *dynamo.ScanInput)
		want   string
	}{
		{"a plain scan is good", func(*dynamo.ScanInput) {}, ""},
		{"empty table name", func(in *dynamo.ScanInput) { in.TableName = new("") }, one(emptyName)},
		{"every member is bad", func(in *dynamo.ScanInput) {
			in.TableName, in.Select, in.IndexName, in.ReturnConsumedCapacity = new(""), "X", new("a b"), "X"
			in.TotalSegments, in.Segment, in.Limit = new(int32(0)), new(int32(-1)), new(int32(0))
		}, "7 validation errors detected: " + badSelect + "; " + badIndex +
			"; Value '0' at 'totalSegments' failed to satisfy constraint: Member must have value greater than or equal to 1" +
			"; " + badCapacity + "; " + emptyName +
			"; Value '-1' at 'segment' failed to satisfy constraint: Member must have value greater than or equal to 0" +
			"; Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1"},
		{"most segments", func(in *dynamo.ScanInput) { in.TotalSegments, in.Segment = new(int32(1_000_000)), new(int32(999_999)) }, ""},
		{"last segment", func(in *dynamo.ScanInput) { in.Segment, in.TotalSegments = new(int32(4)), new(int32(5)) }, ""},
		{"segment after the last", func(in *dynamo.ScanInput) { in.Segment, in.TotalSegments = new(int32(5)), new(int32(5)) },
			"The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: 5 is not less than TotalSegments: 5"},
		{"a bad segment beats a bad filter", func(in *dynamo.ScanInput) { in.Segment, in.FilterExpression = new(int32(0)), new("") },
			"The TotalSegments parameter is required but was not present in the request when Segment parameter is present"},

		{"a bad start key is worded the older way and beats bad segments", func(in *dynamo.ScanInput) {
			in.ExclusiveStartKey, in.Segment = faulty(t, twoWordings), new(int32(0))
		}, "older words"},
		{"two types in the start key", func(in *dynamo.ScanInput) { in.ExclusiveStartKey = faulty(t, dynamo.FaultManyTypes) },
			"The provided starting key is invalid: " + dynamo.FaultManyTypes.Text},
		{"bad expression value, with its placeholder, worded the older way", func(in *dynamo.ScanInput) {
			in.FilterExpression, in.Values = new("a = :v"), values(t, ":v")
			in.Values.Fault, in.Values.FaultName = twoWordings, ":v"
		}, "ExpressionAttributeValues contains invalid value: older words for key :v"},

		{"the filter is read before the projection", func(in *dynamo.ScanInput) { in.FilterExpression, in.ProjectionExpression = new(""), new("") },
			"Invalid FilterExpression: The expression can not be empty;"},
		{"SPECIFIC_ATTRIBUTES of nothing, without the envelope", func(in *dynamo.ScanInput) { in.Select = "SPECIFIC_ATTRIBUTES" },
			"Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			in := &dynamo.ScanInput{PageParameters: dynamo.PageParameters{TableName: new("Music")}}
			test.change(in)
			scan, err := CheckScan(in)
			expect(t, err, test.want)
			if (err == nil) == (scan == nil) {
				t.Errorf("CheckScan returned %v and %v", scan, err)
			}
		})
	}
}

func TestScanIsResolved(t *testing.T) {
	in := &dynamo.ScanInput{
		PageParameters: dynamo.PageParameters{
			TableName: new("Music"), IndexName: new("byYear"), Limit: new(int32(9)), Select: "COUNT",
			FilterExpression: new("attribute_exists(a)"), ConsistentRead: new(true), ReturnConsumedCapacity: "INDEXES",
			ExclusiveStartKey: item(t, "pk", "a"),
		},
		Segment: new(int32(2)), TotalSegments: new(int32(3)),
	}
	scan, err := CheckScan(in)
	if err != nil {
		t.Fatal(err)
	}
	if scan.Table != *in.TableName || scan.Index != "byYear" || scan.Segment != 2 || scan.TotalSegments != 3 || scan.Limit != 9 ||
		scan.Select != SelectCount || scan.Filter == nil || scan.Projection != nil || !scan.Consistent ||
		scan.Capacity != CapacityIndexes || string(scan.Start) != string(in.ExclusiveStartKey.Item) {
		t.Errorf("got %+v", scan)
	}
}
