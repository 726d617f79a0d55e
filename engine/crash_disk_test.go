package engine

import (
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"sortkey.dev/engine/internal/kv/pebblekv"
)

// A tappedDisk calls its tap before every operation, which fails when the tap
// returns an error.
type tappedDisk struct {
	*errorfs.FS
	tap errorfs.Injector
}

func tapDisk(disk vfs.FS, tap func(errorfs.Op) error) vfs.FS {
	injector := errorfs.InjectorFunc(tap)
	return &tappedDisk{errorfs.Wrap(disk, injector), injector}
}

// ReuseForWrite keeps the tap on a reused log.
func (d *tappedDisk) ReuseForWrite(oldname, newname string, c vfs.DiskWriteCategory) (vfs.File, error) {
	file, err := d.FS.ReuseForWrite(oldname, newname, c)
	if err != nil {
		return nil, err
	}
	return errorfs.WrapFile(file, d.tap), nil
}

// changesDisk reports whether a crash before an operation can differ from one after it.
func changesDisk(op errorfs.Op) bool {
	switch op.Kind {
	case errorfs.OpCreate, errorfs.OpLink, errorfs.OpRemove, errorfs.OpRename, errorfs.OpReuseForWrite, errorfs.OpMkdirAll,
		errorfs.OpFileWrite, errorfs.OpFileWriteAt, errorfs.OpFileSync, errorfs.OpFileSyncData, errorfs.OpFileSyncTo:
		return true
	}
	return false
}

const crashDir = "/data/db"

// openDisk opens the database on a disk. The expiry job runs at the interval expiry.
func openDisk(disk vfs.FS, sync pebblekv.SyncPolicy, now func() time.Time, expiry time.Duration, log *slog.Logger) (*DB, error) {
	store, err := pebblekv.Open(crashDir, &pebblekv.Options{FS: disk, Sync: sync, CacheBytes: 1 << 20, Logger: log})
	if err != nil {
		return nil, err
	}
	db, err := open(store, (&Options{Now: now, ExpiryInterval: expiry, Logger: log}).withDefaults())
	if err != nil {
		store.Close()
		return nil, err
	}
	return db, nil
}

var silent = slog.New(slog.NewTextHandler(io.Discard, nil))

// failLog returns a logger that turns errors in the log into errors of the test.
func failLog(fail func(format string, args ...any)) *slog.Logger {
	write := func(p []byte) (int, error) {
		fail("logged: %s", p)
		return len(p), nil
	}
	return slog.New(slog.NewTextHandler(writerFunc(write), &slog.HandlerOptions{Level: slog.LevelError}))
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// keepImage copies a disk to the directory of the flag -artifacts, for inspection.
func keepImage(t *testing.T, disk vfs.FS) string {
	dir := t.ArtifactDir()
	if _, err := vfs.Clone(disk, vfs.Default, crashDir, dir, vfs.CloneSync); err != nil {
		t.Logf("keep the disk: %v", err)
	}
	return dir
}

// eventually polls until wrong returns an empty string, and returns its last result.
func eventually(wrong func() string) string {
	tick := time.NewTicker(300 * time.Microsecond)
	defer tick.Stop()
	patience := time.After(2 * time.Minute) // reached only if it never succeeds
	for {
		problem := wrong()
		if problem == "" {
			return ""
		}
		select {
		case <-patience:
			return problem
		case <-tick.C:
		}
	}
}
