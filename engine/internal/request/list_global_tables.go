package request

import "sortkey.dev/engine/internal/dynamo"

// CheckListGlobalTables checks the input of ListGlobalTables.
func CheckListGlobalTables(in *dynamo.ListGlobalTablesInput) error {
	var v violations
	if in.ExclusiveStartGlobalTableName != nil {
		v.shortName(minTableName, *in.ExclusiveStartGlobalTableName, "exclusiveStartGlobalTableName")
	}
	if in.Limit != nil {
		v.atLeast(1, int64(*in.Limit), "limit")
	}
	return v.err()
}
