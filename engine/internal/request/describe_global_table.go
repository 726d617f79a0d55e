package request

import "sortkey.dev/engine/internal/dynamo"

// CheckDescribeGlobalTable checks the input of DescribeGlobalTable and returns the name.
func CheckDescribeGlobalTable(in *dynamo.DescribeGlobalTableInput) (name string, err error) {
	return requireGlobalTable(in.GlobalTableName)
}

// requireGlobalTable checks the name of a legacy global table.
func requireGlobalTable(name *string) (string, error) {
	var v violations
	if name == nil {
		v.missing("globalTableName")
	} else {
		v.shortName(minTableName, *name, "globalTableName")
	}
	return textOf(name), v.err()
}
