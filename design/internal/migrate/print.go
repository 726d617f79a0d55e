package migrate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	accessmigrate "sortkey.dev/access/migrate"
	"sortkey.dev/access/shape"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/figures"
)

// YAML returns the plan as the file that people review. Only the lines marked yours are read again: all
// others follow from the two versions.
func (p *Plan) YAML() []byte {
	w := &writer{}
	w.line("# %s.migration.yaml: review it like code. sortkey plan wrote it; what is marked \"yours\" may be changed,", p.ID)
	w.line("# and sortkey plan --edited accepts the change.")
	w.line("migration: %s", p.ID)
	w.line("design: %s", p.Design)
	w.line("from: { version: %d, shape: %q, file: %s }", p.From.Number, p.From.Shape, p.From.File)
	w.line("to: { version: %d, shape: %q, file: %s }", p.To.Number, p.To.Shape, p.To.File)
	w.line("strategy: %s # yours: dual if all writers use generated code, tail if not", cmp.Or(p.Settings.Strategy, Dual))
	most := ""
	if p.Settings.Most != "" {
		most = ", most: " + p.Settings.Most
	}
	w.line("rate: { write: %d/s, read: %d/s%s } # yours: units a second, and the most it may cost", p.Settings.Write, p.Settings.Read, most)
	w.line("conflicts: %s # yours: stop, or the number up to which the run goes on", p.Settings.Conflicts)
	p.printHolds(w)
	p.printAccepts(w)
	w.line("changes:")
	for _, c := range p.Changes {
		w.line("  - { code: %s, class: %s, what: %q }", c.Code, c.Class, c.Subject+": "+c.Message)
	}
	if len(p.Changes) == 0 {
		w.line("  []")
	}
	if len(p.Parts) > 0 {
		w.line("parts:")
		for i := range p.Parts {
			p.printPart(w, &p.Parts[i])
		}
	}
	w.line("rehearsal: none # sortkey migrate rehearse carries the plan out on a copy, and writes here what it took")
	w.line("steps:")
	for _, s := range p.Steps {
		w.line("  - { %s }", strings.Join(s.fields(), ", "))
	}
	return []byte(w.String())
}

func (p *Plan) printHolds(w *writer) {
	if len(p.Settings.Holds) == 0 {
		return
	}
	var all []string
	for step, hold := range p.Settings.Holds {
		all = append(all, fmt.Sprintf("%s: %v", step, hold))
	}
	slices.Sort(all)
	w.line("hold: { %s } # yours: steps before which the run waits for sortkey migrate resume", strings.Join(all, ", "))
}

func (p *Plan) printAccepts(w *writer) {
	if len(p.Settings.Accept) == 0 {
		return
	}
	var all []string
	for code, reason := range p.Settings.Accept {
		all = append(all, fmt.Sprintf("%s: %q", code, reason))
	}
	slices.Sort(all)
	w.line("accept: { %s } # yours: dangerous changes, and why they are wanted", strings.Join(all, ", "))
}

func (p *Plan) printPart(w *writer, part *accessmigrate.Part) {
	w.line("  - part: %s", part.Name)
	w.line("    of: { table: %s, entity: %s }", part.Table, part.Entity)
	if part.To != "" {
		w.line("    copy: %s", p.copyText(part))
	}
	if len(part.Set) > 0 {
		var sets []string
		for _, s := range part.Set {
			sets = append(sets, s.Attribute+": "+p.source(part, s))
		}
		w.line("    set: { %s }", strings.Join(sets, ", "))
	}
	if u := part.Unique; u != nil {
		w.line("    unique: { value: %q, rows: %s }", u.New.Rule, u.New.Table)
	}
	if part.Count != nil {
		w.line("    counts: %q", counterOf(p, part))
	}
	if len(part.Remove) > 0 {
		w.line("    remove: [%s]", strings.Join(part.Remove, ", "))
	}
}

// source returns where the value of an attribute comes from, in the words of design files.
func (p *Plan) source(part *accessmigrate.Part, s accessmigrate.Source) string {
	switch {
	case s.Key:
		for _, t := range p.Tables {
			if t.Name == part.Table {
				for _, k := range entityOf(t.New, part.As).Keys {
					if k.Name == s.Attribute {
						return fmt.Sprintf("%q", strings.ReplaceAll(k.Template, "|"+shape.Open+"}", "}"))
					}
				}
			}
		}
	case s.Convert != "":
		return fmt.Sprintf("{ convert: %s, from: %s }", s.Convert, s.From)
	case s.From != "":
		return fmt.Sprintf("\"{%s}\"", s.From)
	}
	return fmt.Sprintf("{ default: %q }", s.Value)
}

// fields returns a step as the entries of a mapping.
func (s *Step) fields() []string {
	all := []string{"step: " + s.Step}
	add := func(name, format string, args ...any) { all = append(all, name+": "+fmt.Sprintf(format, args...)) }
	if s.Part != "" {
		add("part", "%s", s.Part)
	}
	add("do", "%q", s.Do)
	if !s.Items.IsZero() {
		add("items", "%s", s.Items.Fixed(0))
	}
	if !s.Reads.IsZero() || !s.Writes.IsZero() {
		add("units", "{ read: %s, write: %s }", s.Reads.Ceil().Fixed(0), s.Writes.Ceil().Fixed(0))
	}
	if price := s.PriceText(); price != "" {
		add("price", "%q", price)
	}
	if text := s.Takes.String(); text != "" {
		add("takes", "%q", text)
	}
	if s.Back != "" {
		add("back", "%q", s.Back)
	}
	if s.Hold {
		add("hold", "true")
	}
	return all
}

// PriceText returns what a step costs, "" if nothing.
func (s *Step) PriceText() string {
	switch {
	case !s.Reads.IsZero() || !s.Writes.IsZero():
		return figures.Money(s.Price)
	case s.Monthly.IsZero():
		return ""
	}
	sign := "+"
	if s.Monthly.Sign() < 0 {
		sign = "-"
	}
	amount := figures.Money(s.Monthly.Max(exact.Zero.Sub(s.Monthly)))
	if strings.HasPrefix(amount, "<") {
		sign = ""
	}
	return sign + amount + " a month"
}

// String returns a span as people read it: 21m, 5m to 1h; "" if it is none.
func (s Span) String() string {
	switch {
	case s.Most == 0:
		return ""
	case s.Least == s.Most:
		return duration(s.Least)
	}
	return duration(s.Least) + " to " + duration(s.Most)
}

// duration returns seconds in one or two units.
func duration(seconds int64) string {
	switch {
	case seconds < 60:
		return fmt.Sprintf("%ds", seconds)
	case seconds < 3600:
		return fmt.Sprintf("%dm", (seconds+59)/60)
	case seconds < 48*3600:
		minutes := (seconds + 59) / 60
		if minutes%60 == 0 {
			return fmt.Sprintf("%dh", minutes/60)
		}
		return fmt.Sprintf("%dh%dm", minutes/60, minutes%60)
	}
	return fmt.Sprintf("%dd%dh", seconds/86400, seconds%86400/3600)
}

// Code returns the code of a change as its file names it.
func codeOf(name string) (diag.Code, bool) {
	rule, ok := diag.Lookup(name)
	return rule.Code, ok
}

type writer struct{ strings.Builder }

func (w *writer) line(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }
