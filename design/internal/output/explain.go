package output

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/figures"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/internal/lazyregexp"
)

// Explanation prints how one pattern is served.
type Explanation struct {
	Plan *resolve.Plan
	Cost *cost.PatternCost
}

// Text writes the explanation as text.
func (x Explanation) Text(w io.Writer, style Style) error {
	p := &page{style: style}
	pattern := x.Plan.Pattern
	p.line("%s  %s", p.paint(bold, pattern.Name), question(pattern))
	if pattern.Doc != "" {
		p.paragraph("", pattern.Doc)
	}
	p.line("")
	x.problems(p)
	if x.Plan.Read != nil {
		x.read(p)
	}
	if n := len(x.Plan.Parts); n > 0 {
		p.labelled("", "request  ", fmt.Sprintf("%s of %d items, as they are at one moment", resolve.TransactGetItems, n))
		for i, r := range x.Plan.Parts {
			x.part(p, i, r)
		}
		x.request(p, resolve.SnapshotRequest(x.Plan.Parts))
	}
	if n := actions(x.Plan.Writes); n > 1 {
		p.labelled("", "request  ", fmt.Sprintf("%s of %d actions, all or nothing", resolve.TransactWriteItems, n))
	}
	for i, write := range x.Plan.Writes {
		x.write(p, i, write)
	}
	x.price(p)
	x.refused(p)
	return p.send(w)
}

// actions returns the number of items that a plan writes: a step with each counts several times.
func actions(writes []*resolve.PlannedWrite) int64 {
	var n int64
	for _, w := range writes {
		n += max(w.Step.Each, 1)
	}
	return n
}

// question returns a pattern in the syntax of the design file.
func question(p *model.Pattern) string {
	var names []string
	for _, e := range p.Entities() {
		names = append(names, e.Name)
	}
	text := string(p.Verb) + " " + strings.Join(names, ", ")
	if len(p.Where) > 0 {
		var parts []string
		for _, c := range p.Where {
			parts = append(parts, c.String())
		}
		text += " where " + strings.Join(parts, ", ")
	}
	if p.Order != nil {
		direction := "asc"
		if p.Order.Descending {
			direction = "desc"
		}
		text += " order " + p.Order.Attribute.Name + " " + direction
	}
	return text
}

func (x Explanation) problems(p *page) {
	for _, problem := range x.Plan.Problems {
		rule := problem.Code.Rule()
		p.line("%s %s %s", p.paint(severityColour(rule.Severity), rule.Severity.String()), problem.Code, sentence(problem.Message))
		if problem.Fix != "" {
			p.labelled("  ", "do", problem.Fix)
		}
		p.line("")
	}
}

func (x Explanation) read(p *page) {
	r := x.Plan.Read
	label := "served by"
	switch x.Plan.Service() {
	case resolve.NotServed:
		label = "nearest  " // it returns items, but not those of the pattern
		p.labelled("", label, describePath(r.Entry.Path))
	case resolve.ByScan:
		p.labelled("", label, "a scan of "+r.Entry.Path.String()+", all of it")
	default:
		p.labelled("", label, describePath(r.Entry.Path))
	}
	p.labelled("", "request  ", requestLine(r))
	for _, condition := range r.Partition {
		p.line("            %s", condition)
	}
	for _, condition := range r.Sort {
		p.line("            %s", condition)
	}
	if r.Ordered != nil {
		p.labelled("", "order    ", "the sort key gives it: "+r.Ordered.String())
	}
	if len(r.Checks) > 0 {
		p.labelled("", "compares ", "after the read: "+conditions(r.Checks))
	}
	if len(r.Filter) > 0 {
		p.labelled("", "drops    ", "what was read and paid for unless "+conditions(r.Filter))
	}
	x.request(p, r.Request())
}

// part writes one part of a snapshot.
func (x Explanation) part(p *page, i int, r *resolve.Read) {
	label := "reads    "
	if i > 0 {
		label = "and      "
	}
	text := r.Entry.Item.Entity.Name + " in " + r.Entry.Path.Table.Name
	if r.Pattern.Part != r.Entry.Item.Entity.Name {
		text += " as " + r.Pattern.Part
	}
	p.labelled("", label, text)
	for _, condition := range r.Conditions() {
		p.line("            %s", condition)
	}
	if len(r.Checks) > 0 {
		p.labelled("", "compares ", "after the read: "+conditions(r.Checks))
	}
}

func describePath(path resolve.Path) string {
	switch {
	case path.IsTable():
		return path.Table.Name + ", by its own key"
	case path.IsGlobal():
		return path.Table.Name + ", global index " + path.Index.Name
	}
	return path.Table.Name + ", local index " + path.Index.Name
}

func requestLine(r *resolve.Read) string {
	text := string(r.Operation)
	if r.Operation == resolve.Query {
		text += ", ascending"
		if r.Descending {
			text = string(r.Operation) + ", descending"
		}
	}
	if r.Eventual {
		text += ", eventually consistent"
	} else {
		text += ", strongly consistent"
	}
	switch {
	case len(r.Spans()) > 0:
		text += fmt.Sprintf(", up to %d of them", r.Queries)
	case r.Queries > 1:
		text += fmt.Sprintf(", %d of them", r.Queries)
	}
	if n := r.Pattern.Segments; n > 1 {
		text += fmt.Sprintf(", in %d segments", n)
	}
	return text
}

