package pebblekv

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"sortkey.dev/engine/internal/kv"
)

// The stamp is a small text file that identifies a store's directory and its format.
// It is written first, so a directory without it holds no store.
const (
	stampName    = "SORTKEY"
	stampTemp    = "SORTKEY.tmp"
	stampText    = "sortkey storage, format %d\n"
	stampVersion = 2
	lockName     = "LOCK"
)

// The formats: 2 adds vector indexes and the logs of Kinesis destinations. A program that knows
// only format 1 would change items without them, so the first program that knows format 2 and
// opens a directory raises its stamp.

// claimedDir is a locked directory of a store.
type claimedDir struct {
	lock    *pebble.Lock
	hasData bool // a store was created here before
}

// claimDir checks that dir is a store or empty, locks it, and stamps it if it is new or older.
// It leaves no trace in any other directory.
func claimDir(disk vfs.FS, dir string) (d claimedDir, err error) {
	if _, err := inspectDir(disk, dir); err != nil {
		return d, err
	}
	if err := makeDir(disk, dir); err != nil {
		return d, err
	}
	d.lock, err = pebble.LockDirectory(dir, disk)
	if err != nil {
		return d, describeLock(err)
	}
	// Check again: another process may have used the directory before the lock.
	found, err := inspectDir(disk, dir)
	if err == nil && found.version < stampVersion {
		err = writeStamp(disk, dir)
	}
	if err == nil {
		err = checkJournals(disk, dir)
	}
	if err != nil {
		return d, errors.Join(err, d.lock.Close())
	}
	d.hasData = found.hasData
	return d, nil
}

// LockDir locks a directory that holds no store, as Open locks that of a store.
func LockDir(dir string) (io.Closer, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	lock, err := pebble.LockDirectory(dir, vfs.Default)
	if err != nil {
		return nil, describeLock(err)
	}
	return lock, nil
}

// describeLock distinguishes a held lock from a lock file that cannot be created.
func describeLock(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return err
	}
	return fmt.Errorf("%w (%w)", kv.ErrLocked, err)
}

// dirContent is the result of inspectDir.
type dirContent struct {
	version int  // of the format; 0: there is no stamp
	hasData bool // holds logs or tables: a store was created and has been in use
}

// inspectDir reads dir without changing it.
func inspectDir(disk vfs.FS, dir string) (c dirContent, err error) {
	names, err := disk.List(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, err
	}
	foreign, stamped := "", false
	for _, name := range names {
		switch {
		case name == stampName:
			stamped = true
		case name == lockName || name == stampTemp:
		default:
			foreign = name
			c.hasData = c.hasData || strings.HasSuffix(name, ".log") || strings.HasSuffix(name, ".sst")
		}
	}
	if stamped {
		c.version, err = readStamp(disk, disk.PathJoin(dir, stampName))
		return c, err
	}
	if foreign != "" {
		return c, fmt.Errorf("%w: it holds %q but no %s file", kv.ErrForeign, foreign, stampName)
	}
	return c, nil
}

// readStamp returns the format of a stamp, or an error unless this program knows it.
func readStamp(disk vfs.FS, path string) (version int, err error) {
	file, err := disk.Open(path)
	if err != nil {
		return 0, err
	}
	text, err := io.ReadAll(io.LimitReader(file, 1024))
	if err = errors.Join(err, file.Close()); err != nil {
		return 0, fmt.Errorf("read %s: %w", path, err)
	}
	if _, err := fmt.Sscanf(string(text), stampText, &version); err != nil || version < 1 {
		return 0, fmt.Errorf("%w: %s does not say which format the data has: %q", kv.ErrCorrupt, path, text)
	}
	if version > stampVersion {
		return 0, fmt.Errorf("%w: the data has format %d, this program knows formats up to %d", kv.ErrFormat, version, stampVersion)
	}
	return version, nil
}

// writeStamp writes the stamp atomically and durably.
func writeStamp(disk vfs.FS, dir string) error {
	temp := disk.PathJoin(dir, stampTemp)
	if err := writeSynced(disk, temp, fmt.Sprintf(stampText, stampVersion)); err != nil {
		return err
	}
	if err := disk.Rename(temp, disk.PathJoin(dir, stampName)); err != nil {
		return err
	}
	return syncDir(disk, dir)
}

func writeSynced(disk vfs.FS, path, text string) error {
	file, err := disk.Create(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	_, err = file.Write([]byte(text))
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

// makeDir creates dir and its missing parents, and syncs the directories that got a new
// entry, so that a crash cannot remove the store with its directory.
func makeDir(disk vfs.FS, dir string) error {
	var changed []string
	for path := dir; disk.PathDir(path) != path; path = disk.PathDir(path) {
		if _, err := disk.Stat(path); err == nil {
			break
		}
		changed = append(changed, disk.PathDir(path))
	}
	if err := disk.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, path := range changed {
		if err := syncDir(disk, path); err != nil {
			return err
		}
	}
	return nil
}

func syncDir(disk vfs.FS, path string) error {
	dir, err := disk.OpenDir(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
