package catalog

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/rowformat"
)

// firstShards is the number of shards of a new stream: as many as DynamoDB gives
// an on-demand table.
const firstShards = 4

// A streamRecord is the stored state of a stream.
type streamRecord struct {
	Table    string
	TableID  uint32
	Label    string
	View     string
	Key      dynamo.KeySchema
	Created  time.Time
	Disabled *time.Time `json:",omitempty"`
	Shards   []Shard    // in creation order, which is the order of their logs
}

// A Stream is one version of a stream. It is immutable.
type Stream struct {
	streamRecord
	ARN  string
	open []Shard // by their hashes
}

// A Shard is the part of a stream with the changes of some partitions. Its
// records are a log of the store.
type Shard struct {
	Log     uint32 // of the store; never reused
	Parent  uint32 `json:",omitempty"` // log of the parent shard
	Created time.Time
	Closed  *time.Time `json:",omitempty"`
	// First and Last are the hashes of its first and last partition, both inclusive.
	First, Last uint32
	Trimmed     uint64 `json:",omitempty"` // records up to this sequence number are trimmed
}

// StreamByARN returns a stream of an existing or a deleted table, or nil.
func (c *Catalog) StreamByARN(arn string) *Stream { return (*c.streams.Load())[arn] }

// Streams returns all streams, in the order of their ARNs.
func (c *Catalog) Streams() []*Stream {
	streams := *c.streams.Load()
	all := make([]*Stream, 0, len(streams))
	for _, arn := range slices.Sorted(maps.Keys(streams)) {
		all = append(all, streams[arn])
	}
	return all
}

// AwaitChange waits for the change of the catalog that is under way, if any.
func (c *Catalog) AwaitChange() {
	c.mu.Lock()
	defer c.mu.Unlock()
}

// LogOf returns the log for the changes in the partition with a hash.
func (s *Stream) LogOf(hash uint32) uint32 {
	i, _ := slices.BinarySearchFunc(s.open, hash, func(shard Shard, hash uint32) int {
		switch {
		case shard.Last < hash:
			return -1
		case shard.First > hash:
			return 1
		}
		return 0
	})
	return s.open[i].Log
}

// KeySchema returns the key of the stream's table, as responses describe it.
func (s *Stream) KeySchema() []dynamo.KeySchemaElement { return describeKey(s.Key) }

// Shard returns the shard with a log. It returns false if there is none, or it was removed.
func (s *Stream) Shard(log uint32) (Shard, bool) {
	i, found := slices.BinarySearchFunc(s.Shards, log, func(shard Shard, log uint32) int { return cmp.Compare(shard.Log, log) })
	if !found {
		return Shard{}, false
	}
	return s.Shards[i], true
}

// Open returns the open shards.
func (s *Stream) Open() []Shard { return s.open }

func (c *Catalog) newStream(rec streamRecord) *Stream {
	s := &Stream{streamRecord: rec, ARN: c.arnPrefix() + rec.Table + "/stream/" + rec.Label}
	for _, shard := range rec.Shards {
		if shard.Closed == nil {
			s.open = append(s.open, shard)
		}
	}
	slices.SortFunc(s.open, func(a, b Shard) int { return int(int64(a.First) - int64(b.First)) })
	return s
}

func (t *Table) streamARN(label string) string { return t.arn + "/stream/" + label }

// enableStream creates a new stream for a table and names it in the table's record.
// The caller holds mu.
func (c *Catalog) enableStream(rec *record, view string) *Stream {
	now := c.Clock.Tick()
	label := streamLabel(now)
	taken := func() bool { // in this millisecond, perhaps by an earlier table of the name
		return label <= rec.Stream || c.StreamByARN(c.arnPrefix()+rec.Definition.Name+"/stream/"+label) != nil
	}
	for taken() {
		now = now.Add(time.Millisecond)
		label = streamLabel(now)
	}
	rec.Stream = label
	rec.Definition.StreamView = view
	return c.newStream(streamRecord{
		Table: rec.Definition.Name, TableID: rec.ID, Label: label, View: view, Key: rec.Definition.Key, Created: now,
		Shards: c.newShards(0, 0, math.MaxUint32, firstShards),
	})
}

func streamLabel(now time.Time) string { return now.Format("2006-01-02T15:04:05.000") }

// newShards creates shards for the hashes from first to last. The caller holds mu.
func (c *Catalog) newShards(parent uint32, first, last uint32, n int) []Shard {
	shards := make([]Shard, n)
	size := (uint64(last) - uint64(first) + 1) / uint64(n)
	for i := range shards {
		from := uint64(first) + uint64(i)*size
		to := from + size - 1
		if i == n-1 {
			to = uint64(last)
		}
		shards[i] = Shard{Log: c.nextLog, Parent: parent, Created: c.Clock.Tick(), First: uint32(from), Last: uint32(to)}
		c.nextLog++
	}
	return shards
}

// disabled returns the stream with all its shards closed.
func (c *Catalog) disabled(s *Stream) *Stream {
	now := c.Clock.Tick()
	rec := s.streamRecord
	rec.Disabled = &now
	rec.Shards = slices.Clone(rec.Shards)
	for i := range rec.Shards {
		if rec.Shards[i].Closed == nil {
			rec.Shards[i].Closed = &now
		}
	}
	return c.newStream(rec)
}

