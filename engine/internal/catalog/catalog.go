// Package catalog manages the tables: their definitions, the ids under which their rows
// are stored, their tags and their history. It keeps them in the store and, for reading,
// as an immutable map in memory.
//
// It checks what depends on other tables or on the table's state (does it exist, is it
// protected); package request has checked the definition itself. It never accesses items,
// except to drop all of a deleted table or index. Streams are kept here too, because they
// change together with their tables; package stream handles their records.
// The engine calls it for the table operations, package table for lookups.
package catalog

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/rowformat"
)

// The names of the catalog's rows. Table names cannot contain a slash.
const (
	tablePrefix  = "table/"
	streamPrefix = "stream/"
	dropPrefix   = "drop/"
	nextIDRow    = "next-table-id"
	nextLogRow   = "next-log-id"
	countsRow    = "counts"
	notedRow     = "noted-counts"
	clockRow     = "clock"
)

// Options configures the catalog's clock and random source, and the region and account in
// ARNs.
type Options struct {
	Now     func() time.Time
	Rand    io.Reader
	Region  string
	Account string
}

// Catalog is the open catalog of one store. It is safe for concurrent use.
type Catalog struct {
	store kv.Store
	opts  Options

	// Clock dates the records of streams.
	Clock Clock

	// Every change replaces the whole map.
	tables  atomic.Pointer[map[string]*Table]
	streams atomic.Pointer[map[string]*Stream] // by ARN

	mu      sync.Mutex // held by changes
	nextID  uint32     // of a table
	nextLog uint32     // of a shard of a stream
	counts  counts     // as they were read, until takeCounts sets the counters
	noted   counts     // as they were saved last, to show after a crash

	sinks        map[uint32]Sink // by log
	sinksChanged chan struct{}

	uncounted bool
	undated   bool        // the clock was not saved
	saved     atomic.Bool // the counters in the store are correct
	closed    atomic.Bool
}

// Open reads the catalog of a store and finishes interrupted deletions.
func Open(ctx context.Context, store kv.Store, o Options) (*Catalog, error) {
	c := &Catalog{store: store, opts: o, nextID: 1, nextLog: 1, undated: true, sinks: map[uint32]Sink{}, sinksChanged: make(chan struct{})}
	c.Clock.now = o.Now
	c.tables.Store(&map[string]*Table{})
	c.streams.Store(&map[string]*Stream{})
	var drops []rowformat.Path
	err := store.View(ctx, kv.Durable, func(r kv.Reader) error {
		lo := rowformat.CatalogKey("")
		var rowErr error
		err := r.Scan(lo, rowformat.Successor(lo), kv.ScanOptions{}, func(key, value []byte) bool {
			rowErr = c.load(string(key[len(lo):]), value, &drops)
			return rowErr == nil
		})
		return cmp.Or(err, rowErr)
	})
	if err != nil {
		return nil, fmt.Errorf("read the catalog: %w", err)
	}
	c.takeCounts()
	for _, path := range drops {
		if err := c.finishDrop(ctx, path); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// load loads one catalog row. Rows come in the order of their names, so
// streams are loaded before their tables.
func (c *Catalog) load(name string, value []byte, drops *[]rowformat.Path) error {
	var err error
	switch {
	case name == nextIDRow:
		err = json.Unmarshal(value, &c.nextID)
	case name == nextLogRow:
		err = json.Unmarshal(value, &c.nextLog)
	case name == countsRow:
		err = json.Unmarshal(value, &c.counts)
	case name == notedRow:
		err = json.Unmarshal(value, &c.noted)
	case name == clockRow:
		var saved int64
		err = json.Unmarshal(value, &saved)
		c.Clock.Advance(time.UnixMilli(saved))
		c.undated = false
	case strings.HasPrefix(name, sinkPrefix):
		err = c.loadSink(name, value)
	case strings.HasPrefix(name, streamPrefix):
		var rec streamRecord
		if err = json.Unmarshal(value, &rec); err == nil {
			s := c.newStream(rec)
			(*c.streams.Load())[s.ARN] = s
			c.Clock.advanceBy(s)
		}
	case strings.HasPrefix(name, tablePrefix):
		var rec record
		if err = json.Unmarshal(value, &rec); err == nil {
			t := c.newTable(rec)
			t.gate.current = t
			(*c.tables.Load())[t.Name()] = t
		}
	case strings.HasPrefix(name, dropPrefix):
		var path rowformat.Path
		path, err = parseDropRow(name)
		*drops = append(*drops, path)
	}
	if err != nil {
		return fmt.Errorf("catalog row %q: %w", name, err)
	}
	return nil
}

// Lookup returns the table called name, or nil.
func (c *Catalog) Lookup(name string) *Table { return (*c.tables.Load())[name] }

// Find returns the table that a request names by its name or its ARN, or nil. An ARN
// of another partition or region is an error; an ARN of another account matches no table.
func (c *Catalog) Find(table string) (*Table, error) {
	if c.closed.Load() {
		return nil, kv.ErrClosed
	}
	if t := c.Lookup(table); t != nil {
		return t, nil
	}
	arn, ok := request.ParseTableARN(table)
	switch {
	case !ok:
		return nil, nil
	case arn.Partition != partition:
		return nil, dynamo.Invalid("1 validation error detected: Invalid AWS partition in '%s'", table)
	case arn.Region != c.opts.Region:
		return nil, dynamo.Invalid("1 validation error detected: Invalid AWS region in '%s'", table)
	case arn.Account != c.opts.Account:
		return nil, nil
	}
	return c.Lookup(arn.Name), nil
}

// find is Find for the operations on a table itself, which must exist.
func (c *Catalog) find(table string) (*Table, error) {
	t, err := c.Find(table)
	if t == nil && err == nil {
		if arn, ok := request.ParseTableARN(table); ok {
			table = arn.Name
		}
		err = dynamo.Errorf(dynamo.ResourceNotFound, "Requested resource not found: Table: %s not found", table)
	}
	return t, err
}

// partition is the AWS partition in the ARNs of all tables.
const partition = "aws"

// arnPrefix returns the common prefix of the ARNs of all tables.
func (c *Catalog) arnPrefix() string {
	return "arn:" + partition + ":dynamodb:" + c.opts.Region + ":" + c.opts.Account + ":table/"
}

// replace sets a table in the map in memory under name, or removes it when t is nil.
// The caller holds mu and the table's gate.
func (c *Catalog) replace(name string, t *Table) {
	tables := maps.Clone(*c.tables.Load())
	if t == nil {
		delete(tables, name)
	} else {
		tables[name] = t
		t.gate.current = t
	}
	c.tables.Store(&tables)
}

// publish commits the next version of a table, together with the writes of also,
// and makes it the current one. No write to the table is under way meanwhile.
// The caller holds mu.
func (c *Catalog) publish(ctx context.Context, old *Table, rec record, also func(kv.Txn) error) (*Table, error) {
	old.gate.mu.Lock()
	defer old.gate.mu.Unlock()
	err := c.commit(ctx, func(tx kv.Txn) error {
		if also != nil {
			if err := also(tx); err != nil {
				return err
			}
		}
		return setRow(tx, tablePrefix+old.Name(), rec)
	})
	if err != nil {
		return nil, fmt.Errorf("change table %s: %w", old.Name(), err)
	}
	t := c.changed(old, rec)
	c.replace(t.Name(), t)
	return t, nil
}

// commit writes catalog rows. The caller holds mu.
func (c *Catalog) commit(ctx context.Context, write func(kv.Txn) error) error {
	if c.closed.Load() {
		return kv.ErrClosed
	}
	return c.store.Update(ctx, [][]byte{rowformat.CatalogKey("")}, write)
}

func setRow(tx kv.Txn, name string, value any) error {
	b, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("encode catalog row %q: %w", name, err)
	}
	tx.Set(rowformat.CatalogKey(name), b)
	return nil
}

// names lists all tables, sorted.
func (c *Catalog) names() []string { return slices.Sorted(maps.Keys(*c.tables.Load())) }

// Tables returns the current version of every table, in no particular order.
func (c *Catalog) Tables() []*Table { return slices.Collect(maps.Values(*c.tables.Load())) }

// Now returns the time of the database's clock, which may be set back. [Clock] dates records.
func (c *Catalog) Now() time.Time { return c.opts.Now() }

// Region returns the region in the ARNs of the database.
func (c *Catalog) Region() string { return c.opts.Region }
