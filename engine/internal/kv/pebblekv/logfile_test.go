package pebblekv

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
)

// newLog creates a log in a new directory, as Pebble does through the fuse.
func newLog(t *testing.T, old []byte) (file vfs.File, path string) {
	t.Helper()
	dir := t.TempDir()
	path = filepath.Join(dir, "000001.log")
	disk := newFuse(vfs.Default, dir, slog.New(slog.DiscardHandler), func() {})
	var err error
	if old == nil {
		file, err = disk.Create(path, vfs.WriteCategoryUnspecified)
	} else {
		before := filepath.Join(dir, "000000.log")
		if err := os.WriteFile(before, old, 0o644); err != nil {
			t.Fatal(err)
		}
		file, err = disk.ReuseForWrite(before, path, vfs.WriteCategoryUnspecified)
	}
	if err != nil {
		t.Fatal(err)
	}
	return file, path
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestLogGrowsInSteps writes records and checks the file in between: its length must rarely
// change, and there must be only zeros after the records. Closed, it ends with the last record.
func TestLogGrowsInSteps(t *testing.T) {
	log, path := newLog(t, nil)
	var want []byte
	lengths := map[int]bool{}
	for i := range 1000 {
		record := bytes.Repeat([]byte{byte(i%255 + 1)}, 1+i)
		if n, err := log.Write(record); n != len(record) || err != nil {
			t.Fatal(n, err)
		}
		want = append(want, record...)
		if i%50 == 0 {
			data := read(t, path)
			lengths[len(data)] = true
			if !bytes.HasPrefix(data, want) || len(bytes.Trim(data[len(want):], "\x00")) > 0 {
				t.Fatalf("after %d records the file is not them and zeros", i+1)
			}
		}
	}
	if steps := len(want)/logStep + 1; len(lengths) > steps {
		t.Errorf("%d bytes made %d different lengths, want %d at most", len(want), len(lengths), steps)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(read(t, path), want) {
		t.Error("the closed log is not its records")
	}
}

// TestReusedLogKeepsItsLength writes less to an old log than it holds, then more.
func TestReusedLogKeepsItsLength(t *testing.T) {
	old := bytes.Repeat([]byte("old"), 1000)
	log, path := newLog(t, old)
	if _, err := log.Write(bytes.Repeat([]byte("n"), 2000)); err != nil {
		t.Fatal(err)
	}
	if data := read(t, path); !bytes.Equal(data[2000:], old[2000:]) {
		t.Error("writing to the beginning of an old log changed the rest")
	}
	if _, err := log.Write(bytes.Repeat([]byte("n"), 2000)); err != nil {
		t.Fatal(err)
	}
	if got := len(read(t, path)); got != 4000+logStep {
		t.Errorf("the log has %d bytes, want %d", got, 4000+logStep)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	if got := read(t, path); !bytes.Equal(got, bytes.Repeat([]byte("n"), 4000)) {
		t.Errorf("the closed log has %d bytes and is not its records", len(got))
	}
}

// TestLogIsLeftAloneAfterAFailure closes a log of a failed store: its file does not change.
func TestLogIsLeftAloneAfterAFailure(t *testing.T) {
	log, path := newLog(t, nil)
	if _, err := log.Write([]byte("record")); err != nil {
		t.Fatal(err)
	}
	before := read(t, path)
	log.(*fusedFile).fuse.blow("test", errors.New("broken"))
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(read(t, path), before) || len(before) != len("record")+logStep {
		t.Errorf("the file had %d bytes before and %d after", len(before), len(read(t, path)))
	}
}

// TestLogThatCannotGrow makes writing the zeros fail. If the disk is full the record is still
// written; any other failure is a failure of the disk, and the record is not written.
func TestLogThatCannotGrow(t *testing.T) {
	for _, test := range []struct {
		cause error
		want  string
	}{
		{syscall.ENOSPC, "record"},
		{syscall.EDQUOT, "record"},
		{syscall.EFBIG, "record"},
		{syscall.EIO, ""},
	} {
		t.Run(test.cause.Error(), func(t *testing.T) {
			tap := errorfs.InjectorFunc(func(op errorfs.Op) error {
				if op.Kind == errorfs.OpFileWriteAt {
					return test.cause
				}
				return nil
			})
			path := filepath.Join(t.TempDir(), "000001.log")
			file, err := errorfs.Wrap(vfs.Default, tap).Create(path, vfs.WriteCategoryUnspecified)
			if err != nil {
				t.Fatal(err)
			}
			log := newLogFile(file)
			if _, err := log.Write([]byte("record")); (err == nil) != (test.want != "") {
				t.Errorf("write: %v", err)
			}
			if err := log.Close(); err != nil {
				t.Fatal(err)
			}
			if got := string(read(t, path)); got != test.want {
				t.Errorf("the log is %q, want %q", got, test.want)
			}
		})
	}
}
