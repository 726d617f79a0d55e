package pebblekv_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/kv/pebblekv"
)

func TestReopen(t *testing.T) {
	for name, policy := range map[string]pebblekv.SyncPolicy{"SyncEveryCommit": pebblekv.SyncEveryCommit, "Relaxed": pebblekv.Relaxed} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "not", "there", "yet")
			for round := range 4 {
				s := open(t, dir, &pebblekv.Options{Sync: policy})
				for old := range round {
					if got := mustRead(t, s, fmt.Sprint(old)); got != fmt.Sprint("value of ", old) {
						t.Errorf("round %d: row %d is %q", round, old, got)
					}
				}
				if got, want := horizon(t, s, 1), uint64(round); got != want {
					t.Errorf("round %d: horizon is %d, want %d", round, got, want)
				}
				writeAndLog(t, s, fmt.Sprint(round))
				if round == 2 { // trimmed sequences count
					if err := s.TrimLog(t.Context(), 1, 100); err != nil {
						t.Fatal(err)
					}
				}
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// writeAndLog writes a row and logs its name to shard 1.
func writeAndLog(t *testing.T, s kv.Store, name string) {
	t.Helper()
	err := s.Update(t.Context(), [][]byte{rowKey(name)}, func(tx kv.Txn) error {
		tx.Set(rowKey(name), []byte("value of "+name))
		tx.Log(1, []byte(name))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestOpenTwice(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, nil)
	mustWrite(t, s, "a")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, dir + "/", link} {
		if _, err := pebblekv.Open(path, &pebblekv.Options{Logger: quiet}); !errors.Is(err, kv.ErrLocked) {
			t.Errorf("opening %s a second time: %v, want %v", path, err, kv.ErrLocked)
		}
	}
	mustWrite(t, s, "b") // the first store still works
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, link, nil)
	if got := mustRead(t, s, "b"); got != "value of b" {
		t.Errorf("b is %q", got)
	}
}

// TestRejectedDirectories opens directories that must be rejected, and checks that nothing in
// them has changed afterwards.
func TestRejectedDirectories(t *testing.T) {
	for _, c := range []struct {
		name   string
		damage func(t *testing.T, dir string)
		want   error
		text   []string // parts of the message
	}{
		{"foreign", func(t *testing.T, dir string) {
			empty(t, dir)
			writeFile(t, dir, "thesis.txt", "important")
		}, kv.ErrForeign, []string{"thesis.txt"}},
		{"without stamp", func(t *testing.T, dir string) { removeFile(t, dir, "SORTKEY") }, kv.ErrForeign, []string{"SORTKEY"}},
		{"newer format", func(t *testing.T, dir string) { writeFile(t, dir, "SORTKEY", "sortkey storage, format 7\n") },
			kv.ErrFormat, []string{"format 7", "up to 2"}},
		{"unreadable stamp", func(t *testing.T, dir string) { writeFile(t, dir, "SORTKEY", "\x00\x00\x00") }, kv.ErrCorrupt, []string{"SORTKEY"}},
		{"empty stamp", func(t *testing.T, dir string) { writeFile(t, dir, "SORTKEY", "") }, kv.ErrCorrupt, []string{"SORTKEY"}},
		{"bit flip at the start of the log", flipLog(0), kv.ErrCorrupt, []string{".log"}},
		{"bit flip in the log", flipLog(0.3), kv.ErrCorrupt, []string{".log"}},
		{"bit flip near the end of the log", flipLog(0.99), kv.ErrCorrupt, []string{".log"}},
		{"bit flip in the first log of a store", func(t *testing.T, dir string) {
			empty(t, dir)
			fillStore(t, dir, 0)
			flip(t, newest(t, dir, "*.log"), 0.3)
		}, kv.ErrCorrupt, []string{".log"}},
		{"bit flip in the manifest", func(t *testing.T, dir string) { flip(t, newest(t, dir, "MANIFEST*"), 0.3) }, kv.ErrCorrupt, []string{"MANIFEST"}},
		{"bit flip at the start of the manifest", func(t *testing.T, dir string) { flip(t, newest(t, dir, "MANIFEST*"), 0) }, kv.ErrCorrupt, []string{"MANIFEST"}},
		{"missing manifest", func(t *testing.T, dir string) { removeFile(t, dir, "MANIFEST*") }, kv.ErrCorrupt, []string{"MANIFEST"}},
		{"missing manifest marker", func(t *testing.T, dir string) { removeFile(t, dir, "marker.manifest*") }, kv.ErrCorrupt, nil},
		{"missing table", func(t *testing.T, dir string) { removeFile(t, dir, "*.sst") }, kv.ErrCorrupt, []string{"sstable"}},
		{"shortened table", func(t *testing.T, dir string) { truncate(t, newest(t, dir, "*.sst")) }, kv.ErrCorrupt, []string{"sst"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := usedStore(t)
			c.damage(t, dir)
			before := content(t, dir)
			s, err := pebblekv.Open(dir, &pebblekv.Options{Logger: quiet})
			if err == nil {
				_ = s.Close()
			}
			if !errors.Is(err, c.want) {
				t.Fatalf("open: %v, want %v", err, c.want)
			}
			for _, text := range append(c.text, dir) {
				if !strings.Contains(err.Error(), text) {
					t.Errorf("the message does not mention %q: %v", text, err)
				}
			}
			if diff := cmp.Diff(before, content(t, dir)); diff != "" {
				t.Errorf("the directory has changed (-before +after):\n%s", diff)
			}
		})
	}
}

func flipLog(where float64) func(t *testing.T, dir string) {
	return func(t *testing.T, dir string) { flip(t, newest(t, dir, "*.log"), where) }
}

// usedStore returns the directory of a store with tables and a nonempty log.
func usedStore(t *testing.T) string {
	dir := t.TempDir()
	fillStore(t, dir, 0)
	fillStore(t, dir, 1)
	return dir
}

// usedRows is the number of rows that fillStore writes.
const usedRows = 60

// fillStore opens a store, writes some rows and closes it.
func fillStore(t *testing.T, dir string, round int) {
	t.Helper()
	s := open(t, dir, nil)
	for n := range usedRows {
		if err := write(t.Context(), s, fmt.Sprintf("%d/%d", round, n), numbered(uint64(n))); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// content returns the files of a directory, except the empty lock.
func content(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, path := range match(t, dir, "*") {
		bytes, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if name := filepath.Base(path); name != "LOCK" {
			files[name] = string(bytes)
		}
	}
	return files
}

func match(t *testing.T, dir, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no %s in %s (error %v)", pattern, dir, err)
	}
	slices.Sort(paths)
	return paths
}

func newest(t *testing.T, dir, pattern string) string {
	t.Helper()
	paths := match(t, dir, pattern)
	return paths[len(paths)-1]
}

func writeFile(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func removeFile(t *testing.T, dir, pattern string) {
	t.Helper()
	for _, path := range match(t, dir, pattern) {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

func empty(t *testing.T, dir string) { removeFile(t, dir, "*") }

// flip changes one bit of a file, at a fraction of its length.
func flip(t *testing.T, path string, where float64) {
	t.Helper()
	bytes, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	bytes[int(where*float64(len(bytes)))] ^= 0x10
	if err := os.WriteFile(path, bytes, 0o644); err != nil {
		t.Fatal(err)
	}
}

func truncate(t *testing.T, path string) {
	t.Helper()
	info, err := os.Stat(path)
	if err == nil {
		err = os.Truncate(path, info.Size()-10)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestDamagedTable flips bits inside a table: the store opens, and reads of the damaged part
// return an error.
func TestDamagedTable(t *testing.T) {
	dir := usedStore(t)
	flip(t, newest(t, dir, "*.sst"), 0.2)
	s := open(t, dir, nil)
	damaged := 0
	for round := range 2 {
		for n := range usedRows {
			got, err := read(t.Context(), s, kv.Latest, fmt.Sprintf("%d/%d", round, n))
			if errors.Is(err, kv.ErrCorrupt) {
				damaged++
			} else if err != nil || got != string(numbered(uint64(n))) {
				t.Errorf("row %d/%d is %.20q, error %v", round, n, got, err)
			}
		}
	}
	err := s.View(t.Context(), kv.Latest, func(r kv.Reader) error {
		return r.Scan(nil, nil, kv.ScanOptions{}, func(_, _ []byte) bool { return true })
	})
	if damaged == 0 || !errors.Is(err, kv.ErrCorrupt) {
		t.Errorf("%d point reads met the damage, the scan ended with %v", damaged, err)
	}
}

// TestDamagedLog flips single bits all over the log of a closed store: opening must fail or
// find every row. No row may be lost silently.
func TestDamagedLog(t *testing.T) {
	for name, rows := range map[string]int{"one block": 10, "several blocks": 300} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := open(t, dir, &pebblekv.Options{Sync: pebblekv.Relaxed})
			for n := range rows {
				if err := write(t.Context(), s, fmt.Sprint(n), numbered(uint64(n))); err != nil {
					t.Fatal(err)
				}
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			files, refused := content(t, dir), 0
			const samples = 150
			for i := range samples {
				disk := copyToMemory(t, files)
				flipIn(t, disk, filepath.Base(newest(t, dir, "*.log")), i, samples)
				s, err := pebblekv.Open("/db", &pebblekv.Options{FS: disk, Logger: quiet})
				if errors.Is(err, kv.ErrCorrupt) {
					refused++
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				for n := range rows {
					if got := mustRead(t, s, fmt.Sprint(n)); got != string(numbered(uint64(n))) {
						t.Fatalf("sample %d: row %d is %.20q", i, n, got)
					}
				}
				_ = s.Close()
			}
			if refused < samples*9/10 {
				t.Errorf("only %d of %d flips were noticed", refused, samples)
			}
		})
	}
}

func copyToMemory(t *testing.T, files map[string]string) vfs.FS {
	t.Helper()
	disk := vfs.NewMem()
	if err := disk.MkdirAll("/db", 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		replaceFile(t, disk, "/db/"+name, text)
	}
	return disk
}

// flipIn flips one bit of a file, at the fraction i/n of its length.
func flipIn(t *testing.T, disk vfs.FS, name string, i, n int) {
	t.Helper()
	text := []byte(fileContent(t, disk, "/db/"+name))
	text[len(text)*i/n] ^= 1 << (i % 8)
	replaceFile(t, disk, "/db/"+name, string(text))
}

// TestTornManifest leaves half a record at the end of the manifest, as a crash may do: that
// is not damage.
func TestTornManifest(t *testing.T) {
	disk := vfs.NewCrashableMem()
	s := open(t, "/db", &pebblekv.Options{FS: disk})
	mustWrite(t, s, "a")
	image := disk.CrashClone(vfs.CrashCloneCfg{})
	names, err := image.List("/db")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasPrefix(name, "MANIFEST") {
			torn := fileContent(t, image, "/db/"+name) + "\x12\x34\x56\x78\x40\x00\x01 the start of a record"
			replaceFile(t, image, "/db/"+name, torn)
		}
	}
	s = open(t, "/db", &pebblekv.Options{FS: image})
	if got := mustRead(t, s, "a"); got != "value of a" {
		t.Errorf("a is %q", got)
	}
}

func fileContent(t *testing.T, disk vfs.FS, path string) string {
	t.Helper()
	file, err := disk.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(file)
	if err = errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func replaceFile(t *testing.T, disk vfs.FS, path, text string) {
	t.Helper()
	file, err := disk.Create(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		t.Fatal(err)
	}
	_, err = file.Write([]byte(text))
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestOpenOnFailingDisk makes the n-th write operation of the first Open fail, for every
// n: Open must return the error, and succeed when the disk works again.
func TestOpenOnFailingDisk(t *testing.T) {
	for n := int64(1); ; n++ {
		disk := vfs.NewMem()
		var writes atomic.Int64
		nth := errorfs.InjectorFunc(func(op errorfs.Op) error {
			if anyWrite(op) && writes.Add(1) == n {
				return errBroken
			}
			return nil
		})
		s, err := pebblekv.Open("/db", &pebblekv.Options{FS: newFaultyDisk(disk, nth), Logger: quiet})
		opened := writes.Load()
		if err == nil {
			err = s.Close() // the failure may come in the background
		}
		if opened < n {
			if n < 20 {
				t.Errorf("opening writes only %d times: is the disk used?", opened)
			}
			return
		}
		if !errors.Is(err, errBroken) {
			t.Errorf("write %d failed, open and close say: %v", n, err)
		}
		mustWrite(t, open(t, "/db", &pebblekv.Options{FS: disk}), "a")
	}
}

func TestCheckpoint(t *testing.T) {
	for name, policy := range map[string]pebblekv.SyncPolicy{"SyncEveryCommit": pebblekv.SyncEveryCommit, "Relaxed": pebblekv.Relaxed} {
		t.Run(name, func(t *testing.T) {
			s := open(t, t.TempDir(), &pebblekv.Options{Sync: policy})
			writeAndLog(t, s, "before")
			dir := filepath.Join(t.TempDir(), "some", "copy")
			if err := s.Checkpoint(t.Context(), dir); err != nil {
				t.Fatal(err)
			}
			writeAndLog(t, s, "after")
			if err := s.Checkpoint(t.Context(), dir); !errors.Is(err, os.ErrExist) {
				t.Errorf("second checkpoint into the same directory: %v", err)
			}
			copied := open(t, dir, nil)
			if got := mustRead(t, copied, "before") + ", " + mustRead(t, copied, "after"); got != "value of before, absent" {
				t.Errorf("the copy has %s", got)
			}
			writeAndLog(t, copied, "in the copy")
			if got := mustRead(t, s, "in the copy"); got != "absent" {
				t.Errorf("a write into the copy is visible in the original: %s", got)
			}
			if got := horizon(t, copied, 1); policy == pebblekv.SyncEveryCommit && got != 2 {
				t.Errorf("horizon of the copy is %d, want 2", got)
			}
		})
	}
}

// TestFailedCheckpoint fills up the disk that the checkpoint is written to: the store keeps
// working, and the partial copy is not accepted as a store.
func TestFailedCheckpoint(t *testing.T) {
	elsewhere := func(op errorfs.Op) bool { return strings.HasPrefix(op.Path, "/copy") && anyWrite(op) }
	f := &fault{match: elsewhere, err: errBroken}
	disk := vfs.NewMem()
	s := open(t, "/db", &pebblekv.Options{FS: newFaultyDisk(disk, f)})
	mustWrite(t, s, "a")
	f.armed.Store(true)
	if err := s.Checkpoint(t.Context(), "/copy"); !errors.Is(err, errBroken) {
		t.Errorf("checkpoint: %v, want %v", err, errBroken)
	}
	f.armed.Store(false)
	mustWrite(t, s, "b")
	if err := s.Checkpoint(t.Context(), "/copy2"); err != nil {
		t.Errorf("a later checkpoint: %v", err)
	}
}
