package design

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"sortkey.dev/design/internal/change"
	"sortkey.dev/design/internal/check"
	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/gogen"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/output"
	"sortkey.dev/design/internal/verify/across"
	"sortkey.dev/design/internal/verify/live"
)

// A Version is one of the two designs of a Diff.
type Version struct {
	Name        string // as people name it: main:shop.design.yaml
	Design      *Design
	Alternative string   // one of its alternatives, instead of the chosen layout
	Tags        []string // only the part of the design with these tags; empty: all
}

// DiffOptions selects what a Diff reports.
type DiffOptions struct {
	Policy       []byte   // the text of a policy file: severities by code, name or family
	Prices       []byte   // the text of a price file
	MostCost     string   // the highest bill of a month: 200 or $200, or its highest rise: 10%; "": any
	Accept       []string // codes or names of changes that are accepted
	ShowAccepted bool     // write accepted changes in full
	// Memory is an empty database in memory. Both versions run on each other's items there, and changes show
	// the calls that go wrong. Its tables stay. nil: nothing runs.
	Memory DiffDatabase
	// Live is a database with the tables of the old version. Their items are counted where the danger of a change
	// depends on the number. TableName returns the real name of a table; nil: names are as in the design.
	Live      DiffLive
	TableName func(string) string
}

// A CountError says that items could not be counted in Live.
type CountError struct{ Err error }

func (e *CountError) Error() string { return e.Err.Error() }
func (e *CountError) Unwrap() error { return e.Err }

// DiffLive is the part of *dynamodb.Client that Diff needs to count items.
type DiffLive = live.API

// DiffDatabase is the part of *dynamodb.Client that Diff needs to run versions.
type DiffDatabase = across.API

// Changes holds the changes from one version of a design to the next. Write them with Text, JSON, SARIF
// or Markdown.
type Changes struct{ output.Changes }

// Diff compares two versions of a design. The error is a BrokenError if one of them cannot be used. Versions
// that cannot be run are compared all the same.
func Diff(ctx context.Context, before, after Version, o DiffOptions) (*Changes, error) {
	policy, err := check.ParsePolicy(o.Policy)
	if err != nil {
		return nil, &OptionError{err}
	}
	options, err := o.changeOptions()
	if err != nil {
		return nil, err
	}
	accepted, err := codesNamed(o.Accept)
	if err != nil {
		return nil, err
	}
	old, _, err := before.Design.alone(Workload{Alternative: before.Alternative})
	if err != nil {
		return nil, err
	}
	new, _, err := after.Design.alone(Workload{Alternative: after.Alternative})
	if err != nil {
		return nil, err
	}
	old, new = old.Phase(before.Tags), new.Phase(after.Tags)
	changes := change.Between(old, new, options)
	for _, c := range changes.All {
		if c.Accepted == "" && slices.Contains(accepted, c.Code) {
			c.Accepted = "--accept " + string(c.Code)
		}
	}
	if o.Live != nil {
		counter := live.Counter{API: o.Live, TableName: o.TableName, Now: time.Now()}
		if o.TableName == nil {
			counter.TableName = func(name string) string { return name }
		}
		if err := counter.Count(ctx, changes.All); err != nil {
			return nil, &CountError{err}
		}
	}
	seen, notRun := o.run(ctx, changes, old, new)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return &Changes{output.Changes{
		Seen: seen, NotRun: notRun,
		Old: before.Name, New: after.Name, OldSources: before.Design.sources, Sources: after.Design.sources,
		Changes: changes.All, Severity: policy.Severity, Accepted: o.ShowAccepted,
	}}, nil
}

// run runs both versions on each other's items. It returns the calls that went wrong and that no change
// explains, and why nothing was run.
func (o DiffOptions) run(ctx context.Context, c *change.Changes, before, after *model.Design) (seen []string, notRun string) {
	if o.Memory == nil || len(c.All) == 0 {
		return nil, ""
	}
	rest, err := across.Explain(ctx, c, before, after, o.Memory, across.Options{Cursors: gogen.Cursors})
	if err != nil {
		return nil, err.Error()
	}
	for _, e := range rest {
		seen = append(seen, e.String())
	}
	return seen, ""
}

func (o DiffOptions) changeOptions() (change.Options, error) {
	options := change.Options{Cursors: gogen.Cursors, Limits: check.Limits}
	if o.Prices != nil {
		prices, err := cost.ReadPrices(o.Prices)
		if err != nil {
			return options, err
		}
		options.Prices = prices
	}
	text, isShare := strings.CutSuffix(o.MostCost, "%")
	if o.MostCost == "" {
		return options, nil
	}
	most, err := exact.Parse(strings.TrimPrefix(text, "$"))
	if err != nil || most.Sign() < 0 {
		return options, &OptionError{fmt.Errorf("the highest cost is an amount such as $200, or a rise such as 10%%, not %q", o.MostCost)}
	}
	if isShare {
		most = most.Over(100)
		options.MostRise = &most
	} else {
		options.MostCost = &most
	}
	return options, nil
}

// codesNamed returns the codes of rules by their codes or names.
func codesNamed(all []string) ([]diag.Code, error) {
	var codes []diag.Code
	for _, name := range all {
		rule, ok := diag.Lookup(name)
		if !ok || rule.Family != diag.Evolution {
			return nil, &OptionError{fmt.Errorf("no change has the code or name %s%s", name, diag.DidYouMean(name, changeNames()))}
		}
		codes = append(codes, rule.Code)
	}
	return codes, nil
}

func changeNames() []string {
	var all []string
	for _, rule := range diag.Rules() {
		if rule.Family == diag.Evolution {
			all = append(all, string(rule.Code), rule.Name)
		}
	}
	return all
}

// ChangeLevels returns what Failed takes: the classes of changes, then severities.
func ChangeLevels() []string {
	var all []string
	for _, class := range diag.Classes {
		all = append(all, string(class))
	}
	return append(all, "error", "warning", "note")
}

// Failed reports whether one of the changes is not accepted and at least as hard as a class, or as severe as
// a severity. A change whose severity is error fails at every level.
func (c *Changes) Failed(level string) (bool, error) {
	if !slices.Contains(ChangeLevels(), level) {
		return false, fmt.Errorf("%q is neither a class nor a severity; use one of %s", level, strings.Join(ChangeLevels(), ", "))
	}
	least, bySeverity := diag.ParseSeverity(level)
	class := slices.Index(diag.Classes, diag.Class(level))
	return slices.ContainsFunc(c.Changes.Changes, func(one *change.Change) bool {
		severity := c.SeverityOf(one)
		switch {
		case one.Accepted != "" || severity == diag.Off:
			return false
		case severity == diag.Error:
			return true
		case bySeverity:
			return severity >= least
		}
		return one.Class != "" && slices.Index(diag.Classes, one.Class) >= class
	}), nil
}

// OpenFilesFS is OpenFS for a design of several files, which has the given name.
func OpenFilesFS(fsys fs.FS, name string, paths []string) (*Design, error) {
	if len(paths) == 0 {
		return nil, errors.New("no file in " + name + " ends in " + loader.Suffix)
	}
	var sources []loader.Source
	for _, path := range paths {
		text, err := fs.ReadFile(fsys, path)
		if err != nil {
			return nil, err
		}
		sources = append(sources, loader.Source{Name: path, Text: text})
	}
	return parse(fsys, name, sources), nil
}
