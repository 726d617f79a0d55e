package pebblekv

import (
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2/vfs"

	"sortkey.dev/engine/internal/kv"
)

// fuse is a file system between Pebble and the disk. Pebble ends the process when its log or
// its manifest cannot be written: it panics with locks held, in places where not even a
// recover helps, and it retries failed flushes in a tight loop. So the first failed write
// blows the fuse. From then on the disk is left exactly as it is, which is the state after a
// power loss at that moment, from which opening recovers. Pebble keeps running on simulated
// files: writes to its journals seem to succeed, its new files are kept in
// memory, nothing is deleted. Reads succeed, commits that were under way end, and
// calls that wait for durability fail with err.
//
// Only files of the store's own directory are guarded; a checkpoint elsewhere may fail
// without harm.
type fuse struct {
	vfs.FS // the disk
	dir    string
	log    *slog.Logger
	onBlow func()
	blown  sync.Once
	failed chan struct{} // closed when the fuse blows
	cause  error         // set before that, and never again

	mem     *vfs.MemFS // files created after the fuse has blown
	memOnce sync.Once

	// applying counts calls that may be inside Pebble's commit. Such a call may wait there
	// for a compaction, so compactions must run until it has left.
	applying atomic.Int64
	closing  chan struct{}
	unparked sync.Once
}

var _ vfs.FS = (*fuse)(nil)

func newFuse(disk vfs.FS, dir string, log *slog.Logger, onBlow func()) *fuse {
	return &fuse{FS: disk, dir: dir, log: log, onBlow: onBlow, failed: make(chan struct{}), closing: make(chan struct{})}
}

// err returns nil until the fuse has blown, and then always the same error. It checks the
// channel, so that the error is returned if and only if the channel is closed.
func (f *fuse) err() error {
	select {
	case <-f.failed:
		return f.cause
	default:
		return nil
	}
}

// blow records the first failure. It must be called before Pebble sees the result, so
// that goroutines that Pebble wakes find err set; a later failure waits for the first to be recorded.
func (f *fuse) blow(what string, err error) {
	f.blown.Do(func() {
		f.cause = fmt.Errorf("%w: %s: %w", kv.ErrFailed, what, err)
		close(f.failed)
		f.onBlow()
		f.log.Error("store failed, no more writes", slog.Any("error", f.cause))
	})
}

// begin announces a call that may wait inside Pebble's commit; end must follow. It fails
// after the fuse has blown.
func (f *fuse) begin() error {
	f.applying.Add(1)
	if err := f.err(); err != nil {
		f.applying.Add(-1)
		return err
	}
	return nil
}

func (f *fuse) end() { f.applying.Add(-1) }

// unpark lets parked compactions fail, so that Pebble can close.
func (f *fuse) unpark() { f.unparked.Do(func() { close(f.closing) }) }

// backgroundError logs a failed flush or compaction, unless it is a consequence of the
// recorded failure.
func (f *fuse) backgroundError(err error) {
	if f.err() == nil {
		f.log.Error("storage engine", slog.Any("error", err))
	}
}

func (f *fuse) guards(name string) bool { return f.PathDir(name) == f.dir }

// isTable reports whether a file is a table, which Pebble reads again and whose failed writes
// it can handle, rather than a journal or a marker.
func isTable(name string) bool {
	return strings.HasSuffix(name, ".sst") || strings.HasSuffix(name, ".blob")
}

func (f *fuse) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	return f.guardNew(name, category, func() (vfs.File, error) { return f.FS.Create(name, category) })
}

func (f *fuse) ReuseForWrite(oldname, newname string, category vfs.DiskWriteCategory) (vfs.File, error) {
	return f.guardNew(newname, category, func() (vfs.File, error) {
		return f.FS.ReuseForWrite(oldname, newname, category)
	})
}

func (f *fuse) guardNew(name string, category vfs.DiskWriteCategory, create func() (vfs.File, error)) (vfs.File, error) {
	if !f.guards(name) {
		return create()
	}
	if f.err() == nil {
		err := f.orderNames(name)
		var file vfs.File
		if err == nil {
			file, err = create()
		}
		if err == nil {
			return f.fused(name, file), nil
		}
		f.blow("create "+f.PathBase(name), err)
	}
	return f.createInMemory(name, category)
}

// fused wraps a file that was just created.
func (f *fuse) fused(name string, file vfs.File) vfs.File {
	fused := &fusedFile{File: file, fuse: f, name: name, table: isTable(name)}
	if isLog(name) {
		fused.log = newLogFile(file)
		fused.File = fused.log
	}
	return fused
}

// orderNames ensures that a marker survives a crash only together with the new file that it
// names. Pebble leaves that to the file system.
func (f *fuse) orderNames(name string) error {
	if !strings.HasPrefix(f.PathBase(name), "marker.") {
		return nil
	}
	return syncDir(f.FS, f.dir)
}

