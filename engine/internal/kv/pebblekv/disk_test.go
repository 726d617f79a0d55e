package pebblekv_test

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/kv/pebblekv"
)

var errBroken = errors.New("the disk is broken")

// fault makes matching operations fail with err, once it is armed.
type fault struct {
	match func(errorfs.Op) bool
	err   error
	once  bool // the disk recovers after the first failure
	armed atomic.Bool
	hits  atomic.Int64
}

func (f *fault) MaybeError(op errorfs.Op) error {
	if !f.armed.Load() || !f.match(op) {
		return nil
	}
	if f.hits.Add(1) > 1 && f.once {
		return nil
	}
	return f.err
}

func (f *fault) String() string { return "fault" }

// faultyDisk is an errorfs.FS that does not lose its injector when a log is recycled.
type faultyDisk struct{ *errorfs.FS }

func newFaultyDisk(disk vfs.FS, i errorfs.Injector) vfs.FS { return faultyDisk{errorfs.Wrap(disk, i)} }

func (d faultyDisk) ReuseForWrite(oldname, newname string, c vfs.DiskWriteCategory) (vfs.File, error) {
	if err := d.FS.Remove(oldname); err != nil {
		return nil, err
	}
	return d.FS.Create(newname, c)
}

// onFiles matches the given kinds of operation on files whose name matches pattern.
func onFiles(pattern string, kinds ...errorfs.OpKind) func(errorfs.Op) bool {
	return func(op errorfs.Op) bool {
		match, _ := path.Match(pattern, path.Base(op.Path))
		for _, kind := range kinds {
			if match && op.Kind == kind {
				return true
			}
		}
		return false
	}
}

// anyWrite matches the operations that fail on a full disk.
func anyWrite(op errorfs.Op) bool {
	switch op.Kind {
	case errorfs.OpCreate, errorfs.OpFileWrite, errorfs.OpFileSync, errorfs.OpFileSyncData, errorfs.OpFileSyncTo:
		return true
	}
	return false
}

// TestFailingDisk makes one kind of operation fail under concurrent writers. They must all
// end with a clear error, reads must succeed, and everything acknowledged must be
// there after reopening.
func TestFailingDisk(t *testing.T) {
	syncs := []errorfs.OpKind{errorfs.OpFileSync, errorfs.OpFileSyncData, errorfs.OpFileSyncTo}
	for _, c := range []struct {
		name  string
		match func(errorfs.Op) bool
		err   error
	}{
		{"full disk", anyWrite, syscall.ENOSPC},
		{"log write", onFiles("*.log", errorfs.OpFileWrite), errBroken},
		{"log sync", onFiles("*.log", syncs...), errBroken},
		{"new log", onFiles("*.log", errorfs.OpCreate), errBroken},
		{"directory sync", onFiles("db", syncs...), errBroken},
		{"manifest write", onFiles("MANIFEST*", errorfs.OpFileWrite), errBroken},
		{"manifest sync", onFiles("MANIFEST*", syncs...), errBroken},
		{"new table", onFiles("*.sst", errorfs.OpCreate), errBroken},
		{"table write", onFiles("*.sst", errorfs.OpFileWrite), errBroken},
		{"table sync", onFiles("*.sst", syncs...), errBroken},
	} {
		for _, once := range []bool{false, true} {
			for _, policy := range []pebblekv.SyncPolicy{pebblekv.SyncEveryCommit, pebblekv.Relaxed} {
				t.Run(fmt.Sprintf("%s/once=%t/policy=%d", c.name, once, policy), func(t *testing.T) {
					testFailingDisk(t, &fault{match: c.match, err: c.err, once: once}, policy)
				})
			}
		}
	}
}

func testFailingDisk(t *testing.T, f *fault, policy pebblekv.SyncPolicy) {
	disk := vfs.NewMem()
	s := open(t, "/db", pebblekv.Tuned(pebblekv.Options{FS: newFaultyDisk(disk, f), Sync: policy}, pebblekv.Small))
	mustWrite(t, s, "before")
	w := startWriters(t, s)
	w.waitFor(50)
	f.armed.Store(true)
	failure := w.wait()
	if !errors.Is(failure, kv.ErrFailed) || !errors.Is(failure, f.err) {
		t.Errorf("the writers ended with %v, want %v because of %v", failure, kv.ErrFailed, f.err)
	}
	if err := write(t.Context(), s, "after", nil); err == nil || err.Error() != failure.Error() {
		t.Errorf("a later write: %v, want %v", err, failure)
	}
	if err := s.DeleteSpan(t.Context(), nil, nil); !errors.Is(err, kv.ErrFailed) {
		t.Errorf("a later span delete: %v", err)
	}
	w.checkReadable(t, s)
	if err := s.Close(); !errors.Is(err, kv.ErrFailed) {
		t.Errorf("close: %v, want %v", err, kv.ErrFailed)
	}
	f.armed.Store(false)
	again := open(t, "/db", &pebblekv.Options{FS: disk})
	if policy == pebblekv.SyncEveryCommit {
		w.checkAcknowledged(t, again)
	}
	mustWrite(t, again, "after")
}

