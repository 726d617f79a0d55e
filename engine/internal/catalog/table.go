package catalog

import (
	"slices"
	"sync"
	"time"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/rowformat"
)

// A record is what the store keeps of a table.
type record struct {
	ID         uint32 // names the table's rows; never used again
	UUID       string // the TableId users see
	Created    time.Time
	Definition dynamo.TableDefinition
	IndexIDs   map[string]uint16 `json:",omitempty"` // by index name
	History    history
}

// history is what DescribeTable tells of earlier changes.
type history struct {
	Increased      *time.Time `json:",omitempty"` // of the provisioned throughput
	Decreased      *time.Time `json:",omitempty"`
	DecreasesToday int64      `json:",omitempty"`
	BecameOnDemand *time.Time `json:",omitempty"`
	ClassChanged   *time.Time `json:",omitempty"`
}

// A Table is one version of a table's definition, with what the item operations
// need of it worked out. It is immutable: a change makes a new one.
type Table struct {
	record
	Path rowformat.Path
	// KeyAttributes lists the attributes of the table's key.
	KeyAttributes []dynamo.KeyAttribute
	Indexes       []*Index // local ones first
	arn           string
	gate          *gate
}

// An Index is a secondary index of a table.
type Index struct {
	dynamo.IndexDefinition
	Local bool
	Path  rowformat.Path
	// KeyAttributes lists the attributes of the index key.
	KeyAttributes []dynamo.KeyAttribute
	// RowKey lists the attributes of the entries' keys: the index key, then what
	// the table's key adds to make an entry unique.
	RowKey []dynamo.KeyAttribute
	// Projected lists the attributes an entry carries, sorted; nil means all.
	Projected []string
}

// A gate lets writes in while the table exists. Deleting waits for those inside.
type gate struct {
	mu      sync.RWMutex
	dropped bool
}

// Enter is called before a write to the table and reports whether the table
// still exists; Leave is called after it, also when it does not.
func (t *Table) Enter() bool {
	t.gate.mu.RLock()
	return !t.gate.dropped
}

// Leave ends what Enter began.
func (t *Table) Leave() { t.gate.mu.RUnlock() }

// Name is the table's name.
func (t *Table) Name() string { return t.Definition.Name }

// Key is the table's key.
func (t *Table) Key() dynamo.KeySchema { return t.Definition.Key }

// ARN is the table's Amazon resource name.
func (t *Table) ARN() string { return t.arn }

// HasLocal reports whether the table has local indexes, and so item collections.
func (t *Table) HasLocal() bool { return len(t.Definition.Local) > 0 }

// Index returns the index called name, or nil.
func (t *Table) Index(name string) *Index {
	for _, x := range t.Indexes {
		if x.Name == name {
			return x
		}
	}
	return nil
}

// ProjectsAll reports whether entries carry the whole item.
func (x *Index) ProjectsAll() bool { return x.Projected == nil }

// changed is the next version of the table, with another record. Writes that
// are inside the old version are inside the new one too.
func (c *Catalog) changed(old *Table, rec record) *Table {
	t := c.newTable(rec)
	t.gate = old.gate
	return t
}

func (c *Catalog) newTable(rec record) *Table {
	t := &Table{
		record:        rec,
		Path:          rowformat.Path{Table: rec.ID},
		KeyAttributes: rec.Definition.Key.Attributes(),
		arn:           c.arnPrefix() + rec.Definition.Name,
		gate:          &gate{},
	}
	for _, def := range rec.Definition.Local {
		t.Indexes = append(t.Indexes, newIndex(rec, def, true))
	}
	for _, def := range rec.Definition.Global {
		t.Indexes = append(t.Indexes, newIndex(rec, def, false))
	}
	return t
}

func newIndex(rec record, def dynamo.IndexDefinition, local bool) *Index {
	x := &Index{
		IndexDefinition: def,
		Local:           local,
		Path:            rowformat.Path{Table: rec.ID, Index: rec.IndexIDs[def.Name]},
		KeyAttributes:   def.Key.Attributes(),
		RowKey:          def.Key.Attributes(),
	}
	for _, a := range rec.Definition.Key.Attributes() {
		if !def.Key.Has(a.Name) {
			x.RowKey = append(x.RowKey, a)
		}
	}
	if def.ProjectionType == dynamo.ProjectAll {
		return x
	}
	for _, a := range x.RowKey {
		x.Projected = append(x.Projected, a.Name)
	}
	x.Projected = append(x.Projected, def.NonKeyAttributes...)
	slices.Sort(x.Projected)
	x.Projected = slices.Compact(x.Projected)
	return x
}
