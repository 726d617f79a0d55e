package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// A place is the current state of a path where a file would be written.
type place struct {
	path   string
	exists bool
	link   bool   // a symbolic link, which is read but never written through
	text   []byte // the current content
}

// inspect reads the state of a path. It rejects a path that cannot be a regular file: a folder, a
// device, a dangling link, or a path below a file.
func inspect(path string) (place, error) {
	p := place{path: path}
	if err := checkFolder(filepath.Dir(path)); err != nil {
		return p, err
	}
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err != nil {
		return p, cannotRead(path, err)
	}
	p.exists, p.link = true, info.Mode()&fs.ModeSymlink != 0
	if p.link {
		if info, err = os.Stat(path); err != nil {
			return p, danglingLink(path)
		}
	}
	switch {
	case info.IsDir():
		return p, advise(fmt.Errorf("%s is a folder, and a file would be written there", path),
			"Nothing was written. Choose another name with --out.")
	case !info.Mode().IsRegular():
		return p, advise(fmt.Errorf("%s is not a regular file", path), "Nothing was written. Choose another name with --out.")
	}
	if p.text, err = os.ReadFile(path); err != nil {
		return p, cannotRead(path, err)
	}
	return p, nil
}

// writable rejects a path whose file must not be overwritten: one that was not generated, or a link.
func (p place) writable(ours bool) error {
	switch {
	case p.link:
		return advise(fmt.Errorf("%s is a symbolic link, and links are not written through", p.path),
			"Nothing was written. Remove the link, or choose another name with --out.")
	case p.exists && !ours:
		return advise(fmt.Errorf("%s is not generated, and would be overwritten", p.path),
			"Nothing was written. Remove the file or give it another name, or choose another place with --out.")
	}
	return nil
}

// checkFolder returns an error if a folder cannot be created because a file has its name or
// that of a parent folder.
func checkFolder(dir string) error {
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		link, err := os.Lstat(at)
		if err != nil {
			if filepath.Dir(at) == at {
				return nil
			}
			continue // does not exist yet, or is below a file
		}
		info, err := os.Stat(at)
		switch {
		case err != nil && link.Mode()&fs.ModeSymlink != 0:
			return danglingLink(at)
		case err == nil && !info.IsDir():
			return advise(fmt.Errorf("%s is a file, and a folder is needed there", at),
				"Nothing was written. Remove the file, or choose another folder with --out.")
		}
		return nil
	}
}

func danglingLink(path string) error {
	to, err := os.Readlink(path)
	if err != nil {
		to = "something"
	}
	return advise(fmt.Errorf("%s is a symbolic link to %s, which does not exist", path, to),
		"Nothing was written. Remove the link, or choose another name with --out.")
}

// bare returns the cause of a file error without the file name, which may be a temporary
// one that the user does not know.
func bare(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	if l, ok := errors.AsType[*os.LinkError](err); ok {
		return l.Err
	}
	return err
}

func cannotRead(path string, err error) error {
	return advise(fmt.Errorf("cannot read %s: %w", path, bare(err)), "Nothing was written. Make it readable, or choose another place with --out.")
}

// cannotWrite returns the error for a file that cannot be written, with the next step.
func cannotWrite(path string, err error) error {
	return writeFailure(path, "choose another place with --out.", err)
}

// writeFailure is cannotWrite with another way out, which is the end of a sentence.
func writeFailure(path, otherwise string, err error) error {
	what, cause := unwritable(path, err), bare(err)
	named := what
	if what == "." {
		named = "the current directory"
	}
	switch {
	case errors.Is(cause, fs.ErrPermission):
		return advise(fmt.Errorf("%s cannot be written to: %w", named, cause),
			"Make it writable, such as with chmod u+w "+what+", or "+otherwise)
	case errors.Is(cause, syscall.EROFS):
		return advise(fmt.Errorf("%s cannot be written to: %w", named, cause), "It is mounted read-only: "+otherwise)
	case errors.Is(cause, syscall.ENOSPC):
		return advise(fmt.Errorf("cannot write %s: %w", path, cause), "Make room, and run the same command again.")
	case errors.Is(cause, syscall.EISDIR):
		return advise(fmt.Errorf("%s is a folder", path), "Name a file with --out.")
	}
	return advise(fmt.Errorf("cannot write %s: %w", path, cause), strings.ToUpper(otherwise[:1])+otherwise[1:])
}

// unwritable returns what an error of writing a file is about: the file if it exists and was opened, otherwise
// the nearest folder that exists.
func unwritable(path string, err error) string {
	if _, missing := os.Lstat(path); missing == nil {
		if p, ok := errors.AsType[*fs.PathError](err); ok && p.Path == path {
			return path
		}
	}
	return existing(filepath.Dir(path))
}

// cannotCreate returns the error for a file or directory that is named by an argument or a flag and cannot
// be created, with the next step.
func cannotCreate(path, named string, err error) error {
	cause := bare(err)
	failure := fmt.Errorf("cannot create %s: %w", path, cause)
	switch {
	case errors.Is(cause, fs.ErrPermission):
		return advise(failure, "The current user must be able to write "+existing(path)+", or choose another place for "+named+".")
	case errors.Is(cause, syscall.EROFS):
		return advise(failure, existing(path)+" is mounted read-only: choose another place for "+named+".")
	case errors.Is(cause, syscall.ENOTDIR), errors.Is(cause, fs.ErrExist):
		return advise(failure, existing(path)+" is a file, and a directory is needed there: choose another place for "+named+".")
	case errors.Is(cause, fs.ErrNotExist):
		return advise(failure, "Create its directory first: mkdir -p "+filepath.Dir(path))
	case errors.Is(cause, syscall.ENOSPC):
		return advise(failure, "Make room, and run the same command again.")
	}
	return advise(failure, "Choose another place for "+named+".")
}

// existing returns the path, or the nearest parent that exists.
func existing(path string) string {
	for at := filepath.Clean(path); ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); err == nil || filepath.Dir(at) == at {
			return at
		}
	}
}

// A newText is the new content of a file.
type newText struct {
	path string
	text []byte
}

// replaceFiles replaces the contents of files and removes others. All contents are on disk under
// temporary names before the first file is replaced, so that a full disk changes
// nothing, and no reader sees half a file. Links are replaced, not followed.
func replaceFiles(texts []newText, gone []string) error {
	staged := make([]string, 0, len(texts))
	defer func() {
		for _, beside := range staged {
			os.Remove(beside)
		}
	}()
	for _, t := range texts {
		beside, err := stage(t.path, t.text)
		if err != nil {
			return cannotWrite(t.path, err)
		}
		staged = append(staged, beside)
	}
	for _, t := range texts {
		if err := os.Rename(staged[0], t.path); err != nil {
			return cannotWrite(t.path, err)
		}
		staged = staged[1:]
	}
	for _, path := range gone {
		if err := os.Remove(path); err != nil {
			return cannotWrite(path, err)
		}
	}
	return nil
}

// stage writes a text to a temporary file beside the file it will replace.
func stage(file string, text []byte) (beside string, err error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return "", err
	}
	temp, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*.tmp")
	if err != nil {
		return "", err
	}
	_, err = temp.Write(text)
	if err = errors.Join(err, temp.Chmod(0o644), temp.Close()); err != nil {
		os.Remove(temp.Name())
		return "", err
	}
	return temp.Name(), nil
}
