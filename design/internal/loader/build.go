package loader

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
)

// build builds the model of a checked design. It reports and omits what cannot be parsed, and
// omits everything that depends on it without a finding.
func build(root *node, ends map[string]int, found *findings) *model.Design {
	b := &builder{
		found: found, ends: ends,
		design:   &model.Design{Place: root.place},
		structs:  map[string]*model.Struct{},
		entities: map[string]*model.Entity{},
		patterns: map[string]*model.Pattern{},
		indexed:  map[*model.Entity]map[string]*model.Attribute{},
		broken:   map[string]bool{},
	}
	d := b.design
	if n := root.get("design"); n != nil {
		d.Name, d.Place = n.text, n.place
	}
	d.Doc, d.Region = root.get("doc").str(), root.get("region").str()
	b.structTypes(root.get("types"))
	b.allEntities(root.get("entities"))
	d.Tables = b.tables(root.get("tables"))
	b.alternatives(root.get("alternatives"))
	b.allPatterns(root.get("patterns"))
	b.profiles(root.get("profiles"))
	b.roles(root.get("roles"))
	d.Prices = b.prices(root.get("prices"))
	d.FreeTier = b.freeTier(root.get("free_tier"))
	b.claims(root.get("expect"))
	d.Accepts = b.accepts(root.get("accept"), func(e *entry) model.Scope {
		file := e.key.place.File
		return model.Scope{File: file, First: 1, Last: b.ends[file]}
	})
	if d.Name == "" && len(d.Entities) == 0 && len(d.Tables) == 0 && len(d.Patterns) == 0 {
		return nil
	}
	return d
}

type builder struct {
	found    *findings
	ends     map[string]int // last line of each file
	design   *model.Design
	structs  map[string]*model.Struct
	entities map[string]*model.Entity
	patterns map[string]*model.Pattern
	indexed  map[*model.Entity]map[string]*model.Attribute
	broken   map[string]bool // names that are in the file but could not be parsed: "entity User", "User.email"
	subject  string
	failed   bool // a part of the current element could not be parsed
}

// fail reports a finding and marks the current element as failed.
func (b *builder) fail(code diag.Code, place diag.Place, format string, args ...any) {
	b.add(diag.Finding{Code: code, Place: place, Message: fmt.Sprintf(format, args...)})
}

func (b *builder) add(f diag.Finding) {
	b.failed = true
	f.Subject = b.subject
	b.found.add(f)
}

// whole runs part and reports whether it succeeded completely.
func (b *builder) whole(part func()) bool {
	outer := b.failed
	b.failed = false
	part()
	ok := !b.failed
	b.failed = outer
	return ok
}

// about runs part with a subject for its findings.
func (b *builder) about(subject string, part func()) {
	before := b.subject
	b.subject = subject
	part()
	b.subject = before
}

// syntax reports a syntax error, unless it is about a name whose declaration was already
// reported. owner is the entity whose attributes the text names, or nil.
func (b *builder) syntax(n *node, err *model.SyntaxError, owner *model.Entity) bool {
	if err == nil {
		return true
	}
	b.failed = true
	code := diag.Code("F006")
	if err.Unknown {
		code = "F007"
		name := substring(n.text, err.Offset, err.Length)
		if owner != nil && b.broken[owner.Name+"."+name] || b.broken["type "+name] {
			return false
		}
	}
	b.fail(code, within(n, err.Offset, err.Length), "%s", err.Message)
	return false
}

// within returns the place of some characters of a scalar, as far as they are on one line.
func within(n *node, offset, length int) diag.Place {
	place := n.place
	var last int
	place.Line, place.Column = n.doc.At(n.written, offset)
	last, place.EndColumn = n.doc.At(n.written, offset+length)
	if last != place.Line {
		place.EndColumn = utf8.RuneCountInString(n.doc.Line(place.Line)) + 1
	}
	place.EndColumn = max(place.EndColumn, place.Column+1)
	return place
}

func substring(text string, offset, length int) string {
	runes := []rune(text)
	start := min(offset, len(runes))
	return string(runes[start:min(start+length, len(runes))])
}

// entity returns the entity a node names.
func (b *builder) entity(n *node) *model.Entity {
	if n == nil {
		b.failed = true
		return nil
	}
	e := b.entities[n.text]
	if e == nil {
		b.unknown(n, "entity", n.text, slices.Sorted(maps.Keys(b.entities)))
	}
	return e
}

// unknown reports an undeclared name, unless its declaration was already reported.
func (b *builder) unknown(n *node, kind, name string, candidates []string) {
	b.failed = true
	if !b.broken[kind+" "+name] {
		b.fail("F007", n.place, "there is no %s %s%s", kind, shown(name), b.found.didYouMean(name, candidates))
	}
}

// attribute returns the attribute of an entity a node names.
func (b *builder) attribute(e *model.Entity, n *node) *model.Attribute {
	a := b.find(e, n.text)
	if a != nil {
		return a
	}
	b.failed = true
	if !b.broken[e.Name+"."+n.text] && !b.found.full() {
		b.fail("F007", n.place, "%s has no attribute %s%s", e.Name, shown(n.text), b.found.didYouMean(n.text, b.declaredNames(e)))
	}
	return nil
}

// few is the number of attributes up to which a linear search is faster than a map.
const few = 32

