package catalog

import (
	"context"
	"encoding/hex"
	"strconv"

	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/rowformat"
)

// An index or an expiry that is added to a table with items has to be built:
// package table goes through the items and adds the rows that are missing. How
// far it has come is kept in a row of the catalog, in the commit of the rows
// themselves, so that it goes on from there after a restart.

const buildPrefix = "build/"

func buildRow(path rowformat.Path) []byte {
	return rowformat.CatalogKey(buildPrefix + strconv.FormatUint(uint64(path.Table), 10) + "/" + strconv.FormatUint(uint64(path.Index), 10))
}

// NoteBuild keeps how far the build of a path has come: all items up to the row with this key are done.
func NoteBuild(tx kv.Txn, path rowformat.Path, row []byte) {
	tx.Set(buildRow(path), []byte(hex.EncodeToString(row)))
}

// BuildProgress returns what the last [NoteBuild] kept, nil when there was none.
func (c *Catalog) BuildProgress(ctx context.Context, path rowformat.Path) (row []byte, err error) {
	_, err = c.store.Get(ctx, kv.Latest, buildRow(path), func(value []byte) error {
		row, err = hex.DecodeString(string(value))
		return err
	})
	return row, err
}

// endBuild forgets a build, whose rows are to go with it.
func endBuild(tx kv.Txn, path rowformat.Path) error {
	tx.Delete(buildRow(path))
	return noteDrop(tx, path)
}

// IndexBuilt notes that an index is complete and lets it be read. It does nothing
// when the index was dropped since.
func (c *Catalog) IndexBuilt(ctx context.Context, path rowformat.Path) error {
	return c.built(ctx, path, func(t *Table, rec *record) bool {
		rec.Building = ""
		return t.Builds(path)
	})
}

// Builds reports whether the index with this path is the one that is being built.
func (t *Table) Builds(path rowformat.Path) bool {
	if x := t.Index(t.Building); x != nil {
		return x.Path == path
	}
	x := t.Vector(t.Building)
	return x != nil && x.Path == path
}

// ExpiryBuilt notes that all items of a table are in order of their expiry. It does
// nothing when the expiry was changed since.
func (c *Catalog) ExpiryBuilt(ctx context.Context, path rowformat.Path) error {
	return c.built(ctx, path, func(t *Table, rec *record) bool {
		rec.Expiry.Building = false
		return t.Expiry != nil && t.Expiry.Path == path
	})
}

// built publishes the table of a path that is complete, if it still waits for that.
func (c *Catalog) built(ctx context.Context, path rowformat.Path, done func(*Table, *record) (waits bool)) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.byID(path.Table)
	if t == nil {
		return nil
	}
	rec := t.record
	if !done(t, &rec) {
		return nil
	}
	_, err := c.publish(ctx, t, rec, func(tx kv.Txn) error {
		tx.Delete(buildRow(path))
		return nil
	})
	return err
}

// byID returns the table with a number, or nil.
func (c *Catalog) byID(id uint32) *Table {
	for _, t := range *c.tables.Load() {
		if t.ID == id {
			return t
		}
	}
	return nil
}
