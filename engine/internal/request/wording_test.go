package request

import (
	"testing"

	"sortkey.dev/engine/internal/dynamo"
)

// TestBothWordings checks the errors for the same requests in both wordings.
func TestBothWordings(t *testing.T) {
	key := dynamo.RawItem{Item: dynamo.Item{0, 0, 0, 0}}
	unused := dynamo.Expressions{Values: dynamo.RawValues{ByName: map[string]dynamo.Value{":v": {byte(dynamo.KindNull)}}}}
	put := func(w Wording) error {
		_, err := w.CheckPutItem(&dynamo.PutItemInput{WriteParameters: dynamo.WriteParameters{TableName: new("things"), Expressions: unused}, Item: key})
		return err
	}
	update := func(w Wording) error {
		_, err := w.CheckUpdateItem(&dynamo.UpdateItemInput{WriteParameters: dynamo.WriteParameters{TableName: new("things")}, Key: key, UpdateExpression: new("")})
		return err
	}
	remove := func(w Wording) error {
		_, err := w.CheckDeleteItem(&dynamo.DeleteItemInput{WriteParameters: dynamo.WriteParameters{TableName: new("things"), ReturnValues: "BAD"}, Key: key})
		return err
	}
	get := func(w Wording) error {
		_, err := w.CheckGetItem(&dynamo.GetItemInput{TableName: new(""), Key: key})
		return err
	}
	batch := func(w Wording) error {
		_, err := w.CheckBatchGetItem(&dynamo.BatchGetItemInput{RequestItems: []dynamo.KeysAndAttributes{}})
		return err
	}
	for name, test := range map[string]struct {
		check          func(Wording) error
		current, older string
	}{
		"values without an expression": {put,
			"1 validation error detected: ExpressionAttributeValues can only be specified when using expressions",
			"ExpressionAttributeValues can only be specified when using expressions: ConditionExpression is null"},
		"an empty expression": {update,
			"1 validation error detected: Invalid UpdateExpression: The expression can not be empty;",
			"Invalid UpdateExpression: The expression can not be empty;"},
		"an unknown choice": {remove,
			"1 validation error detected: Failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]",
			"1 validation error detected: Value 'BAD' at 'returnValues' failed to satisfy constraint: Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]"},
		"an empty table name": {get,
			"1 validation error detected: Value at 'TableName' failed to satisfy constraint: Member must have length greater than or equal to 1",
			"1 validation error detected: Value '' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 1"},
		"a batch without tables": {batch,
			"1 validation error detected: Value at 'RequestItems' failed to satisfy constraint: Member must have length greater than or equal to 1",
			"The requestItems parameter is required for BatchGetItem"},
	} {
		for wording, want := range map[Wording]string{Current: test.current, Older: test.older} {
			err := test.check(wording)
			if err == nil || err.Error() != "ValidationException: "+want {
				t.Errorf("%s, wording %d: %v\nwant %s", name, wording, err, want)
			}
		}
	}
}
