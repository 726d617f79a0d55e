package catalog

import (
	"context"
	"fmt"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/rowformat"
)

// DeleteTable deletes a table with all its items. Writes that are under way finish first.
// The table is removed in one commit. Its stream can be read for as long as its records
// are kept.
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
	if t.Building != "" {
		return nil, inUse("Cannot delete table while indexes are being created, updated, or deleted.")
	}
	if err := c.delete(ctx, t); err != nil {
		return nil, fmt.Errorf("delete table %s: %w", t.Name(), err)
	}
	if err := c.finishDrop(ctx, t.Path); err != nil {
		return nil, err
	}
	return t.describeDeleted(), nil
}

func (c *Catalog) delete(ctx context.Context, t *Table) error {
	var last *Stream
	if t.Stream != nil {
		last = c.disabled(t.Stream)
	}
	sink := c.sinks[t.SinkLog] // the zero Sink if there is none
	sink.Closed = true
	t.gate.mu.Lock()
	defer t.gate.mu.Unlock()
	err := c.commit(ctx, func(tx kv.Txn) error {
		tx.Delete(rowformat.CatalogKey(tablePrefix + t.Name()))
		if t.Expiry != nil {
			tx.Delete(buildRow(t.Expiry.Path)) // it may be under way; no index is being built here
		}
		if last != nil {
			if err := c.setStream(tx, t.Stream, last); err != nil {
				return err
			}
		}
		if sink.Log != 0 {
			if err := setRow(tx, sinkRow(sink.Log), sink); err != nil {
				return err
			}
		}
		return noteDrop(tx, t.Path)
	})
	if err != nil {
		return err
	}
	if last != nil {
		c.keepStream(last)
	}
	if sink.Log != 0 {
		c.keepSink(sink)
	}
	t.gate.current = nil
	c.replace(t.Name(), nil)
	return nil
}

// inUse returns the error for a change that has to wait for another change.
func inUse(format string, args ...any) error {
	return dynamo.Errorf(dynamo.ResourceInUse, "Attempt to change a resource which is still in use: "+format, args...)
}
