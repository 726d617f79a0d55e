package design

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"sortkey.dev/access"
	accessmigrate "sortkey.dev/access/migrate"
	"sortkey.dev/access/provision"
	"sortkey.dev/design/internal/change"
	"sortkey.dev/design/internal/check"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/dryrun"
	"sortkey.dev/design/internal/figures"
	"sortkey.dev/design/internal/history"
	"sortkey.dev/design/internal/migrate"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/shape"
	"sortkey.dev/design/internal/tabledef"
)

// PlanOptions selects what is planned.
type PlanOptions struct {
	Name   string            // of the new version, such as task-titles
	Tags   []string          // the new version is only the part of the design with these tags
	Rebase string            // a version of the history that is planned again, with the next number
	Accept map[string]string // dangerous changes by code or name, with the reason
}

// A Plan is a migration from the last version of a history to the design as it is.
type Plan struct {
	plan    *migrate.Plan // nil: a version was dropped
	files   []HistoryFile
	dropped string          // the version that was planned again, and changes nothing after the other
	measure *dryrun.Measure // nil: the numbers are those of the design
}

// ErrNothingToPlan says that the design is the last version of its history.
var ErrNothingToPlan = errors.New("nothing to plan: the design is the last version of its history")

// Plan plans the way from the last version of the design's history to the design as it is. Its error says
// which changes are not planned, or is a BrokenError.
func (d *Design) Plan(o PlanOptions) (*Plan, error) { return d.planned(o, nil, nil) }

// planned plans, and measures the plan before it is written. The error for refused changes may be completed.
func (d *Design) planned(
	o PlanOptions, measure func(*migrate.Plan, func(migrate.Options) (*migrate.Plan, error)) (*migrate.Plan, *dryrun.Measure, error), refused func(*migrate.RefusedError) error,
) (*Plan, error) {
	if _, err := d.sound(o.Tags); err != nil {
		return nil, err
	}
	h, err := d.History()
	if err != nil {
		return nil, err
	}
	var gone []history.File
	if o.Rebase != "" {
		if h.history, o.Name, gone, err = h.without(o.Rebase); err != nil {
			return nil, err
		}
		h.problems = nil
	}
	if err := history.CheckName(o.Name); err != nil {
		return nil, err
	}
	if err := h.damaged(); err != nil {
		return nil, err
	}
	settings := migrate.Settings{Accept: map[diag.Code]string{}}
	for name, reason := range o.Accept {
		rule, ok := diag.Lookup(name)
		if !ok {
			return nil, fmt.Errorf("no rule has the code or name %q", name)
		}
		settings.Accept[rule.Code] = reason
	}
	number, _ := h.Last()
	old, err := h.model(number)
	if err != nil {
		return nil, err
	}
	now, err := d.loaded()
	if err != nil {
		return nil, err
	}
	again := func(with migrate.Options) (*migrate.Plan, error) {
		return newPlan(o.Name, old, h.own(now.Phase(o.Tags)), number, settings, with, check.Limits)
	}
	plan, err := again(migrate.Options{})
	if r, is := errors.AsType[*migrate.RefusedError](err); is && refused != nil {
		err = refused(r)
	}
	if err != nil {
		return nil, err
	}
	var measured *dryrun.Measure
	if measure != nil {
		if plan, measured, err = measure(plan, again); err != nil {
			return nil, err
		}
	}
	plan.From.File = fileOf(h.history, number)
	plan.To.File = plan.ID + ".version.yaml"
	if !slices.ContainsFunc(plan.Changes, func(c *change.Change) bool { return !harmless[c.Code] }) {
		return d.dropped(o.Rebase, gone)
	}
	files, err := d.addVersion(h.history, o.Name, o.Tags, plan.YAML())
	if err != nil {
		return nil, err
	}
	folder, _, err := d.historyFolder()
	if err != nil {
		return nil, err
	}
	for _, f := range gone { // a file that the new version has, too, is written
		name := placed(folder, []history.File{f})[0]
		if f.Text == nil && !slices.ContainsFunc(files, func(other HistoryFile) bool { return other.Path == name.Path }) {
			files = append(files, name)
		}
	}
	return &Plan{plan: plan, files: files, measure: measured}, nil
}

// dropped returns the plan that removes a version of another branch, which made the same change.
func (d *Design) dropped(version string, gone []history.File) (*Plan, error) {
	if version == "" {
		return nil, ErrNothingToPlan
	}
	folder, _, err := d.historyFolder()
	if err != nil {
		return nil, err
	}
	return &Plan{files: placed(folder, gone), dropped: version}, nil
}

// fileOf returns the name of the file of a version's design.
func fileOf(h *history.History, number int) string {
	v, err := h.Version(number)
	if err != nil {
		return ""
	}
	return v.ID() + ".version.yaml"
}

