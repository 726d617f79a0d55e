// Package design takes a DynamoDB design as a file and says what it is worth: whether
// every access pattern is served by a key, what it costs, and what will hurt in
// production. It is the front door of the design compiler; everything behind it is
// internal.
//
// A design is opened once and asked many things:
//
//	d, err := design.Open("exambuddy.design.yaml")
//	findings, err := design.Check([]*design.Design{d}, design.CheckOptions{})
//	findings.Text(os.Stdout, design.Style{})
//
// It never meets the engine: package engine runs designs, package cli brings them together.
package design

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/output"
)

// A Design is a design document that was read. It may be broken: Check says how.
type Design struct {
	path    string
	sources []loader.Source
	model   *model.Design // nil: nothing of it could be used
	reading diag.Report   // what reading it found
}

// Style says how text for people looks.
type Style = output.Style

// Open reads a design: a file, or a directory of files that belong together. The
// error is about reading files; what is wrong inside them is for Check to say.
func Open(path string) (*Design, error) {
	sources, err := loader.Read(path)
	if err != nil {
		return nil, err
	}
	return parse(path, sources), nil
}

// Parse is Open for a text at hand.
func Parse(name string, text []byte) *Design {
	return parse(name, []loader.Source{{Name: name, Text: text}})
}

func parse(path string, sources []loader.Source) *Design {
	d := &Design{path: path, sources: sources}
	d.model = loader.Load(sources, &d.reading)
	return d
}

// Files are the files Open would read for a path: itself, or those of a directory.
func Files(path string) ([]string, error) { return loader.Paths(path) }

// Holds reports whether a path is one of the files the design was read from.
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

// A BrokenError says that a design is too broken for what was asked of it.
type BrokenError struct{ Findings *Findings }

func (e *BrokenError) Error() string {
	s := e.Findings.Summary()
	return fmt.Sprintf("the design cannot be used: %d errors in it", s.Errors)
}

// whole is the model, or a BrokenError if reading found errors: a cost or an
// explanation of half a design would mislead.
func (d *Design) whole() (*model.Design, error) {
	if d.model != nil && !d.reading.Failed() {
		return d.model, nil
	}
	findings := &Findings{output.Findings{Sources: d.sources, Findings: d.reading.Findings(), Files: []string{d.path}}}
	return nil, &BrokenError{Findings: findings}
}

// Workload chooses what is priced and at which prices. The zero Workload is the
// design's own rates at the design's own prices.
type Workload struct {
	Profile string   // one of the design's profiles
	Scale   string   // a decimal: multiplies every rate and count
	Prices  []byte   // the text of a price file
	Region  string   // prices of another region
	Tags    []string // only patterns and entities of these phases

	Alternative string // one of the design's alternatives, instead of the layout it chose
}

// options turns a workload into what package cost takes.
func (w Workload) options(d *model.Design) (cost.Options, error) {
	o := cost.Options{Tags: w.Tags}
	if err := knownTags(d, w.Tags); err != nil {
		return o, err
	}
	if w.Profile != "" {
		if o.Profile = d.Profile(w.Profile); o.Profile == nil {
			return o, unknown("profile", w.Profile, names(d.Profiles, func(p *model.Profile) string { return p.Name }))
		}
	}
	if w.Scale != "" {
		scale, err := parseScale(w.Scale)
		if err != nil {
			return o, err
		}
		o.Scale = scale
	}
	var err error
	switch {
	case w.Prices != nil:
		o.Prices, err = cost.ReadPrices(w.Prices)
	case w.Region != "":
		o.Prices, err = cost.PricesOf(w.Region)
	}
	return o, err
}

// knownTags refuses tags the design does not have: with a misspelled one nothing would
// be looked at, and nothing found.
func knownTags(d *model.Design, tags []string) error {
	var known []string
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

// alternative finds an alternative of a design by name; no name is none.
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

// unknown is the error about a name the design does not have.
func unknown(kind, name string, known []string) error {
	if len(known) == 0 {
		return fmt.Errorf("there is no %s %s: the design has none", kind, name)
	}
	if hint := diag.DidYouMean(name, known); hint != "" {
		return fmt.Errorf("there is no %s %s%s", kind, name, hint)
	}
	return fmt.Errorf("there is no %s %s; there are: %s", kind, name, listed(known))
}

// listed writes names as a sentence does, cut where it would tire.
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

var errScale = errors.New("the scale must be a number above zero in plain digits, such as 10 or 0.5")
