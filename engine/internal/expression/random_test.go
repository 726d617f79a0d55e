package expression

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"sortkey.dev/engine/internal/dynamo"
)

// A generator generates random items and expressions, with few names and many
// coincidences, and for every expression a naive evaluator.
type generator struct {
	*rand.Rand
	t      testing.TB
	values map[string]any
}

func newGenerator(t testing.TB) *generator {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return &generator{Rand: rand.New(rand.NewPCG(seed, 0)), t: t, values: map[string]any{}}
}

func pick[T any](g *generator, options ...T) T { return options[g.IntN(len(options))] }

func (g *generator) scalar() any {
	switch g.IntN(6) {
	case 0, 1:
		return num(pick(g, "0", "1", "2", "3", "-1", "10", "1.5", "-0.25"))
	case 2, 3:
		return text(pick(g, "", "a", "ab", "abc", "b", "é", "𝄞", "｡", "\"q\""))
	case 4:
		return blob(pick(g, "", "a", "ab", "\x00", "\xff"))
	default:
		return pick[any](g, boolean(true), boolean(false), null{})
	}
}

func (g *generator) set() any {
	s := set{pick(g, dynamo.KindStringSet, dynamo.KindNumberSet, dynamo.KindBinarySet), map[string]bool{}}
	options := []string{"a", "b", "ab"}
	if s.kind == dynamo.KindNumberSet {
		options = []string{"0", "1", "10"}
	}
	for range 1 + g.IntN(2) {
		s.members[pick(g, options...)] = true
	}
	return s
}

func (g *generator) value(depth int) any {
	switch n := g.IntN(10); {
	case depth > 0 && n < 2:
		l := list{}
		for i := range g.IntN(4) {
			l[i] = g.value(depth - 1)
		}
		return l
	case depth > 0 && n < 4:
		return g.document(depth - 1)
	case n < 5:
		return g.set()
	default:
		return g.scalar()
	}
}

func (g *generator) document(depth int) document {
	d := document{}
	for range g.IntN(5) {
		d[pick(g, "a", "b", "c", "d", "e")] = g.value(depth)
	}
	return d
}

func (g *generator) item(d document) dynamo.Item {
	return encodedValue(g.t, d).Map().Clone()
}

// placeholder returns a placeholder for a value.
func (g *generator) placeholder(v any) string {
	name := fmt.Sprintf(":v%d", len(g.values))
	g.values[name] = v
	return name
}

// scope returns the scope of what was generated so far and resets the generator.
func (g *generator) scope() *Scope {
	vals := map[string]dynamo.Value{}
	for name, v := range g.values {
		vals[name] = encodedValue(g.t, v)
	}
	g.values = map[string]any{}
	return NewScope(map[string]string{"#a": "a", "#b": "b"}, vals)
}

// path returns a document path and its steps.
func (g *generator) path() (string, []any) {
	name := pick(g, "a", "b", "c", "d", "e")
	text, steps := name, []any{name}
	if (name == "a" || name == "b") && g.IntN(3) == 0 {
		text = "#" + name
	}
	for g.IntN(3) == 0 {
		if g.IntN(2) == 0 {
			i := g.IntN(4)
			text, steps = fmt.Sprintf("%s[%d]", text, i), append(steps, i)
		} else {
			name := pick(g, "a", "b", "c")
			text, steps = text+"."+name, append(steps, name)
		}
	}
	return text, steps
}

type operandFunc func(document) any

func (g *generator) operand() (string, operandFunc) {
	switch g.IntN(6) {
	case 0:
		v := g.value(1)
		return g.placeholder(v), func(document) any { return v }
	case 1, 2:
		v := g.scalar()
		return g.placeholder(v), func(document) any { return v }
	case 3:
		text, steps := g.path()
		return "size(" + text + ")", func(d document) any { return sizeOf(get(d, steps...)) }
	default:
		text, steps := g.path()
		return text, func(d document) any { return get(d, steps...) }
	}
}

