package expression

import (
	"testing"

	"sortkey.dev/engine/internal/dynamo"
)

// A built condition is equivalent to the parsed one.
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

// A term can be used in two places of a tree.
func TestTermsAreShared(t *testing.T) {
	a := Attribute("a").Term()
	v := Constant(stringValue(t, "v"))
	either := Or(Compare(IsEqual, v, a), Compare(IsEqual, a, v))
	if got, _ := NewCondition(And(either, IsIn(a, v, v))).Matches(itemWith(t, "a", "v")); !got {
		t.Error("the condition does not hold")
	}
}

// Paths that share a prefix do not share their ends.
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

// Add also takes lists in a built update.
func TestBuiltAdd(t *testing.T) {
	one, two := item(t, `{"a":{"L":[{"N":"1"}]}}`), item(t, `{"a":{"L":[{"N":"2"},{"S":"x"}]}}`)
	update, err := NewUpdate(Add(Attribute("a"), two.Get("a")))
	if err != nil {
		t.Fatal(err)
	}
	for old, want := range map[*dynamo.Item]string{&one: `{a: [1, 2, "x"]}`, new(item(t, `{}`)): `{a: [2, "x"]}`} {
		if after, err := update.Apply(*old); err != nil || show(after) != want {
			t.Errorf("got %s, %v, want %s", show(after), err, want)
		}
	}
}

func TestBuiltMismatch(t *testing.T) {
	old, values := item(t, `{"a":{"S":"x"}}`), values(t, `{":n":{"N":"1"}, ":s":{"SS":["x"]}}`)
	a := Attribute("a")
	for _, c := range []struct {
		change Change
		want   string
	}{
		{Add(a, values[":n"]), "An operand in the update expression has an incorrect data type"},
		{Add(a, values[":n"]).Mismatch("no number"), "no number"},
		{Subtract(a, values[":s"]).Mismatch("no set"), "no set"},
	} {
		update, err := NewUpdate(c.change)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := update.Apply(old); message(t, err) != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// A filter knows the name of its parameter.
func TestFilterParameter(t *testing.T) {
	if got := NewFilter("QueryFilter", AttributeExists(Attribute("a"))).Parameter(); got != "QueryFilter" {
		t.Errorf("got %q", got)
	}
	parsed, err := NewScope(nil, nil).ParseFilter("attribute_exists(a)")
	if err != nil || parsed.Parameter() != "Filter Expression" {
		t.Errorf("got %q, %v", parsed.Parameter(), err)
	}
}

func TestExcessOfKeyClauses(t *testing.T) {
	v := stringValue(t, "v")
	schema := dynamo.KeySchema{Partition: []dynamo.KeyAttribute{{Name: "a", Kind: dynamo.KindString}}}
	k := NewKeyCondition(KeyEqual("a", v), KeyEqual("b", v))
	if _, err := k.Bind(schema); message(t, err) != "The number of query conditions (2) exceeds the number of key attributes defined in the schema (1)" {
		t.Error(err)
	}
	k.Excess(func(clauses, keys int) error { return dynamo.Invalid("%d for %d", clauses, keys) })
	if _, err := k.Bind(schema); message(t, err) != "2 for 1" {
		t.Error(err)
	}
}
