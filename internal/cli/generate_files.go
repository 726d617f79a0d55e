package cli

import (
	"bytes"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"sortkey.dev/design"
)

// A fileState is how a generated file compares with the one on disk.
type fileState int

const (
	fileKept    fileState = iota
	fileMissing           // not on disk
	fileDiffers           // another text on disk
	fileStale             // on disk, of an earlier run, and no longer generated
)

// asFound is the state in a word before anything is done, and asDone after.
func (s fileState) asFound() string {
	return [...]string{"up to date", "missing", "differs", "stale"}[s]
}
func (s fileState) asDone() string {
	return [...]string{"unchanged", "written", "written", "removed"}[s]
}

// A plannedFile is one file that is, or should not be, in a generated package.
type plannedFile struct {
	name  string // below the package's folder, with slashes
	text  []byte
	state fileState
}

// A filePlan is what has to be done to a folder.
type filePlan struct {
	target target
	files  []plannedFile
}

func (p *filePlan) count(state fileState) int {
	n := 0
	for _, f := range p.files {
		if f.state == state {
			n++
		}
	}
	return n
}

func (p *filePlan) changes() int { return len(p.files) - p.count(fileKept) }

// planFiles compares the generated files with those on disk. It refuses folders that
// hold something else.
func planFiles(t target, files []design.GeneratedFile) (*filePlan, error) {
	p := &filePlan{target: t}
	packages := map[string]string{"": t.name, t.name + "test": t.name + "test"} // by folder
	for _, f := range files {
		have, err := os.ReadFile(p.path(f.Name))
		state := fileDiffers
		switch {
		case errors.Is(err, fs.ErrNotExist):
			state = fileMissing
		case err != nil:
			return nil, fmt.Errorf("cannot read what is in %s: %w", t.dir, err)
		case bytes.Equal(have, f.Text):
			state = fileKept
		case !isGenerated(have):
			return nil, advise(fmt.Errorf("%s is not generated, and would be overwritten", p.path(f.Name)),
				"Nothing was written. Give the file another name, or choose another folder with --out.")
		}
		p.files = append(p.files, plannedFile{f.Name, f.Text, state})
	}
	for _, folder := range []string{"", t.name + "test"} {
		if err := p.lookAround(folder, packages[folder]); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (p *filePlan) path(name string) string {
	return filepath.Join(p.target.dir, filepath.FromSlash(name))
}

// lookAround finds stale files in a folder, and refuses one with code of another package.
func (p *filePlan) lookAround(folder, pkg string) error {
	entries, err := os.ReadDir(p.path(folder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("cannot read what is in %s: %w", p.path(folder), err)
	}
	for _, entry := range entries {
		name := path.Join(folder, entry.Name())
		known := slices.ContainsFunc(p.files, func(f plannedFile) bool { return f.name == name })
		if known || entry.IsDir() || !strings.HasSuffix(name, ".go") {
			continue
		}
		text, err := os.ReadFile(p.path(name))
		if err != nil {
			return fmt.Errorf("cannot read what is in %s: %w", p.path(folder), err)
		}
		if isGenerated(text) {
			if strings.HasSuffix(name, ".gen.go") {
				p.files = append(p.files, plannedFile{name: name, state: fileStale})
			}
			continue
		}
		if err := samePackage(p.path(name), text, pkg); err != nil {
			return err
		}
	}
	return nil
}

// samePackage refuses a hand-written file that belongs to another package.
func samePackage(file string, text []byte, pkg string) error {
	tree, err := parser.ParseFile(token.NewFileSet(), file, text, parser.PackageClauseOnly)
	if err != nil || tree.Name.Name == pkg || tree.Name.Name == pkg+"_test" {
		return nil // Go itself will say what is wrong with a file that is no Go
	}
	return advise(fmt.Errorf("%s belongs to package %s, and the generated one is %s", file, tree.Name.Name, pkg),
		"Nothing was written. Choose another folder with --out, or name the package with --package "+tree.Name.Name+".")
}

// isGenerated reports whether the first line of a file says that we wrote it.
func isGenerated(text []byte) bool {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return bytes.HasPrefix(line, []byte(design.GeneratedBegin)) && bytes.HasSuffix(bytes.TrimRight(line, "\r"), []byte(design.GeneratedEnd))
}

// write brings the folder up to date. All texts are on disk under other names before the
// first file is replaced, so that a full disk leaves the package as it was.
func (p *filePlan) write() (err error) {
	staged := map[string]string{} // by the name it replaces
	defer func() {
		for _, beside := range staged {
			os.Remove(beside)
		}
	}()
	for _, f := range p.files {
		if f.state != fileMissing && f.state != fileDiffers {
			continue
		}
		beside, err := stage(p.path(f.name), f.text)
		if err != nil {
			return fmt.Errorf("cannot write the package: %w", err)
		}
		staged[f.name] = beside
	}
	for _, f := range p.files {
		switch {
		case f.state == fileStale:
			err = os.Remove(p.path(f.name))
		case staged[f.name] != "":
			err = os.Rename(staged[f.name], p.path(f.name))
			delete(staged, f.name)
		}
		if err != nil {
			return fmt.Errorf("cannot write the package: %w", err)
		}
	}
	return nil
}

// stage writes a text beside the file it will replace.
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
