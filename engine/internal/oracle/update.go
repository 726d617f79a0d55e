package oracle

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// An Update is an update expression as a list of its actions.
type Update []Action

// An Action is one clause of an update.
type Action struct {
	Do   string // SET, REMOVE, ADD or DELETE
	Path Path
	To   Term // the value to set, add or delete
}

// A Term is the right side of an action: a path, a value, or an operation on other terms.
type Term struct {
	Op    string // empty, +, -, if_not_exists (of Path and a term) or list_append
	Path  Path
	Value types.AttributeValue
	Of    []Term
}

// DynamoDB's errors for an update that fails.
const (
	missingOperand = "The provided expression refers to an attribute that does not exist in the item"
	wrongOperand   = "An operand in the update expression has an incorrect data type"
	invalidPath    = "The document path provided in the update expression is invalid for update"
)

// write writes an update expression; nil for none.
func (u Update) write(e *expressions) *string {
	if len(u) == 0 {
		return nil
	}
	e.begin("UpdateExpression")
	sections := map[string][]string{}
	var names []string
	for _, a := range u {
		if sections[a.Do] == nil {
			names = append(names, a.Do)
		}
		sections[a.Do] = append(sections[a.Do], a.text(e))
	}
	var texts []string
	for _, name := range names {
		texts = append(texts, name+" "+strings.Join(sections[name], ", "))
	}
	return optional(strings.Join(texts, " "))
}

func (a Action) text(e *expressions) string {
	switch a.Do {
	case "SET":
		return e.path(a.Path) + " = " + a.To.text(e)
	case "REMOVE":
		return e.path(a.Path)
	}
	return e.path(a.Path) + " " + a.To.text(e)
}

func (t Term) text(e *expressions) string {
	switch {
	case t.Op == "if_not_exists":
		return "if_not_exists(" + e.path(t.Path) + ", " + t.Of[0].text(e) + ")"
	case t.Op == "list_append":
		return "list_append(" + t.Of[0].text(e) + ", " + t.Of[1].text(e) + ")"
	case t.Op != "":
		return t.Of[0].text(e) + " " + t.Op + " " + t.Of[1].text(e)
	case t.Path != nil:
		return e.path(t.Path)
	}
	return e.value(t.Value)
}

// overlap returns DynamoDB's error for the first two overlapping paths.
func (u Update) overlap() string {
	for i, a := range u {
		for _, b := range u[i+1:] {
			if a.Path.overlaps(b.Path) {
				return fmt.Sprintf("Invalid UpdateExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: %s, path two: %s", a.Path, b.Path)
			}
		}
	}
	return ""
}

// paths returns the paths that an update changes.
func (u Update) paths() (paths []Path) {
	for _, a := range u {
		paths = append(paths, a.Path)
	}
	return paths
}

// onlyRemoves reports whether an update removes and adds nothing.
func (u Update) onlyRemoves() bool {
	adds := func(a Action) bool { return a.Do == "SET" || a.Do == "ADD" }
	return len(u) > 0 && !slices.ContainsFunc(u, adds)
}

// apply returns the item after the update. If it fails it returns one or more of
// DynamoDB's possible errors instead.
func (u Update) apply(old Item) (Item, []string) {
	next := canonical(M(old))
	var complaints []string
	for _, a := range u.inOrder() {
		v, wrong := a.To.value(old)
		complaints = append(complaints, wrong...)
		if len(wrong) > 0 {
			continue
		}
		var complaint string
		if next, complaint = change(next, a.Path, a.step(v)); complaint != "" {
			complaints = append(complaints, complaint)
		}
	}
	if len(complaints) > 0 {
		return nil, complaints
	}
	return compact(next).(*types.AttributeValueMemberM).Value, nil
}

// inOrder returns the actions in an order in which positions keep their meaning
// from before the update: elements are removed first, which leaves gaps, and values
// beyond the end of a list are appended in the order of positions.
func (u Update) inOrder() Update {
	return slices.SortedStableFunc(slices.Values(u), func(a, b Action) int {
		if c := cmp.Compare(a.rank(), b.rank()); c != 0 {
			return c
		}
		return slices.CompareFunc(a.Path, b.Path, func(x, y any) int {
			i, isInt := x.(int)
			j, areInts := y.(int)
			if isInt && areInts {
				return cmp.Compare(i, j)
			}
			return cmp.Compare(fmt.Sprint(x), fmt.Sprint(y))
		})
	})
}

