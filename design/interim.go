package design

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/change"
	"sortkey.dev/design/internal/check"
	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/iamgen"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/migrate"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/shape"
)

// An interim is a design with migrations that are planned and not settled: tables hold, or will hold, the shapes and the
// indexes of several versions at the same time.
type interim struct {
	history  *History
	ids      []string        // of the migrations, in their order
	versions []*model.Design // the one before the first migration, and so on to the design as it is
	sources  []loader.Source // of all but the last version
}

// unsettled returns the versions of the design that tables hold at the same time, or nil if it is one. The error
// says which file of the history is not as it was planned.
func (d *Design) unsettled() (*interim, error) {
	now, err := d.loaded()
	if err != nil {
		return nil, err
	}
	h, err := d.History()
	switch {
	case errors.Is(err, ErrNoHistory):
		return nil, nil
	case err != nil:
		return nil, err
	}
	if err := h.damaged(); err != nil {
		return nil, err
	}
	first, err := h.firstUnsettled()
	if err != nil || first == 0 {
		return nil, err
	}
	all := &interim{history: h}
	last := h.history.Last()
	for number := first - 1; number < last.Number; number++ {
		before, tags, err := h.Version(number)
		if err != nil {
			return nil, err
		}
		m, err := before.loaded()
		if err != nil {
			return nil, fmt.Errorf("version %d: %w", number, err)
		}
		all.versions = append(all.versions, m.Phase(tags))
		all.sources = append(all.sources, before.sources...)
		v, err := h.history.Version(number + 1)
		if err != nil {
			return nil, err
		}
		all.ids = append(all.ids, v.ID())
	}
	all.versions = append(all.versions, now.Phase(last.Tags))
	return all, nil
}

// damaged returns an error if a file of the history is not as it was planned.
func (h *History) damaged() error {
	if len(h.problems) == 0 {
		return nil
	}
	p := h.problems[0]
	return fmt.Errorf("%s: %s. %s", p.File, p.Message, p.Fix)
}

// firstUnsettled returns the first version whose migration is not settled, with those after it; 0: all are.
func (h *History) firstUnsettled() (int, error) {
	first := 0
	for _, v := range slices.Backward(h.history.Versions) {
		if v.Migration == nil {
			break
		}
		settings, err := migrate.ReadSettings(v.MigrationFile(), v.Migration)
		if err != nil {
			return 0, err
		}
		if settings.Settled {
			break
		}
		first = v.Number
	}
	return first, nil
}

// together returns all versions as one design.
func (in *interim) together() *model.Design {
	both := in.versions[0]
	for _, next := range in.versions[1:] {
		both = change.Match(both, next).Together()
	}
	return both
}

// words says which versions an answer is about.
func (in *interim) words() string { return "with the versions before " + strings.Join(in.ids, " and ") }

// Unsettled returns the migrations of the design's history that are planned and of which the history does not say that all tables
// are past them: 0007-task-titles. Infrastructure, policies, costs and reports are then of all their versions together.
func (d *Design) Unsettled() ([]string, error) {
	in, err := d.unsettled()
	if in == nil || err != nil {
		return nil, err
	}
	return in.ids, nil
}

// during is under, for all versions that tables hold at the same time.
func (d *Design) during(w Workload) (*model.Design, cost.Options, *interim, error) {
	m, options, err := d.under(w)
	if err != nil || w.Settled || w.Alternative != "" {
		return m, options, nil, err
	}
	in, err := d.unsettled()
	if in == nil || err != nil {
		return m, options, nil, err
	}
	return in.together(), options, in, nil
}

// stateRow returns where the state row of the design's history lies; nil without a history, or without a place for the row.
func (d *Design) stateRow() (*iamgen.State, error) {
	h, err := d.History()
	if errors.Is(err, ErrNoHistory) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	first, err := h.whole(1)
	if err != nil {
		return nil, err
	}
	row, ok := migrate.StateRow(first.Whole())
	if !ok {
		return nil, nil
	}
	return &iamgen.State{Table: row.Table, Partition: row.Partition.Text}, nil
}

