package oracle

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func TestNumbers(t *testing.T) {
	for _, test := range []struct {
		sent, kept string
		size       int
	}{
		{"0", "0", 1},
		{"-0", "0", 1},
		{"0042.1200", "42.12", 3},
		{"3.14159", "3.14159", 5},
		{"-5", "-5", 3},
		{"1E125", "1" + strings.Repeat("0", 125), 2},
		{"1e-130", "0." + strings.Repeat("0", 129) + "1", 2},
	} {
		got := canonicalNumber(test.sent)
		if got != test.kept || numberSize(got) != test.size {
			t.Errorf("%s is stored as %s in %d bytes, want %s in %d", test.sent, got, numberSize(got), test.kept, test.size)
		}
	}
	for _, test := range []struct{ a, b, want string }{
		{"99999999999999999999999999999999999998", "1", "99999999999999999999999999999999999999"},
		{"1e37", "0.1", "Attempting to store more than 38 significant digits in a Number"},
		{"1e50", "1", "Number overflow. Attempting to store a number with magnitude larger than supported range"},
		{"9e125", "9e125", "Number overflow. Attempting to store a number with magnitude larger than supported range"},
	} {
		if got, complaint := sum(test.a, test.b, false); got+complaint != test.want {
			t.Errorf("%s + %s is %s%s, want %s", test.a, test.b, got, complaint, test.want)
		}
	}
}

func TestItemSize(t *testing.T) {
	// names 1 each; a list is 3, and 1 for each element, and its elements; sets are their members
	it := Item{"s": S("é"), "l": L(N("1"), Null()), "m": M(Item{"k": Bool(true)}), "u": NS("1", "22")}
	if got, want := itemSize(it), (1+2)+(1+3+2+2+1)+(1+3+1+1+1)+(1+2+2); got != want {
		t.Errorf("size %d, want %d", got, want)
	}
}

func TestConditions(t *testing.T) {
	it := Item{"a": S("abc"), "n": N("1"), "l": L(N("1.0"), S("x")), "u": SS("b", "a")}
	op := func(op string, operands ...Operand) *Condition { return &Condition{Op: op, Operands: operands} }
	path := func(elements ...any) Operand { return Operand{Path: elements} }
	value := func(v types.AttributeValue) Operand { return Operand{Value: v} }
	for _, test := range []struct {
		c    *Condition
		text string
		want bool
	}{
		{op("=", path("n"), value(N("1.0"))), "n = :v0", true},
		{op("<>", path("missing"), value(N("1"))), "#n0 <> :v0", true},
		{op("=", path("missing"), value(N("1"))), "#n0 = :v0", false},
		{op("<", path("n"), value(S("2"))), "n < :v0", false},
		{op("=", path("u"), value(SS("a", "b"))), "u = :v0", true},
		{op("contains", path("l"), value(N("1"))), "contains(l, :v0)", true},
		{op("BETWEEN", path("n"), value(N("0")), value(N("1"))), "n BETWEEN :v0 AND :v1", true},
		{op("IN", path("l", 1), value(S("y")), value(S("x"))), "l[1] IN (:v0, :v1)", true},
		{op(">", Operand{Path: Path{"a"}, Size: true}, value(N("2"))), "size(a) > :v0", true},
		{&Condition{Op: "NOT", Of: []Condition{*op("attribute_exists", path("n"))}}, "NOT (attribute_exists(n))", false},
		{&Condition{Op: "OR", Of: []Condition{*op("attribute_exists", path("z")), *op("begins_with", path("a"), value(S("ab")))}}, "(attribute_exists(z)) OR (begins_with(a, :v0))", true},
	} {
		if got := test.c.text(&expressions{}); got != test.text {
			t.Errorf("got %s, want %s", got, test.text)
		}
		if got := test.c.holds(it); got != test.want {
			t.Errorf("%s is %v", test.text, got)
		}
	}
}

func TestUpdates(t *testing.T) {
	set := func(to Term, path ...any) Action { return Action{Do: "SET", Path: path, To: to} }
	value := func(v types.AttributeValue) Term { return Term{Value: v} }
	for _, test := range []struct {
		u    Update
		old  Item
		text string
		want string
	}{
		{Update{set(Term{Path: Path{"b"}}, "a"), set(Term{Path: Path{"a"}}, "b")}, Item{"a": N("1"), "b": N("2")}, "SET a = b, b = a", `oracle.Item{"a": oracle.N("2"), "b": oracle.N("1")}`},
		{Update{{Do: "REMOVE", Path: Path{"l", 0}}, set(value(S("x")), "l", 1), set(value(S("z")), "l", 9), set(value(S("y")), "l", 5)}, Item{"l": L(N("1"), N("2"))},
			"REMOVE l[0] SET l[1] = :v0, l[9] = :v1, l[5] = :v2", `oracle.Item{"l": oracle.L(oracle.S("x"), oracle.S("y"), oracle.S("z"))}`},
		{Update{{Do: "DELETE", Path: Path{"u"}, To: value(SS("a"))}, {Do: "ADD", Path: Path{"n"}, To: value(N("1"))}}, Item{"u": SS("a")}, "DELETE u :v0 ADD n :v1", `oracle.Item{"n": oracle.N("1")}`},
		{Update{set(Term{Op: "list_append", Of: []Term{{Op: "if_not_exists", Path: Path{"l"}, Of: []Term{value(L())}}, value(L(N("1")))}}, "l")}, Item{},
			"SET l = list_append(if_not_exists(l, :v0), :v1)", `oracle.Item{"l": oracle.L(oracle.N("1"))}`},
		{Update{set(value(N("1")), "m", "k")}, Item{}, "SET m.k = :v0", invalidPath},
		{Update{set(Term{Op: "+", Of: []Term{{Path: Path{"n"}}, value(N("1"))}}, "n")}, Item{}, "SET n = n + :v0", missingOperand},
		{Update{{Do: "ADD", Path: Path{"n"}, To: value(N("1"))}}, Item{"n": S("1")}, "ADD n :v0", wrongOperand},
	} {
		if got := *test.u.write(&expressions{}); got != test.text {
			t.Errorf("got %s, want %s", got, test.text)
		}
		before := Literal(test.old)
		next, complaints := test.u.apply(test.old)
		got := strings.Join(complaints, "; ")
		if next != nil {
			got = Literal(next)
		}
		if got != test.want {
			t.Errorf("%s makes %s, want %s", test.text, got, test.want)
		}
		if Literal(test.old) != before {
			t.Errorf("%s changed the item before it", test.text)
		}
	}
}