// condition returns a condition. It may be invalid, for example with operands of a wrong
// type.
func (g *generator) condition(depth int) (string, func(document) bool) {
	if depth == 0 {
		return g.comparison()
	}
	a, left := g.condition(depth - 1 - g.IntN(depth))
	b, right := g.condition(depth - 1 - g.IntN(depth))
	switch g.IntN(4) {
	case 0:
		return "(" + a + ") " + pick(g, "AND", "and") + " (" + b + ")", func(d document) bool { return left(d) && right(d) }
	case 1:
		return "(" + a + ") OR (" + b + ")", func(d document) bool { return left(d) || right(d) }
	case 2:
		return pick(g, "NOT", "not") + " (" + a + ")", func(d document) bool { return !left(d) }
	default:
		// Without parentheses: AND binds closer than OR, NOT closer than AND.
		x, first := g.comparison()
		y, second := g.comparison()
		z, third := g.comparison()
		return x + " OR NOT " + y + " AND " + z, func(d document) bool { return first(d) || !second(d) && third(d) }
	}
}

func (g *generator) comparison() (string, func(document) bool) {
	a, left := g.operand()
	b, right := g.operand()
	c, third := g.operand()
	p, steps := g.path()
	ordered := func(d document, x, y operandFunc, test func(int) bool) bool {
		o, ok := order(x(d), y(d))
		return ok && test(o)
	}
	switch g.IntN(13) {
	case 0:
		return a + "=" + b, func(d document) bool { return equal(left(d), right(d)) }
	case 1:
		return a + " <> " + b, func(d document) bool { return !equal(left(d), right(d)) }
	case 2:
		return a + " < " + b, func(d document) bool { return ordered(d, left, right, func(o int) bool { return o < 0 }) }
	case 3:
		return a + "<=" + b, func(d document) bool { return ordered(d, left, right, func(o int) bool { return o <= 0 }) }
	case 4:
		return a + " > " + b, func(d document) bool { return ordered(d, left, right, func(o int) bool { return o > 0 }) }
	case 5:
		return a + ">=" + b, func(d document) bool { return ordered(d, left, right, func(o int) bool { return o >= 0 }) }
	case 6:
		return a + " BETWEEN " + b + " AND " + c, func(d document) bool {
			return ordered(d, left, right, func(o int) bool { return o >= 0 }) && ordered(d, left, third, func(o int) bool { return o <= 0 })
		}
	case 7:
		return a + " IN (" + b + ", " + c + ")", func(d document) bool { return equal(left(d), right(d)) || equal(left(d), third(d)) }
	case 8:
		return "attribute_exists(" + p + ")", func(d document) bool { return get(d, steps...) != nil }
	case 9:
		return "attribute_not_exists(" + p + ")", func(d document) bool { return get(d, steps...) == nil }
	case 10:
		kind := pick(g, "S", "N", "B", "BOOL", "NULL", "SS", "NS", "BS", "L", "M")
		return "attribute_type(" + p + "," + g.placeholder(text(kind)) + ")", func(d document) bool { return kindOf(get(d, steps...)) == kind }
	case 11:
		return "contains(" + p + ", " + b + ")", func(d document) bool { return right(d) != nil && includes(get(d, steps...), right(d)) }
	default:
		return "begins_with(" + a + ", " + b + ")", func(d document) bool {
			x, y := left(d), right(d)
			return x != nil && kindOf(x) == kindOf(y) && (kindOf(x) == "S" && strings.HasPrefix(string(x.(text)), string(y.(text))) ||
				kindOf(x) == "B" && strings.HasPrefix(string(x.(blob)), string(y.(blob))))
		}
	}
}