// stateRows returns the state rows of the design and of the designs that it uses.
func (d *Design) stateRows() ([]iamgen.State, error) {
	var all []iamgen.State
	own, err := d.stateRow()
	if err != nil {
		return nil, err
	}
	if own != nil {
		all = append(all, *own)
	}
	for _, u := range d.model.Uses {
		used, err := d.used(u)
		if err != nil {
			return nil, err
		}
		row, err := used.stateRow()
		if err != nil {
			return nil, err
		}
		if row != nil {
			row.Table = u.Prefix + row.Table
			all = append(all, *row)
		}
	}
	return all, nil
}

// used returns a used design alone.
func (d *Design) used(u *model.Use) (*Design, error) {
	if d.fsys != nil {
		return OpenFS(d.fsys, u.File)
	}
	return Open(u.File)
}

// oldestShape returns the tags of a table that say what its items look like: those of the first version that has it, until the
// migration is over.
func (in *interim) oldestShape(table string) map[string]string {
	for _, m := range in.versions {
		m = m.Whole()
		for _, t := range m.Tables {
			if t.Name == table {
				return shape.Of(m, t).Tags()
			}
		}
	}
	return nil
}

// atStep takes the tables and indexes out of a design of all versions that do not exist after a step of the last migration. It
// reports whether the migration is over then.
func (in *interim) atStep(both *model.Design, step int) (bool, error) {
	if in == nil {
		return false, &OptionError{errors.New("no migration is planned and not settled, so there are no steps")}
	}
	number, _ := in.history.Last()
	plan, err := in.history.plan(number)
	if err != nil {
		return false, err
	}
	if step > len(plan.Steps) {
		return false, &OptionError{fmt.Errorf("%s has %d steps, and no step %d", plan.ID, len(plan.Steps), step)}
	}
	for i, s := range plan.Steps {
		if s.Table != "" && (s.Step == "expand") == (i >= step) {
			without(both, s.Table, s.Index)
		}
	}
	return step == len(plan.Steps), nil
}

// without removes an index of a table, or the table if no index is named.
func without(d *model.Design, table, index string) {
	d.Tables = slices.DeleteFunc(d.Tables, func(t *model.Table) bool {
		if t.Name != table || index == "" {
			return t.Name == table
		}
		t.Indexes = slices.DeleteFunc(t.Indexes, func(x *model.Index) bool { return x.Name == index })
		return false
	})
}

// checkInterim adds the findings that a design has only while several versions of it are in use.
func (d *Design) checkInterim(report *diag.Report, o check.Options) ([]loader.Source, error) {
	in, err := d.unsettled()
	if in == nil || err != nil {
		return nil, err
	}
	known := map[string]bool{}
	report.Each(func(f *diag.Finding) { known[findingOf(*f)] = true })
	for _, before := range in.versions[:len(in.versions)-1] {
		var old diag.Report
		check.Run(before, check.Options{OwnWorkload: true}, &old)
		old.Each(func(f *diag.Finding) { known[findingOf(*f)] = true })
	}
	var between diag.Report
	check.Run(in.together(), check.Options{OwnWorkload: true, Tags: o.Tags, Prices: o.Prices, Profile: o.Profile}, &between)
	for _, f := range between.Findings() {
		limit := f.Code.Rule().Family == diag.Limits && f.Severity == diag.Error
		if known[findingOf(f)] || !limit && !slices.Contains(duringCodes, f.Code) {
			continue
		}
		f.Message = "While both versions run, " + in.words() + ": " + f.Message
		if limit {
			f.Why = f.Code.Rule().Why
			f.Code = "E073"
			for _, a := range d.model.Accepts {
				if a.Code == f.Code && f.Accepted == "" {
					f.Accepted = a.Reason
				}
			}
		}
		report.Add(f)
	}
	return in.sources, nil
}

// duringCodes lists the rules, besides limits, that the items and the calls of two versions can break together: keys that
// meet, lists that find items of the other version, partitions that get hot.
var duringCodes = []diag.Code{"K102", "K107", "C305", "H501", "H502", "H503", "H505", "H507"}

// findingOf names a finding without its place and its numbers.
func findingOf(f diag.Finding) string { return string(f.Code) + " " + f.Subject }
