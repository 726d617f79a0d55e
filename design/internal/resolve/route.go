package resolve

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// A question is what a read asks of one entity.
type question struct {
	pattern *model.Pattern
	entity  *model.Entity
	where   []*model.Condition // on attributes of the entity
	filter  []*model.Condition
}

func (q *question) condition(a *model.Attribute) *model.Condition {
	for _, c := range q.where {
		if c.Attribute == a {
			return c
		}
	}
	return nil
}

// given reports whether the attribute has one value, or one after the other.
func (q *question) given(a *model.Attribute) bool {
	c := q.condition(a)
	return c != nil && (c.Op == model.Eq || c.Op == model.In)
}

// A route is how far one path takes a question.
type route struct {
	*question
	entry     *Entry
	when      []*model.Condition
	partition []KeyCondition
	sort      []KeyCondition
	served    map[*model.Condition]bool
	each      map[*model.Attribute]int64 // requests for each attribute that needs several
	whole     bool                       // every key attribute has one value
	ranged    bool                       // the last sort condition is a range
	order     []model.Part               // what orders the result: the rest of the first sort key that varies
	ordered   *model.Key                 // the key attribute they belong to
	needed    []Text                     // for each sort key how much of its text serves conditions
	demanded  []Text                     // how much of it serves conditions the partition leaves open
	stop      *obstacle                  // what ended the walk too early, or nil
	never     *Problem                   // that no value is in the range, or nil
}

// An obstacle is why a path does not serve a question.
type obstacle struct {
	code   diag.Code
	place  diag.Place
	reason string
	fix    string // "" unless it knows better than to add an index
}

// take walks one path as far as the question allows.
func take(q *question, entry *Entry) *route {
	r := &route{
		question: q, entry: entry, when: entry.When(),
		served: map[*model.Condition]bool{}, each: map[*model.Attribute]int64{},
	}
	for _, c := range q.where {
		if implied(r.when, c) { // all entries are like that
			r.served[c] = true
		}
	}
	if r.takePartition() {
		r.takeSort()
	}
	return r
}

func (r *route) takePartition() bool {
	for _, key := range r.entry.PK {
		var text Text
		parts := key.Parts()
		for i, part := range parts {
			value, ok := r.value(part, true)
			if !ok {
				r.stop = r.unbound(key, part)
				return false
			}
			if r.cannotEnd(key, parts, i) {
				return false
			}
			r.use(part)
			text = text.with(value)
		}
		r.partition = append(r.partition, keyCondition(key, model.Eq, text))
	}
	return true
}

// cannotEnd reports whether nobody can tell where a bound value ends inside the key.
func (r *route) cannotEnd(key *model.Key, parts []model.Part, i int) bool {
	if !parts[i].IsHole() || !runsOn(parts, i) {
		return false
	}
	r.stop = &obstacle{code: "C301", reason: fmt.Sprintf(
		"in %s nothing shows where %s ends: put # after it", key.Name, parts[i].Attribute.Name)}
	return true
}

// value is what a part of a key is in the request, if the question gives it.
func (r *route) value(part model.Part, partition bool) (TextPart, bool) {
	if !part.IsHole() {
		return literal(part.Literal), true
	}
	a := part.Attribute
	if c := r.condition(a); r.given(a) {
		if c.Op == model.Eq {
			value := valueText(c.Values[0], part)
			value.Each = value.Value != nil && r.fanout(a) != nil
			return value, true
		}
		return eachOf(c, part), true
	}
	if v := r.whenValue(a); v != nil {
		return valueText(*v, part), true
	}
	if f, ok := part.Filter(model.Shard); ok && partition {
		return TextPart{Value: &model.Operand{Param: a.Name}, Attribute: a, Filters: part.Filters, Each: true, Shards: int64(f.N)}, true
	}
	return TextPart{}, false
}

// use notes what taking a part that has a value means: its condition is served, or
// there are several requests.
func (r *route) use(part model.Part) {
	a := part.Attribute
	if !part.IsHole() {
		return
	}
	if r.given(a) {
		c := r.condition(a)
		if keepsValue(part) {
			r.served[c] = true
		}
		if c.Op == model.In {
			r.each[a] = int64(len(c.Values))
		}
		return
	}
	if f, ok := part.Filter(model.Shard); ok && r.whenValue(a) == nil {
		r.each[a] = int64(f.N)
	}
}

// whenValue is the value all entries have, by their condition, or nil.
func (r *route) whenValue(a *model.Attribute) *model.Operand {
	for _, c := range r.when {
		if c.Attribute == a && c.Op == model.Eq && c.Values[0].IsConstant() {
			return &c.Values[0]
		}
	}
	return nil
}

// eachOf is one value after the other.
func eachOf(c *model.Condition, part model.Part) TextPart {
	p := TextPart{Attribute: part.Attribute, Filters: part.Filters, Each: true, Value: &model.Operand{Param: part.Attribute.Name}}
	if len(c.Values) == 1 {
		if c.Values[0].IsConstant() {
			return valueText(c.Values[0], part)
		}
		p.Value = &c.Values[0]
		return p
	}
	p.Values = c.Values
	return p
}

// keepsValue reports whether a part that has the right text means that the attribute has
// the right value. Lower and upper are there so that spelling does not matter; the
// others only narrow the search.
func keepsValue(p model.Part) bool {
	for _, f := range p.Filters {
		switch f.Name {
		case model.Pad, model.Lower, model.Upper:
		default:
			return false
		}
	}
	return true
}

