package loader

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
)

// A reader reads values, conditions and accepted findings from nodes whose shape is checked. The
// builders of all parts of a design share it.
type reader struct {
	*reporter
	declared *declarations
}

func newReader(found *findings) *reader {
	r := &reporter{found: found}
	return &reader{reporter: r, declared: newDeclarations(r)}
}

// syntax reports a syntax error, unless it is about a name whose declaration was already
// reported. owner is the entity whose attributes the text names, or nil.
func (r *reader) syntax(n *node, err *model.SyntaxError, owner *model.Entity) bool {
	if err == nil {
		return true
	}
	r.failed = true
	code := diag.Code("F006")
	if err.Unknown {
		code = "F007"
		name := substring(n.text, err.Offset, err.Length)
		if owner != nil && r.declared.broken[owner.Name+"."+name] || r.declared.broken["type "+name] {
			return false
		}
		if owner != nil && r.declared.again(owner.Name+"."+name, within(n, err.Offset, err.Length)) || owner == nil && r.declared.again("type "+name, within(n, err.Offset, err.Length)) {
			return false
		}
	}
	r.fail(code, within(n, err.Offset, err.Length), "%s", err.Message)
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

func (r *reader) rate(n *node) model.Rate {
	rate, err := model.ParseRate(n.text)
	r.syntax(n, err, nil)
	return rate
}

func (r *reader) bytes(n *node) int64 {
	if n == nil {
		return 0
	}
	size, err := model.ParseBytes(n.text)
	r.syntax(n, err, nil)
	return size
}

func (r *reader) duration(n *node) model.Duration {
	if n == nil {
		return 0
	}
	d, err := model.ParseDuration(n.text)
	r.syntax(n, err, nil)
	return d
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

// texts returns the texts of a list of scalars.
func texts(n *node) []string {
	var all []string
	for _, item := range n.list() {
		all = append(all, item.text)
	}
	return all
}

// accepts returns the findings a block accepts.
func (r *reader) accepts(n *node, scope func(*entry) model.Scope) []*model.Accept {
	var all []*model.Accept
	for _, e := range n.fit() {
		rule, ok := diag.Lookup(e.key.text)
		if !ok {
			r.fail("F013", e.key.place, "there is no rule %s%s", shown(e.key.text), r.found.didYouMean(e.key.text, ruleNames()))
			continue
		}
		if strings.TrimSpace(e.value.text) == "" {
			r.fail("F006", e.value.place, "%s needs a reason", rule.Code)
			continue
		}
		all = append(all, &model.Accept{Code: rule.Code, Reason: e.value.text, Place: e.key.place, Scope: scope(e)})
	}
	return all
}

// acceptsOf returns the findings the block of an entry accepts.
func (r *reader) acceptsOf(block *entry) (all []*model.Accept) {
	r.whole(func() {
		all = r.accepts(block.value.get("accept"), func(*entry) model.Scope { return block.scope() })
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
