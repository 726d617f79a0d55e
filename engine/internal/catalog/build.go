package catalog

import (
	"context"
	"encoding/hex"
	"strconv"

	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/rowformat"
)

// An index or an expiry that is added to a table with items must be built: package table
// reads the items and adds the missing rows. The progress is stored in a row of the
// catalog, in the commit of the rows themselves, so that a restart continues from there.

const buildPrefix = "build/"

func buildRow(path rowformat.Path) []byte {
	return rowformat.CatalogKey(buildPrefix + strconv.FormatUint(uint64(path.Table), 10) + "/" + strconv.FormatUint(uint64(path.Index), 10))
}

// NoteBuild records the progress of the build of a path: all items up to the row with this key are built.
func NoteBuild(tx kv.Txn, path rowformat.Path, row []byte) {
	tx.Set(buildRow(path), []byte(hex.EncodeToString(row)))
}

// BuildProgress returns the row that the last [NoteBuild] recorded, nil if there is none.
func (c *Catalog) BuildProgress(ctx context.Context, path rowformat.Path) (row []byte, err error) {
	_, err = c.store.Get(ctx, kv.Latest, buildRow(path), func(value []byte) error {
		row, err = hex.DecodeString(string(value))
		return err
	})
	return row, err
}

// endBuild removes the progress of a build, whose rows are dropped with it.
func endBuild(tx kv.Txn, path rowformat.Path) error {
	tx.Delete(buildRow(path))
	return noteDrop(tx, path)
}

// IndexBuilt marks an index as complete and readable. It does nothing if the index was
// dropped since.
func (c *Catalog) IndexBuilt(ctx context.Context, path rowformat.Path) error {
	return c.built(ctx, path, func(t *Table, rec *record) bool {
		rec.Building = ""
		return t.Builds(path)
	})
}

// Builds reports whether the index with this path is being built.
func (t *Table) Builds(path rowformat.Path) bool {
	if x := t.Index(t.Building); x != nil {
		return x.Path == path
	}
	x := t.Vector(t.Building)
	return x != nil && x.Path == path
}

// ExpiryBuilt records that the expiry rows of all items of a table exist. It does nothing if
// the expiry was changed since.
func (c *Catalog) ExpiryBuilt(ctx context.Context, path rowformat.Path) error {
	return c.built(ctx, path, func(t *Table, rec *record) bool {
		rec.Expiry.Building = false
		return t.Expiry != nil && t.Expiry.Path == path
	})
}

// built publishes the table of a path that is complete, if the table still waits for it.
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

// byID returns the table with an id, or nil.
func (c *Catalog) byID(id uint32) *Table {
	for _, t := range *c.tables.Load() {
		if t.ID == id {
			return t
		}
	}
	return nil
}
