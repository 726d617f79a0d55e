package read

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/keytext"
	"sortkey.dev/design/internal/resolve/internal/layout"
)

// isPeriod reports whether a hole is a period of an instant: its year, month, day or hour.
func isPeriod(part model.Part) bool {
	if !part.IsHole() || part.Period() == "" || len(part.Filters) > 1 {
		return false
	}
	base := part.Attribute.Type.Base
	return base == model.Timestamp || base == model.Unixtime
}

// spansOf returns the ranges of time that a question asks for and whose periods are partitions
// of a path, by attribute. The pattern states how many there can be.
func spansOf(q *question, entry *layout.Entry) map[*model.Attribute]*keytext.Span {
	var all map[*model.Attribute]*keytext.Span
	for _, c := range q.where {
		f := q.fanout(c.Attribute)
		if c.Op != model.Between || f == nil {
			continue
		}
		if unit := shortest(entry, c.Attribute); unit != "" {
			if all == nil {
				all = map[*model.Attribute]*keytext.Span{}
			}
			all[c.Attribute] = &keytext.Span{Range: c, Unit: unit, Most: f.Values}
		}
	}
	return all
}

// shortest returns the shortest period of an attribute in the partition key of a path, or "".
func shortest(entry *layout.Entry, a *model.Attribute) model.FilterName {
	var unit model.FilterName
	for _, key := range entry.PK {
		for _, part := range key.Parts() {
			if part.Attribute != a || !isPeriod(part) {
				continue
			}
			_, have := unit.Period()
			if _, width := part.Period().Period(); width > have {
				unit = part.Period()
			}
		}
	}
	return unit
}

// usualPeriods are the numbers of periods that advice begins with: a year, a month, a day.
var usualPeriods = map[model.FilterName]int64{model.ByYear: 5, model.ByMon: 12, model.ByDate: 31, model.ByHour: 24}

// periodFix says how to ask a path whose partitions are periods of time: for a range with a
// stated number of periods, or period by period. It returns "" if that is not what keeps the path
// from serving the pattern.
func (r *route) periodFix(key *model.Key, hole model.Part) string {
	word, _ := hole.Period().Period()
	if word == "" {
		return ""
	}
	a, asked := hole.Attribute, r.condition(hole.Attribute)
	if isPeriod(hole) && r.pattern.Verb != model.Collect {
		word, _ = shortest(r.entry, a).Period()
		most := usualPeriods[shortest(r.entry, a)]
		between := asked != nil && asked.Op == model.Between
		switch served := r.servesSpan(a, most); {
		case served && between:
			return fmt.Sprintf("say fanout: { %s: %d }, the most %ss of a range, with one query for each", a.Name, most, word)
		case served:
			return fmt.Sprintf("ask for %s: between $from and $to and say fanout: { %s: %d }, the most %ss of a range, with one query for each", a.Name, a.Name, most, word)
		}
	}
	if asked == nil || !r.givesAllBut(a) {
		return ""
	}
	keep := ""
	if r.entity.Attribute(word) == nil {
		keep = fmt.Sprintf("keep the %s of %s in an attribute %s, ", word, a.Name, word)
	}
	return fmt.Sprintf("ask %s by %s: %swrite {%s} for %s in %s, and give %s: in $%ss with fanout, one query for each",
		word, word, keep, word, hole, key.Name, word, word)
}

// givesAllBut reports whether the question gives the whole partition key except for periods of an
// attribute.
func (r *route) givesAllBut(a *model.Attribute) bool {
	for _, key := range r.entry.PK {
		for _, part := range key.Parts() {
			if _, ok := r.value(part, true); !ok && (part.Attribute != a || !keytext.IsBucket(part)) {
				return false
			}
		}
	}
	return true
}

// servesSpan reports whether the path would serve the question with a range of an attribute and
// a stated number of periods.
func (r *route) servesSpan(a *model.Attribute, most int64) bool {
	pattern := *r.pattern
	pattern.Fanout = append(slices.Clone(pattern.Fanout), model.Fanout{Attribute: a, Values: most})
	q := &question{pattern: &pattern, entity: r.entity, filter: r.filter}
	for _, c := range r.where {
		if c.Attribute != a {
			q.where = append(q.where, c)
		}
	}
	between := &model.Condition{Attribute: a, Op: model.Between, Values: []model.Operand{{Param: "from"}, {Param: "to"}}}
	q.where = append(q.where, between)
	moved := take(q, r.entry)
	return len(moved.partition) == len(r.entry.PK) && len(moved.leftOver()) == 0 && len(moved.keyFilters()) == 0
}
