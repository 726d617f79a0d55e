// Package loader reads design files: it takes YAML apart, refuses what the format does
// not have, resolves every name and hands out a model. It reports all problems at
// once, each with its place, and leaves out of the model what it could not read.
//
// The format itself is one table, in spec_*.go: the strict reader, the JSON Schema
// for editors and the Markdown reference all come from it. Package loader does not
// judge whether a design is any good; package check does. The command line and the
// tests of the other rooms call it.
package loader

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/yaml"
)

// Suffix is how the names of design files end.
const Suffix = ".design.yaml"

// A Source is the text of one file.
type Source struct {
	Name string // as findings show it
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

// Paths are the files Read reads: the one named, or those of a directory that end in
// Suffix. What only looks like a file there, such as a pipe or a folder, is left out.
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
		return err == nil && !info.Mode().IsRegular() // a link to nowhere stays, and is an error
	})
	if len(found) == 0 {
		return nil, fmt.Errorf("no file in %s ends in %s", path, Suffix)
	}
	slices.Sort(found)
	return found, nil
}

// readFile reads a file, but not much more of it than Load would accept.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAtMost(f, yaml.MaxBytes+1)
}

// globEscape makes a path match only itself.
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

// Load reads a design from its sources, which merge by key. It reports every problem
// and gives what is left: nil only if nothing is.
func Load(sources []Source, report *diag.Report) *model.Design {
	found := &findings{report: report}
	var roots []*node
	for _, source := range sources {
		if root := parse(source, found); root != nil {
			roots = append(roots, root)
		}
	}
	if len(roots) == 0 {
		return nil
	}
	ends := make(map[string]int, len(roots))
	for _, root := range roots {
		ends[root.place.File] = root.last
	}
	root := merge(roots)
	checkShape(root, found)
	return build(root, ends, found)
}
