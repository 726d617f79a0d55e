package patterns

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/figures"
	"sortkey.dev/design/internal/gogen/internal/naming"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
)

// Doc returns the doc comment of a method: what it is for, the request, the price, and the
// errors that callers handle.
func (m *Method) Doc() syntax.Doc {
	p := m.Call.Pattern
	doc := syntax.Doc{naming.About(m.Name, p.Doc, m.does())}
	switch {
	case m.Call.Read != nil && m.Call.Read.Operation == resolve.BatchGetItem:
		doc[0] += fmt.Sprintf(" The result has an element for each of %s, nil where there is none.", m.many())
	case p.Verb == model.Get && p.Doc == "":
		doc[0] = strings.TrimSuffix(doc[0], ".") + ", or returns access.ErrNotFound."
	case p.Verb == model.Get:
		doc[0] += " If there is none, the error is access.ErrNotFound."
	}
	if text := m.Renamed(); text != "" {
		doc = append(doc, text)
	}
	if len(m.Parts) > 0 {
		return append(doc, m.parts()+"\n\t"+m.price(), "Fields of items that do not exist are nil. If two parts name one item, the error is access.ErrTwice.")
	}
	if m.Call.Read != nil {
		doc = append(doc, "\t"+m.Call.Read.String()+"\n\t"+m.price())
		if p.Verb == model.Collect && p.Limit > 0 {
			doc = append(doc, fmt.Sprintf("It returns at most %d items. If there are more, it returns the first %d and access.ErrTruncated.", p.Limit, p.Limit))
		}
		for _, s := range m.Call.Read.Spans() {
			doc = append(doc, fmt.Sprintf("A range of %s that spans more than %d %s is an *access.SpanError.", s.Range.Attribute.Name, s.Most, s.Units()))
		}
		return doc
	}
	doc = append(doc, m.actions()+"\n\t"+m.price())
	return append(doc, strings.Join([]string{m.returns(), m.versions(), m.failures()}, " "))
}

// Renamed says which pattern a method is that has another name, and returns "" for others.
func (m *Method) Renamed() string {
	if name := m.Call.Pattern.Name; naming.AsWritten(name) != m.Name {
		return fmt.Sprintf("It is the pattern %s: that name is taken.", name)
	}
	return ""
}

// many returns the words for the values of a get of many items.
func (m *Method) many() string {
	for _, input := range m.Call.Inputs {
		if place, ok := m.places[input].(*syntax.Ident); ok && input.Kind == program.List {
			return place.Name
		}
	}
	return "the values"
}

// verbs maps verbs to what a method does.
var verbs = map[model.Verb]string{
	model.Get: "reads one %s", model.List: "lists %s items", model.Scan: "reads every %s, in no order", model.Create: "creates one %s", model.Put: "creates or replaces one %s",
	model.Update: "updates one %s", model.Upsert: "updates one %s, or creates it", model.Delete: "deletes one %s", model.Collect: "reads %s together", model.Transact: "writes %s in one transaction",
	model.Snapshot: "reads %s as they are at one moment",
}

// does says what a method does in words of its verb.
func (m *Method) does() string {
	p := m.Call.Pattern
	entities := p.Collect
	switch {
	case p.Entity != nil:
		entities = []*model.Entity{p.Entity}
	case p.Verb == model.Transact:
		for _, step := range p.Steps {
			if !slices.Contains(entities, step.Entity) {
				entities = append(entities, step.Entity)
			}
		}
	case p.Verb == model.Snapshot:
		entities = p.Entities()
	}
	names := make([]string, len(entities))
	for i, e := range entities {
		names[i] = e.Name
	}
	if r := m.Call.Read; r != nil && r.Operation == resolve.BatchGetItem {
		return fmt.Sprintf("reads %s items by their keys", names[0])
	}
	return fmt.Sprintf(verbs[p.Verb], naming.Listed(names))
}

