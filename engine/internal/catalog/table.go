package catalog

import (
	"maps"
	"slices"
	"time"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/rowformat"
)

// A record is the stored state of a table.
type record struct {
	ID         uint32 // part of the keys of the table's rows; never reused
	UUID       string // the TableId users see
	Created    time.Time
	Definition dynamo.TableDefinition
	IndexIDs   map[string]uint16 `json:",omitempty"` // by index name
	LastPathID uint16            `json:",omitempty"` // the latest id that was given to an index or an expiry
	Building   string            `json:",omitempty"` // the global or vector index that is being built
	Stream     string            `json:",omitempty"` // label of the latest stream
	Expiry     expiry            `json:",omitzero"`
	History    history
	// IndexHistory is the history of the global indexes' throughput, by index name.
	IndexHistory map[string]history `json:",omitempty"`

	StreamPolicies map[string]dynamo.ResourcePolicy `json:",omitempty"` // by label
	Insights       map[string]insights              `json:",omitempty"` // by index name; empty: the table itself
	Destinations   []destination                    `json:",omitempty"` // of changes, the latest first
}

// expiry is the stored state of a table's time to live.
type expiry struct {
	Attribute string
	PathID    uint16 // of the rows that order items by expiry time; 0: disabled
	Building  bool   `json:",omitempty"` // earlier items are still being added
}

// history holds the dates of earlier changes of a table or an index, for DescribeTable.
type history struct {
	Increased      *time.Time `json:",omitempty"` // of the provisioned throughput
	Decreased      *time.Time `json:",omitempty"`
	DecreasesToday int64      `json:",omitempty"`
	BecameOnDemand *time.Time `json:",omitempty"`
	ClassChanged   *time.Time `json:",omitempty"`
}

// A Table is one version of a table's definition, prepared for the item operations. It is
// immutable: a change creates a new version.
type Table struct {
	record
	Path rowformat.Path
	// KeyAttributes lists the attributes of the table's key.
	KeyAttributes []dynamo.KeyAttribute
	KeyNames      []string // of the table's key, sorted
	Indexes       []*Index // local ones first
	Vectors       []*Vector
	Stream        *Stream // nil: changes are not recorded
	SinkLog       uint32  // log of the changes for an active Kinesis destination; 0: there is none
	Expiry        *Expiry // nil: items do not expire
	Counter       *Counter
	arn           string
	gate          *gate
	now           func() time.Time
}

// An Expiry names the attribute by which the items of a table expire.
type Expiry struct {
	Attribute string
	Path      rowformat.Path
	Building  bool // earlier items are still being added
}

// An Index is a secondary index of a table.
type Index struct {
	dynamo.IndexDefinition
	Local bool
	Path  rowformat.Path
	// KeyAttributes lists the attributes of the index key.
	KeyAttributes []dynamo.KeyAttribute
	// RowKey lists the attributes of the entries' keys: the index key, then the attributes of
	// the table's key that make an entry unique.
	RowKey []dynamo.KeyAttribute
	// Projected lists the attributes an entry holds, sorted; nil means all.
	Projected []string
	Building  bool // it is not complete yet and cannot be read
	Counter   *Counter
}

// Name returns the table's name.
func (t *Table) Name() string { return t.Definition.Name }

// Key returns the table's key.
func (t *Table) Key() dynamo.KeySchema { return t.Definition.Key }

// ARN returns the table's Amazon resource name.
func (t *Table) ARN() string { return t.arn }

// HasLocal reports whether the table has local indexes, and so item collections.
func (t *Table) HasLocal() bool { return len(t.Definition.Local) > 0 }

// OnDemand reports whether the table and its global indexes are billed on demand.
func (t *Table) OnDemand() bool { return t.Definition.BillingMode == dynamo.BillingOnDemand }

// Warm returns the warm throughput of the table, or of an index. A local index shares the
// partitions of its table.
func (t *Table) Warm(x *Index) dynamo.Throughput {
	if x == nil || x.Local {
		return t.warm(t.Definition.Warm, t.Definition.Throughput)
	}
	return t.warm(x.IndexDefinition.Warm, x.Throughput)
}

