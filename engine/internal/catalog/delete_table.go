package catalog

import (
	"context"
	"fmt"
	"strconv"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/rowformat"
)

// DeleteTable deletes a table with everything in it. Writes that are under way
// finish first. The table is gone in one commit; a note in the same commit
// makes sure that its rows follow, also after a crash.
func (c *Catalog) DeleteTable(ctx context.Context, table string) (*dynamo.TableDescription, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t, err := c.find(table)
	if err != nil {
		return nil, err
	}
	if t.Definition.DeletionProtection {
		return nil, dynamo.Invalid("Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.")
	}
	t.gate.mu.Lock()
	defer t.gate.mu.Unlock()
	name := t.Name()
	err = c.store.Update(ctx, [][]byte{rowformat.CatalogKey("")}, func(tx kv.Txn) error {
		tx.Delete(rowformat.CatalogKey(tablePrefix + name))
		return setRow(tx, dropRow(t.ID), t.ID)
	})
	if err != nil {
		return nil, fmt.Errorf("delete table %s: %w", name, err)
	}
	t.gate.dropped = true
	c.replace(name, nil)
	if err := c.finishDrop(ctx, t.ID); err != nil {
		return nil, err
	}
	return t.describe(dynamo.StatusDeleting), nil
}

// finishDrop removes the rows of a deleted table, then the note about it.
func (c *Catalog) finishDrop(ctx context.Context, id uint32) error {
	lo, hi := rowformat.TableSpan(id)
	if err := c.store.DeleteSpan(ctx, lo, hi); err != nil {
		return fmt.Errorf("drop the rows of table %d: %w", id, err)
	}
	err := c.store.Update(ctx, [][]byte{rowformat.CatalogKey("")}, func(tx kv.Txn) error {
		tx.Delete(rowformat.CatalogKey(dropRow(id)))
		return nil
	})
	if err != nil {
		return fmt.Errorf("drop the rows of table %d: %w", id, err)
	}
	return nil
}

func dropRow(id uint32) string { return dropPrefix + strconv.FormatUint(uint64(id), 10) }
