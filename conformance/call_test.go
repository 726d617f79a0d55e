package conformance

import "testing"

// What the tests written in Go share.

// createThings creates the table most of them use.
const createThings = `{"TableName": "things", "BillingMode": "PAY_PER_REQUEST",
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}`

// mustCall runs an operation that must succeed.
func mustCall(t testing.TB, d door, operation, input string) map[string]any {
	t.Helper()
	got, err := d.call(t.Context(), operation, input)
	if err != nil {
		t.Fatalf("%s: %v", operation, err)
	}
	if got.failure != nil {
		t.Fatalf("%s: %s: %s", operation, got.failure.code, got.failure.message)
	}
	return got.output
}

// mustFail runs an operation that must fail.
func mustFail(t testing.TB, d door, operation, input string) failure {
	t.Helper()
	got, err := d.call(t.Context(), operation, input)
	if err != nil {
		t.Fatalf("%s: %v", operation, err)
	}
	if got.failure == nil {
		t.Fatalf("%s succeeded with %s", operation, inJSON(got.output))
	}
	return *got.failure
}

// parsed reads JSON that stands in a test.
func parsed(t testing.TB, text string) map[string]any {
	t.Helper()
	tree, err := parseObject(text)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}
