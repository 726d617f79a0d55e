package pebblekv

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
)

const (
	defaultCacheBytes = 32 << 20

	// memTableBytes is reached by doubling from 256 KiB, so an idle store stays small. A store
	// under writes has up to memTables of them: one that is filled, one that is flushed,
	// one that is kept for the next.
	memTableBytes = 16 << 20
	memTables     = 3

	// blockBytes makes a block in the cache, with the 368 bytes that Pebble allocates in front of it, fill
	// 16 KiB, a size class of Go's allocator. The next class would leave a tenth of the cache unused.
	blockBytes = 16<<10 - 368

	// replayCheapBytes of log are replayed faster at the next start than flushed now.
	replayCheapBytes = 1 << 20

	// maxCommitBytes keeps a commit far below the 4 GiB at which Pebble panics.
	maxCommitBytes = 1 << 30
)

// pebbleFormat is the format this version writes. Older programs cannot open the data once
// it is raised, so raise stampVersion together with it.
const pebbleFormat = pebble.FormatValueSeparation

// MemoryBytes returns the memory of a cache of that size and the memtables together. They may take half of the
// cache, and the rest is added: a store under writes needs a cache, too.
func MemoryBytes(cacheBytes int64) int64 {
	return cacheBytes + max(0, memTables*memTableBytes-cacheBytes/2)
}

func pebbleOptions(fs *fuse, o Options) *pebble.Options {
	p := &pebble.Options{
		FS:                    fs,
		FormatMajorVersion:    pebbleFormat,
		CacheSize:             MemoryBytes(o.CacheBytes), // Pebble takes the memory of memtables from the cache
		MemTableSize:          memTableBytes,
		L0CompactionThreshold: 2,
		// Dropping a table should release its space soon, even on a quiet store.
		FlushDelayDeleteRange: 10 * time.Second,
		CompactionConcurrencyRange: func() (int, int) {
			return 1, max(1, min(3, runtime.GOMAXPROCS(0)-1))
		},
		Logger: pebbleLogger{fs, o.Logger},
		EventListener: &pebble.EventListener{
			BackgroundError: func(err error) { fs.backgroundError(err) },
			// The read that found the damage returns it; the store itself keeps working.
			DataCorruption: func(i pebble.DataCorruptionInfo) {
				o.Logger.Error("stored data is corrupt", slog.String("detail", i.String()))
			},
		},
	}
	p.Levels[0].BlockSize = blockBytes // the other levels inherit
	p.Levels[0].FilterPolicy = bloom.FilterPolicy(10)
	return p
}

// pebbleLogger forwards Pebble's messages.
type pebbleLogger struct {
	fuse *fuse
	log  *slog.Logger
}

var _ pebble.Logger = pebbleLogger{}

func (l pebbleLogger) Infof(format string, args ...any) {
	if l.log.Enabled(context.Background(), slog.LevelDebug) {
		l.log.Debug("storage engine", slog.String("detail", fmt.Sprintf(format, args...)))
	}
}

func (l pebbleLogger) Errorf(format string, args ...any) {
	l.log.Error("storage engine", slog.String("detail", fmt.Sprintf(format, args...)))
}

// Fatalf is called when Pebble cannot continue. Pebble expects the process to end
// here; instead the store stops writing, and Pebble's callers get an error.
func (l pebbleLogger) Fatalf(format string, args ...any) {
	l.fuse.blow("storage engine", fmt.Errorf(format, args...))
}
