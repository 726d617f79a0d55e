package partiql

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/expression"
)

// TestConditionsAgreeWithExpressions writes random conditions both as WHERE clauses and
// as condition expressions. Both fail with the same message, or hold for the same items.
func TestConditionsAgreeWithExpressions(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	g := &conditionGenerator{Rand: rand.New(rand.NewPCG(seed, 1))}
	items := make([]dynamo.Item, 40)
	for i := range items {
		items[i] = g.item()
	}
	refused, held := 0, 0
	for range 5000 {
		g.placeholders, g.parameters = map[string]dynamo.Value{}, nil
		condition, where := g.condition(3)
		parsed, wantErr := expression.NewScope(nil, g.placeholders).ParseCondition(condition)
		st, err := Parse("SELECT * FROM t WHERE "+where, dynamo.RawParameters{Values: g.parameters})
		if wantErr != nil || err != nil {
			refused++
			checkSameRefusal(t, where, err, wantErr)
			continue
		}
		built := expression.NewCondition(st.where.term)
		for _, item := range append(items, nil) {
			want, _ := parsed.Matches(item)
			if want {
				held++
			}
			if got, _ := built.Matches(item); got != want {
				t.Fatalf("%s\n%s\nof %v: got %v, want %v", where, condition, item, got, want)
			}
		}
	}
	if refused == 0 || held == 0 {
		t.Errorf("%d conditions were rejected, and %d times one held: the test proves too little", refused, held)
	}
}

func checkSameRefusal(t *testing.T, where string, got, want error) {
	t.Helper()
	if got == nil || want == nil {
		t.Fatalf("%s: got %v, want %v", where, got, want)
	}
	if sentence := strings.Replace(want.Error(), "Invalid ConditionExpression: ", "", 1); got.Error() != sentence {
		t.Fatalf("%s: got %v, want %v", where, got, sentence)
	}
}

// A conditionGenerator generates conditions in both languages.
type conditionGenerator struct {
	*rand.Rand
	placeholders map[string]dynamo.Value // of the condition expression
	parameters   []dynamo.Value          // of the statement
}

func (g *conditionGenerator) condition(depth int) (condition, where string) {
	if depth > 0 && g.IntN(2) == 0 {
		a, b := g.condition(depth - 1)
		if g.IntN(3) == 0 {
			return "NOT (" + a + ")", pick(g, "NOT", "not") + " (" + b + ")"
		}
		c, d := g.condition(depth - 1)
		op := pick(g, "AND", "OR")
		return "(" + a + ") " + op + " (" + c + ")", "(" + b + ") " + op + " (" + d + ")"
	}
	switch g.IntN(9) {
	case 0:
		p := g.path()
		return "attribute_exists(" + p + ")", pick(g, "attribute_exists("+p+")", p+" IS NOT MISSING", "attribute_exists("+p+") = true", "Attribute_Exists("+p+") <> FALSE")
	case 1:
		p := g.path()
		return "attribute_not_exists(" + p + ")", pick(g, "attribute_not_exists("+p+")", p+" IS MISSING")
	case 2:
		p := g.path()
		kind := pick(g, "S:STRING", "N:DECIMAL", "L:LIST", "M:STRUCT", "BOOL:BOOL", "NULL:NULL", "B:BLOB")
		name, is, _ := strings.Cut(kind, ":")
		placeholder := g.define(textValue(name))
		return "attribute_type(" + p + ", " + placeholder + ")", pick(g, "attribute_type("+p+", '"+name+"')", p+" IS "+is)
	case 3:
		a, b, c, d := g.operands()
		f := pick(g, "begins_with", "contains")
		return f + "(" + a + ", " + c + ")", f + "(" + b + ", " + d + ")"
	case 4:
		a, b, c, d := g.operands()
		e, f := g.operand()
		return a + " BETWEEN " + c + " AND " + e, b + " BETWEEN " + d + " AND " + f
	case 5:
		a, b, c, d := g.operands()
		e, f := g.operand()
		return a + " IN (" + c + ", " + e + ")", b + " IN " + pick(g, "("+d+", "+f+")", "["+d+", "+f+"]")
	default:
		a, b, c, d := g.operands()
		op := pick(g, "=", "=", "<>", "<", "<=", ">", ">=")
		other := op
		if op == "<>" {
			other = pick(g, "<>", "!=")
		}
		return a + " " + op + " " + c, b + " " + other + " " + d
	}
}

func (g *conditionGenerator) operands() (a, b, c, d string) {
	a, b = g.operand()
	c, d = g.operand()
	return a, b, c, d
}

