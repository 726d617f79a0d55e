package docgen

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/figures"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// patternsView is the matrix of access patterns.
type patternsView struct {
	Reads, Writes []patternRow
	Total         string // money a month of all
	Filters       []patternFilter
}

// A patternRow shows one pattern: its request, the paths that serve it and its cost.
type patternRow struct {
	ID, Name, Doc, Verb, Entities, Where string
	Served                               bool
	Routes                               []route
	More                                 int // routes not shown
	Order                                string
	Problems                             []problem
	Findings                             []*finding
	Reads                                string // items of one call
	Rounds                               string // pages and requests, if more than one
	Units, Calls, Money                  string
	// Filter holds the values by which the row can be found, by the name of the filter; each
	// value has a space before and after it.
	Filter map[string]string
}

// A route is one request of a pattern.
type route struct {
	Path, Link, Operation string
	Conditions, Notes     []string
}

type problem struct{ Tone, Mark, Code, Message string }

// mostRoutes is the maximum number of actions of a transaction in a row.
const mostRoutes = 6

func newPatterns(in Input, f findingsView) patternsView {
	v := patternsView{}
	total := exact.Zero
	for _, plan := range in.Layout.Plans() {
		row := newPatternRow(plan, in.Estimate.Pattern(plan.Pattern))
		row.Findings = f.about[row.ID]
		row.Filter = filterValues(in.Layout.Design(), plan, row)
		if plan.Pattern.Verb.Reads() {
			v.Reads = append(v.Reads, row)
		} else {
			v.Writes = append(v.Writes, row)
		}
		if priced := in.Estimate.Pattern(plan.Pattern); priced != nil {
			total = total.Add(priced.OnDemand)
		}
	}
	v.Total = figures.Money(total)
	rows := slices.Concat(v.Reads, v.Writes)
	v.Filters = patternFilters(rows)
	dropUnused(rows, v.Filters)
	return v
}

func newPatternRow(plan *resolve.Plan, priced *cost.PatternCost) patternRow {
	p := plan.Pattern
	row := patternRow{
		ID: anchor("p", p.Name), Name: p.Name, Doc: p.Doc, Verb: string(p.Verb),
		Entities: entityNames(p.Entities()), Where: asked(p), Served: plan.Served(), Order: orderOf(p),
	}
	row.routes(plan)
	row.problems(plan)
	if priced != nil {
		row.price(priced)
	}
	return row
}

func entityNames(list []*model.Entity) string {
	names := make([]string, len(list))
	for i, e := range list {
		names[i] = e.Name
	}
	return strings.Join(names, ", ")
}

// asked returns the arguments of a pattern in the syntax of the design file.
func asked(p *model.Pattern) string {
	text := conditions(p.Where)
	for i, part := range p.Parts {
		if i > 0 {
			text += "; "
		}
		text += part.Part + " " + conditions(part.Where)
	}
	if len(p.Filter) > 0 {
		text = strings.TrimSpace(text + " filter " + conditions(p.Filter))
	}
	return text
}

func orderOf(p *model.Pattern) string {
	if p.Order == nil {
		return ""
	}
	if p.Order.Descending {
		return p.Order.Attribute.Name + " descending"
	}
	return p.Order.Attribute.Name + " ascending"
}

func (row *patternRow) routes(plan *resolve.Plan) {
	reads := plan.Reads()
	if len(reads) > mostRoutes+1 {
		row.More, reads = len(reads)-mostRoutes, reads[:mostRoutes]
	}
	for _, r := range reads {
		row.Routes = append(row.Routes, readRoute(r))
	}
	for i, w := range plan.Writes {
		if i == mostRoutes && len(plan.Writes) > mostRoutes+1 {
			row.More = len(plan.Writes) - mostRoutes
			break
		}
		row.Routes = append(row.Routes, writeRoute(w))
	}
}

