// Package design is the API of the design compiler: it loads a DynamoDB design from a file
// and reports whether every access pattern is served by a key, what it costs, and which
// problems it will have in production. All other packages of the compiler are internal.
//
// A design is opened once and then used:
//
//	d, err := design.Open("exambuddy.design.yaml")
//	findings, err := design.Check([]*design.Design{d}, design.CheckOptions{})
//	findings.Text(os.Stdout, design.Style{})
//
// Package design does not depend on package engine; package cli combines the two.
package design

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/output"
)

// A Design is a loaded design document. It may have errors, which Check reports.
type Design struct {
	path    string
	sources []loader.Source // of the design and of the designs it uses
	fsys    fs.FS           // the files are in it; nil: they are those of the machine
	model   *model.Design   // nil: nothing could be loaded
	reading diag.Report     // findings of loading
}

// Style describes how text is formatted.
type Style = output.Style

// Open loads a design: a file, or a directory of files that belong together. The error is
// about reading files; Check reports problems of their content.
func Open(path string) (*Design, error) {
	sources, err := loader.Read(path)
	if err != nil {
		return nil, err
	}
	return parse(nil, path, sources), nil
}

// OpenFS loads a design from a file of fsys, and the designs it uses, too. A program can so keep its
// design in itself, with package embed.
func OpenFS(fsys fs.FS, path string) (*Design, error) {
	text, err := fs.ReadFile(fsys, path)
	if err != nil {
		return nil, err
	}
	return parse(fsys, path, []loader.Source{{Name: path, Text: text}}), nil
}

// Parse loads a design from text.
func Parse(name string, text []byte) *Design {
	return parse(nil, name, []loader.Source{{Name: name, Text: text}})
}

func parse(fsys fs.FS, path string, sources []loader.Source) *Design {
	d := &Design{path: path, fsys: fsys, sources: sources}
	var used []loader.Source
	d.model, used = loader.LoadFrom(fsys, sources, &d.reading)
	d.sources = slices.Concat(sources, used)
	return d
}

// Files returns the files that Open reads for a path: the file itself, or those of a
// directory.
func Files(path string) ([]string, error) { return loader.Paths(path) }

// Holds reports whether a path is one of the files of the design, or of a design it uses.
func (d *Design) Holds(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(d.sources, func(source loader.Source) bool {
		own, err := os.Stat(source.Name)
		return err == nil && os.SameFile(info, own)
	})
}

// A BrokenError reports that a design has errors that prevent the operation.
type BrokenError struct{ Findings *Findings }

func (e *BrokenError) Error() string {
	s := e.Findings.Summary()
	return fmt.Sprintf("the design cannot be used: %d errors in it", s.Errors)
}

// loaded returns the model, without the designs it uses, or a BrokenError if loading found errors:
// a cost or an explanation of a partial design would be misleading.
func (d *Design) loaded() (*model.Design, error) {
	if d.model != nil && !d.reading.Failed() {
		return d.model, nil
	}
	findings := &Findings{output.Findings{Sources: d.sources, Findings: d.reading.Findings(), Files: []string{d.path}}}
	return nil, &BrokenError{Findings: findings}
}

// Workload selects the load and the prices of an estimate. The zero Workload has the design's
// own rates and prices.
type Workload struct {
	Profile string   // one of the design's profiles
	Scale   string   // a decimal: multiplies every rate and count
	Prices  []byte   // the text of a price file
	Region  string   // prices of another region
	Tags    []string // only patterns and entities of these phases

	Alternative string // one of the design's alternatives, instead of the chosen layout
	Settled     bool   // only the design as it is, also if a migration to it is not settled
}

// options converts a workload into options for package cost.
func (w Workload) options(d *model.Design) (cost.Options, error) {
	o := cost.Options{Tags: w.Tags}
	if err := knownTags(d, w.Tags); err != nil {
		return o, err
	}
	var err error
	if o.Profile, err = profileOf(d, w.Profile); err != nil {
		return o, err
	}
	if w.Scale != "" {
		scale, err := parseScale(w.Scale)
		if err != nil {
			return o, err
		}
		o.Scale = scale
	}
	switch {
	case w.Prices != nil:
		o.Prices, err = cost.ReadPrices(w.Prices)
	case w.Region != "":
		if o.Prices, err = cost.PricesOf(w.Region); err != nil {
			err = &OptionError{err}
		}
	}
	return o, err
}

// knownTags returns an error for tags the design does not have: with a misspelled tag nothing
// would be checked.
func knownTags(d *model.Design, tags []string) error {
	var known []string
	d = d.Whole()
	add := func(more []string) {
		for _, tag := range more {
			if !slices.Contains(known, tag) {
				known = append(known, tag)
			}
		}
	}
	for _, e := range d.Entities {
		add(e.Tags)
	}
	for _, p := range d.Patterns {
		add(p.Tags)
	}
	for _, tag := range tags {
		if !slices.Contains(known, tag) {
			return unknown("tag", tag, known)
		}
	}
	return nil
}

// profileOf returns the profile of a design with a name, or nil for the empty name.
func profileOf(d *model.Design, name string) (*model.Profile, error) {
	if name == "" {
		return nil, nil
	}
	if p := d.Profile(name); p != nil {
		return p, nil
	}
	return nil, unknown("profile", name, names(d.Profiles, func(p *model.Profile) string { return p.Name }))
}

// alternative returns the alternative of a design with a name, or nil for the empty name.
func alternative(d *model.Design, name string) (*model.Alternative, error) {
	if name == "" {
		return nil, nil
	}
	for _, a := range d.Alternatives {
		if a.Name == name {
			return a, nil
		}
	}
	return nil, unknown("alternative", name, names(d.Alternatives, func(a *model.Alternative) string { return a.Name }))
}

func names[T any](list []T, name func(T) string) []string {
	all := make([]string, len(list))
	for i, item := range list {
		all[i] = name(item)
	}
	return all
}

// An OptionError reports an option that does not fit the design, such as an unknown tag or profile.
type OptionError struct{ Err error }

func (e *OptionError) Error() string { return e.Err.Error() }

// Unwrap returns the error itself.
func (e *OptionError) Unwrap() error { return e.Err }

// unknown returns the error about a name the design does not have.
func unknown(kind, name string, known []string) error {
	text := fmt.Sprintf("there is no %s %s", kind, name)
	if hint := diag.DidYouMean(name, known); hint != "" {
		return &OptionError{errors.New(text + hint)}
	}
	if len(known) == 0 {
		return &OptionError{errors.New(text + ": the design has none")}
	}
	return &OptionError{errors.New(text + "; there are: " + listed(known))}
}

// listed formats names for a sentence, truncated if there are many.
func listed(names []string) string {
	const most = 12
	text := ""
	for i, name := range names {
		if i == most {
			return text + fmt.Sprintf(" and %d more", len(names)-most)
		}
		if i > 0 {
			text += ", "
		}
		text += name
	}
	return text
}

var errScale = &OptionError{errors.New("the scale must be a number above zero in plain digits, such as 10 or 0.5")}
