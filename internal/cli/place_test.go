package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// An error about a temporary file is reported for the file it was for, and the remedy names something
// that exists: the file, or the folder in which it would be made.
func TestCannotWrite(t *testing.T) {
	folderWith(t, "out", "out/types.gen.go")
	temporary := filepath.Join("out", "types.gen.go.123.tmp")
	for _, c := range []struct {
		path       string
		err        error
		want, next string
	}{
		{"out/types.gen.go", &fs.PathError{Op: "open", Path: temporary, Err: syscall.EACCES}, "out cannot be written to: permission denied", "chmod u+w out,"},
		{"out/types.gen.go", &fs.PathError{Op: "open", Path: temporary, Err: syscall.EROFS}, "out cannot be written to: read-only file system", "mounted read-only: choose another place with --out"},
		{"out/types.gen.go", &fs.PathError{Op: "write", Path: temporary, Err: syscall.ENOSPC}, "cannot write out/types.gen.go: no space left on device", "Make room"},
		{"out/types.gen.go", &os.LinkError{Op: "rename", Old: temporary, New: "out/types.gen.go", Err: syscall.EXDEV}, "cannot write out/types.gen.go: invalid cross-device link", "Choose another place with --out."},
		{"out/types.gen.go", &fs.PathError{Op: "open", Path: "out/types.gen.go", Err: syscall.EACCES}, "out/types.gen.go cannot be written to", "chmod u+w out/types.gen.go,"},
		{"out/types.gen.go", &fs.PathError{Op: "open", Path: "out/types.gen.go", Err: syscall.EISDIR}, "out/types.gen.go is a folder", "Name a file"},
		{"shop.report.html", &fs.PathError{Op: "open", Path: "shop.report.html", Err: syscall.EACCES}, "the current directory cannot be written to: permission denied", "chmod u+w ., or choose"},
		{"out/new.html", &fs.PathError{Op: "open", Path: "out/new.html", Err: syscall.EROFS}, "out cannot be written to: read-only file system", "mounted read-only"},
		{"out/a/b/types.gen.go", &fs.PathError{Op: "mkdir", Path: "out/a", Err: syscall.EACCES}, "out cannot be written to: permission denied", "chmod u+w out,"},
		{"z/types.gen.go", &fs.PathError{Op: "mkdir", Path: "z", Err: syscall.EACCES}, "the current directory cannot be written to", "chmod u+w .,"},
	} {
		var printed bytes.Buffer
		printError(&printed, cannotWrite(c.path, c.err))
		first, rest, _ := strings.Cut(printed.String(), "\n")
		if !strings.Contains(first, c.want) || !strings.Contains(rest, c.next) || strings.Contains(printed.String(), ".tmp") {
			t.Errorf("%s: %v: %s", c.path, c.err, &printed)
		}
	}
}

// fmt writes a temporary file beside a design; an error about it names the design or its folder, and says
// what to do without --out, which fmt does not have.
func TestCannotReplace(t *testing.T) {
	folderWith(t, "designs", "designs/shop.design.yaml")
	temporary := filepath.Join("designs", "shop.design.yaml.123.tmp")
	for cause, want := range map[error]string{
		syscall.EACCES: "sortkey: designs cannot be written to: permission denied\n" +
			"  Make it writable, such as with chmod u+w designs, or print the result with sortkey fmt - <designs/shop.design.yaml\n",
		syscall.EROFS: "sortkey: designs cannot be written to: read-only file system\n" +
			"  It is mounted read-only: print the result with sortkey fmt - <designs/shop.design.yaml\n",
		syscall.ENOSPC: "sortkey: cannot write designs/shop.design.yaml: no space left on device\n" +
			"  Make room, and run the same command again.\n",
	} {
		var printed bytes.Buffer
		printError(&printed, cannotReplace("designs/shop.design.yaml", &fs.PathError{Op: "open", Path: temporary, Err: cause}))
		if printed.String() != want {
			t.Errorf("%v: got %s, want %s", cause, &printed, want)
		}
	}
}

// folderWith makes a folder with a file the only content of the current directory.
func folderWith(t *testing.T, folder, file string) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := errors.Join(os.Mkdir(folder, 0o755), os.WriteFile(file, nil, 0o644)); err != nil {
		t.Fatal(err)
	}
}

// The advice for a place that an argument or a flag names fits the cause.
func TestCannotCreate(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path string
		err  error
		want string
	}{
		{filepath.Join(dir, "a", "b"), syscall.EACCES, "must be able to write " + dir + ", or choose another place for --data."},
		{filepath.Join(dir, "a", "b"), syscall.EROFS, dir + " is mounted read-only: choose another place for --data."},
		{filepath.Join(file, "b"), syscall.ENOTDIR, file + " is a file, and a directory is needed there"},
		{filepath.Join(dir, "a", "b"), syscall.ENOENT, "mkdir -p " + filepath.Join(dir, "a")},
		{filepath.Join(dir, "a"), syscall.ENOSPC, "Make room"},
		{filepath.Join(dir, "a"), syscall.EIO, "Choose another place for --data."},
	} {
		var printed bytes.Buffer
		printError(&printed, cannotCreate(c.path, "--data", &fs.PathError{Op: "mkdir", Path: c.path, Err: c.err}))
		if !strings.Contains(printed.String(), c.want) {
			t.Errorf("%v: %s", c.err, &printed)
		}
	}
}

// The advice for a directory that cannot be opened fits the cause, also if the engine says it.
func TestAdviseOpen(t *testing.T) {
	dir := t.TempDir()
	for cause, want := range map[error]string{
		syscall.ENOSPC: "Make room, and run the same command again.",
		syscall.EACCES: "--data must be a directory that the current user can write.",
		syscall.EROFS:  "It is mounted read-only: choose another place for --data.",
		syscall.EIO:    "--data must be a directory that sortkey created, or an empty or new one.",
	} {
		failure := fmt.Errorf("open store %s: %w", dir, &fs.PathError{Op: "write", Path: filepath.Join(dir, "LOCK"), Err: cause})
		var printed bytes.Buffer
		printError(&printed, adviseOpen(dir, failure))
		if !strings.HasSuffix(printed.String(), "\n  "+want+"\n") {
			t.Errorf("%v: %s", cause, &printed)
		}
	}
}

// All files are replaced or none, and nothing else is left in their folder.
func TestReplaceFiles(t *testing.T) {
	dir := t.TempDir()
	one, two, stale := filepath.Join(dir, "one"), filepath.Join(dir, "folder", "two"), filepath.Join(dir, "stale")
	for _, path := range []string{one, stale} {
		if err := os.WriteFile(path, []byte("before"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	inFile := filepath.Join(stale, "three") // below a file: impossible
	if err := replaceFiles([]newText{{one, []byte("after")}, {inFile, nil}}, []string{stale}); err == nil {
		t.Error("a file was written below a file")
	}
	if text, err := os.ReadFile(one); err != nil || string(text) != "before" {
		t.Errorf("got %q, %v", text, err)
	}
	if err := replaceFiles([]newText{{one, []byte("after")}, {two, []byte("new")}}, []string{stale}); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{one: "after", two: "new"} {
		if text, err := os.ReadFile(path); err != nil || string(text) != want {
			t.Errorf("%s: got %q, %v", path, text, err)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
		t.Errorf("left %v, %v", entries, err)
	}
}
