package expression

import (
	"testing"

	"sortkey.dev/engine/internal/dynamo"
)

// What a program builds does what the same text does.
func TestBuiltConditions(t *testing.T) {
	text := func(s string) Term { return Constant(stringValue(t, s)) }
	name := Attribute("a")
	for _, c := range []struct {
		text  string
		built Term
	}{
		{"a = :v", Compare(IsEqual, name.Term(), text("v"))},
		{"NOT a = :v", Not(Compare(IsEqual, name.Term(), text("v")))},
		{"attribute_exists(a) AND begins_with(a, :v)", And(AttributeExists(name), HasPrefix(name.Term(), text("v")))},
		{"a IN (:w, :v)", IsIn(name.Term(), text("w"), text("v"))},
		{"a BETWEEN :v AND :w", IsBetween(name.Term(), text("v"), text("w"))},
		{"contains(a, :v) OR attribute_not_exists(a)", Or(Contains(name.Term(), text("v")), AttributeNotExists(name))},
	} {
		t.Run(c.text, func(t *testing.T) {
			values := map[string]dynamo.Value{":v": stringValue(t, "v"), ":w": stringValue(t, "w")}
			parsed, err := NewScope(nil, values).ParseCondition(c.text)
			if err != nil {
				t.Fatal(err)
			}
			built := NewCondition(c.built)
			for _, item := range []dynamo.Item{nil, itemWith(t, "a", "v"), itemWith(t, "a", "w"), itemWith(t, "a", "vz"), itemWith(t, "b", "v")} {
				want, _ := parsed.Matches(item)
				if got, _ := built.Matches(item); got != want {
					t.Errorf("%v: got %v, want %v", item, got, want)
				}
			}
		})
	}
}

// A term that stands in two places of a tree is not linked to what stands beside it.
func TestTermsAreShared(t *testing.T) {
	a := Attribute("a").Term()
	v := Constant(stringValue(t, "v"))
	either := Or(Compare(IsEqual, v, a), Compare(IsEqual, a, v))
	if got, _ := NewCondition(And(either, IsIn(a, v, v))).Matches(itemWith(t, "a", "v")); !got {
		t.Error("the condition does not hold")
	}
}

// Paths that share a beginning do not share their ends.
func TestPathsAreImmutable(t *testing.T) {
	stem := Attribute("a").Field("b")
	one, two := stem.Field("c"), stem.Element(7)
	if got := one.String() + " " + two.String() + " " + stem.String(); got != "[a, b, c] [a, b, [7]] [a, b]" {
		t.Error(got)
	}
}

func stringValue(t *testing.T, s string) dynamo.Value {
	t.Helper()
	var enc dynamo.Encoder
	start := enc.Mark()
	enc.String(s)
	return enc.Value(start)
}

func itemWith(t *testing.T, name, s string) dynamo.Item {
	t.Helper()
	var enc dynamo.Encoder
	enc.OpenItem()
	enc.Name(name)
	enc.String(s)
	item, err := enc.CloseItem()
	if err != nil {
		t.Fatal(err)
	}
	return item
}
