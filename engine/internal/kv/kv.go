// Package kv defines the storage contract of the engine: ordered byte keys, snapshot reads,
// atomic multi-key commits under latches, and a change log that commits together with the
// data. It knows nothing about tables, items or indexes; the packages above decide what a
// key means. It contains no store: pebblekv keeps data on disk, memkv in memory, and
// kvtest tests whether a store fulfils the contract.
//
// # Adding a store
//
// The contract also fits a distributed transactional store. It requires the following, and
// leaves the rest open:
//
// Keys are compared byte by byte. The first byte of a caller's key is between
// [FirstByteMin] and [FirstByteMax]; all other keys belong to the store, which keeps the
// change log and its own data there. A caller never sees those keys.
//
// Update is the only way to change single keys. The caller passes, up front, a latch key for
// every item that its decision depends on. Two updates that share a latch key never overlap
// between the first read and the moment the writes become visible, so what fn reads under
// its latches is still true when its writes apply. Latches may be coarser than the keys
// (stripes, one mutex, a range); they may not be finer. They are taken all at once and in
// one global order, so there is no deadlock and callers need not retry: a store with
// optimistic transactions retries inside Update and may therefore call fn more
// than once, so a caller's fn must not have side effects that it cannot repeat. A remote
// store should still put node-local latches in front of its transaction, because contended
// keys are otherwise resolved by retries over the network.
//
// Latches are released as soon as the writes are visible, before they are durable. That
// keeps a hot key fast, and it is safe for updates because commits become durable in the
// order in which they become visible: a commit that depends on a lost commit is lost, too.
// A store without such an order must hold its latches until the commit is durable.
//
// No caller may observe a state that is lost a moment later. Three rules follow from
// this. Update returns after its own commit is durable; if fn wrote nothing or failed, it
// returns after the commits visible under its latches are durable. A read with [Durable]
// returns after everything it could have returned is durable. The change log contains
// durable records only. Reads with [Latest] may return a state that a power loss reverts.
//
// The change log has shards. Records of one shard are numbered with sequences that start
// at 1 and only grow; gaps are allowed, and a sequence that a reader has seen is never given
// to another record, not after a restart and not after trimming. If two commits log to the
// same shard, the one with the lower sequence became visible first. A remote store can use
// commit timestamps or version stamps as sequences, with [Store.LogHorizon] as the newest
// point below which no transaction is still open.
//
// After a failed write the store no longer knows what is on its medium. It then rejects
// every further write with the same error, which matches [ErrFailed], and keeps reading
// as far as it can: reads with [Durable] fail if they depend on a commit of
// unknown outcome. Reopening the store restores every acknowledged commit.
package kv

import "context"

// Reader reads one consistent state.
//
// Keys and values passed to a callback are valid, and must not be changed, only until the
// callback returns. A Reader is used by one goroutine at a time; callbacks may use it again.
type Reader interface {
	// Get calls fn with the value of key and returns its error. If the key is absent it
	// returns false and does not call fn.
	Get(key []byte, fn func(value []byte) error) (found bool, err error)

	// Scan calls fn for each key in [lo, hi), in ascending order or in descending order
	// with o.Reverse, until fn returns false. A nil lo means from the first key, a nil hi
	// to the last.
	Scan(lo, hi []byte, o ScanOptions, fn func(key, value []byte) bool) error
}

// ScanOptions configures [Reader.Scan].
type ScanOptions struct {
	// Reverse visits the keys from the last one below hi down to lo.
	Reverse bool
}