func TestMatchesAgainstNaiveEvaluator(t *testing.T) {
	g := newGenerator(t)
	parsed, matched := 0, 0
	for range 20_000 {
		text, want := g.condition(g.IntN(4))
		vals := fmt.Sprint(g.values)
		c, err := g.scope().ParseFilter(text)
		if err != nil {
			continue
		}
		parsed++
		for range 3 {
			d := g.document(2)
			got, err := c.Matches(g.item(d))
			if err != nil || got != want(d) {
				t.Fatalf("%s with %s\nof %s\nis %t, %v", text, vals, write(d), got, err)
			}
			if got {
				matched++
			}
		}
	}
	if parsed < 5000 || matched < parsed/4 {
		t.Errorf("only %d conditions were tested, %d matched", parsed, matched)
	}
}

func TestProjectionAgainstNaiveEvaluator(t *testing.T) {
	g := newGenerator(t)
	parsed := 0
	for range 10_000 {
		var texts []string
		var paths [][]any
		for range 1 + g.IntN(4) {
			text, steps := g.path()
			texts, paths = append(texts, text), append(paths, steps)
		}
		p, err := g.scope().ParseProjection(strings.Join(texts, ", "))
		if err != nil {
			continue
		}
		parsed++
		d := g.document(3)
		want := document{}
		for _, steps := range paths {
			if v := get(d, steps...); v != nil {
				put(want, d, steps, v)
			}
		}
		if got := decodedItem(p.Apply(g.item(d))); write(got) != write(want) {
			t.Fatalf("%s\nof %s\nis %s\nwant %s", texts, write(d), write(got), write(want))
		}
	}
	if parsed < 3000 {
		t.Errorf("only %d projections were tested", parsed)
	}
}

// put sets v in target at steps, with the containers found in source.
func put(target, source any, steps []any, v any) {
	for i, step := range steps {
		next := v
		if source = get(source, step); i < len(steps)-1 {
			next = get(target, step)
			if _, isList := source.(list); next == nil && isList {
				next = list{}
			} else if next == nil {
				next = document{}
			}
		}
		switch s := step.(type) {
		case string:
			target.(document)[s] = next
		case int:
			target.(list)[s] = next
		}
		target = next
	}
}

// A naiveAction changes a document, or returns an error. Its value is
// computed from the old document before any action runs.
type naiveAction struct {
	value  operandFunc
	change func(d document, value any) (ok bool)
}

func (g *generator) action(section string) (string, naiveAction) {
	target, steps := g.path()
	parent, last := steps[:len(steps)-1], steps[len(steps)-1]
	change := func(compute func(old, value any) (any, bool)) func(document, any) bool {
		return func(d document, value any) bool {
			switch p := get(d, parent...).(type) {
			case document:
				key, ok := last.(string)
				if !ok {
					return false
				}
				v, ok := compute(p[key], value)
				if p[key] = v; v == nil {
					delete(p, key)
				}
				return ok
			case list:
				i, ok := last.(int)
				if !ok {
					return false
				}
				v, ok := compute(p[i], value)
				if p[i] = v; v == nil {
					delete(p, i)
				}
				return ok
			}
			return false
		}
	}
	switch section {
	case "SET":
		text, value := g.setValue()
		return target + " = " + text, naiveAction{value, change(func(_, v any) (any, bool) { return v, v != nil })}
	case "REMOVE":
		return target, naiveAction{nil, change(func(_, _ any) (any, bool) { return nil, true })}
	case "ADD":
		v := pick(g, any(num(pick(g, "1", "-2", "0.5"))), g.set())
		return target + " " + g.placeholder(v), naiveAction{constant(v), change(naiveAdd)}
	default:
		v := g.set()
		return target + " " + g.placeholder(v), naiveAction{constant(v), change(naiveDelete)}
	}
}

func constant(v any) operandFunc { return func(document) any { return v } }

func naiveAdd(old, v any) (any, bool) {
	switch {
	case old == nil:
		return copyOf(v), true
	case kindOf(old) != kindOf(v):
		return nil, false
	}
	if n, ok := old.(num); ok {
		return sum(n, v.(num), 1), true
	}
	for m := range v.(set).members {
		old.(set).members[m] = true
	}
	return old, true
}

