package request

import "sortkey.dev/engine/internal/dynamo"

// CheckDescribeTimeToLive checks the input of DescribeTimeToLive and returns the name of the table.
func CheckDescribeTimeToLive(in *dynamo.DescribeTimeToLiveInput) (string, error) {
	return requireTable(in.TableName)
}