// Txn collects the writes of one [Store.Update]. Its reads see the state before the update,
// without its own writes. Keys under its latches do not change until its writes apply;
// others may. It is valid until the update's fn returns.
type Txn interface {
	Reader

	// Set stores value under key. Both are copied. The last write to a key wins.
	Set(key, value []byte)

	// Delete removes key, which may be absent. The key is copied.
	Delete(key []byte)

	// Log appends a record, which is copied, to the change log of a shard.
	Log(shard uint32, record []byte)

	// Stamp makes the store call fn with each record of this update, in the store's copy, after
	// the sequences of all of them are assigned and before any of them is visible. Of two records
	// of a shard, the one with the lower sequence is stamped first: if fn writes the time of a
	// clock that never runs backwards, the records of a shard are in the order of their times. fn
	// must not call the store. A later call of Stamp replaces an earlier one.
	Stamp(fn func(record []byte))
}

// Consistency selects whether a read waits for durability.
type Consistency uint8

const (
	// Latest returns the visible state and never waits. A power loss may revert that
	// state.
	Latest Consistency = iota

	// Durable returns only after everything it could have returned is durable.
	Durable
)

// A LogPosition is a position in the change log of a shard: all records up to Sequence were read.
type LogPosition struct {
	Shard    uint32
	Sequence uint64
}

// Store is an ordered key-value store. It is safe for concurrent use. Callbacks may call
// the store again for reading, but not for writing. After Close every method returns
// [ErrClosed].
//
// A context is checked before the work begins and, where the store can, while a call waits
// for durability. A commit that has begun is always completed.
type Store interface {
	// Update runs fn under the latches of latchKeys, commits its writes in one atomic
	// step and returns when they are durable. If fn fails nothing is written and its error
	// is returned unchanged. See the package comment for what Update waits for if fn wrote
	// nothing. After an error that matches [ErrFailed] the commit may or may not exist when
	// the store is opened again.
	Update(ctx context.Context, latchKeys [][]byte, fn func(Txn) error) error

	// View runs fn on one snapshot of the whole store.
	View(ctx context.Context, c Consistency, fn func(Reader) error) error

	// Get reads one key without a snapshot. With [Durable] it waits only for commits
	// whose latch keys include this key or share its stripe: use it for keys that are
	// their own latch key, and View for others.
	Get(ctx context.Context, c Consistency, key []byte, fn func(value []byte) error) (found bool, err error)

	// DeleteSpan removes every key in [lo, hi) atomically and durably, in constant time
	// where the store can. It takes no latches: the caller must ensure that no update uses
	// the span. A nil lo means from the first key, a nil hi to the last.
	DeleteSpan(ctx context.Context, lo, hi []byte) error

	// ReadLog calls fn for each durable record of a shard with a sequence of at least from,
	// in order, until fn returns false. The record is valid only inside fn.
	ReadLog(ctx context.Context, shard uint32, from uint64, fn func(seq uint64, record []byte) bool) error

	// LogHorizon returns the sequence of the last durable record of a shard, even if that
	// record is trimmed, or 0 if there has been none.
	LogHorizon(ctx context.Context, shard uint32) (uint64, error)

	// WaitLog returns nil as soon as one of the shards has a durable record with a sequence
	// above the one given for it, possibly at once; otherwise it waits until ctx ends, and
	// returns its error, or until the store fails or is closed. Trimmed records do not
	// count: a caller that waits from the start of a trimmed log waits for the next record.
	// Close does not wait for it. Stores can use [LogWaiters].
	WaitLog(ctx context.Context, after []LogPosition) error

	// TrimLog removes the records of a shard with a sequence below the given one.
	TrimLog(ctx context.Context, shard uint32, below uint64) error

	// Checkpoint writes a consistent copy of the store into dir, which must not exist yet.
	// The copy can be opened like any store. Stores that cannot do this return
	// [ErrUnsupported].
	Checkpoint(ctx context.Context, dir string) error

	// Failed returns a channel that is closed when the store takes no more writes until it
	// is opened again, see [ErrFailed]. A store that cannot fail returns nil. It also works
	// after Close.
	Failed() <-chan struct{}

	// Close waits for running calls, as far as they use the store, and releases it. It
	// must not be called from a callback. Closing twice is harmless.
	Close() error
}
