package conformance

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// The differences in vector indexes and their searches.

// vectors opens an engine with the table things that has a vector index called vix,
// and the direct door.
func vectors(t *testing.T, searchSchema string) door {
	t.Helper()
	d := directDoor(openEngine(t))
	mustCall(t, d, "CreateTable", `{"TableName": "things", "BillingMode": "PAY_PER_REQUEST", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
		"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "tenant", "AttributeType": "S"}],
		"VectorIndexes": [{"IndexName": "vix", "VectorAttribute": {"AttributeName": "v"}, "Dimensions": 2, "DistanceFunction": "COSINE",
			"Projection": {"ProjectionType": "ALL"}, "SearchSchema": [`+searchSchema+`]}]}`)
	return d
}

const (
	byTenant  = `{"AttributeName": "tenant", "SearchSchemaElementType": "HASH"}`
	forTenant = `{"AttributeName": "tenant", "SearchSchemaElementType": "INLINE_FILTER"}`
)

func putVector(t *testing.T, d door, pk, tenant, x, y string) map[string]any {
	t.Helper()
	return mustCall(t, d, "PutItem", fmt.Sprintf(`{"TableName": "things", "ReturnConsumedCapacity": "INDEXES",
		"Item": {"pk": {"S": %q}, "tenant": {"S": %q}, "v": {"L": [{"N": %q}, {"N": %q}]}}}`, pk, tenant, x, y))
}

func TestDifference55VectorSearchIsExact(t *testing.T) {
	d := vectors(t, forTenant)
	for i := range 50 {
		putVector(t, d, fmt.Sprintf("k%02d", 49-i), "t", "1", strconv.Itoa(i%2))
		got := mustCall(t, d, "SearchVectors", `{"TableName": "things", "IndexName": "vix", "SearchVector": [{"N": "1"}, {"N": "0"}], "TopK": 1}`)
		checkOutput(t, "SearchVectors", got, fmt.Sprintf(`{"SearchResults": [{"Item": {"pk": {"S": "k%02d"}}, "Score": 0}]}`, 49-i/2*2))
	}
	add := `{"TableName": "things", "VectorIndexUpdates": [{"Create": {"IndexName": "new", "VectorAttribute": {"AttributeName": "v"}, "Dimensions": 2,
		"DistanceFunction": "EUCLIDEAN", "Projection": {"ProjectionType": "ALL"}}}]}`
	for range 3 {
		mustCall(t, d, "UpdateTable", add)
		mustCall(t, d, "UpdateTable", `{"TableName": "things", "VectorIndexUpdates": [{"Delete": {"IndexName": "new"}}]}`)
	}
}

func TestDifference56VectorsAreListsInTables(t *testing.T) {
	d := vectors(t, forTenant)
	putVector(t, d, "a", "t", "1", "0.25")
	got := mustCall(t, d, "DescribeTable", `{"TableName": "things"}`)
	// pk and tenant take 3 and 7 bytes, the name of the vector 1; 3 for the list, 1 and 2 for the first number, 1 and 2 for the second.
	checkOutput(t, "DescribeTable", got, `{"Table": {"TableSizeBytes": 20, "VectorIndexes": [{"IndexSizeBytes": 19}]}}`)
	got = mustCall(t, d, "SearchVectors", `{"TableName": "things", "IndexName": "vix", "SearchVector": [{"N": "1"}, {"N": "0"}], "TopK": 1, "ProjectionExpression": "v"}`)
	checkOutput(t, "SearchVectors", got, `{"SearchResults": [{"Item": {"v": {"L": [{"N": "1"}, {"N": "0.25"}]}}}]}`)
}

