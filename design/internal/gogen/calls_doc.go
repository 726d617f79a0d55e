package gogen

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/figures"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
)

// docs is the doc comment of a method: what it is for, the request, the price, and what
// can be in its way.
func (m *method) docs() []string {
	p := m.call.Pattern
	docs := []string{about(m.name, p.Doc, m.does())}
	if text := m.renamed(); text != "" {
		docs = append(docs, text)
	}
	if m.call.Read != nil {
		docs = append(docs, "\t"+m.call.Read.String()+"\n\t"+m.price())
		switch {
		case p.Verb == model.Get:
			docs = append(docs, "There being none is access.ErrNotFound.")
		case p.Verb == model.Collect && p.Limit > 0:
			docs = append(docs, fmt.Sprintf("It finds %d items at most. If there are more, it returns the first %d together with access.ErrTruncated.", p.Limit, p.Limit))
		}
		return docs
	}
	docs = append(docs, m.actions()+"\n\t"+m.price())
	return append(docs, m.returns(), m.versions(), m.failures())
}

// renamed says which pattern a method is that has another name; "" if it has the pattern's.
func (m *method) renamed() string {
	if name := m.call.Pattern.Name; asWritten(name) != m.name {
		return fmt.Sprintf("It is the pattern %s: DB or Tx has a method of that name already.", name)
	}
	return ""
}

// does says what a method does in words of its verb.
func (m *method) does() string {
	p := m.call.Pattern
	names := func(entities []*model.Entity) string {
		all := make([]string, len(entities))
		for i, e := range entities {
			all[i] = e.Name
		}
		return listed(all)
	}
	verbs := map[model.Verb]string{
		model.Get: "reads one %s", model.List: "lists %s items", model.Create: "writes a new %s", model.Put: "writes one %s, and replaces what is there",
		model.Update: "changes one %s", model.Delete: "deletes one %s", model.Collect: "reads %s together", model.Transact: "writes %s, all or nothing",
	}
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
	}
	return fmt.Sprintf(verbs[p.Verb], names(entities))
}

// actions are the requests of a write, one line for each action.
func (m *method) actions() string {
	writes := m.call.Writes
	if !m.call.Transaction() {
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
			line += ", for each of " + strings.TrimPrefix(m.places[w.Repeats], "params.")
		}
		if len(w.Statement.Only) > 0 {
			line += ", if there is a value"
		}
		lines = append(lines, line+": "+keyConditions(w))
	}
	return strings.Join(lines, "\n")
}

func keyConditions(w *program.Write) string {
	all := make([]string, len(w.Key))
	for i, c := range w.Key {
		all[i] = c.String()
	}
	return strings.Join(all, ", ")
}

// price is what a call takes, and how often it is made.
func (m *method) price() string {
	c := m.estimate.Pattern(m.call.Pattern)
	if c == nil {
		return rate(m.call.Pattern.Rate)
	}
	units := figures.Quantity(c.Write) + " WRU"
	if m.call.Read != nil {
		units = figures.Quantity(c.Read) + " RRU"
	}
	return "about " + units + " a call, " + rate(m.call.Pattern.Rate)
}

// periods are the units of rates as sentences say them.
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

// returns says what comes back.
func (m *method) returns() string {
	switch verb := m.call.Pattern.Verb; {
	case verb == model.Create || verb == model.Put:
		return fixedText(m.call)
	case verb == model.Update && !m.call.Transaction():
		return "It returns the item as it is now."
	}
	return ""
}

// fixedText says what of an item given whole the call decides itself.
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
		return "It returns the item as it is stored."
	}
	return "It returns the item as it is stored: the call itself sets " + listed(fixed) + "."
}

// versions says what the version of an item that is put means.
func (m *method) versions() string {
	names := m.putLocked()
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("With version 0 there must be no such %s yet. With any other there must be one that has this version: what is deleted does not come back.",
		orListed(names))
}

// putLocked are the entities that are put with a version.
func (m *method) putLocked() []string {
	var all []string
	for _, w := range m.call.Writes {
		if name := w.Item.Entity.Name; w.Locked() && w.Step.Verb == model.Put && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// orListed are names of which any is meant.
func orListed(names []string) string { return strings.Replace(listed(names), " and ", " or ", 1) }

// failures says which errors mean that something is in the way.
func (m *method) failures() string {
	var missing, existing, required, locked, taken, states []string
	add := func(list *[]string, text string) {
		if !slices.Contains(*list, text) {
			*list = append(*list, text)
		}
	}
	for _, w := range m.call.Writes {
		e := m.keyedBy(w).entity
		if w.Guard != nil {
			if w.Operation == resolve.PutItem {
				add(&taken, fmt.Sprintf("*access.TakenError if another %s has this %s", e.Name, listed(attributeNames(w.Guard.Attributes))))
			}
			continue
		}
		if w.Requirement != nil {
			add(&required, e.Name)
			if w.Locked() {
				add(&locked, e.Name)
			}
			continue
		}
		switch w.Expects() {
		case resolve.Present:
			add(&missing, e.Name)
		case resolve.Absent:
			add(&existing, e.Name)
		default:
			if w.Step.Verb == model.Delete && len(w.Statement.Condition) > 0 {
				add(&missing, e.Name)
			}
		}
		if w.Locked() {
			add(&locked, e.Name)
		}
		if len(w.Checks) > 0 {
			add(&states, fmt.Sprintf("*access.ConditionError[%s]", m.entities[e]))
		}
	}
	var all []string
	say := func(format string, list []string) {
		if len(list) > 0 {
			all = append(all, fmt.Sprintf(format, orListed(list)))
		}
	}
	say("access.ErrNotFound if there is no %s", missing)
	say("access.ErrNotFound if the %s with this version is gone", m.putLocked())
	say("access.ErrExists if there is such %s", withArticle(existing))
	say("access.ErrRequired if what it requires of %s does not hold", required)
	all = append(all, taken...)
	say("*access.VersionError if somebody else changed the %s", locked)
	say("%s if it is in another state", states)
	if m.call.Pattern.Verb == model.Update && !m.call.Transaction() {
		all = append(all, "*access.DoneError if it was changed, but cannot be read")
	}
	misstep := m.misstep()
	switch {
	case len(all) == 0 && misstep == "":
		return ""
	case m.call.Transaction() && misstep != "":
		return sentence("Errors, inside an *access.TxError: "+strings.Join(all, "; ")) + " Before anything is sent: " + sentence(misstep)
	case m.call.Transaction():
		return sentence("Errors, inside an *access.TxError: " + strings.Join(all, "; "))
	case misstep != "":
		all = append(all, misstep)
	}
	return sentence("Errors: " + strings.Join(all, "; "))
}

// withArticle puts a or an before the first of some names.
func withArticle(names []string) []string {
	if len(names) == 0 {
		return nil
	}
	article := "a "
	if strings.ContainsAny(names[0][:1], "AEIOUaeiou") {
		article = "an "
	}
	all := slices.Clone(names)
	all[0] = article + all[0]
	return all
}
