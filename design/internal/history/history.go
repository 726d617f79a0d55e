// Package history reads and writes the versions of a design: the folder migrations beside the
// design file, with what each version was, how it became the next, and a file of chained
// checksums that notices edits and forks.
//
//	migrations/0001-baseline.version.yaml     what version 1 was, whole
//	migrations/0002-priority.migration.yaml   how it became version 2
//	migrations/0002-priority.version.yaml     what version 2 was
//	migrations/sortkey.sum                    a checksum for each file, and one of all
//
// A version is complete: designs that it uses lie beside it, as 0001-baseline.NAME.uses.version.yaml.
// The package knows no migrations, which package migrate reads and writes, and compares no
// designs. Package design calls it.
package history

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/yaml"
	"sortkey.dev/internal/lazyregexp"
)

// Names in the folder of a history.
const (
	Folder  = "migrations" // beside the design file
	SumFile = "sortkey.sum"

	versionEnd   = ".version.yaml"
	migrationEnd = ".migration.yaml"
	usesEnd      = ".uses.version.yaml"
)

// A History is the versions of one design.
type History struct {
	Versions []*Version
	files    map[string][]byte // by name, without the file of checksums
	sum      []byte
}

// A Version is a design as it was when it was planned.
type Version struct {
	Number    int
	Name      string          // baseline
	Sources   []loader.Source // the files of the design, without those it uses
	Tags      []string        // the version is only the part of the design with these tags; empty: all
	Migration []byte          // how the version before became this one; nil for the first
}

// ID returns what the names of the version's files begin with: 0007-task-titles.
func (v *Version) ID() string { return identifier(v.Number, v.Name) }

// MigrationFile returns the name of the file with the version's migration.
func (v *Version) MigrationFile() string { return v.ID() + migrationEnd }

func identifier(number int, name string) string { return fmt.Sprintf("%04d-%s", number, name) }

// A Problem is something wrong with the files of a history.
type Problem struct {
	File    string
	Line    int  // in File; 0: the file as a whole
	Forked  bool // two versions follow the same one; else a file is not as it was written
	Message string
	Fix     string
}

var (
	fileName = lazyregexp.New(`^([0-9]{4})-([a-z0-9]+(?:-[a-z0-9]+)*)((?:\.[A-Za-z0-9_-]+)?)(\.uses\.version\.yaml|\.version\.yaml|\.migration\.yaml)$`)
	goodName = lazyregexp.New(`^[a-z0-9]+(-[a-z0-9]+)*$`)
)

// Read reads the history in a folder, whose files are shown below the given path. It returns nil if
// there is no folder or the folder holds no history. Problems are about files that are not as they
// were written; the versions are then what the files say.
func Read(folder fs.FS, shown string) (*History, []Problem, error) {
	entries, err := fs.ReadDir(folder, ".")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	h := &History{files: map[string][]byte{}}
	for _, entry := range entries {
		name := entry.Name()
		if entry.IsDir() || name != SumFile && !fileName.MatchString(name) {
			continue
		}
		text, err := fs.ReadFile(folder, name)
		if err != nil {
			return nil, nil, err
		}
		if name == SumFile {
			h.sum = text
			continue
		}
		h.files[name] = text
	}
	if len(h.files) == 0 && h.sum == nil {
		return nil, nil, nil
	}
	if len(h.files) == 0 {
		return nil, nil, fmt.Errorf("%s is there without the files of its versions: restore them from version control", path.Join(shown, SumFile))
	}
	problems := append(h.arrange(shown), h.checkSum()...)
	for i := range problems {
		problems[i].File = path.Join(shown, problems[i].File)
	}
	return h, problems, nil
}

// arrange makes versions of the files, and reports versions that follow the same one, or none.
func (h *History) arrange(shown string) []Problem {
	byID := map[string]*Version{}
	for _, name := range h.names() {
		parts := fileName.FindStringSubmatch(name)
		number, _ := strconv.Atoi(parts[1])
		id := identifier(number, parts[2])
		v := byID[id]
		if v == nil {
			v = &Version{Number: number, Name: parts[2]}
			byID[id] = v
			h.Versions = append(h.Versions, v)
		}
		switch parts[4] {
		case versionEnd:
			v.Sources = append(v.Sources, loader.Source{Name: path.Join(shown, name), Text: h.files[name]})
			v.Tags = tagsOf(h.files[name])
		case migrationEnd:
			v.Migration = h.files[name]
		}
	}
	slices.SortStableFunc(h.Versions, func(a, b *Version) int { return a.Number - b.Number })
	var problems []Problem
	for i, v := range h.Versions {
		switch {
		case len(v.Sources) == 0:
			problems = append(problems, Problem{File: v.ID() + versionEnd, Message: "the design of version " + v.ID() + " is missing",
				Fix: "Restore the file from version control."})
		case i > 0 && h.Versions[i-1].Number == v.Number:
			problems = append(problems, Problem{File: v.ID() + versionEnd, Forked: true,
				Message: fmt.Sprintf("%s and %s both follow version %d", h.Versions[i-1].ID(), v.ID(), v.Number-1),
				Fix:     "Give one of them the next number and plan it again: sortkey plan --rebase " + v.ID() + "."})
		case i == 0 && v.Number != 1, i > 0 && v.Number != h.Versions[i-1].Number+1:
			problems = append(problems, Problem{File: v.ID() + versionEnd, Message: fmt.Sprintf("there is a version %d and no version %d", v.Number, v.Number-1),
				Fix: "Restore the files of the missing version from version control."})
		}
	}
	return problems
}

// names returns the names of the files, sorted.
func (h *History) names() []string {
	names := make([]string, 0, len(h.files))
	for name := range h.files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Design returns the name of the design that the history is of, "" if it does not say.
func (h *History) Design() string {
	for _, source := range h.Versions[0].Sources {
		if document, _ := yaml.Read(source.Text); document.Root != nil {
			if name := child(document.Root, "design"); name != nil {
				return name.Text
			}
		}
	}
	return ""
}

// Last returns the last version.
func (h *History) Last() *Version { return h.Versions[len(h.Versions)-1] }

// Version returns a version by its number, or an error that says which there are.
func (h *History) Version(number int) (*Version, error) {
	for _, v := range h.Versions {
		if v.Number == number {
			return v, nil
		}
	}
	return nil, fmt.Errorf("the history has no version %d, its versions are 1 to %d", number, h.Last().Number)
}

// CheckName returns an error for a name that a version cannot have.
func CheckName(name string) error {
	if !goodName.MatchString(name) || strings.Contains(name, ".") || len(name) > 60 {
		return fmt.Errorf("%q is no name of a version: use lower-case letters, digits and hyphens, such as task-titles, at most 60 characters", name)
	}
	return nil
}
