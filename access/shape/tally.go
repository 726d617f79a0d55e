package shape

import (
	"slices"
	"strings"

	"sortkey.dev/access"
)

// A Tally holds what a counter counts, so that it can be computed from items.
type Tally struct {
	Of           string   // the entity that is counted
	Sum          string   // the attribute that is summed; "" if items are counted
	Mine, Theirs []string // the attributes that must be equal, of the counter's entity and of the counted one
	Where        []Condition
}

// Tally reads what a counter counts from its text. ok is false if the conditions have alternatives.
func (c Counter) Tally() (t Tally, ok bool) {
	head, rest, found := strings.Cut(c.Counts, " match ")
	if !found {
		return Tally{}, false
	}
	match, where, found := strings.Cut(rest, " where ")
	if !found {
		return Tally{}, false
	}
	t.Of, t.Sum, _ = strings.Cut(head, " sum ")
	for _, pair := range strings.Split(match, ", ") {
		mine, theirs, equal := strings.Cut(pair, " = ")
		if !equal {
			return Tally{}, false
		}
		t.Mine, t.Theirs = append(t.Mine, mine), append(t.Theirs, theirs)
	}
	if where == "" {
		return t, true
	}
	for _, text := range strings.Split(where, " and ") {
		condition, ok := readCondition(text)
		if !ok {
			return Tally{}, false
		}
		t.Where = append(t.Where, condition)
	}
	return t, true
}

// operators lists those of conditions in the text of a counter.
var operators = []string{"=", "!=", "<", "<=", ">", ">=", "between", "in", "begins_with", "exists", "missing"}

func readCondition(text string) (Condition, bool) {
	words := strings.SplitN(text, " ", 3)
	if len(words) != 3 || strings.HasPrefix(text, "(") || !slices.Contains(operators, words[1]) {
		return Condition{}, false
	}
	c := Condition{Attribute: words[0], Op: words[1]}
	switch c.Op {
	case "exists", "missing":
	case "between", "in":
		c.Values = strings.Split(words[2], ", ")
	default:
		c.Values = []string{words[2]}
	}
	return c, true
}

// Tells reports whether items of an entity tell the text of an attribute, as Text returns it.
func (r *Reader) Tells(entity, attribute string) bool {
	e := r.byName(entity)
	if e == nil {
		return false
	}
	a := e.attributes[attribute]
	return a != nil && !a.Sealed && isScalar(a.Type) && r.structs[strings.TrimSuffix(a.Type, "?")] == nil
}

// Text returns the text of an attribute of an item of an entity, the same for equal values, and whether
// the item has the attribute.
func (r *Reader) Text(entity, attribute string, item access.Item) (string, bool) {
	if !r.Tells(entity, attribute) {
		return "", false
	}
	e := r.byName(entity)
	a := e.attributes[attribute]
	text, has := e.value(r, a, item)
	return canonical(baseOf(a.Type), text), has
}

// Decides reports whether Holds can evaluate conditions. Lists of free texts cannot be told from texts with
// commas.
func (r *Reader) Decides(entity string, conditions []Condition) bool {
	for _, c := range conditions {
		if !r.Tells(entity, c.Attribute) {
			return false
		}
		base := baseOf(r.byName(entity).attributes[c.Attribute].Type)
		if (c.Op == "in" || c.Op == "between") && base == "string" || c.Op == "between" && len(c.Values) != 2 {
			return false
		}
	}
	return true
}

// Holds reports whether an item of an entity meets all conditions, as DynamoDB would decide.
func (r *Reader) Holds(entity string, conditions []Condition, item access.Item) bool {
	e := r.byName(entity)
	return e != nil && e.holds(r, conditions, item)
}