func TestDifference57RefusalsOfVectors(t *testing.T) {
	d := vectors(t, byTenant)
	create := func(attribute, searchSchema string) string {
		return `{"TableName": "more", "BillingMode": "PAY_PER_REQUEST", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
			"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "tenant", "AttributeType": "S"}],
			"VectorIndexes": [{"IndexName": "vix", "VectorAttribute": {"AttributeName": "` + attribute + `"}, "Dimensions": 2, "DistanceFunction": "COSINE",
				"Projection": {"ProjectionType": "ALL"}, "SearchSchema": [` + searchSchema + `]}]}`
	}
	search := func(condition, values string) string {
		return `{"TableName": "things", "IndexName": "vix", "SearchVector": [{"N": "1"}, {"N": "0"}], "TopK": 1,
			"SearchConditionExpression": "` + condition + `", "ExpressionAttributeValues": {` + values + `}}`
	}
	for _, c := range []struct{ operation, input, part string }{
		{"CreateTable", create("pk", byTenant), "Conflicting attribute definition for 'pk'."},
		{"CreateTable", create("v", byTenant+", "+forTenant), "multiple elements with the same name: tenant"},
		{"CreateTable", create("v", byTenant+`, {"AttributeName": "pk", "SearchSchemaElementType": "HASH"}`), "maximum allowed number of HASH elements"},
		{"UpdateTable", `{"TableName": "things", "BillingMode": "PAY_PER_REQUEST", "VectorIndexUpdates": []}`, "List of VectorIndexUpdates is empty"},
		{"SearchVectors", search("tenant = :t", `":t": {"N": "1"}`), "Condition parameter type does not match schema type"},
		{"SearchVectors", search("tenant = :t AND tenant = :u", `":t": {"S": "t"}, ":u": {"S": "u"}`), "only be one condition on an attribute; attribute: tenant"},
		{"SearchVectors", search("tenant.x = :t", `":t": {"S": "t"}`), "cannot be on a nested attribute"},
		{"SearchVectors", search("tenant = pk", `":t": {"S": "t"}`), "must compare an attribute with a value"},
		{"SearchVectors", `{"TableName": "things", "IndexName": "vix", "TopK": 1}`, "missing field `SearchVector`"},
		{"PutItem", `{"TableName": "things", "Item": {"pk": {"S": "a"}, "v": {"L": [{"N": "1"}, {"N": "1e39"}]}}}`, "v[1], Expected: 32-bit floating point number, Actual: N. IndexName: vix"},
	} {
		checkFailure(t, mustFail(t, d, c.operation, c.input), "ValidationException", c.part)
	}
	big := strings.Repeat("x", 400_000)
	for i := range 43 {
		mustCall(t, d, "PutItem", fmt.Sprintf(`{"TableName": "things", "Item": {"pk": {"S": "%d"}, "tenant": {"S": "t"}, "v": {"L": [{"N": "1"}, {"N": "0"}]}, "x": {"S": %q}}}`, i, big))
	}
	got := mustFail(t, d, "SearchVectors", strings.Replace(search("tenant = :t", `":t": {"S": "t"}`), `"TopK": 1`, `"TopK": 43`, 1))
	checkFailure(t, got, "ValidationException", "16 MB")
}

func TestDifference58VectorsOfZeros(t *testing.T) {
	d := vectors(t, forTenant)
	putVector(t, d, "a", "t", "0", "0")
	got := mustCall(t, d, "SearchVectors", `{"TableName": "things", "IndexName": "vix", "SearchVector": [{"N": "1"}, {"N": "0"}], "TopK": 1}`)
	checkOutput(t, "SearchVectors", got, `{"SearchResults": [{"Score": 1}]}`)
}

func TestDifference59BytesOfVectorIndexes(t *testing.T) {
	d := vectors(t, byTenant)
	for _, c := range []struct {
		tenant, x string
		bytes     int
	}{{"t", "1", 1024}, {"u", "1", 2048}, {"u", "2", 1024}} {
		checkOutput(t, "PutItem", putVector(t, d, "a", c.tenant, c.x, "0"), fmt.Sprintf(`{"ConsumedCapacity": {"VectorIndexes": {"vix": {"VectorWriteRequestBytes": %d}}}}`, c.bytes))
	}
	for i := range 200 {
		putVector(t, d, fmt.Sprintf("k%03d", i), "t", "1", "0")
	}
	got := mustCall(t, d, "SearchVectors", `{"TableName": "things", "IndexName": "vix", "SearchVector": [{"N": "1"}, {"N": "0"}], "TopK": 2, "ReturnConsumedCapacity": "TOTAL",
		"SearchConditionExpression": "tenant = :t", "ExpressionAttributeValues": {":t": {"S": "t"}}}`)
	checkOutput(t, "SearchVectors", got, `{"ConsumedCapacity": {"VectorSearchRequestBytes": 1626}}`) // 200 times 8, twice 6 and 7
}
