package request

import "sortkey.dev/engine/internal/dynamo"

// CheckDeleteTable checks the input of DeleteTable and returns the name of the table.
func CheckDeleteTable(in *dynamo.DeleteTableInput) (string, error) {
	return requireTable(in.TableName)
}
