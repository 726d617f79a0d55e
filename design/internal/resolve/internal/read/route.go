package read

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/keytext"
	"sortkey.dev/design/internal/resolve/internal/layout"
	"sortkey.dev/design/internal/resolve/internal/logic"
	"sortkey.dev/design/internal/resolve/internal/plan"
)

// A route is the part of a question that one path serves.
type route struct {
	*question
	entry     *layout.Entry
	when      []*model.Condition
	partition []keytext.Condition
	sort      []keytext.Condition
	served    map[*model.Condition]bool
	each      map[*model.Attribute]int64 // requests for each attribute that needs several
	spans     map[*model.Attribute]*keytext.Span
	whole     bool           // every key attribute has one value
	ranged    bool           // the last sort condition is a range
	order     []model.Part   // the parts that order the result: the rest of the first sort key that varies
	ordered   *model.Key     // the key attribute they belong to
	needed    []keytext.Text // for each sort key the part of its text that serves conditions
	demanded  []keytext.Text // the part of it that serves conditions the partition leaves open
	stop      *obstacle      // why the walk ended too early, or nil
	never     *plan.Problem  // that no value is in the range, or nil
}

// An obstacle is a reason why a path does not serve a question.
type obstacle struct {
	code   diag.Code
	place  diag.Place
	reason string
	fix    string // "" unless it knows better than to add an index
}

// take takes one path as far as the question allows.
func take(q *question, entry *layout.Entry) *route {
	r := &route{
		question: q, entry: entry, when: entry.When(),
		served: map[*model.Condition]bool{}, each: map[*model.Attribute]int64{}, spans: spansOf(q, entry),
	}
	for _, c := range q.where {
		if logic.Implied(r.when, c) { // all entries are like that
			r.served[c] = true
		}
	}
	if r.takePartition() {
		r.takeSort()
	}
	return r
}

// takePartition takes the whole partition key, and reports whether all of it is given.
func (r *route) takePartition() bool {
	for _, key := range r.entry.PK {
		var text keytext.Text
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
			text = text.With(value)
		}
		r.partition = append(r.partition, keytext.NewCondition(key, model.Eq, text))
	}
	return true
}

// delimiter returns the delimiter of the keys.
func (r *route) delimiter() model.Delimiter { return r.entry.Path.Table.Delimiter }

// cannotEnd reports whether nothing shows where a bound value ends inside the key.
func (r *route) cannotEnd(key *model.Key, parts []model.Part, i int) bool {
	if !parts[i].IsHole() || !keytext.RunsOn(parts, i) {
		return false
	}
	r.stop = &obstacle{code: "C301", reason: fmt.Sprintf(
		"in %s nothing shows where %s ends: put %s after it", key.Name, parts[i].Attribute.Name, r.delimiter())}
	return true
}

// value returns the part of a key as the request has it, if the question gives it.
func (r *route) value(part model.Part, partition bool) (keytext.TextPart, bool) {
	if !part.IsHole() {
		return keytext.Literal(part.Literal), true
	}
	a := part.Attribute
	if c := r.condition(a); r.given(a) {
		if c.Op == model.Eq {
			value := keytext.Hole(c.Values[0], part)
			value.Each = value.Value != nil && r.fanout(a) != nil
			return value, true
		}
		return eachOf(c, part), true
	}
	if v := r.whenValue(a); v != nil {
		return keytext.Hole(*v, part), true
	}
	if s := r.spans[a]; s != nil && partition && isPeriod(part) {
		return keytext.TextPart{Value: &model.Operand{Param: a.Name}, Attribute: a, Filters: part.Filters, Delimiter: part.Delimiter, Each: true, Span: s}, true
	}
	if f, ok := part.Filter(model.Shard); ok && partition {
		return keytext.TextPart{Value: &model.Operand{Param: a.Name}, Attribute: a, Filters: part.Filters, Each: true, Shards: int64(f.N)}, true
	}
	return keytext.TextPart{}, false
}

