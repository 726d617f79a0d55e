// Package pebblekv implements a kv.Store on disk with Pebble. It adds the parts of the contract
// that Pebble does not have: latches, reads that wait for durability, a change log, a
// directory with a format stamp, and a store that survives a failing disk instead of
// ending the process. It is not a general wrapper around Pebble: one
// configuration, chosen for point reads and small atomic commits.
//
// The engine opens it for a database in a directory.
//
// Lock order, outermost first: latches (by stripe, ascending), the span latch, shard mutexes
// (by shard, ascending), everything inside Pebble. The mutexes of the watermark, of the table
// of shards and of a shard's waiters are leaves.
package pebblekv

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"sortkey.dev/engine/internal/kv"
)

// SyncPolicy selects when a commit is acknowledged.
type SyncPolicy uint8

const (
	// SyncEveryCommit acknowledges a commit when it is on stable storage. Commits that
	// arrive together share one sync.
	SyncEveryCommit SyncPolicy = iota

	// Relaxed acknowledges a commit when it is visible. A crash of the process or the
	// machine may lose the last commits, but never an earlier one or half a commit.
	// Visible commits count as durable.
	Relaxed
)

// Options configures a Store. A nil *Options, like a zero one, means the defaults.
type Options struct {
	// FS is the file system. Default: the operating system's.
	FS vfs.FS

	// CacheBytes limits the cache of uncompressed blocks, which fills as data is read. Recent
	// writes take up to 48 MiB of it, but not more than half.
	// Default: 32 MiB.
	CacheBytes int64

	// Sync selects when a commit is acknowledged. Default: SyncEveryCommit.
	Sync SyncPolicy

	// Logger receives errors of background jobs, and Pebble's own messages at debug level.
	// Default: slog.Default().
	Logger *slog.Logger

	tune func(*pebble.Options) // for tests with smaller limits
}

// Store is a kv.Store in a directory.
type Store struct {
	db      *pebble.DB
	fuse    *fuse
	lock    *pebble.Lock
	relaxed bool
	gate    gate

	latches latches
	span    stripe // orders DeleteSpan against reads, which have no key in common with it
	durable watermark

	// inflight counts commits from before they become visible until they are durable. A
	// commit of unknown outcome is counted forever.
	inflight atomic.Int64

	shards shardTable
	txns   sync.Pool // of *txn
}

var _ kv.Store = (*Store)(nil)

// Open opens the store in dir and creates it if dir is missing or empty. It changes
// nothing if it fails because dir holds something else (kv.ErrForeign), data of a newer
// version (kv.ErrFormat), damaged data (kv.ErrCorrupt), or is already open (kv.ErrLocked).
func Open(dir string, opts *Options) (*Store, error) {
	var o Options
	if opts != nil {
		o = *opts
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	if o.CacheBytes <= 0 {
		o.CacheBytes = defaultCacheBytes
	}
	if o.FS == nil {
		o.FS = vfs.Default
		canonical, err := canonicalDir(dir)
		if err != nil {
			return nil, fmt.Errorf("open store %s: %w", dir, err)
		}
		dir = canonical
	}
	dir = o.FS.PathJoin(dir) // cleaned, so that it compares with the directory of a file
	s, err := open(dir, o)
	if err != nil {
		return nil, fmt.Errorf("open store %s: %w", dir, err)
	}
	return s, nil
}

// canonicalDir returns the canonical name of dir, under which this process locks it.
// Otherwise a second store on the same directory, reached through a link or a relative path,
// would get the lock too: such locks only exclude other processes.
func canonicalDir(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real, nil
	}
	return dir, nil // it does not exist yet
}

func open(dir string, o Options) (*Store, error) {
	d, err := claimDir(o.FS, dir)
	if err != nil {
		return nil, err
	}
	s := &Store{lock: d.lock, relaxed: o.Sync == Relaxed}
	s.txns.New = func() any { return &txn{store: s} }
	s.gate.init()
	s.fuse = newFuse(o.FS, dir, o.Logger, s.durable.notifyAll)
	s.durable.failed = s.fuse.err
	err = s.openPebble(dir, d, o)
	if failed := s.fuse.err(); failed != nil {
		err = failed
	}
	if err != nil {
		_ = s.release() // keep the first error
		return nil, err
	}
	return s, nil
}