func (a Action) rank() int {
	if a.Do == "REMOVE" {
		return 0
	}
	return 1
}

// value computes a right side from the item before the update.
func (t Term) value(old Item) (types.AttributeValue, []string) {
	switch {
	case t.Op == "if_not_exists" && t.Path.in(old) != nil, t.Op == "" && t.Path != nil:
		if v := t.Path.in(old); v != nil {
			return canonical(v), nil
		}
		return nil, []string{missingOperand}
	case t.Op == "if_not_exists":
		return t.Of[0].value(old)
	case t.Op == "":
		if t.Value == nil { // of a REMOVE
			return nil, nil
		}
		return canonical(t.Value), nil
	}
	a, complaints := t.Of[0].value(old)
	b, more := t.Of[1].value(old)
	complaints = append(complaints, more...)
	want := "N"
	if t.Op == "list_append" {
		want = "L"
	}
	if a != nil && kind(a) != want || b != nil && kind(b) != want {
		complaints = append(complaints, wrongOperand)
	}
	if len(complaints) > 0 {
		return nil, complaints
	}
	return operate(t.Op, a, b)
}

// operate joins two lists, or adds or subtracts two numbers.
func operate(op string, a, b types.AttributeValue) (types.AttributeValue, []string) {
	if op == "list_append" {
		return L(slices.Concat(a.(*types.AttributeValueMemberL).Value, b.(*types.AttributeValueMemberL).Value)...), nil
	}
	text, complaint := sum(text(a), text(b), op == "-")
	if complaint != "" {
		return nil, []string{complaint}
	}
	return N(text), nil
}

// gap replaces a removed element until all actions have run, so that positions do not change.
type gap struct{ types.AttributeValue }

// step returns the effect of an action on the value at its path, nil if there is none.
func (a Action) step(v types.AttributeValue) func(old types.AttributeValue) (next types.AttributeValue, complaint string) {
	return func(old types.AttributeValue) (types.AttributeValue, string) {
		switch {
		case a.Do == "SET":
			return v, ""
		case a.Do == "REMOVE" || a.Do == "DELETE" && old == nil:
			return nil, ""
		case old == nil:
			return v, ""
		case kind(old) != kind(v):
			return nil, wrongOperand
		case kind(v) == "N":
			text, complaint := sum(text(old), text(v), false)
			return N(text), complaint
		case kind(v) == "L": // of AttributeUpdates
			list, _ := operate("list_append", old, v)
			return list, ""
		}
		return mergeSets(a.Do, old, v), ""
	}
}

// mergeSets adds members to a set or deletes them from it. It returns nil when none is left.
func mergeSets(do string, set, other types.AttributeValue) types.AttributeValue {
	merged := slices.DeleteFunc(members(set), func(m types.AttributeValue) bool { return contains(other, m) })
	if do == "ADD" {
		merged = append(merged, members(other)...)
	}
	if len(merged) == 0 {
		return nil
	}
	return canonical(setOf(kind(set), merged))
}

// change replaces the value at a path with the result of do.
func change(v types.AttributeValue, p Path, do func(types.AttributeValue) (types.AttributeValue, string)) (types.AttributeValue, string) {
	if len(p) == 0 {
		return do(v)
	}
	_, byName := p[0].(string)
	if byName && kind(v) != "M" || !byName && kind(v) != "L" {
		return v, invalidPath
	}
	next, complaint := change(child(v, p[0]), p[1:], do)
	if complaint != "" {
		return v, complaint
	}
	switch v := v.(type) {
	case *types.AttributeValueMemberM:
		if next == nil {
			delete(v.Value, p[0].(string))
		} else {
			v.Value[p[0].(string)] = next
		}
	case *types.AttributeValueMemberL:
		switch i := p[0].(int); {
		case i < len(v.Value) && next == nil:
			v.Value[i] = gap{}
		case i < len(v.Value):
			v.Value[i] = next
		case next != nil:
			v.Value = append(v.Value, next)
		}
	}
	return v, ""
}

// compact closes the gaps in the lists of a value.
func compact(v types.AttributeValue) types.AttributeValue {
	switch v := v.(type) {
	case *types.AttributeValueMemberM:
		for name, member := range v.Value {
			v.Value[name] = compact(member)
		}
	case *types.AttributeValueMemberL:
		kept := []types.AttributeValue{}
		for _, e := range v.Value {
			if _, gone := e.(gap); !gone {
				kept = append(kept, compact(e))
			}
		}
		return L(kept...)
	}
	return v
}
