package request

import "sortkey.dev/engine/internal/dynamo"

// CheckDescribeGlobalTableSettings checks the input of DescribeGlobalTableSettings and returns the name.
func CheckDescribeGlobalTableSettings(in *dynamo.DescribeGlobalTableSettingsInput) (name string, err error) {
	return requireGlobalTable(in.GlobalTableName)
}
