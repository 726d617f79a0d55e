package design

import (
	"fmt"
	"io"
	"strings"

	"sortkey.dev/design/internal/check"
	"sortkey.dev/design/internal/compare"
	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/docgen"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/output"
	"sortkey.dev/design/internal/resolve"
)

// Explanation describes how one pattern is served. Write it with Text or JSON.
type Explanation = output.Explanation

// Cost is the monthly cost of a design. Write it with Text or JSON.
type Cost = output.Cost

// Comparison compares a design with its alternatives. Write it with Text or JSON.
type Comparison = output.Comparison

// Explain returns how a pattern is served and its cost under a workload.
func (d *Design) Explain(pattern string, w Workload) (*Explanation, error) {
	m, options, err := d.under(w)
	if err != nil {
		return nil, err
	}
	asked := m.Pattern(pattern)
	if asked == nil {
		return nil, unknown("pattern", pattern, patternNames(m))
	}
	layout := resolve.New(m)
	x := &Explanation{Plan: layout.Plan(asked)}
	for _, priced := range cost.Price(layout, options).Patterns {
		if priced.Pattern == asked {
			x.Cost = priced
		}
	}
	return x, nil
}

func patternNames(m *model.Design) []string {
	return names(m.Patterns, func(p *model.Pattern) string { return p.Name })
}

// under returns the design in the layout of a workload, together with the designs it uses, and
// the options for package cost.
func (d *Design) under(w Workload) (*model.Design, cost.Options, error) {
	m, options, err := d.alone(w)
	if err != nil {
		return nil, options, err
	}
	return m.Whole(), options, nil
}

// alone is under without the designs it uses.
func (d *Design) alone(w Workload) (*model.Design, cost.Options, error) {
	m, err := d.loaded()
	if err != nil {
		return nil, cost.Options{}, err
	}
	options, err := w.options(m)
	if err != nil {
		return nil, options, err
	}
	other, err := alternative(m, w.Alternative)
	if other != nil {
		m = m.WithTables(other)
	}
	return m, options, err
}

// Cost returns the cost of a design under a workload, of all versions that are in use while a migration is not settled.
func (d *Design) Cost(w Workload) (*Cost, error) {
	m, options, in, err := d.during(w)
	if err != nil {
		return nil, err
	}
	return &Cost{Estimate: cost.Price(resolve.New(m), options), Workload: w.with(in)}, nil
}

// Compare compares a design with its alternatives under one workload.
func (d *Design) Compare(w Workload) (*Comparison, error) {
	m, options, err := d.under(w)
	if err != nil {
		return nil, err
	}
	return &Comparison{Comparison: compare.Layouts(m, options), Workload: w.String()}, nil
}

// ReportOptions selects the format and the workload of a report.
type ReportOptions struct {
	Format   string // html or md
	Workload Workload
}

// Report writes a report for the review of a design.
func (d *Design) Report(w io.Writer, o ReportOptions) error {
	m, options, err := d.alone(o.Workload)
	if err != nil {
		return err
	}
	report := d.reading.Clone()
	checked := check.Options{Tags: o.Workload.Tags, Prices: options.Prices, Profile: options.Profile}
	check.Run(m, checked, report)
	m, _, versions, err := d.during(o.Workload)
	if err != nil {
		return err
	}
	if versions != nil && !report.Failed() {
		if _, err := d.checkInterim(report, checked); err != nil {
			return err
		}
	}
	layout := resolve.New(m)
	in := docgen.Input{
		Layout:     layout,
		Estimate:   cost.Price(layout, options),
		Workload:   o.Workload.with(versions),
		Findings:   report.Findings(),
		Comparison: compare.Layouts(m, options),
	}
	write := docgen.HTML
	if o.Format == "md" {
		write = docgen.Markdown
	}
	page, err := write(in)
	if err != nil {
		return fmt.Errorf("cannot write the report: %w", err)
	}
	_, err = w.Write(page)
	return err
}

// with describes the workload and the versions it is of.
func (w Workload) with(in *interim) string {
	if in == nil {
		return w.String()
	}
	return w.String() + ", " + in.words()
}

// String describes the workload.
func (w Workload) String() string {
	parts := []string{"workload: the rates of the design"}
	if w.Profile != "" {
		parts[0] = "workload: profile " + w.Profile
	}
	if w.Scale != "" {
		parts = append(parts, "times "+w.Scale)
	}
	if w.Alternative != "" {
		parts = append(parts, "laid out as "+w.Alternative)
	}
	if len(w.Tags) > 0 {
		parts = append(parts, "only "+strings.Join(w.Tags, ", "))
	}
	return strings.Join(parts, ", ")
}