// use notes the consequence of taking a part that has a value: its condition is served,
// or there are several requests.
func (r *route) use(part model.Part) {
	a := part.Attribute
	if !part.IsHole() {
		return
	}
	if r.given(a) {
		c := r.condition(a)
		if keytext.KeepsValue(part) {
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

// whenValue returns the value that all entries have, by their condition, or nil.
func (r *route) whenValue(a *model.Attribute) *model.Operand {
	for _, c := range r.when {
		if c.Attribute == a && c.Op == model.Eq && c.Values[0].IsConstant() {
			return &c.Values[0]
		}
	}
	return nil
}

// eachOf returns the part of a key that takes one value after the other.
func eachOf(c *model.Condition, part model.Part) keytext.TextPart {
	p := keytext.TextPart{Attribute: part.Attribute, Filters: part.Filters, Open: part.Open, Delimiter: part.Delimiter, Each: true, Value: &model.Operand{Param: part.Attribute.Name}}
	if len(c.Values) == 1 {
		if c.Values[0].IsConstant() {
			return keytext.Hole(c.Values[0], part)
		}
		p.Value = &c.Values[0]
		return p
	}
	p.Values = c.Values
	return p
}

// unbound returns why a hole of a partition key is not given.
func (r *route) unbound(key *model.Key, part model.Part) *obstacle {
	name := part.Attribute.Name
	reason := fmt.Sprintf("%s needs %s, which the pattern does not give", key.Name, name)
	if key.Template == nil {
		reason = fmt.Sprintf("the pattern does not give %s", name)
	}
	if c := r.condition(part.Attribute); c != nil {
		reason = fmt.Sprintf("%s needs one value of %s, and the pattern asks for a range", key.Name, name)
		if !keytext.KeepsValue(part) {
			reason = fmt.Sprintf("a range of %s lies in several partitions %s, one query each", name, part)
		}
	}
	return &obstacle{code: "C301", reason: reason, fix: r.periodFix(key, part)}
}

// takeSort takes the sort key from left to right as long as its parts are given.
func (r *route) takeSort() {
	for _, key := range r.entry.SK {
		parts := key.Parts()
		text, at := r.takeParts(key, parts)
		if at == len(parts) {
			r.sort = append(r.sort, keytext.NewCondition(key, model.Eq, text))
			continue
		}
		r.order, r.ordered = parts[at:], key
		if r.takeRange(keytext.Range{Key: key, Prefix: text, Parts: parts, Hole: at}) {
			return
		}
		if len(text) > 0 {
			r.sort = append(r.sort, keytext.NewCondition(key, model.BeginsWith, text))
		}
		return
	}
	r.whole = true
}

// takeParts takes the parts that are given, up to the first that is not, and notes which
// part of their text serves conditions.
func (r *route) takeParts(key *model.Key, parts []model.Part) (text keytext.Text, at int) {
	var needed, demanded keytext.Text
	defer func() { r.needed, r.demanded = append(r.needed, needed), append(r.demanded, demanded) }()
	for i, part := range parts {
		value, ok := r.value(part, false)
		if !ok || r.cannotEnd(key, parts, i) {
			return text, i
		}
		asks := r.condition(part.Attribute)
		open := asks != nil && !r.served[asks]
		r.use(part)
		text = text.With(value)
		if part.IsHole() {
			needed = text
		}
		if open {
			demanded = text
		}
	}
	return text, len(parts)
}

// takeRange takes a range on the hole that the walk stopped at.
func (r *route) takeRange(s keytext.Range) bool {
	part := s.Parts[s.Hole]
	s.Cond = r.condition(part.Attribute)
	if s.Cond == nil || !s.Cond.Op.IsRange() || r.stop != nil {
		return false
	}
	if r.stop = cannotRange(s); r.stop != nil {
		return false
	}
	r.served[s.Cond], r.ranged, r.never = true, true, never(s)
	r.sort = append(r.sort, s.Condition())
	return true
}

// never returns the problem that no value is in a range, or nil.
func never(s keytext.Range) *plan.Problem {
	where := s.Empty()
	if where == "" {
		return nil
	}
	return &plan.Problem{
		Code: "F006", Place: s.Cond.Place,
		Message: fmt.Sprintf("%s finds nothing: no %s is %s %s", s.Cond, s.Parts[s.Hole].Attribute.Name, where, s.Cond.Values[0].Constant),
		Fix:     "ask for another value, or remove the pattern",
	}
}

// cannotRange returns why a range on a hole cannot be asked for, or nil.
func cannotRange(s keytext.Range) *obstacle {
	part, place := s.Parts[s.Hole], s.Cond.Place
	name := part.Attribute.Name
	if !keytext.KeepsValue(part) {
		return &obstacle{code: "C301", place: place, reason: fmt.Sprintf("%s holds only %s, which does not answer a range of %s", s.Key.Name, part, name)}
	}
	if s.Cond.Op == model.BeginsWith {
		if part.Attribute.Type.IsNumber() {
			return &obstacle{code: "C301", place: place, reason: name + " is a number, which begins with nothing"}
		}
		return nil
	}
	if code, reason := doesNotSort(s.Key, part); code != "" {
		return &obstacle{code: code, place: place, reason: reason}
	}
	if keytext.Unsorted(s.Parts, s.Hole) {
		return &obstacle{code: "C301", place: place, reason: unsorted(s.Key, part), fix: sortedFix(s.Key, part)}
	}
	if s.EndUnmarked() {
		return &obstacle{code: "C301", place: place, reason: fmt.Sprintf("in %s nothing shows where %s ends: put %s after it", s.Key.Name, name, part.Delimiter)}
	}
	return nil
}

// unsorted says why keys do not sort by a hole before the delimiter, and sortedFix how they
// would.
func unsorted(key *model.Key, part model.Part) string {
	return fmt.Sprintf("%s does not sort by %s: %s in it sorts before the %s behind it", key.Name, part.Attribute.Name, part.Delimiter.Sooner(), part.Delimiter)
}

func sortedFix(key *model.Key, part model.Part) string {
	return fmt.Sprintf("put {%s} last in %s, or give it a form of fixed width", part.Attribute.Name, key.Name)
}

// doesNotSort returns why sorting by a hole is not sorting by its attribute, with the rule
// that is broken, or "".
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

// leftOver returns the conditions that the key does not serve.
func (r *route) leftOver() []*model.Condition {
	var rest []*model.Condition
	for _, c := range r.where {
		if !r.served[c] {
			rest = append(rest, c)
		}
	}
	return rest
}

// near counts the conditions that the path serves.
func (r *route) near() int {
	n := 0
	for _, c := range r.where {
		if r.served[c] {
			n++
		}
	}
	return n
}

// unserved returns why a condition is left over.
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

// filters returns the filters that may drop items: all entries of the path fulfil the others.
func (r *route) filters() []*model.Condition {
	var all []*model.Condition
	for _, c := range r.filter {
		if !logic.ComparesConstants(c) || !logic.Implied(r.when, c) {
			all = append(all, c)
		}
	}
	return all
}

// keyFilters returns the filters on key attributes of the path, which DynamoDB refuses.
func (r *route) keyFilters() []*model.Condition {
	var all []*model.Condition
	for _, c := range r.filter {
		if r.keyAttribute(c) != nil {
			all = append(all, c)
		}
	}
	return all
}

// keyAttribute returns an attribute of a condition that is a key attribute of the path, or nil.
func (r *route) keyAttribute(c *model.Condition) *model.Attribute {
	for _, a := range logic.Compared(c) {
		if a.InKey || slices.ContainsFunc(r.entry.Keys(), func(k *model.Key) bool { return k.Name == a.Stored }) {
			return a
		}
	}
	return nil
}

// filtersKey returns the obstacle that a filter is about a key attribute.
func (r *route) filtersKey(c *model.Condition) *obstacle {
	name := r.keyAttribute(c).Name
	if r.keyAttribute(c).InKey {
		return &obstacle{
			code: "C301", place: c.Place,
			reason: fmt.Sprintf("%s exists only in the key, and DynamoDB filters by attributes; ask for it in where", name),
			fix:    fmt.Sprintf("ask for %s in where, remove in: key so that it is stored as well, or drop what does not fit after the read", name),
		}
	}
	return &obstacle{
		code: "C301", place: c.Place,
		reason: fmt.Sprintf("DynamoDB does not filter by a key attribute, here %s; ask for it in where", name),
		fix:    fmt.Sprintf("ask for %s in where as a range or one value, or drop what does not fit after the read", name),
	}
}

// whenOf returns the condition of an index on an attribute, or nil.
func whenOf(when []*model.Condition, a *model.Attribute) *model.Condition {
	for _, w := range when {
		if w.Attribute == a {
			return w
		}
	}
	return nil
}

// namesOne reports whether each request names one item of the table.
func (r *route) namesOne() bool { return r.entry.Path.IsTable() && r.whole }

// isGet reports whether one item of the table answers the pattern. A list stays a query: it
// is asked in pages, and for several values.
func (r *route) isGet() bool {
	return r.pattern.Verb == model.Get && r.namesOne() && !r.fansOut()
}

// isBatch reports whether the pattern asks for one item of the table for each of several values
// of one attribute.
func (r *route) isBatch() bool {
	if r.pattern.Verb != model.Get || !r.namesOne() {
		return false
	}
	var fanned []*model.Attribute
	for _, c := range slices.Concat(r.partition, r.sort) {
		for _, part := range c.Low {
			switch {
			case part.Shards > 0:
				return false
			case part.Each && !slices.Contains(fanned, part.Attribute):
				fanned = append(fanned, part.Attribute)
			}
		}
	}
	return len(fanned) == 1
}

// fansOut reports whether there is one request for each of several values.
func (r *route) fansOut() bool {
	return slices.ContainsFunc(slices.Concat(r.partition, r.sort), func(c keytext.Condition) bool {
		return slices.ContainsFunc(c.Low, func(part keytext.TextPart) bool { return part.Each })
	})
}

// refused returns the refusal of the path for an obstacle.
func (r *route) refused(o *obstacle) *plan.Refusal {
	return &plan.Refusal{Path: r.entry.Path, Code: o.code, Reason: o.reason, Near: r.near(), Place: o.place, Fix: o.fix}
}

// partial returns the obstacle that an index holds only some of the items.
func (r *route) partial(w *model.Condition) *obstacle {
	reason := "it holds only items with " + w.String()
	if logic.Contradicted(r.where, w) {
		reason += ", and the pattern asks for others"
	}
	place := r.pattern.WhereAt
	if c := r.condition(w.Attribute); c != nil {
		place = c.Place
	}
	o := &obstacle{code: "C310", place: place, reason: reason}
	if w.Op == model.Missing || w.Op == model.Exists { // which where cannot say
		o.fix = fmt.Sprintf("ask for what it holds with filter: %s", w)
	}
	return o
}