// unbound says why a hole of a partition key is not given.
func (r *route) unbound(key *model.Key, part model.Part) *obstacle {
	name := part.Attribute.Name
	reason := fmt.Sprintf("%s needs %s, which the pattern does not give", key.Name, name)
	if key.Template == nil {
		reason = fmt.Sprintf("the pattern does not give %s", name)
	}
	fix := ""
	if c := r.condition(part.Attribute); c != nil {
		reason = fmt.Sprintf("%s needs one value of %s, and the pattern asks for a range", key.Name, name)
		if !keepsValue(part) {
			reason = fmt.Sprintf("a range of %s lies in several partitions %s, one query each", name, part)
			fix = r.bucketFix(key, part)
		}
	}
	return &obstacle{code: "C301", reason: reason, fix: fix}
}

// takeSort walks the sort key from left to right as long as its parts are given.
func (r *route) takeSort() {
	for _, key := range r.entry.SK {
		parts := key.Parts()
		text, at := r.takeParts(key, parts)
		if at == len(parts) {
			r.sort = append(r.sort, keyCondition(key, model.Eq, text))
			continue
		}
		r.order, r.ordered = parts[at:], key
		if r.takeRange(stretch{key: key, prefix: text, parts: parts, hole: at}) {
			return
		}
		if len(text) > 0 {
			r.sort = append(r.sort, keyCondition(key, model.BeginsWith, text))
		}
		return
	}
	r.whole = true
}

// takeParts takes the parts that are given, up to the first that is not, and notes how
// much of the text they make serves conditions.
func (r *route) takeParts(key *model.Key, parts []model.Part) (text Text, at int) {
	var needed, demanded Text
	defer func() { r.needed, r.demanded = append(r.needed, needed), append(r.demanded, demanded) }()
	for i, part := range parts {
		value, ok := r.value(part, false)
		if !ok || r.cannotEnd(key, parts, i) {
			return text, i
		}
		asks := r.condition(part.Attribute)
		open := asks != nil && !r.served[asks]
		r.use(part)
		text = text.with(value)
		if part.IsHole() {
			needed = text
		}
		if open {
			demanded = text
		}
	}
	return text, len(parts)
}

// takeRange uses a range on the hole the walk stopped at.
func (r *route) takeRange(s stretch) bool {
	part := s.parts[s.hole]
	s.cond = r.condition(part.Attribute)
	if s.cond == nil || !s.cond.Op.IsRange() || r.stop != nil {
		return false
	}
	if r.stop = cannotRange(s); r.stop != nil {
		return false
	}
	r.served[s.cond], r.ranged, r.never = true, true, s.never()
	r.sort = append(r.sort, s.condition())
	return true
}

// cannotRange says why a range on a hole cannot be asked for, or nil.
func cannotRange(s stretch) *obstacle {
	part, place := s.parts[s.hole], s.cond.Place
	name := part.Attribute.Name
	if !keepsValue(part) {
		return &obstacle{code: "C301", place: place, reason: fmt.Sprintf("%s holds only %s, which does not answer a range of %s", s.key.Name, part, name)}
	}
	if s.cond.Op == model.BeginsWith {
		if part.Attribute.Type.IsNumber() {
			return &obstacle{code: "C301", place: place, reason: name + " is a number, which begins with nothing"}
		}
		return nil
	}
	if code, reason := doesNotSort(s.key, part); code != "" {
		return &obstacle{code: code, place: place, reason: reason}
	}
	if s.key.Template != nil && !s.isLast() && !s.delimited() && !fixedWidth(part) {
		return &obstacle{code: "C301", place: place, reason: fmt.Sprintf("in %s nothing shows where %s ends: put # after it", s.key.Name, name)}
	}
	return nil
}

// doesNotSort says why sorting by a hole is not sorting by its attribute, with the rule
// that speaks of it, or "".
func doesNotSort(key *model.Key, part model.Part) (diag.Code, string) {
	order := part.Attribute.Type.AsKey()
	if key.Template != nil {
		order = part.Order()
	}
	name, typ := part.Attribute.Name, part.Attribute.Type
	switch {
	case order == model.ByValue:
		return "", ""
	case order == model.ByText && typ.Base == model.Integer:
		return "O202", fmt.Sprintf("%s sorts %s as text, 10 before 9", key.Name, name)
	case order == model.ByText:
		return "O203", fmt.Sprintf("%s sorts %s as text, and its width varies", key.Name, name)
	}
	return "O201", fmt.Sprintf("%s sorts by %s, which is random", key.Name, name)
}

// leftOver are the conditions the key does not serve.
func (r *route) leftOver() []*model.Condition {
	var rest []*model.Condition
	for _, c := range r.where {
		if !r.served[c] {
			rest = append(rest, c)
		}
	}
	return rest
}

// near counts the conditions the path serves.
func (r *route) near() int {
	n := 0
	for _, c := range r.where {
		if r.served[c] {
			n++
		}
	}
	return n
}

// unserved says why a condition is left over.
func (r *route) unserved(c *model.Condition) *obstacle {
	for _, key := range r.entry.SK {
		if !slices.Contains(key.Attributes(), c.Attribute) {
			continue
		}
		if r.stop != nil {
			return r.stop
		}
		if r.ordered == nil || len(r.order) == 0 {
			break
		}
		what := "which is not given"
		if r.ranged {
			what = "which is a range already"
		}
		if before := r.order[0].Attribute; before != c.Attribute {
			return &obstacle{code: "C301", place: c.Place, reason: fmt.Sprintf("in the sort key %s comes after %s, %s", c.Attribute.Name, before.Name, what)}
		}
	}
	return &obstacle{code: "C301", place: c.Place, reason: fmt.Sprintf("its key does not hold %s", c.Attribute.Name)}
}

// names lists attributes as people read them.
func names(list []*model.Attribute) string {
	all := make([]string, len(list))
	for i, a := range list {
		all[i] = a.Name
	}
	return strings.Join(all, ", ")
}
