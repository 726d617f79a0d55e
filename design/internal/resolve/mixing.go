package resolve

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// A matcher decides what keys a condition can match.
type matcher struct {
	cond  KeyCondition
	begin string // what every match begins with
	lang  *language
}

func newMatcher(c KeyCondition) *matcher {
	m := &matcher{cond: c}
	text := c.Low
	switch c.Op {
	case model.Between:
		text, _, _ = split(c.Low, c.High)
	case model.Eq, model.BeginsWith:
	default:
		text = nil
	}
	if len(text) > 0 && text[0].Value == nil {
		m.begin = text[0].Literal
	}
	return m
}

// quick is false if the literals alone show that no key of the entity can match.
func (m *matcher) quick(k *keyTexts) bool {
	return m.cond.Kind == k.kind && !apart(m.begin, k.begin)
}

func (m *matcher) matches(k *keyTexts) bool {
	if k.kind != "S" {
		return true // any number or bytes
	}
	if m.lang == nil {
		m.lang = m.cond.matched()
	}
	return m.lang.intersects(k.language())
}

// mixed are the entities besides those asked for that a request can return too.
func (l *Layout) mixed(read *Read) []*model.Entity {
	var partition, sort []*matcher
	for _, c := range read.Partition {
		partition = append(partition, newMatcher(c))
	}
	for _, c := range read.Sort {
		sort = append(sort, newMatcher(c))
	}
	var others []*model.Entity
	for _, other := range l.onPath[read.Entry.Path] {
		if slices.Contains(read.Entities, other.Item.Entity) {
			continue
		}
		if match(partition, other.partition, (*matcher).quick) && match(sort, other.sort, (*matcher).quick) &&
			match(partition, other.partition, (*matcher).matches) && match(sort, other.sort, (*matcher).matches) {
			others = append(others, other.Item.Entity)
		}
	}
	return others
}

func match(conditions []*matcher, keys []*keyTexts, how func(*matcher, *keyTexts) bool) bool {
	for i, m := range conditions {
		if !how(m, keys[i]) {
			return false
		}
	}
	return true
}

func judgeMixing(read *Read) *Problem {
	if len(read.Mixed) == 0 {
		return nil
	}
	mixed := make([]string, len(read.Mixed))
	related := make([]diag.Related, len(read.Mixed))
	for i, e := range read.Mixed {
		mixed[i] = e.Name
		related[i] = diag.Related{Place: e.Place, Message: e.Name + " can match the same key condition"}
	}
	all := strings.Join(mixed, ", ")
	fix := fmt.Sprintf("begin the sort keys of %s and %s with literals of their own", read.Entry.Item.Entity.Name, all)
	if read.Pattern.Verb != model.Get {
		fix += ", or say collect"
	}
	return &Problem{
		Code: "C305", Place: read.Pattern.VerbPlace, Fix: fix, Related: related,
		Message: fmt.Sprintf("%s returns %s too: %s", read.Entry.Path, all, conditionsText(read)),
	}
}

func conditionsText(read *Read) string {
	var all []string
	for _, c := range slices.Concat(read.Partition, read.Sort) {
		all = append(all, c.String())
	}
	return strings.Join(all, ", ")
}
