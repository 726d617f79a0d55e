package request

import "sortkey.dev/engine/internal/dynamo"

// ListTables is a checked ListTablesInput.
type ListTables struct {
	Start string // list the names after this one; empty: from the start
	Limit int    // 1 to 100
}

// maxListedTables is the greatest Limit and the one that is used when none was sent.
const maxListedTables = 100

// CheckListTables checks the input of ListTables.
func CheckListTables(in *dynamo.ListTablesInput) (*ListTables, error) {
	var v violations
	if in.ExclusiveStartTableName != nil {
		v.name(minTableName, *in.ExclusiveStartTableName, "exclusiveStartTableName")
	}
	limit := maxListedTables
	if in.Limit != nil {
		limit = int(*in.Limit)
		v.atLeast(1, int64(limit), "limit")
		v.atMost(maxListedTables, int64(limit), "limit")
	}
	if err := v.err(); err != nil {
		return nil, err
	}
	return &ListTables{Start: textOf(in.ExclusiveStartTableName), Limit: limit}, nil
}