func conditions(list []*model.Condition) string {
	parts := make([]string, len(list))
	for i, c := range list {
		parts[i] = c.String()
	}
	return strings.Join(parts, " and ")
}

func (x Explanation) write(p *page, i int, write *resolve.PlannedWrite) {
	label := "writes   "
	if i > 0 {
		label = "and      "
	}
	text := string(write.Operation) + " " + write.Item.Entity.Name + " in " + write.Item.Table.Name
	if write.Implied != "" {
		text += " (" + write.Implied + ")"
	}
	if write.Step.Each > 1 {
		text += fmt.Sprintf(", %d of them", write.Step.Each)
	}
	p.labelled("", label, text)
	for _, condition := range write.Key {
		p.line("            %s", condition)
	}
	if len(write.Checks) > 0 {
		p.line("            only if %s", conditions(write.Checks))
	}
	for _, index := range write.Indexes {
		p.line("            %s: %s", index.Entry.Path.Index.Name, index.Change)
	}
	x.request(p, write.Request())
}

// request writes the request to DynamoDB.
func (x Explanation) request(p *page, request any) {
	text, err := json.MarshalIndent(request, "  ", "  ")
	if err != nil {
		return // requests consist of maps and strings, so marshalling never fails
	}
	p.line("")
	for line := range strings.Lines(plainJSON(text)) {
		p.line("%s", p.paint(dim, strings.TrimSuffix(line, "\n")))
	}
	p.line("")
}

// typedValue matches a value with its type, such as {"S": "x"}, on three lines.
var typedValue = lazyregexp.New(`\{\n\s+("[A-Z]+": (?:"[^"]*"|true|false))\n\s+\}`)

// plainJSON returns indented JSON for display: without HTML escapes, and with one line per
// value.
func plainJSON(text []byte) string {
	plain := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(text))
	return "  " + typedValue.ReplaceAllString(plain, "{ $1 }")
}

func (x Explanation) price(p *page) {
	c := x.Cost
	if c == nil || c.Requests.IsZero() {
		return // no request, no cost
	}
	if !c.Read.IsZero() {
		items := amount(c.Items, "item")
		if !c.Known {
			items = "an unknown number of items"
		}
		p.labelled("", "reads    ", fmt.Sprintf("%s in %s; %s a call", items, amount(c.Pages, "page"), amount(c.Requests, "request")))
	}
	for _, use := range c.Uses {
		p.labelled("", "uses     ", units(use.Read, use.Write)+" of "+use.Path.String()+": "+use.Why)
	}
	p.labelled("", "costs    ", fmt.Sprintf("%s a call, %s a month: %s on demand",
		units(c.Read, c.Write), amount(c.Calls, "call"), figures.Money(c.OnDemand)))
}

// units formats capacity: 0.5 RRU, 3 WRU, or both.
func units(read, write exact.Number) string {
	switch {
	case write.IsZero():
		return figures.Quantity(read) + " RRU"
	case read.IsZero():
		return figures.Quantity(write) + " WRU"
	}
	return figures.Quantity(read) + " RRU and " + figures.Quantity(write) + " WRU"
}

// amount formats a number with its noun: 1 page, 2.5 pages.
func amount(n exact.Number, one string) string {
	if n.Equal(exact.One) {
		return "1 " + one
	}
	return figures.Quantity(n) + " " + one + "s"
}

func (x Explanation) refused(p *page) {
	if len(x.Plan.Refused) == 0 {
		return
	}
	p.line("")
	p.heading("Paths not taken")
	g := grid{heads: []string{"path", "why"}}
	for _, refusal := range x.Plan.Refused {
		g.row(refusal.Path.String(), refusal.Reason)
	}
	g.write(p, "  ")
}

// JSON writes the explanation as JSON.
func (x Explanation) JSON(w io.Writer) error {
	type refusal struct {
		Path   string `json:"path"`
		Code   string `json:"code,omitempty"`
		Reason string `json:"reason"`
	}
	type problem struct {
		Code    string `json:"code"`
		Message string `json:"message"`
		Fix     string `json:"fix,omitempty"`
	}
	out := struct {
		Pattern  string       `json:"pattern"`
		Served   bool         `json:"served"`
		Service  string       `json:"service"`
		Path     string       `json:"path,omitempty"`
		Requests []any        `json:"requests"`
		Problems []problem    `json:"problems"`
		Refused  []refusal    `json:"refused"`
		Cost     *jsonPattern `json:"cost,omitempty"`
	}{Pattern: x.Plan.Pattern.Name, Served: x.Plan.Served(), Service: string(x.Plan.Service()), Requests: []any{}, Problems: []problem{}, Refused: []refusal{}}
	if x.Plan.Read != nil {
		out.Path = x.Plan.Read.Entry.Path.String()
		out.Requests = append(out.Requests, x.Plan.Read.Request())
	}
	if len(x.Plan.Parts) > 0 {
		out.Requests = append(out.Requests, resolve.SnapshotRequest(x.Plan.Parts))
	}
	for _, write := range x.Plan.Writes {
		out.Requests = append(out.Requests, write.Request())
	}
	for _, pr := range x.Plan.Problems {
		out.Problems = append(out.Problems, problem{string(pr.Code), pr.Message, pr.Fix})
	}
	for _, r := range x.Plan.Refused {
		out.Refused = append(out.Refused, refusal{r.Path.String(), string(r.Code), r.Reason})
	}
	if x.Cost != nil {
		priced := jsonPatternOf(x.Cost)
		out.Cost = &priced
	}
	return writeJSON(w, out)
}
