package request

import "sortkey.dev/engine/internal/dynamo"

// CheckSplitShards checks the input of SplitShards and returns the name of the table.
func CheckSplitShards(in *dynamo.SplitShardsInput) (string, error) {
	return requireTable(in.TableName)
}
