package request

import (
	"errors"
	"strings"
	"testing"

	"sortkey.dev/engine/internal/dynamo"
)

// one returns the message of a single validation error in DynamoDB's envelope.
func one(sentence string) string { return "1 validation error detected: " + sentence }

// Messages of several operations.
const (
	badCapacity   = "Value 'X' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]"
	badMetrics    = "Value 'X' at 'returnItemCollectionMetrics' failed to satisfy constraint: Member must satisfy enum value set: [SIZE, NONE]"
	badReturns    = "Value 'X' at 'returnValues' failed to satisfy constraint: Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]"
	newBadReturns = "Failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]"
	badOnFailure  = "Value 'X' at 'returnValuesOnConditionCheckFailure' failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, NONE]"
	noTableName   = "Value null at 'tableName' failed to satisfy constraint: Member must not be null"
	noKey         = "Value null at 'key' failed to satisfy constraint: Member must not be null"
	noItem        = "Value null at 'item' failed to satisfy constraint: Member must not be null"
	emptyName     = "Value '' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 1"
	newEmptyName  = "Value at 'TableName' failed to satisfy constraint: Member must have length greater than or equal to 1"
	badName       = "Value 'a b' at 'tableName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
	mixed         = "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {"
	emptySet      = "One or more parameter values were invalid: An string set  may not be empty"
	nesting       = "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"
)

const tableARN = "arn:aws:dynamodb:eu-west-1:123456789012:table/Music"

// answer returns the message that the caller sees: that of a ValidationException, or
// nothing.
func answer(t *testing.T, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	var e *dynamo.Error
	if !errors.As(err, &e) || e.Code != dynamo.Validation {
		t.Fatalf("the error is not a ValidationException: %v", err)
	}
	return e.Message
}

// expect compares an error with the wanted message; "" means that the request is valid.
func expect(t *testing.T, err error, want string) {
	t.Helper()
	if got := answer(t, err); got != want {
		t.Errorf("\n got: %s\nwant: %s", got, want)
	}
}

// item returns an item of string attributes, given as name, value, name, value.
func item(t testing.TB, texts ...string) dynamo.RawItem {
	t.Helper()
	var e dynamo.Encoder
	e.OpenItem()
	for i := 0; i < len(texts); i += 2 {
		e.Name(texts[i])
		e.String(texts[i+1])
	}
	encoded, err := e.CloseItem()
	if err != nil {
		t.Fatal(err)
	}
	return dynamo.RawItem{Item: encoded}
}

// faulty returns an item in which a door found a fault.
func faulty(t testing.TB, fault error) dynamo.RawItem {
	raw := item(t, "pk", "a")
	raw.Fault = fault
	return raw
}

// values returns expression attribute values, all the string x.
func values(t testing.TB, placeholders ...string) dynamo.RawValues {
	raw := dynamo.RawValues{ByName: map[string]dynamo.Value{}}
	for _, p := range placeholders {
		raw.ByName[p] = item(t, "x", "x").Item.Get("x")
	}
	return raw
}

// twoWordings is a fault that the two layers of values word differently.
var twoWordings = &dynamo.Fault{Text: "newer words", Older: "older words"}

// long returns a text of n letters.
func long(n int) string { return strings.Repeat("a", n) }