// createInMemory creates a file after the fuse has blown. Compactions are parked until the
// store closes, because they could fill the memory; but not while a commit may be waiting for
// one. That cannot change while they are parked, because begin then fails.
func (f *fuse) createInMemory(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	flush := category == "pebble-memtable-flush"
	if isTable(name) && !flush && f.applying.Load() == 0 {
		<-f.closing
		return nil, f.err()
	}
	return f.memory().Create(name, category)
}

// memory returns the file system in memory, which exists once the fuse has blown.
func (f *fuse) memory() *vfs.MemFS {
	f.memOnce.Do(func() {
		f.mem = vfs.NewMem()
		if err := f.mem.MkdirAll(f.dir, 0o755); err != nil {
			f.log.Error("storage engine", slog.Any("error", err))
		}
	})
	return f.mem
}

func (f *fuse) Open(name string, opts ...vfs.OpenOption) (vfs.File, error) {
	if f.err() != nil && f.guards(name) {
		if file, err := f.memory().Open(name, opts...); err == nil {
			return file, nil
		}
	}
	return f.FS.Open(name, opts...)
}

func (f *fuse) Stat(name string) (vfs.FileInfo, error) {
	if f.err() != nil && f.guards(name) {
		if info, err := f.memory().Stat(name); err == nil {
			return info, nil
		}
	}
	return f.FS.Stat(name)
}

func (f *fuse) OpenDir(name string) (vfs.File, error) {
	dir, err := f.FS.OpenDir(name)
	if err != nil || name != f.dir {
		return dir, err
	}
	return &fusedFile{File: dir, fuse: f, name: name}, nil
}

func (f *fuse) Remove(name string) error {
	if f.err() == nil || !f.guards(name) {
		return f.FS.Remove(name)
	}
	_ = f.memory().Remove(name) // absent if the file is on disk, where it stays
	return nil
}

func (f *fuse) Rename(oldname, newname string) error {
	if !f.guards(newname) {
		return f.FS.Rename(oldname, newname)
	}
	if f.err() == nil {
		err := f.FS.Rename(oldname, newname)
		if err == nil {
			return nil
		}
		f.blow("rename "+f.PathBase(oldname), err)
	}
	_ = f.memory().Rename(oldname, newname)
	return nil
}

// Unwrap returns the disk, like other wrapping file systems.
func (f *fuse) Unwrap() vfs.FS { return f.FS }

// fusedFile is a file on disk, or the store's directory. Once the fuse has blown a journal
// discards its writes, and a table file fails so that Pebble creates a new one.
type fusedFile struct {
	vfs.File
	fuse  *fuse
	name  string
	table bool
	log   *logFile // File, if it is a log
}

// outcome blows the fuse on a failure and returns the error that Pebble sees.
func (f *fusedFile) outcome(op string, err error) error {
	if err != nil {
		f.fuse.blow(op+" "+f.fuse.PathBase(f.name), err)
	}
	if f.table {
		return err
	}
	return nil
}

// stopped returns done=true if the disk must not be changed any more.
func (f *fusedFile) stopped() (done bool, err error) {
	failure := f.fuse.err()
	if failure == nil {
		return false, nil
	}
	if f.table {
		return true, failure
	}
	return true, nil
}

func (f *fusedFile) Write(p []byte) (int, error) {
	if done, err := f.stopped(); done {
		return len(p), err
	}
	_, err := f.File.Write(p)
	return len(p), f.outcome("write", err)
}

func (f *fusedFile) WriteAt(p []byte, off int64) (int, error) {
	if done, err := f.stopped(); done {
		return len(p), err
	}
	_, err := f.File.WriteAt(p, off)
	return len(p), f.outcome("write", err)
}

func (f *fusedFile) Sync() error {
	if done, err := f.stopped(); done {
		return err
	}
	return f.outcome("sync", f.File.Sync())
}

func (f *fusedFile) SyncData() error {
	if done, err := f.stopped(); done {
		return err
	}
	return f.outcome("sync", f.File.SyncData())
}

func (f *fusedFile) SyncTo(length int64) (bool, error) {
	if done, err := f.stopped(); done {
		return true, err
	}
	full, err := f.File.SyncTo(length)
	return full, f.outcome("sync", err)
}

// Preallocate may fail: it only saves time later.
func (f *fusedFile) Preallocate(offset, length int64) error {
	if done, err := f.stopped(); done {
		return err
	}
	return f.File.Preallocate(offset, length)
}

func (f *fusedFile) Close() error {
	done, _ := f.stopped()
	if f.log != nil && !done {
		f.log.trim()
	}
	err := f.File.Close()
	if done {
		return nil
	}
	return f.outcome("close", err)
}

var _ vfs.File = (*fusedFile)(nil)