func naiveDelete(old, v any) (any, bool) {
	switch {
	case old == nil:
		return nil, true
	case kindOf(old) != kindOf(v):
		return nil, false
	}
	for m := range v.(set).members {
		delete(old.(set).members, m)
	}
	if len(old.(set).members) == 0 {
		return nil, true
	}
	return old, true
}

func sum(a, b num, sign int64) num {
	r := new(big.Rat).Mul(rational(string(b)), big.NewRat(sign, 1))
	return num(r.Add(r, rational(string(a))).FloatString(2))
}

// setValue returns a right side of SET. The value is nil when it cannot be computed.
func (g *generator) setValue() (string, operandFunc) {
	operand := func() (string, operandFunc) {
		if g.IntN(3) == 0 {
			v := g.value(1)
			return g.placeholder(v), constant(v)
		}
		text, steps := g.path()
		read := func(d document) any { return get(d, steps...) }
		if g.IntN(3) > 0 {
			return text, read
		}
		v := g.value(1)
		return "if_not_exists(" + text + ", " + g.placeholder(v) + ")", func(d document) any {
			if found := read(d); found != nil {
				return found
			}
			return v
		}
	}
	a, left := operand()
	b, right := operand()
	switch g.IntN(5) {
	case 0:
		o := pick(g, "+", "-")
		return a + " " + o + " " + b, func(d document) any {
			x, ok1 := left(d).(num)
			y, ok2 := right(d).(num)
			if !ok1 || !ok2 {
				return nil
			}
			return sum(x, y, map[string]int64{"+": 1, "-": -1}[o])
		}
	case 1:
		return "list_append(" + a + ", " + b + ")", func(d document) any {
			x, ok1 := left(d).(list)
			y, ok2 := right(d).(list)
			if !ok1 || !ok2 {
				return nil
			}
			return newList(append(x.elements(), y.elements()...)...)
		}
	default:
		return a, left
	}
}

func TestUpdateAgainstNaiveEvaluator(t *testing.T) {
	g := newGenerator(t)
	applied, refused := 0, 0
	for range 40_000 {
		text, actions := g.update()
		vals := fmt.Sprint(g.values)
		u, err := g.scope().ParseUpdate(text)
		if err != nil {
			continue
		}
		d := g.document(3)
		want := copyOf(d).(document)
		ok := true
		var computed []any
		for _, a := range actions {
			var v any
			if a.value != nil {
				v = copyOf(a.value(d))
			}
			computed = append(computed, v)
		}
		for i, a := range actions {
			ok = ok && a.change(want, computed[i])
		}
		got, err := u.Apply(g.item(d))
		switch {
		case (err == nil) != ok:
			t.Fatalf("%s with %s\nof %s\ngives %s, %v", text, vals, write(d), show(got), err)
		case err != nil:
			refused++
			continue
		}
		applied++
		if write(decodedItem(got)) != write(want) {
			t.Fatalf("%s with %s\nof %s\ngives %s\nwant  %s", text, vals, write(d), write(decodedItem(got)), write(want))
		}
		if again := g.item(want); string(again) != string(got) {
			t.Fatalf("%s of %s is not canonical", text, write(d))
		}
	}
	if applied < 3000 || refused < 3000 {
		t.Errorf("only %d updates were applied and %d rejected", applied, refused)
	}
}

func (g *generator) update() (string, []naiveAction) {
	var parts []string
	var actions []naiveAction
	for _, section := range g.Perm(4)[:1+g.IntN(2)] {
		name := []string{"SET", "REMOVE", "ADD", "DELETE"}[section]
		var texts []string
		for range 1 + g.IntN(2) {
			text, a := g.action(name)
			texts, actions = append(texts, text), append(actions, a)
		}
		parts = append(parts, name+" "+strings.Join(texts, ", "))
	}
	return strings.Join(parts, " "), actions
}
