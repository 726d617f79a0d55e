package catalog

import (
	"slices"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/kv"
)

// ListTables returns up to limit names after the name after, sorted.
func (c *Catalog) ListTables(after string, limit int) (*dynamo.ListTablesOutput, error) {
	if c.closed.Load() {
		return nil, kv.ErrClosed
	}
	names := c.names()
	first, found := slices.BinarySearch(names, after)
	if found {
		first++
	}
	out := &dynamo.ListTablesOutput{TableNames: names[first:]}
	if len(out.TableNames) > limit {
		out.TableNames = out.TableNames[:limit]
		out.LastEvaluatedTableName = &out.TableNames[limit-1]
	}
	return out, nil
}