// actions returns the requests of a write, one line for each action.
func (m *Method) actions() string {
	writes := m.Call.Writes
	if !m.Call.Transaction() {
		w := writes[0]
		return fmt.Sprintf("\t%s %s: %s", w.Operation, w.Item.Table.Name, keyConditions(w))
	}
	lines := []string{"\tTransactWriteItems:"}
	for _, w := range writes {
		line := "\t  " + w.Name
		if w.Operation == resolve.DeleteItem && w.Guard != nil {
			line += ", freed"
		}
		if w.Repeats != nil {
			line += ", for each of " + m.members[w.Repeats]
		}
		if len(w.Statement.Only) > 0 {
			line += ", if it has a value"
		}
		lines = append(lines, line+": "+keyConditions(w))
	}
	return strings.Join(lines, "\n")
}

// parts returns the request of a snapshot, one line for each part.
func (m *Method) parts() string {
	lines := []string{"\tTransactGetItems:"}
	for _, part := range m.Parts {
		lines = append(lines, "\t  "+strings.Replace(part.Call.Read.String(), string(part.Call.Read.Operation), part.Field+" of", 1))
	}
	return strings.Join(lines, "\n")
}

func keyConditions(w *program.WriteStep) string {
	all := make([]string, len(w.Key))
	for i, c := range w.Key {
		all[i] = c.String()
	}
	return strings.Join(all, ", ")
}

// price says how many units a call takes, and how often it is made.
func (m *Method) price() string {
	c := m.Package.estimate.Pattern(m.Call.Pattern)
	if c == nil {
		return rate(m.Call.Pattern.Rate)
	}
	units := figures.Quantity(c.Write) + " WRU"
	if m.Call.Pattern.Verb.Reads() {
		units = figures.Quantity(c.Read) + " RRU"
	}
	return "about " + units + " a call, " + rate(m.Call.Pattern.Rate)
}

// periods maps the units of rates to words.
var periods = map[string]string{
	"s": "a second", "minute": "a minute", "hour": "an hour", "day": "a day", "week": "a week", "month": "a month", "year": "a year",
}

func rate(r model.Rate) string {
	n, unit, ok := strings.Cut(r.Text, "/")
	period := periods[strings.TrimSpace(unit)]
	if !ok || period == "" {
		return "called " + r.Text
	}
	n = strings.TrimSpace(n)
	times := int64(1)
	for suffix, factor := range map[string]int64{"k": 1000, "M": 1000000} {
		if digits, found := strings.CutSuffix(n, suffix); found {
			n, times = digits, factor
		}
	}
	if parsed, err := exact.Parse(n); err == nil {
		n = figures.Quantity(parsed.Times(times))
	}
	if n == "1" {
		return "1 call " + period
	}
	return n + " calls " + period
}

// returns says what a method returns.
func (m *Method) returns() string {
	switch verb := m.Call.Pattern.Verb; {
	case verb == model.Create || verb == model.Put:
		return fixedText(m.Call)
	case verb.InPlace() && !m.Call.Transaction():
		return "It returns the updated item."
	}
	return ""
}

// fixedText says which attributes of a whole item the call sets itself.
func fixedText(call *program.Call) string {
	var fixed []string
	for _, w := range call.Writes {
		if w.Given == nil {
			continue
		}
		for _, a := range w.Item.Entity.Attributes {
			if w.Stored(a).Param != a.Name {
				fixed = append(fixed, a.Name)
			}
		}
	}
	if len(fixed) == 0 {
		return "It returns the stored item."
	}
	return "It sets " + naming.Listed(fixed) + ", and returns the stored item."
}

// versions says what the version of an item that is put means.
func (m *Method) versions() string {
	names := m.putLocked()
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("Version 0 creates the %s; any other version must be the stored one.",
		orListed(names))
}

// putLocked returns the entities that are put with a version.
func (m *Method) putLocked() []string {
	var all []string
	for _, w := range m.Call.Writes {
		if name := w.Item.Entity.Name; w.Locked() && w.Step.Verb == model.Put && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// orListed joins names of which any is meant.
func orListed(names []string) string {
	return strings.Replace(naming.Listed(names), " and ", " or ", 1)
}
