package catalog

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/rowformat"
)

// Rows are dropped in two steps. The commit that removes a table or one of its paths
// records what is to be dropped; then the rows are deleted, and the record after them.
// After an interruption, the next start finds the record.

// noteDrop records that the rows of a path are to be dropped; index 0 means the whole table.
func noteDrop(tx kv.Txn, path rowformat.Path) error { return setRow(tx, dropRow(path), path.Table) }

// dropRow returns "drop/TABLE" for a table and "drop/TABLE/INDEX" for one of its other paths.
func dropRow(path rowformat.Path) string {
	row := dropPrefix + strconv.FormatUint(uint64(path.Table), 10)
	if path.Index != 0 {
		row += "/" + strconv.FormatUint(uint64(path.Index), 10)
	}
	return row
}

func parseDropRow(row string) (path rowformat.Path, err error) {
	table, index, hasIndex := strings.Cut(strings.TrimPrefix(row, dropPrefix), "/")
	id, err := strconv.ParseUint(table, 10, 32)
	path.Table = uint32(id)
	if err == nil && hasIndex {
		id, err = strconv.ParseUint(index, 10, 16)
		path.Index = uint16(id)
	}
	return path, err
}

// finishDrop deletes the rows that a record of noteDrop names, then the record. It does so even if
// ctx has ended: what the rows belong to is already gone, and nobody would delete them until the
// next start.
func (c *Catalog) finishDrop(ctx context.Context, path rowformat.Path) error {
	ctx = context.WithoutCancel(ctx)
	lo, hi := rowformat.PathSpan(path)
	if path.Index == 0 {
		lo, hi = rowformat.TableSpan(path.Table)
	}
	err := c.store.DeleteSpan(ctx, lo, hi)
	if err == nil {
		err = c.commit(ctx, func(tx kv.Txn) error {
			tx.Delete(rowformat.CatalogKey(dropRow(path)))
			return nil
		})
	}
	if err != nil {
		return fmt.Errorf("drop the rows of table %d, index %d: %w", path.Table, path.Index, err)
	}
	return nil
}