func (g *conditionGenerator) operand() (condition, where string) {
	switch g.IntN(6) {
	case 0, 1:
		p := g.path()
		return p, p
	case 2:
		p := g.path()
		return "size(" + p + ")", "size(" + p + ")"
	default:
		return g.bind(g.value(2))
	}
}

func (g *conditionGenerator) path() string {
	return pick(g, "a", "b", "c", "m.x", "m.y.z", "p[0]", "p[1].x", "absent")
}

// define returns a placeholder for a value.
func (g *conditionGenerator) define(v dynamo.Value) string {
	placeholder := fmt.Sprintf(":v%d", len(g.placeholders))
	g.placeholders[placeholder] = v
	return placeholder
}

// bind returns a value in both languages.
func (g *conditionGenerator) bind(v dynamo.Value) (placeholder, value string) {
	placeholder = g.define(v)
	if literal, ok := literalOf(v); ok && g.IntN(2) == 0 {
		return placeholder, literal
	}
	g.parameters = append(g.parameters, v)
	return placeholder, "?"
}

// literalOf returns a value as a literal; binary values have none.
func literalOf(v dynamo.Value) (string, bool) {
	var parts []string
	add := func(prefix string, v dynamo.Value) bool {
		text, ok := literalOf(v)
		parts = append(parts, prefix+text)
		return ok
	}
	switch k := v.Kind(); k {
	case dynamo.KindString:
		return "'" + strings.ReplaceAll(string(v.Bytes()), "'", "''") + "'", true
	case dynamo.KindNumber:
		return string(v.Bytes()), true
	case dynamo.KindTrue:
		return "TRUE", true
	case dynamo.KindFalse:
		return "false", true
	case dynamo.KindNull:
		return "Null", true
	case dynamo.KindList:
		for _, e := range v.Elements() {
			if !add("", e) {
				return "", false
			}
		}
		return "[" + strings.Join(parts, ", ") + "]", true
	case dynamo.KindMap:
		for name, e := range v.Map().All() {
			if !add("'"+name+"': ", e) {
				return "", false
			}
		}
		return "{" + strings.Join(parts, ", ") + "}", true
	case dynamo.KindStringSet, dynamo.KindNumberSet:
		for m := range v.Members() {
			text := string(m)
			if k == dynamo.KindStringSet {
				text = "'" + text + "'"
			}
			parts = append(parts, text)
		}
		return "<<" + strings.Join(parts, ", ") + ">>", true
	default:
		return "", false
	}
}

// value returns a value from a small pool, so that values repeat.
func (g *conditionGenerator) value(depth int) dynamo.Value {
	var e dynamo.Encoder
	g.write(&e, depth)
	return e.Value(0)
}

func (g *conditionGenerator) write(e *dynamo.Encoder, depth int) {
	n := 11
	if depth == 0 {
		n = 7
	}
	switch g.IntN(n) {
	case 0, 1:
		e.String(pick(g, "", "a", "ab", "b", "it's"))
	case 2, 3:
		_ = e.Number([]byte(pick(g, "0", "1", "-1.5", "2", "10")))
	case 4:
		e.Binary([]byte(pick(g, "", "a", "ab")))
	case 5:
		e.Bool(g.IntN(2) == 0)
	case 6:
		e.Null()
	case 7:
		e.OpenList()
		for range g.IntN(3) {
			g.write(e, depth-1)
		}
		e.CloseList()
	case 8:
		e.OpenMap()
		for _, name := range []string{"x", "y"}[:g.IntN(3)] {
			e.Name(name)
			g.write(e, depth-1)
		}
		_ = e.CloseMap()
	case 9:
		e.OpenSet(dynamo.KindStringSet)
		for _, m := range []string{"a", "ab"}[:1+g.IntN(2)] {
			_ = e.Member([]byte(m))
		}
		_ = e.CloseSet()
	default:
		e.OpenSet(dynamo.KindNumberSet)
		for _, m := range []string{"1", "2"}[:1+g.IntN(2)] {
			_ = e.Member([]byte(m))
		}
		_ = e.CloseSet()
	}
}

func (g *conditionGenerator) item() dynamo.Item {
	var e dynamo.Encoder
	e.OpenItem()
	for _, name := range []string{"a", "b", "c", "m", "p"} {
		if g.IntN(4) > 0 {
			e.Name(name)
			g.write(&e, 3)
		}
	}
	item, _ := e.CloseItem()
	return item
}

func pick(g *conditionGenerator, of ...string) string { return of[g.IntN(len(of))] }
