package history

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/yaml"
)

// A File is one file to write into the folder of a history. Nil Text means that it is to be
// removed.
type File struct {
	Name string
	Text []byte
}

// An Addition is a version to add.
type Addition struct {
	Name      string
	Design    string          // the name of the design's file, for readers
	Tags      []string        // the version is only the part of the design with these tags; empty: all
	Sources   []loader.Source // the files of the design
	Used      []loader.Source // the files of the designs that it uses
	Migration []byte          // nil for the first version
}

// Add returns the files of a history with another version, those of the version and the file of
// checksums, and the version's number. The history may be nil.
func (h *History) Add(a Addition) ([]File, int, error) {
	if err := CheckName(a.Name); err != nil {
		return nil, 0, err
	}
	next := &History{files: map[string][]byte{}}
	number := 1
	if h != nil {
		number = h.Last().Number + 1
		for name, text := range h.files {
			next.files[name] = text
		}
	}
	if number > 9999 {
		return nil, 0, errors.New("a history holds at most 9999 versions")
	}
	s := snapshot{id: identifier(number, a.Name), before: h, used: a.Used, files: map[string][]byte{}}
	for _, source := range a.Sources {
		name := s.id + versionEnd
		if len(a.Sources) > 1 {
			name = s.id + "." + partName(source.Name) + versionEnd
		}
		text, err := s.rewrite(source)
		if err != nil {
			return nil, 0, err
		}
		s.files[name] = append(heading(s.id, a), text...)
	}
	if a.Migration != nil {
		s.files[s.id+migrationEnd] = a.Migration
	}
	var files []File
	for name, text := range s.files {
		next.files[name] = text
		files = append(files, File{name, text})
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return append(files, File{SumFile, printSum(next.lines())}), number, nil
}

// Without returns the files to write so that the history lacks a version: empty files for those
// of the version, and the file of checksums. Planning a version again begins with it.
func (h *History) Without(v *Version) (*History, []File) {
	next := &History{files: map[string][]byte{}}
	var files []File
	for _, name := range h.names() {
		if strings.HasPrefix(name, v.ID()+".") {
			files = append(files, File{Name: name})
			continue
		}
		next.files[name] = h.files[name]
	}
	next.sum = printSum(next.lines())
	next.arrange("")
	return next, append(files, File{SumFile, next.sum})
}

// Edited returns the file of checksums for a history whose last migration was edited.
func (h *History) Edited() File { return File{SumFile, printSum(h.lines())} }

// heading returns the lines before a version's design.
func heading(id string, a Addition) []byte {
	text := fmt.Sprintf("# Version %s of %s, as it was planned. Written by sortkey plan; do not change it.\n", id, a.Design)
	if len(a.Tags) > 0 {
		text += tagsMark + strings.Join(a.Tags, ", ") + "\n"
	}
	return []byte(text)
}

// tagsMark begins the line that says which part of a design is the version.
const tagsMark = "# Only the part with these tags: "

// tagsOf returns the tags of a version that is a part of its design.
func tagsOf(text []byte) []string {
	for line := range strings.Lines(string(text)) {
		if tags, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), tagsMark); ok {
			return strings.Split(tags, ", ")
		}
		if !strings.HasPrefix(line, "#") {
			break
		}
	}
	return nil
}

// partName returns the name of a file of a design that consists of several.
func partName(file string) string {
	name := strings.TrimSuffix(filepath.Base(file), loader.Suffix)
	return strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_':
			return c
		}
		return '_'
	}, name)
}

// A snapshot makes the files of a version.
type snapshot struct {
	id     string
	before *History
	used   []loader.Source
	files  map[string][]byte
}

// rewrite returns the text of a design with the paths of the designs that it uses changed to
// copies of these designs in the folder.
func (s *snapshot) rewrite(source loader.Source) ([]byte, error) {
	document, problems := yaml.Read(source.Text)
	if len(problems) > 0 || document.Root == nil {
		return nil, fmt.Errorf("%s has errors; sortkey check shows them", source.Name)
	}
	text := string(source.Text)
	for _, use := range slices.Backward(children(child(document.Root, "uses"))) {
		file := child(use.Value, "file")
		if file == nil {
			continue
		}
		at := filepath.Join(filepath.Dir(source.Name), filepath.FromSlash(file.Text))
		i := slices.IndexFunc(s.used, func(u loader.Source) bool { return filepath.ToSlash(u.Name) == filepath.ToSlash(at) })
		if i < 0 {
			return nil, fmt.Errorf("%s uses %s, which was not read", source.Name, at)
		}
		lines := strings.SplitAfter(text, "\n")
		line := []rune(lines[file.Line-1])
		lines[file.Line-1] = string(line[:file.Column-1]) + s.keep(use.Key.Text, s.used[i].Text) + string(line[file.EndColumn-1:])
		text = strings.Join(lines, "")
	}
	return []byte(text), nil
}

// keep adds a copy of a used design, unless an earlier version has the same, and returns the name
// of the copy.
func (s *snapshot) keep(use string, text []byte) string {
	if s.before != nil {
		for _, name := range slices.Backward(s.before.names()) {
			if strings.HasSuffix(name, "."+use+usesEnd) && bytes.Equal(s.before.files[name], text) {
				return name
			}
		}
	}
	name := s.id + "." + use + usesEnd
	s.files[name] = text
	return name
}

func child(n *yaml.Node, key string) *yaml.Node {
	for _, e := range children(n) {
		if e.Key.Text == key {
			return e.Value
		}
	}
	return nil
}

func children(n *yaml.Node) []yaml.Entry {
	if n == nil || n.Kind != yaml.Mapping {
		return nil
	}
	return n.Entries
}

// FolderOf returns the folder of the history of the design at a path, which is a file or a
// directory, with slashes.
func FolderOf(designPath string, directory bool) string {
	designPath = filepath.ToSlash(designPath)
	if !directory {
		designPath = path.Dir(designPath)
	}
	return path.Join(designPath, Folder)
}

// WithMigration returns the last version's migration with another text, and the file of checksums for it.
func (h *History) WithMigration(text []byte) []File {
	name := h.Last().MigrationFile()
	changed := *h
	changed.files = maps.Clone(h.files)
	changed.files[name] = text
	return []File{{name, text}, changed.Edited()}
}
