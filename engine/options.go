package engine

import (
	"cmp"
	"crypto/rand"
	"io"
	"log/slog"
	"time"

	"sortkey.dev/engine/internal/clock"
	"sortkey.dev/engine/internal/kv/pebblekv"
	"sortkey.dev/engine/internal/request"
)

// A SyncPolicy selects when a write is acknowledged.
type SyncPolicy int

const (
	// SyncEveryCommit acknowledges a write when it is synced to disk. Concurrent
	// writes share a sync.
	SyncEveryCommit SyncPolicy = iota

	// SyncRelaxed acknowledges a write when other calls can read it. A crash of the
	// process or of the machine may lose the latest writes, but never part of one.
	// [DB.Close] loses nothing.
	SyncRelaxed
)

// A Wording selects the error messages of rejected requests. AWS is replacing its
// validation region by region, and the two versions word some messages differently.
type Wording int

const (
	// WordingCurrent selects the messages of most regions.
	WordingCurrent = Wording(request.Current)

	// WordingOlder selects the messages of the validation that AWS is replacing.
	WordingOlder = Wording(request.Older)
)

// Options tunes a DB. A nil *Options, like a zero one, means the defaults.
type Options struct {
	// Logger receives errors that no caller sees: the causes of an
	// InternalServerError and the store's own warnings. Default: slog.Default().
	Logger *slog.Logger

	// Clock is the time and the timers of the database, for tests: see [NewClock]. Every change
	// of its time is followed at once. Default: the clock of the machine. It is not followed
	// at once when it is set by more than a minute, but when it has kept the new time for
	// a minute; waking from sleep is no such step. See [DB.ClockState].
	Clock Clock

	// Now replaces the time of the default Clock and leaves the timers real. A change of more
	// than a minute is followed when a second reading confirms it, so a single wrong reading
	// is ignored. It has no effect with a Clock. Default: none.
	Now func() time.Time

	// Rand is the random source of table ids. Default: crypto/rand.
	Rand io.Reader

	// Sync selects when a write is acknowledged. It has no effect in memory.
	// Default: SyncEveryCommit.
	Sync SyncPolicy

	// CacheBytes is the size of the cache for data read from disk. It has no
	// effect in memory. Default: 32 MiB.
	CacheBytes int64

	// Region and Account appear in ARNs. Defaults: us-east-1 and 123456789012.
	Region  string
	Account string

	// Wording selects the error messages of rejected requests. Default: WordingCurrent.
	Wording Wording

	// ExpiryInterval is the interval of the search for expired items in tables with a
	// time to live. An item is deleted within about that time of its expiry. Default: one second.
	ExpiryInterval time.Duration

	// BulkDir is the folder that holds the buckets of bulk operations: each folder in it is a
	// bucket, and the files below are its objects. Default: none, and bulk operations fail.
	BulkDir string

	// KinesisDir is the folder for the records of Kinesis destinations: each stream is a file
	// NAME.jsonl, to which changes are appended as lines of JSON. Two databases cannot share it.
	// Default: none, and destinations cannot be enabled.
	KinesisDir string

	// AllowOrigin is the origin whose web pages may call over HTTP, such as
	// "https://example.com", or "*" for all. Requests are not authenticated, so every
	// page of that origin has full access. Default: none.
	AllowOrigin string
}

// StoreMemory returns the most memory that the store of a database in a directory takes for its
// cache and recent writes. A program adds what it needs itself to set a memory limit.
func (o *Options) StoreMemory() int64 {
	return pebblekv.MemoryBytes(o.withDefaults().CacheBytes)
}

func (o *Options) withDefaults() Options {
	var c Options
	if o != nil {
		c = *o
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	switch {
	case c.Clock != nil:
	case c.Now != nil:
		c.Clock = clock.NewFunc(c.Now, c.Logger)
	default:
		c.Clock = clock.NewMachine(c.Logger)
	}
	if c.Rand == nil {
		c.Rand = rand.Reader
	}
	c.ExpiryInterval = max(0, c.ExpiryInterval)
	c.ExpiryInterval = cmp.Or(c.ExpiryInterval, time.Second)
	c.CacheBytes = cmp.Or(c.CacheBytes, 32<<20)
	c.Region = cmp.Or(c.Region, "us-east-1")
	c.Account = cmp.Or(c.Account, "123456789012")
	return c
}