func newPlan(name string, old, now *model.Design, number int, settings migrate.Settings, o migrate.Options, limits func(*model.Design) []diag.Finding) (*migrate.Plan, error) {
	o.Name, o.Settings = name, settings
	o.From, o.To = migrate.Version{Number: number, Shape: shapeHash(old)}, migrate.Version{Number: number + 1, Shape: shapeHash(now)}
	return migrate.New(change.Between(old, now, change.Options{Limits: limits}), o)
}

// model returns the design of a version, or the part of it that the version is, without what has another history.
func (h *History) model(number int) (*model.Design, error) {
	m, err := h.whole(number)
	if err != nil {
		return nil, err
	}
	return h.own(m), nil
}

// whole returns the design of a version with all designs that it uses.
func (h *History) whole(number int) (*model.Design, error) {
	d, tags, err := h.Version(number)
	if err != nil {
		return nil, err
	}
	m, err := d.loaded()
	if err != nil {
		return nil, fmt.Errorf("version %d: %w", number, err)
	}
	return m.Phase(tags), nil
}

// shapeHash returns a short text that changes with everything that decides what items look like.
func shapeHash(d *model.Design) string {
	sum := sha256.New()
	d = d.Whole()
	for _, t := range d.Tables {
		tags := shape.Of(d, t).Tags()
		for _, key := range slices.Sorted(maps.Keys(tags)) {
			fmt.Fprintf(sum, "%s %s %s\n", t.Name, key, tags[key])
		}
	}
	return "h1:" + base64.RawURLEncoding.EncodeToString(sum.Sum(nil))[:16]
}

// Files returns the files that add the plan to the history.
func (p *Plan) Files() []HistoryFile { return p.files }

