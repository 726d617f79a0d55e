package request

import "sortkey.dev/engine/internal/dynamo"

// ListTables is a checked ListTablesInput.
type ListTables struct {
	Start string // list the names after this one; empty: from the start
	Limit int    // 1 to 100
}

// maxListedTables is the maximum and the default of Limit.
const maxListedTables = 100

// CheckListTables checks the input of ListTables.
func CheckListTables(in *dynamo.ListTablesInput) (*ListTables, error) {
	var v violations
	if in.ExclusiveStartTableName != nil {
		v.name(minTableName, *in.ExclusiveStartTableName, "exclusiveStartTableName")
	}
	limit := v.limit(in.Limit, maxListedTables)
	if err := v.err(); err != nil {
		return nil, err
	}
	return &ListTables{Start: textOf(in.ExclusiveStartTableName), Limit: limit}, nil
}