// writers write until the store fails, and record what was acknowledged.
type writers struct {
	wg    sync.WaitGroup
	mu    sync.Mutex
	acked map[string]string // key to value
	err   error
	some  chan struct{} // one message per acknowledged write
}

func startWriters(t *testing.T, s kv.Store) *writers {
	w := &writers{acked: map[string]string{}, some: make(chan struct{}, 1<<20)}
	for worker := range 8 {
		w.wg.Go(func() {
			for n := 0; ; n++ {
				name, value := fmt.Sprintf("%d/%d", worker, n%40), strings.Repeat(fmt.Sprint(n), 500)
				err := write(t.Context(), s, name, []byte(value))
				w.mu.Lock()
				if err != nil {
					delete(w.acked, name) // may be the old or the new value now
					w.err = err
					w.mu.Unlock()
					return
				}
				w.acked[name] = value
				w.mu.Unlock()
				w.some <- struct{}{}
			}
		})
	}
	return w
}

// waitFor returns after n more acknowledged writes.
func (w *writers) waitFor(n int) {
	for range n {
		<-w.some
	}
}

// wait returns the error that ended the writers.
func (w *writers) wait() error {
	go func() { // they may produce more than the channel holds
		for range w.some {
		}
	}()
	w.wg.Wait()
	close(w.some)
	return w.err
}

// checkReadable reads the acknowledged keys from the failed store. Latest reads return
// them. Durable reads return them or fail; they never return anything else.
func (w *writers) checkReadable(t *testing.T, s kv.Store) {
	t.Helper()
	for name, want := range w.acked {
		if got, err := read(t.Context(), s, kv.Latest, name); err != nil || got != want {
			t.Errorf("latest read of %s after the failure: %.20q, error %v, want %.20q", name, got, err, want)
		}
		got, err := read(t.Context(), s, kv.Durable, name)
		if err == nil && got != want || err != nil && !errors.Is(err, kv.ErrFailed) {
			t.Errorf("durable read of %s after the failure: %.20q, error %v, want %.20q", name, got, err, want)
		}
	}
	n := 0
	err := s.View(t.Context(), kv.Latest, func(r kv.Reader) error {
		return r.Scan(nil, nil, kv.ScanOptions{}, func(_, _ []byte) bool { n++; return true })
	})
	if err != nil || n < len(w.acked) {
		t.Errorf("scan after the failure found %d keys, error %v, want at least %d", n, err, len(w.acked))
	}
}

func (w *writers) checkAcknowledged(t *testing.T, s kv.Store) {
	t.Helper()
	for name, want := range w.acked {
		if got, err := read(t.Context(), s, kv.Durable, name); err != nil || got != want {
			t.Errorf("acknowledged %s is %.20q, error %v, want %.20q", name, got, err, want)
		}
	}
}

func rowKey(name string) []byte { return append([]byte{kv.FirstByteMin}, name...) }

func write(ctx context.Context, s kv.Store, name string, value []byte) error {
	k := rowKey(name)
	return s.Update(ctx, [][]byte{k}, func(tx kv.Txn) error {
		tx.Set(k, value)
		return nil
	})
}

func mustWrite(t testing.TB, s kv.Store, name string) {
	t.Helper()
	if err := write(t.Context(), s, name, []byte("value of "+name)); err != nil {
		t.Fatalf("write %s: %v", name, err)
	}
}

// mustLog appends records to a shard of the log.
func mustLog(t testing.TB, s kv.Store, shard uint32, records ...string) {
	t.Helper()
	err := s.Update(t.Context(), nil, func(tx kv.Txn) error {
		for _, r := range records {
			tx.Log(shard, []byte(r))
		}
		return nil
	})
	if err != nil {
		t.Fatalf("log to shard %d: %v", shard, err)
	}
}

// read returns the value of a row, "absent" if there is none.
func read(ctx context.Context, s kv.Store, c kv.Consistency, name string) (string, error) {
	value := "absent"
	_, err := s.Get(ctx, c, rowKey(name), func(v []byte) error {
		value = string(v)
		return nil
	})
	return value, err
}

