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

// A fileState is the difference between a generated file and the one on disk.
type fileState int

const (
	fileKept    fileState = iota
	fileMissing           // does not exist on disk
	fileDiffers           // differs on disk
	fileStale             // from an earlier run, and no longer generated
)

// asFound describes the state before the run, and asDone after it.
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

// A filePlan lists the changes to make in a folder.
type filePlan struct {
	target target
	source string // the design's file, as the first line of each generated one names it
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

// planFiles compares the generated files with those on disk. It rejects folders with other
// content.
func planFiles(t target, files []design.GeneratedFile) (*filePlan, error) {
	p := &filePlan{target: t}
	tests := t.name + "test"
	declared := map[string]map[string]bool{"": {}, tests: {}} // by folder
	for _, f := range files {
		p.source, _ = generatedFrom(f.Text)
		state, err := p.compare(f)
		if err != nil {
			return nil, err
		}
		p.files = append(p.files, plannedFile{f.Name, f.Text, state})
		folder, pkg := "", t.name
		if path.Dir(f.Name) == tests {
			folder, pkg = tests, tests
		}
		for _, name := range declarations(f.Text, pkg) {
			declared[folder][name] = true
		}
	}
	if err := p.lookAround("", t.name, declared[""]); err != nil {
		return nil, err
	}
	if err := p.lookAround(tests, tests, declared[tests]); err != nil {
		return nil, err
	}
	return p, nil
}

// compare compares a generated file with the one on disk.
func (p *filePlan) compare(f design.GeneratedFile) (fileState, error) {
	have, err := inspect(p.path(f.Name))
	switch {
	case err != nil:
		return 0, err
	case !have.exists:
		return fileMissing, nil
	case bytes.Equal(have.text, f.Text):
		return fileKept, nil
	}
	_, ours := generatedFrom(have.text)
	if err := have.writable(ours); err != nil {
		return 0, err
	}
	return fileDiffers, p.sameDesign(have.text)
}

func (p *filePlan) path(name string) string {
	return filepath.Join(p.target.dir, filepath.FromSlash(name))
}

// lookAround finds stale files in a folder. It rejects a folder with code of another package,
// of another design, or that declares the same names.
func (p *filePlan) lookAround(folder, pkg string, declared map[string]bool) error {
	entries, err := os.ReadDir(p.path(folder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return cannotRead(p.path(folder), err)
	}
	for _, entry := range entries {
		name := path.Join(folder, entry.Name())
		known := slices.ContainsFunc(p.files, func(f plannedFile) bool { return f.name == name })
		if known || entry.IsDir() || !strings.HasSuffix(name, ".go") {
			continue
		}
		text, err := os.ReadFile(p.path(name))
		if err != nil {
			return cannotRead(p.path(name), err)
		}
		if _, ours := generatedFrom(text); ours {
			if err := p.sameDesign(text); err != nil {
				return err
			}
			if strings.HasSuffix(name, ".gen.go") {
				p.files = append(p.files, plannedFile{name: name, state: fileStale})
			}
			continue
		}
		if err := samePackage(p.path(name), text, pkg); err != nil {
			return err
		}
		if err := sameNames(p.path(name), text, pkg, declared); err != nil {
			return err
		}
	}
	return nil
}

// samePackage rejects a hand-written file that belongs to another package.
func samePackage(file string, text []byte, pkg string) error {
	tree, err := parser.ParseFile(token.NewFileSet(), file, text, parser.PackageClauseOnly)
	if err != nil || tree.Name.Name == pkg || tree.Name.Name == pkg+"_test" {
		return nil // the Go compiler reports invalid files
	}
	return advise(fmt.Errorf("%s belongs to package %s, and the generated one is %s", file, tree.Name.Name, pkg),
		"Nothing was written. Choose another folder with --out, or name the package with --package "+tree.Name.Name+".")
}

// write applies the plan.
func (p *filePlan) write() error {
	var texts []newText
	var gone []string
	for _, f := range p.files {
		switch f.state {
		case fileMissing, fileDiffers:
			texts = append(texts, newText{p.path(f.name), f.text})
		case fileStale:
			gone = append(gone, p.path(f.name))
		}
	}
	return replaceFiles(texts, gone)
}