// Index returns the index called name, or nil.
func (t *Table) Index(name string) *Index {
	for _, x := range t.Indexes {
		if x.Name == name {
			return x
		}
	}
	return nil
}

// ProjectsAll reports whether entries hold the whole item.
func (x *Index) ProjectsAll() bool { return x.Projected == nil }

// changed returns the next version of a table, with a new record. Both versions share the
// gate and the counters.
func (c *Catalog) changed(old *Table, rec record) *Table {
	t := c.newTable(rec)
	t.gate = old.gate
	t.Counter = old.Counter
	for _, x := range t.Indexes {
		if before := old.Index(x.Name); before != nil && before.Path == x.Path {
			x.Counter = before.Counter
		}
	}
	for _, x := range t.Vectors {
		if before := old.Vector(x.Name); before != nil && before.Path == x.Path {
			x.Counter = before.Counter
		}
	}
	return t
}

func (c *Catalog) newTable(rec record) *Table {
	t := &Table{
		record:        rec,
		Path:          rowformat.Path{Table: rec.ID},
		KeyAttributes: rec.Definition.Key.Attributes(),
		Counter:       &Counter{},
		arn:           c.arnPrefix() + rec.Definition.Name,
		gate:          &gate{},
		now:           c.opts.Now,
	}
	for _, a := range t.KeyAttributes {
		t.KeyNames = append(t.KeyNames, a.Name)
	}
	slices.Sort(t.KeyNames)
	for _, def := range rec.Definition.Local {
		t.Indexes = append(t.Indexes, newIndex(rec, def, true))
	}
	for _, def := range rec.Definition.Global {
		t.Indexes = append(t.Indexes, newIndex(rec, def, false))
	}
	for _, def := range rec.Definition.Vector {
		t.Vectors = append(t.Vectors, newVector(rec, def))
	}
	if e := rec.Expiry; e.PathID != 0 {
		t.Expiry = &Expiry{Attribute: e.Attribute, Path: rowformat.Path{Table: rec.ID, Index: e.PathID}, Building: e.Building}
	}
	for _, d := range rec.Destinations {
		if d.Status == dynamo.DestinationActive {
			t.SinkLog = d.Log
		}
	}
	if s := c.StreamByARN(t.streamARN(rec.Stream)); s != nil && s.Disabled == nil {
		t.Stream = s
	}
	return t
}

// takePathID returns the next free id for a path of the table. After the greatest id, the search
// starts again from the beginning.
func (rec *record) takePathID() uint16 {
	if rec.LastPathID == 0 { // older records have none
		for _, id := range rec.IndexIDs {
			rec.LastPathID = max(rec.LastPathID, id)
		}
	}
	for {
		rec.LastPathID++
		if !rec.hasPathID(rec.LastPathID) {
			return rec.LastPathID
		}
	}
}

// hasPathID reports whether a path of the table has an id. Its items have 0.
func (rec *record) hasPathID(id uint16) bool {
	if id == 0 || id == rec.Expiry.PathID {
		return true
	}
	for _, taken := range rec.IndexIDs {
		if id == taken {
			return true
		}
	}
	return false
}

// startBuilding gives a new index a path and marks it as not built yet.
func (rec *record) startBuilding(index string) {
	rec.IndexIDs = maps.Clone(rec.IndexIDs)
	if rec.IndexIDs == nil {
		rec.IndexIDs = map[string]uint16{}
	}
	rec.IndexIDs[index] = rec.takePathID()
	rec.Building = index
}

func newIndex(rec record, def dynamo.IndexDefinition, local bool) *Index {
	x := &Index{
		IndexDefinition: def,
		Local:           local,
		Path:            rowformat.Path{Table: rec.ID, Index: rec.IndexIDs[def.Name]},
		KeyAttributes:   def.Key.Attributes(),
		RowKey:          def.Key.Attributes(),
		Building:        rec.Building == def.Name,
		Counter:         &Counter{},
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