func (s *Store) openPebble(dir string, d claimedDir, o Options) (err error) {
	opts := pebbleOptions(s.fuse, o)
	opts.Lock = d.lock
	opts.ErrorIfNotExists = d.hasData
	if o.tune != nil {
		o.tune(opts)
	}
	// Opening waits for compactions that it has started, so they must not be parked.
	if err := s.fuse.begin(); err != nil {
		return err
	}
	defer s.fuse.end()
	s.db, err = pebble.Open(dir, opts)
	if err != nil {
		return describeOpen(err)
	}
	if d.hasData {
		return nil
	}
	// Pebble writes the first log of a new store in an old format, in which damage in the
	// middle looks like the end. A flush starts the next log, in the current format.
	_, err = s.db.AsyncFlush()
	return err
}

// describe marks damage with kv.ErrCorrupt; Pebble's text says where it is.
func describe(err error) error {
	if pebble.IsCorruptionError(err) {
		return fmt.Errorf("%w: %w", kv.ErrCorrupt, err)
	}
	return err
}

// describeOpen is describe for errors of opening. Pebble does not mark all of them: a
// missing file is damage, and so is every error that does not come from the system.
func describeOpen(err error) error {
	var path *fs.PathError
	var number syscall.Errno
	system := errors.As(err, &path) || errors.As(err, &number)
	if errors.Is(err, kv.ErrFailed) || (system && !errors.Is(err, fs.ErrNotExist)) {
		return err
	}
	return fmt.Errorf("%w: %w", kv.ErrCorrupt, err)
}

// Failed returns a channel that is closed when the fuse blows.
func (s *Store) Failed() <-chan struct{} { return s.fuse.failed }

// enter admits one call. The caller must call s.gate.leave if it succeeds.
func (s *Store) enter(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if !s.gate.enter() {
		return kv.ErrClosed
	}
	return nil
}

// Checkpoint writes a copy made of hard links, which can be opened like any store. The copy
// gets its stamp last, so an incomplete copy is rejected.
func (s *Store) Checkpoint(ctx context.Context, dir string) (err error) {
	if err := s.enter(ctx); err != nil {
		return err
	}
	defer s.gate.leave()
	defer func() {
		// Pebble panics when the new directory cannot be synced. It holds no lock then.
		if r := recover(); r != nil {
			err = fmt.Errorf("checkpoint into %s: %v", dir, r)
		}
	}()
	if err := s.fuse.begin(); err != nil {
		return err
	}
	err = s.db.Checkpoint(dir, pebble.WithFlushedWAL())
	s.fuse.end()
	if err == nil {
		err = s.fuse.err()
	}
	if err == nil {
		err = writeStamp(s.fuse.FS, dir)
	}
	if err != nil {
		return fmt.Errorf("checkpoint into %s: %w", dir, err)
	}
	return nil
}

// Close waits for running calls and closes the files. It returns the store's failure, if
// any. Closing again returns nil.
func (s *Store) Close() error {
	if !s.gate.close() {
		return nil
	}
	err := s.lastWrites()
	if relErr := s.release(); err == nil {
		err = relErr
	}
	if err != nil {
		return fmt.Errorf("close store: %w", err)
	}
	return nil
}

// lastWrites prepares the next start: it leaves no gaps in the log sequences,
// and no log that takes long to replay or whose end can be damaged without notice.
func (s *Store) lastWrites() error {
	if err := s.fuse.begin(); err != nil {
		return err
	}
	defer s.fuse.end()
	if err := s.returnSequences(); err != nil {
		return err
	}
	log := s.db.Metrics().WAL
	if log.Size >= replayCheapBytes {
		return s.db.Flush()
	}
	if log.BytesIn == 0 {
		return nil
	}
	return s.seal()
}

// seal ends the log with a record that says that everything before it is synced.
func (s *Store) seal() error {
	if s.relaxed {
		if err := s.db.LogData(nil, pebble.Sync); err != nil {
			return err
		}
	}
	return s.db.LogData([]byte(sealText), pebble.Sync)
}

// release closes everything that open opened.
func (s *Store) release() (err error) {
	s.fuse.unpark()
	if s.db != nil {
		err = s.db.Close()
	}
	if failed := s.fuse.err(); failed != nil {
		err = failed // leaks that Pebble reports are consequences of the failure
	}
	return errors.Join(err, s.lock.Close())
}