func mustRead(t testing.TB, s kv.Store, name string) string {
	t.Helper()
	value, err := read(t.Context(), s, kv.Durable, name)
	if err != nil {
		t.Fatalf("read %s: %v", name, err)
	}
	return value
}

// TestFailureWhileWritersAreStalled makes a compaction fail that stalled writers wait for.
func TestFailureWhileWritersAreStalled(t *testing.T) {
	stalled := make(chan struct{})
	var once sync.Once
	disk := &noCompaction{FS: vfs.NewMem(), release: make(chan struct{})}
	s := open(t, "/db", pebblekv.Tuned(pebblekv.Options{FS: disk}, func(p *pebble.Options) {
		pebblekv.Small(p)
		p.L0StopWritesThreshold = 4
		p.MemTableStopWritesThreshold = 1000 // no stall for any other reason
		p.EventListener.WriteStallBegin = func(pebble.WriteStallBeginInfo) { once.Do(func() { close(stalled) }) }
	}))
	w := startWriters(t, s)
	<-stalled
	close(disk.release)
	if err := w.wait(); !errors.Is(err, kv.ErrFailed) || !errors.Is(err, errBroken) {
		t.Errorf("the writers ended with %v, want %v because of %v", err, kv.ErrFailed, errBroken)
	}
	w.checkReadable(t, s)
	if err := s.Close(); !errors.Is(err, kv.ErrFailed) {
		t.Errorf("close: %v, want %v", err, kv.ErrFailed)
	}
}

// noCompaction is a disk on which compactions hang until they are released and fail.
type noCompaction struct {
	vfs.FS
	release chan struct{}
}

func (d *noCompaction) Create(name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	if c == "pebble-compaction" {
		<-d.release
		return nil, errBroken
	}
	return d.FS.Create(name, c)
}

// TestFailureOfALargeCommit checks that a durable read does not return a commit of unknown
// outcome, even if it is larger than a memtable, which the store handles differently.
func TestFailureOfALargeCommit(t *testing.T) {
	f := &fault{match: onFiles("*.log", errorfs.OpFileSync, errorfs.OpFileSyncData), err: errBroken}
	s := open(t, "/db", pebblekv.Tuned(pebblekv.Options{FS: newFaultyDisk(vfs.NewMem(), f)}, pebblekv.Small))
	mustWrite(t, s, "before")
	f.armed.Store(true)
	if err := write(t.Context(), s, "large", make([]byte, 1<<20)); !errors.Is(err, errBroken) {
		t.Errorf("the commit: %v, want %v", err, errBroken)
	}
	if _, err := read(t.Context(), s, kv.Durable, "large"); !errors.Is(err, errBroken) {
		t.Errorf("a durable read of it: %v, want %v", err, errBroken)
	}
	if got := mustRead(t, s, "before"); got != "value of before" {
		t.Errorf("another row is %q", got)
	}
}

// TestFailedManifestDeletesNothing makes the manifest fail when it records a finished
// compaction. The replaced tables must stay, because the manifest on disk names no others.
func TestFailedManifestDeletesNothing(t *testing.T) {
	f := &fault{match: onFiles("MANIFEST*", errorfs.OpFileWrite), err: errBroken, once: true}
	inner := vfs.NewMem()
	disk := &compactionWatch{FS: newFaultyDisk(inner, f), onSync: func() { f.armed.Store(true) }}
	s := open(t, "/db", pebblekv.Tuned(pebblekv.Options{FS: disk}, pebblekv.Small))
	w := startWriters(t, s)
	if err := w.wait(); !errors.Is(err, errBroken) {
		t.Errorf("the writers ended with %v", err)
	}
	if err := s.Close(); !errors.Is(err, errBroken) {
		t.Errorf("close: %v", err)
	}
	w.checkAcknowledged(t, open(t, "/db", &pebblekv.Options{FS: inner}))
}

// compactionWatch is a disk that reports when a compaction syncs its output.
type compactionWatch struct {
	vfs.FS
	onSync func()
}

func (d *compactionWatch) Create(name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	file, err := d.FS.Create(name, c)
	if err != nil || c != "pebble-compaction" {
		return file, err
	}
	return watchedFile{file, d.onSync}, nil
}

type watchedFile struct {
	vfs.File
	onSync func()
}

func (f watchedFile) Sync() error {
	defer f.onSync()
	return f.File.Sync()
}

func (f watchedFile) SyncData() error {
	defer f.onSync()
	return f.File.SyncData()
}
