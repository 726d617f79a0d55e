// Package loader loads design files: it parses YAML, validates it against the format,
// resolves every name and returns a model. It reports all problems at once, each with its
// place, and omits from the model what it could not parse.
//
// The format is defined in one place, spec_*.go: the validation, the JSON Schema for editors
// and the Markdown reference are derived from it. The model is built in build_*.go by one
// builder for each kind of block; the builders share a reader of values, the declared names
// and a reporter. Package check judges the quality of designs.
package loader

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/yaml"
)

// Suffix is the suffix of the names of design files.
const Suffix = ".design.yaml"

// A Source is the text of one file.
type Source struct {
	Name string // as in findings
	Text []byte
}

// Read reads one file, or all files of a directory that end in Suffix, by name.
func Read(path string) ([]Source, error) {
	paths, err := Paths(path)
	if err != nil {
		return nil, err
	}
	sources := make([]Source, 0, len(paths))
	for _, p := range paths {
		text, err := readFile(p)
		if err != nil {
			return nil, err
		}
		sources = append(sources, Source{Name: p, Text: text})
	}
	return sources, nil
}

// Paths returns the files that Read reads: the named file, or those of a directory that end
// in Suffix, except directories, pipes and the like.
func Paths(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return []string{path}, err
	}
	found, err := filepath.Glob(filepath.Join(globEscape(path), "*"+Suffix))
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(p string) bool {
		info, err := os.Stat(p)
		return err == nil && !info.Mode().IsRegular() // a dangling link stays, and is an error
	})
	if len(found) == 0 {
		return nil, fmt.Errorf("no file in %s ends in %s", path, Suffix)
	}
	slices.Sort(found)
	return found, nil
}

// readFile reads a file up to slightly more than Load accepts.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAtMost(f, yaml.MaxBytes+1)
}

// globEscape escapes a path so that it matches only itself.
func globEscape(path string) string {
	escaped := make([]rune, 0, len(path))
	for _, c := range path {
		if c == '*' || c == '?' || c == '[' || c == '\\' {
			escaped = append(escaped, '\\')
		}
		escaped = append(escaped, c)
	}
	return string(escaped)
}

// Load loads a design from its sources, which are merged by key, and the designs it uses from
// their files. It reports every problem and returns the rest of the design, or nil if nothing is
// left.
func Load(sources []Source, report *diag.Report) *model.Design {
	d, _ := LoadAll(sources, report)
	return d
}

// LoadAll is Load, and returns the sources of the used designs too.
func LoadAll(sources []Source, report *diag.Report) (*model.Design, []Source) {
	return LoadFrom(nil, sources, report)
}

// LoadFrom is LoadAll, but reads the files of used designs from fsys; nil stands for those of the
// machine.
func LoadFrom(fsys fs.FS, sources []Source, report *diag.Report) (*model.Design, []Source) {
	found := &findings{report: report}
	var roots []*node
	for _, source := range sources {
		if root := parse(source, found); root != nil {
			roots = append(roots, root)
		}
	}
	if len(roots) == 0 {
		return nil, nil
	}
	ends := make(map[string]int, len(roots))
	for _, root := range roots {
		ends[root.place.File] = root.last
	}
	root := merge(roots)
	checkShape(root, found)
	files := usedFiles{fsys: fsys}
	d := build(root, ends, &files, found)
	return d, files.sources
}
