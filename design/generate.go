package design

import (
	"errors"
	"fmt"
	"slices"

	"sortkey.dev/access/part"
	"sortkey.dev/design/internal/change"
	"sortkey.dev/design/internal/check"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/gogen"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/output"
	"sortkey.dev/design/internal/resolve"
)

// GenerateOptions holds the names of a generated Go package.
type GenerateOptions struct {
	Package    string   // its name
	ImportPath string   // by which its test package imports it
	Command    string   // how to generate it again, for its comment; may be empty
	Tags       []string // only patterns and entities of these phases
	Settled    bool     // the last migration of the history is over everywhere
}

// A GeneratedFile is one file of a generated package.
type GeneratedFile struct {
	Name string // below the package's folder, with slashes
	Text []byte
}

// The header of generated files, before and after the name of the design file.
const (
	GeneratedBegin = gogen.HeaderBegin
	GeneratedEnd   = gogen.HeaderEnd
)

// FitsPackage reports whether name is valid for a generated package: lower-case letters and
// digits, not a keyword of Go, and not a package that generated code imports.
func FitsPackage(name string) bool { return gogen.FitsPackage(name) }

// Generate returns the Go package of a design: types, keys, items, a method per access
// pattern, and a package for tests. It returns a BrokenError for a design with errors: code
// for a pattern that no key serves would be wrong.
func (d *Design) Generate(o GenerateOptions) ([]GeneratedFile, error) {
	m, err := d.sound(o.Tags)
	if err != nil {
		return nil, err
	}
	versions, err := d.versions(o.Settled)
	if err != nil {
		return nil, err
	}
	files, err := gogen.Generate(resolve.New(m.Phase(o.Tags)), gogen.Options{Package: o.Package, ImportPath: o.ImportPath, Command: o.Command, History: versions})
	if err != nil {
		return nil, err
	}
	all := make([]GeneratedFile, len(files))
	for i, file := range files {
		all[i] = GeneratedFile{Name: file.Name, Text: file.Text}
	}
	return all, nil
}

// versions returns what a generated package has to know of the design's history, nil without one. While the design differs from its
// last version, the package is one of the next version, which is not planned yet: no table has it.
func (d *Design) versions(settled bool) (*gogen.History, error) {
	h, err := d.History()
	if errors.Is(err, ErrNoHistory) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	state, err := h.State()
	if err != nil {
		return nil, err
	}
	last, _ := h.Last()
	made := &gogen.History{Versions: []int{last}, State: state.State}
	changes, err := h.changes()
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(changes, func(c *change.Change) bool { return !harmless[c.Code] }) {
		made.Versions = []int{last + 1}
		return made, nil
	}
	first, err := h.firstUnsettled()
	if err != nil || first == 0 || settled {
		return made, err
	}
	return made, h.bothVersions(made, last)
}

// bothVersions adds what a package has to know that holds the last two versions.
func (h *History) bothVersions(to *gogen.History, last int) error {
	m, err := h.Migration(last)
	if err != nil {
		return err
	}
	old, err := h.model(last - 1)
	if err != nil {
		return err
	}
	now, err := h.model(last)
	if err != nil {
		return err
	}
	for _, p := range m.Parts {
		for _, s := range p.Set {
			if s.Convert != "" {
				return fmt.Errorf("%s of %s is of another type than %s, and generated packages do not convert values yet: stop the programs of version %d, "+
					"carry the migration out with a program that has the conversion %s, and generate with --settled", s.Attribute, p.Name, s.From, last-1, s.Convert)
			}
		}
	}
	to.Versions = []int{last - 1, last}
	to.Tables = m.Tables()
	if len(m.Parts) > 0 {
		to.Change = &part.Change{Tables: m.Migration.Tables, Parts: m.Parts}
		to.Before = resolve.New(change.Match(old, now).Before())
	}
	return nil
}

// sound returns the model of a design without errors in some phases, or a BrokenError with only
// the errors.
func (d *Design) sound(tags []string) (*model.Design, error) {
	m, err := d.loaded()
	if err != nil {
		return nil, err
	}
	if err := knownTags(m, tags); err != nil {
		return nil, err
	}
	report := d.reading.Clone()
	check.Run(m, check.Options{OwnWorkload: true, Tags: tags}, report)
	if !report.Failed() {
		return m, nil
	}
	errors := slices.DeleteFunc(report.Findings(), func(f diag.Finding) bool { return f.Severity != diag.Error || f.Accepted != "" })
	return nil, &BrokenError{Findings: &Findings{output.Findings{Sources: d.sources, Findings: errors, Files: []string{d.path}}}}
}