func readRoute(r *resolve.Read) route {
	path := r.Entry.Path
	shown := route{Path: path.String(), Link: pathLink(path), Operation: string(r.Operation)}
	for _, c := range r.Partition {
		shown.Conditions = append(shown.Conditions, c.String())
	}
	for _, c := range r.Sort {
		shown.Conditions = append(shown.Conditions, c.String())
	}
	if r.Ordered != nil {
		shown.Notes = append(shown.Notes, "ordered by "+r.Ordered.String())
	}
	if r.Operation == resolve.Scan {
		shown.Notes = append(shown.Notes, scanNote(r))
	}
	if spans := r.Spans(); len(spans) > 0 {
		shown.Notes = append(shown.Notes, fmt.Sprintf("up to %d requests, one for each of the %s that the range of %s spans", r.Queries, spans[0].Units(), spans[0].Range.Attribute.Name))
	} else if r.Queries > 1 {
		shown.Notes = append(shown.Notes, fmt.Sprintf("%d requests, one per value", r.Queries))
	}
	switch {
	case r.Pattern.Part != "":
		shown.Operation += " " + r.Entry.Item.Entity.Name
		shown.Notes = append(shown.Notes, "in a transaction")
	case !r.Eventual:
		shown.Notes = append(shown.Notes, "strongly consistent")
	}
	if len(r.Filter) > 0 {
		shown.Notes = append(shown.Notes, "filtered after the read by "+conditions(r.Filter))
	}
	if len(r.Checks) > 0 {
		shown.Notes = append(shown.Notes, "compared after the read: "+conditions(r.Checks))
	}
	return shown
}

// scanNote says what a scan reads.
func scanNote(r *resolve.Read) string {
	text := "reads all of it"
	if r.Pattern.Segments > 1 {
		text += fmt.Sprintf(", in %d segments", r.Pattern.Segments)
	}
	return text
}

func writeRoute(w *resolve.PlannedWrite) route {
	path := resolve.Path{Table: w.Item.Table}
	shown := route{Path: path.String(), Link: pathLink(path), Operation: string(w.Operation) + " " + w.Item.Entity.Name}
	for _, c := range w.Key {
		shown.Conditions = append(shown.Conditions, c.String())
	}
	if w.Implied != "" {
		shown.Notes = append(shown.Notes, "for "+w.Implied)
	}
	if len(w.Checks) > 0 {
		shown.Notes = append(shown.Notes, "only if "+conditions(w.Checks))
	}
	var touched []string
	for _, x := range w.Indexes {
		if x.Change != resolve.Untouched {
			touched = append(touched, x.Entry.Path.Index.Name+" "+string(x.Change))
		}
	}
	if len(touched) > 0 {
		shown.Notes = append(shown.Notes, strings.Join(touched, ", "))
	}
	return shown
}

func pathLink(path resolve.Path) string {
	if path.Index == nil {
		return anchor("t", path.Table.Name)
	}
	return anchor("x", path.Table.Name+"."+path.Index.Name)
}

func (row *patternRow) problems(plan *resolve.Plan) {
	for _, pr := range plan.Problems {
		rule, _ := diag.Lookup(string(pr.Code))
		row.Problems = append(row.Problems, problem{toneOf(rule.Severity), mark(rule.Severity), string(pr.Code), sentence(pr.Message)})
	}
	if !row.Served && len(row.Problems) == 0 && len(plan.Refused) > 0 {
		nearest := plan.Refused[0]
		row.Problems = append(row.Problems, problem{"bad", mark(diag.Error), string(nearest.Code),
			sentence("The nearest path is " + nearest.Path.String() + ": " + nearest.Reason)})
	}
}

func (row *patternRow) price(c *cost.PatternCost) {
	row.Calls, row.Money = figures.Quantity(c.Calls), figures.Money(c.OnDemand)
	if !row.Served && c.Read.IsZero() && c.Write.IsZero() {
		row.Money = ""
		return
	}
	var units, rounds []string
	if !c.Read.IsZero() {
		units = append(units, figures.Quantity(c.Read)+" RRU")
		row.Reads = counted(c.Items, "item")
		if !c.Known {
			row.Reads = "unknown number"
		}
		if exact.One.Less(c.Pages) {
			rounds = append(rounds, counted(c.Pages, "page"))
		}
	}
	if !c.Write.IsZero() {
		units = append(units, figures.Quantity(c.Write)+" WRU")
	}
	if exact.One.Less(c.Requests) {
		rounds = append(rounds, counted(c.Requests, "request"))
	}
	row.Units, row.Rounds = strings.Join(units, ", "), strings.Join(rounds, ", ")
}

// counted formats a number with its noun: 1 item, 2.5 items.
func counted(n exact.Number, one string) string {
	if n.Equal(exact.One) {
		return "1 " + one
	}
	return figures.Quantity(n) + " " + one + "s"
}