// setStream writes a stream in place of old, which may be nil, and marks the ends of the shards
// that it closes.
func (c *Catalog) setStream(tx kv.Txn, old, s *Stream) error {
	if err := setRow(tx, nextLogRow, c.nextLog); err != nil {
		return err
	}
	if err := setRow(tx, streamRow(s), s.streamRecord); err != nil || old == nil {
		return err
	}
	for _, shard := range old.open {
		stays := func(o Shard) bool { return o.Log == shard.Log }
		if !slices.ContainsFunc(s.open, stays) {
			tx.Log(shard.Log, rowformat.AppendChange(nil, &rowformat.Change{Kind: rowformat.ShardEnd}))
			tx.Stamp(c.Clock.Stamp())
		}
	}
	return nil
}

func streamRow(s *Stream) string {
	return streamPrefix + strconv.FormatUint(uint64(s.TableID), 10) + "/" + s.Label
}

// keepStream sets a stream in the map in memory, in place of the previous version.
func (c *Catalog) keepStream(s *Stream) {
	streams := maps.Clone(*c.streams.Load())
	streams[s.ARN] = s
	c.streams.Store(&streams)
}

// ReplaceShard closes an open shard and replaces it with n new shards. It does
// nothing if the shard is no longer open.
func (c *Catalog) ReplaceShard(ctx context.Context, arn string, log uint32, n int) error {
	return c.changeStream(ctx, arn, func(rec *streamRecord) bool {
		i := slices.IndexFunc(rec.Shards, func(s Shard) bool { return s.Log == log && s.Closed == nil })
		if i < 0 {
			return false
		}
		now := c.Clock.Tick()
		closed := &rec.Shards[i]
		closed.Closed = &now
		rec.Shards = append(rec.Shards, c.newShards(log, closed.First, closed.Last, n)...)
		return true
	})
}

// TrimStream records the sequence numbers up to which some logs are trimmed, and removes the
// shards that were closed before a time.
func (c *Catalog) TrimStream(ctx context.Context, arn string, trimmed map[uint32]uint64, before time.Time) error {
	return c.changeStream(ctx, arn, func(rec *streamRecord) bool {
		for i := range rec.Shards {
			shard := &rec.Shards[i]
			shard.Trimmed = max(shard.Trimmed, trimmed[shard.Log])
		}
		rec.Shards = slices.DeleteFunc(rec.Shards, func(s Shard) bool { return s.Closed != nil && s.Closed.Before(before) })
		return true
	})
}

// changeStream applies change to a copy of a stream's record and commits the result if
// change returns true.
func (c *Catalog) changeStream(ctx context.Context, arn string, change func(*streamRecord) bool) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	old := c.StreamByARN(arn)
	if old == nil {
		return nil
	}
	rec := old.streamRecord
	rec.Shards = slices.Clone(rec.Shards)
	if !change(&rec) {
		return nil
	}
	s := c.newStream(rec)
	write := func(tx kv.Txn) error { return c.setStream(tx, old, s) }
	t := c.Lookup(rec.Table)
	if t == nil || t.Stream != old {
		if err := c.commit(ctx, write); err != nil {
			return fmt.Errorf("change stream %s: %w", arn, err)
		}
		c.keepStream(s)
		return nil
	}
	_, err := c.publishStream(ctx, t, s, t.record, write)
	return err
}

// publishStream is publish for a table together with its stream. Readers see a closed shard
// only after the mark of its end can be read. The caller holds mu.
func (c *Catalog) publishStream(ctx context.Context, old *Table, s *Stream, rec record, write func(kv.Txn) error) (*Table, error) {
	old.gate.mu.Lock()
	defer old.gate.mu.Unlock()
	err := c.commit(ctx, func(tx kv.Txn) error {
		if err := write(tx); err != nil {
			return err
		}
		return setRow(tx, tablePrefix+old.Name(), rec)
	})
	if err != nil {
		return nil, fmt.Errorf("change stream of table %s: %w", old.Name(), err)
	}
	c.keepStream(s) // the table's next version is made with it
	t := c.changed(old, rec)
	c.replace(t.Name(), t)
	return t, nil
}

// updateStream enables or disables the stream of a table.
func (c *Catalog) updateStream(ctx context.Context, old *Table, rec record, change *request.StreamChange) (*dynamo.TableDescription, error) {
	if old.Building != "" {
		return nil, inUse("Can't change stream status when an index is being created. Table: %s Indexes: [%s]", old.Name(), old.Building)
	}
	var next *Stream
	switch {
	case change.Enabled && old.Stream != nil:
		return nil, dynamo.Invalid("Table already has an enabled stream: TableName: %s", old.Name())
	case !change.Enabled && old.Stream == nil:
		return nil, dynamo.Invalid("Table has no stream to disable: TableName: %s", old.Name())
	case change.Enabled:
		next = c.enableStream(&rec, change.View)
	default:
		next = c.disabled(old.Stream)
		rec.Definition.StreamView = ""
	}
	t, err := c.publishStream(ctx, old, next, rec, func(tx kv.Txn) error { return c.setStream(tx, old.Stream, next) })
	if err != nil {
		return nil, err
	}
	return t.describe(dynamo.StatusUpdating), nil
}

// DropStream removes a disabled stream, whose records are already trimmed.
func (c *Catalog) DropStream(ctx context.Context, s *Stream) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	err := c.commit(ctx, func(tx kv.Txn) error {
		tx.Delete(rowformat.CatalogKey(streamRow(s)))
		return nil
	})
	if err != nil {
		return fmt.Errorf("drop stream %s: %w", s.ARN, err)
	}
	streams := maps.Clone(*c.streams.Load())
	delete(streams, s.ARN)
	c.streams.Store(&streams)
	return nil
}