// find returns the attribute of an entity by its name, or nil.
func (b *builder) find(e *model.Entity, name string) *model.Attribute {
	if len(e.Attributes) <= few {
		return e.Attribute(name)
	}
	index := b.indexed[e]
	if len(index) != len(e.Attributes) {
		index = make(map[string]*model.Attribute, len(e.Attributes))
		for _, a := range e.Attributes {
			index[a.Name] = a
		}
		b.indexed[e] = index
	}
	return index[name]
}

// declaredNames returns the names of an entity's attributes, including those that could not
// be parsed.
func (b *builder) declaredNames(e *model.Entity) []string {
	names := attributeNames(e)
	for _, key := range slices.Sorted(maps.Keys(b.broken)) {
		if name, ok := strings.CutPrefix(key, e.Name+"."); ok {
			names = append(names, name)
		}
	}
	return names
}

func attributeNames(e *model.Entity) []string {
	names := make([]string, len(e.Attributes))
	for i, a := range e.Attributes {
		names[i] = a.Name
	}
	return names
}

// attributes returns the attributes a node names: one, or a list.
func (b *builder) attributes(e *model.Entity, n *node) []*model.Attribute {
	if n == nil {
		return nil
	}
	names := n.items
	if n.kind == scalar {
		names = []*node{n}
	}
	all := make([]*model.Attribute, 0, len(names))
	var seen attributeSet
	for _, item := range names {
		a := b.attribute(e, item)
		switch {
		case a == nil:
		case !seen.add(a):
			b.fail("F006", item.place, "%s is listed twice", a.Name)
		default:
			all = append(all, a)
		}
	}
	return all
}

// An attributeSet is a set of attributes, usually small.
type attributeSet struct {
	some []*model.Attribute
	many map[*model.Attribute]bool
}

// add reports whether an attribute is new to the set, and adds it.
func (s *attributeSet) add(a *model.Attribute) bool {
	if len(s.some) < few {
		if slices.Contains(s.some, a) {
			return false
		}
		s.some = append(s.some, a)
		return true
	}
	if s.many == nil {
		s.many = map[*model.Attribute]bool{}
	}
	if s.many[a] || slices.Contains(s.some, a) {
		return false
	}
	s.many[a] = true
	return true
}

// optionalAttribute returns the attribute a key of an entity names, or nil if there is no key.
func (b *builder) optionalAttribute(e *model.Entity, n *node) *model.Attribute {
	if n == nil {
		return nil
	}
	return b.attribute(e, n)
}

// number returns the number of a node, whose shape is already checked.
func number(n *node) exact.Number {
	if n == nil {
		return exact.Zero
	}
	value, err := parseNumber(n.text)
	if err != nil {
		return exact.Zero
	}
	return value
}

// parseNumber parses a number, with a fast path for small whole numbers.
func parseNumber(text string) (exact.Number, error) {
	if len(text) > 0 && len(text) <= 9 && strings.Trim(text, "0123456789") == "" {
		value, err := strconv.Atoi(text)
		return exact.Int(int64(value)), err
	}
	return exact.Parse(text)
}

// optionalNumber returns the number of a node, nil if there is no node.
func optionalNumber(n *node) *exact.Number {
	if n == nil {
		return nil
	}
	value := number(n)
	return &value
}

func isTrue(n *node) bool { return n.str() == "true" }

func (b *builder) rate(n *node) model.Rate {
	rate, err := model.ParseRate(n.text)
	b.syntax(n, err, nil)
	return rate
}

func (b *builder) bytes(n *node) int64 {
	if n == nil {
		return 0
	}
	size, err := model.ParseBytes(n.text)
	b.syntax(n, err, nil)
	return size
}

func (b *builder) duration(n *node) model.Duration {
	if n == nil {
		return 0
	}
	d, err := model.ParseDuration(n.text)
	b.syntax(n, err, nil)
	return d
}

// texts returns the texts of a list of scalars.
func texts(n *node) []string {
	var all []string
	for _, item := range n.list() {
		all = append(all, item.text)
	}
	return all
}

// accepts returns the findings a block accepts.
func (b *builder) accepts(n *node, scope func(*entry) model.Scope) []*model.Accept {
	var all []*model.Accept
	for _, e := range n.fit() {
		rule, ok := diag.Lookup(e.key.text)
		if !ok {
			b.fail("F013", e.key.place, "there is no rule %s%s", shown(e.key.text), b.found.didYouMean(e.key.text, ruleNames()))
			continue
		}
		if strings.TrimSpace(e.value.text) == "" {
			b.fail("F006", e.value.place, "%s needs a reason", rule.Code)
			continue
		}
		all = append(all, &model.Accept{Code: rule.Code, Reason: e.value.text, Place: e.key.place, Scope: scope(e)})
	}
	return all
}

// acceptsOf returns the findings the block of an entry accepts.
func (b *builder) acceptsOf(block *entry) (all []*model.Accept) {
	b.whole(func() {
		all = b.accepts(block.value.get("accept"), func(*entry) model.Scope { return block.scope() })
	})
	return all
}

func ruleNames() []string {
	var names []string
	for _, rule := range diag.Rules() {
		names = append(names, string(rule.Code), rule.Name)
	}
	return names
}
