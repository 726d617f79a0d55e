package request

import "sortkey.dev/engine/internal/dynamo"

// CheckDescribeTable checks the input of DescribeTable and returns the name of the table.
func CheckDescribeTable(in *dynamo.DescribeTableInput) (string, error) {
	return requireTable(in.TableName)
}