// Text writes the steps as a table.
func (p *Plan) Text(w io.Writer, _ Style) error {
	if p.plan == nil {
		_, err := fmt.Fprintf(w, "%s is dropped: the design is the version before it, which made the same change\n", p.dropped)
		return err
	}
	fmt.Fprintf(w, "%s: version %d to %d of %s\n\n", p.plan.ID, p.plan.From.Number, p.plan.To.Number, p.plan.Design)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\tstep\tdoes\titems\tprice\ttakes\tback")
	for i, s := range p.plan.Steps {
		name, items := s.Step, ""
		if s.Hold {
			name += " *"
		}
		if !s.Items.IsZero() {
			items = figures.Quantity(s.Items)
		}
		does := s.Do
		if s.Part != "" {
			does = s.Part + ": " + does
		}
		fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%s\t%s\t%s\n", i+1, name, does, items, s.PriceText(), s.Takes, s.Back)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	p.measured(w)
	_, err := fmt.Fprintln(w, "* The run waits before this step until sortkey migrate resume.\nThe plan was not rehearsed: sortkey migrate rehearse carries it out on a copy.")
	return err
}

// JSON writes the plan as one JSON object.
func (p *Plan) JSON(w io.Writer) error {
	type step struct {
		Step    string `json:"step"`
		Part    string `json:"part,omitempty"`
		Do      string `json:"do"`
		Items   string `json:"items,omitempty"`
		Reads   string `json:"readUnits,omitempty"`
		Write   string `json:"writeUnits,omitempty"`
		Price   string `json:"price,omitempty"`
		Monthly string `json:"pricePerMonth,omitempty"`
		Takes   string `json:"takes,omitempty"`
		Back    string `json:"back,omitempty"`
		Hold    bool   `json:"hold,omitempty"`
	}
	out := struct {
		Migration string         `json:"migration,omitempty"`
		Dropped   string         `json:"dropped,omitempty"`
		From      int            `json:"from,omitempty"`
		To        int            `json:"to,omitempty"`
		Steps     []step         `json:"steps"`
		Measured  []dryrun.Table `json:"measured,omitempty"`
		Files     []string       `json:"files"`
	}{Dropped: p.dropped, Steps: []step{}}
	plan := p.plan
	if plan == nil {
		plan = &migrate.Plan{}
	}
	out.Migration, out.From, out.To = plan.ID, plan.From.Number, plan.To.Number
	for _, s := range plan.Steps {
		one := step{Step: s.Step, Part: s.Part, Do: s.Do, Takes: s.Takes.String(), Back: s.Back, Hold: s.Hold}
		if !s.Items.IsZero() {
			one.Items = s.Items.Fixed(0)
		}
		if !s.Reads.IsZero() || !s.Writes.IsZero() {
			one.Reads, one.Write, one.Price = s.Reads.Ceil().Fixed(0), s.Writes.Ceil().Fixed(0), s.Price.Fixed(6)
		}
		if !s.Monthly.IsZero() {
			one.Monthly = s.Monthly.Fixed(6)
		}
		out.Steps = append(out.Steps, one)
	}
	if p.measure != nil {
		out.Measured = p.measure.Tables
	}
	for _, f := range p.files {
		out.Files = append(out.Files, f.Path)
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(out)
}

// A Migration is one step of a history, ready to be carried out.
type Migration struct {
	*accessmigrate.Migration
	Run    access.Design     // names the design, its versions and the place of its state row
	Before []provision.Table // the tables of the version before
	During []provision.Table // with the tables and indexes of both versions
	After  []provision.Table // the tables of the version
	Rates  accessmigrate.Options
	plan   *migrate.Plan
	// Dangerous says that data is deleted, or becomes unreachable, at the end.
	Dangerous bool
}

// TablesAt returns the tables as they are made in a step of the run, and whether the rest is removed: in expand both
// versions' side by side, in contract those of the new version, and in withdraw those of the old one. Items look
// like those of the old version until the end.
func (m *Migration) TablesAt(step string) (tables []provision.Table, prune bool) {
	switch step {
	case "contract":
		return m.After, true
	case "withdraw":
		return m.Before, true
	}
	return m.Tables(), false
}

// plan returns the plan that made a version of the history.
func (h *History) plan(number int) (*migrate.Plan, error) {
	if err := h.damaged(); err != nil {
		return nil, err
	}
	v, err := h.history.Version(number)
	if err != nil {
		return nil, err
	}
	if v.Migration == nil {
		return nil, fmt.Errorf("version %s has no migration: the history begins with it", v.ID())
	}
	settings, err := migrate.ReadSettings(v.MigrationFile(), v.Migration)
	if err != nil {
		return nil, err
	}
	old, err := h.model(number - 1)
	if err != nil {
		return nil, err
	}
	now, err := h.model(number)
	if err != nil {
		return nil, err
	}
	return newPlan(v.Name, old, now, number-1, settings, migrate.Options{}, nil)
}

// Migration returns the migration that made a version of the history.
func (h *History) Migration(number int) (*Migration, error) {
	plan, err := h.plan(number)
	if err != nil {
		return nil, err
	}
	state, err := h.State()
	if err != nil {
		return nil, err
	}
	state.Versions = []int{number - 1, number}
	return &Migration{
		Migration: plan.Migration(),
		Run:       state,
		Before:    h.asSet(plan.Matching.Old), During: h.asSet(plan.Matching.Together()), After: h.asSet(plan.Matching.New),
		Rates:     plan.Runner(),
		plan:      plan,
		Dangerous: slices.ContainsFunc(plan.Changes, func(c *change.Change) bool { return c.Dangerous }),
	}, nil
}

// Tables returns the tables of both versions. Until the end of the migration, items look like those of the version before.
func (m *Migration) Tables() []provision.Table {
	tables := slices.Clone(m.During)
	for i := range tables {
		for _, before := range m.Before {
			if before.Name == tables[i].Name {
				tables[i].Shape = before.Shape
			}
		}
	}
	return tables
}

// asSet returns the tables of a version with the settings of the design as it is: those need no migration. Expiry does.
func (h *History) asSet(m *model.Design) []provision.Table {
	tables := tabledef.Of(m)
	now, err := h.design.loaded()
	if err != nil {
		return tables
	}
	current := tabledef.Of(now.Phase(h.Tags()).Whole())
	for i, t := range tables {
		for _, is := range current {
			if is.Name == t.Name {
				tables[i] = is
				tables[i].PK, tables[i].SK, tables[i].Indexes, tables[i].TTL, tables[i].Shape = t.PK, t.SK, t.Indexes, t.TTL, t.Shape
			}
		}
	}
	return tables
}

// Lost returns the tables of which the migration removes what cannot be had back: they are backed up before.
func (m *Migration) Lost() []string { return m.plan.Lost() }

// HasIndex reports whether a table has an index while both versions run.
func (m *Migration) HasIndex(table, index string) bool {
	return slices.ContainsFunc(m.During, func(t provision.Table) bool {
		return t.Name == table && slices.ContainsFunc(t.Indexes, func(x provision.Index) bool { return x.Name == index })
	})
}

// Tables returns the tables of a version.
func (h *History) Tables(number int) ([]provision.Table, error) {
	m, err := h.model(number)
	if err != nil {
		return nil, err
	}
	return tabledef.Of(m.Whole()), nil
}

// Names returns the names of the versions, such as 0007-task-titles, the first version first.
func (h *History) Names() []string {
	var names []string
	for _, v := range h.history.Versions {
		names = append(names, v.ID())
	}
	return names
}

// State returns the design as its state row names it, with the place of the row.
func (h *History) State() (access.Design, error) {
	first, err := h.whole(1)
	if err != nil {
		return access.Design{}, err
	}
	row, ok := migrate.StateRow(first.Whole())
	if !ok {
		return access.Design{}, errors.New("no table has room for the state of a migration: all keys of such a table are made from templates that begin with a text; name a table for it with control: in the design")
	}
	number, _ := h.Last()
	return access.Design{Name: h.history.Design(), Versions: []int{number}, State: row}, nil
}
