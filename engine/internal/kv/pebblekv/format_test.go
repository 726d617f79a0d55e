package pebblekv_test

import (
	"fmt"
	"io"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/kv/pebblekv"
)

// TestFormat fixes the bytes on disk. A change must raise the version in the stamp, and the
// program must be able to read both versions.
func TestFormat(t *testing.T) {
	disk := vfs.NewMem()
	s := open(t, "/db", &pebblekv.Options{FS: disk})
	err := s.Update(t.Context(), nil, func(tx kv.Txn) error {
		tx.Set([]byte{0x01, 0xAA}, []byte("row"))
		for _, record := range []string{"first", "second", "third"} {
			tx.Log(0x01020304, []byte(record))
		}
		return nil
	})
	if err == nil {
		err = s.TrimLog(t.Context(), 0x01020304, 3)
	}
	if err == nil {
		err = s.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"stamp = sortkey storage, format 2\n",
		"01aa = row",
		"f0010203040000000000000003 = third",
		"f101020304 = \x00\x00\x00\x00\x00\x00\x00\x02",
	}
	if diff := cmp.Diff(want, rawContent(t, disk, "/db")); diff != "" {
		t.Errorf("bytes on disk (-want +got):\n%s", diff)
	}
}

// A directory of an older format opens, keeps its data, and is then rejected by older programs.
func TestOlderFormatsAreRaised(t *testing.T) {
	dir := t.TempDir()
	if err := open(t, dir, nil).Close(); err != nil {
		t.Fatal(err)
	}
	writeFile(t, dir, "SORTKEY", "sortkey storage, format 1\n")
	s := open(t, dir, nil)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got := rawContent(t, vfs.Default, dir)[0]; got != "stamp = sortkey storage, format 2\n" {
		t.Errorf("after opening: %q", got)
	}
}

// rawContent reads a closed store without pebblekv.
func rawContent(t *testing.T, disk vfs.FS, dir string) []string {
	t.Helper()
	file, err := disk.Open(dir + "/SORTKEY")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	stamp, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{"stamp = " + string(stamp)}
	db, err := pebble.Open(dir, &pebble.Options{FS: disk, ReadOnly: true, Logger: discard{}})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	it, err := db.NewIter(nil)
	if err != nil {
		t.Fatal(err)
	}
	for ok := it.First(); ok; ok = it.Next() {
		lines = append(lines, fmt.Sprintf("%x = %s", it.Key(), it.Value()))
	}
	if err := it.Close(); err != nil {
		t.Fatal(err)
	}
	return lines
}
