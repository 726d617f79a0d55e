package sdk

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/engine/internal/dynamo"
)

func text(s string) types.AttributeValue   { return &types.AttributeValueMemberS{Value: s} }
func number(s string) types.AttributeValue { return &types.AttributeValueMemberN{Value: s} }

// nested returns a value whose innermost scalar is at the given level.
func nested(level int) types.AttributeValue {
	v := text("leaf")
	for i := range level - 1 {
		if i%2 == 0 {
			v = &types.AttributeValueMemberL{Value: []types.AttributeValue{v}}
		} else {
			v = &types.AttributeValueMemberM{Value: attributeMap{"m": v}}
		}
	}
	return v
}

func TestRandomItemsRoundTrip(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	e := newEncoder()
	defer e.release()
	for range 2000 {
		want := randomItem(rnd)
		raw := e.item(want)
		if raw.Fault != nil {
			t.Fatalf("%v has the fault %v", want, raw.Fault)
		}
		if diff := cmp.Diff(want, attributes(raw.Item), allFields); diff != "" {
			t.Fatalf("after a round trip (-sent +read):\n%s", diff)
		}
	}
}

// A later call must not change the result of an earlier one.
func TestEncodedItemsNeverChange(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	e := newEncoder()
	var encoded, copies []dynamo.Item
	for range 300 {
		raw := e.item(randomItem(rnd))
		encoded, copies = append(encoded, raw.Item), append(copies, raw.Item.Clone())
		e.release()
		e = newEncoder()
	}
	e.release()
	for i := range encoded {
		if !slices.Equal(encoded[i], copies[i]) {
			t.Fatalf("item %d changed after it was returned", i)
		}
	}
}

func TestFaultsHaveTheirMessage(t *testing.T) {
	unknown := &types.UnknownUnionMember{Tag: "X"}
	for _, c := range []struct {
		name  string
		value types.AttributeValue
		want  string
	}{
		{"nil", nil, dynamo.FaultNoType.Text},
		{"unknown member", unknown, dynamo.FaultNoType.Text},
		{"nil S", (*types.AttributeValueMemberS)(nil), dynamo.FaultNoType.Text},
		{"nil N", (*types.AttributeValueMemberN)(nil), dynamo.FaultNoType.Text},
		{"nil B", (*types.AttributeValueMemberB)(nil), dynamo.FaultNoType.Text},
		{"nil BOOL", (*types.AttributeValueMemberBOOL)(nil), dynamo.FaultNoType.Text},
		{"nil NULL", (*types.AttributeValueMemberNULL)(nil), dynamo.FaultNoType.Text},
		{"nil M", (*types.AttributeValueMemberM)(nil), dynamo.FaultNoType.Text},
		{"nil L", (*types.AttributeValueMemberL)(nil), dynamo.FaultNoType.Text},
		{"nil SS", (*types.AttributeValueMemberSS)(nil), dynamo.FaultNoType.Text},
		{"nil NS", (*types.AttributeValueMemberNS)(nil), dynamo.FaultNoType.Text},
		{"nil BS", (*types.AttributeValueMemberBS)(nil), dynamo.FaultNoType.Text},
		{"B of nil", &types.AttributeValueMemberB{}, dynamo.FaultNoType.Text},
		{"NULL of false", &types.AttributeValueMemberNULL{}, dynamo.FaultNullFalse.Text},
		{"no number", number("ten"), "cannot be converted to a numeric value"},
		{"no number in a set", &types.AttributeValueMemberNS{Value: []string{"1", "x"}}, "numeric value"},
		{"empty SS", &types.AttributeValueMemberSS{}, "string set  may not be empty"},
		{"empty NS", &types.AttributeValueMemberNS{Value: []string{}}, "number set  may not be empty"},
		{"empty BS", &types.AttributeValueMemberBS{}, "Binary sets should not be empty"},
		{"repeated member", &types.AttributeValueMemberSS{Value: []string{"a", "a"}}, "contains duplicates"},
		{"one level too deep", nested(dynamo.MaxNesting + 1), dynamo.FaultNesting.Text},
		{"far too deep", nested(100_000), dynamo.FaultNesting.Text},
		{"inside a list", &types.AttributeValueMemberL{Value: []types.AttributeValue{text("a"), nil}}, dynamo.FaultNoType.Text},
		{"inside a map", &types.AttributeValueMemberM{Value: attributeMap{"a": nil}}, dynamo.FaultNoType.Text},
		{"names that are not text", &types.AttributeValueMemberM{Value: attributeMap{"\xff": text("a"), "\xfe": text("b")}}, "not valid UTF-8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := newEncoder()
			defer e.release()
			raw := e.item(attributeMap{"before": text("b"), "value": c.value, "z": text("after")})
			var fault *dynamo.Fault
			if !errors.As(raw.Fault, &fault) || !strings.Contains(fault.Text, c.want) {
				t.Errorf("fault %v, want one that says %q", raw.Fault, c.want)
			}
			if got := attributes(raw.Item)["z"]; !cmp.Equal(got, text("after"), allFields) {
				t.Errorf("the attribute after the fault is %v: the encoding is broken", got)
			}
			values := e.values(attributeMap{":a": text("a"), ":value": c.value})
			if !errors.As(values.Fault, &fault) || values.FaultName != ":value" {
				t.Errorf("as an expression value: fault %v of %q, want one of :value", values.Fault, values.FaultName)
			}
			if next := e.item(attributeMap{"a": text("a")}); next.Fault != nil {
				t.Errorf("the fault is reported again for the next item: %v", next.Fault)
			}
		})
	}
}

func TestDeepestAllowedNestingHasNoFault(t *testing.T) {
	e := newEncoder()
	defer e.release()
	want := attributeMap{"a": nested(dynamo.MaxNesting)}
	raw := e.item(want)
	if raw.Fault != nil {
		t.Fatal(raw.Fault)
	}
	if diff := cmp.Diff(want, attributes(raw.Item), allFields); diff != "" {
		t.Error(diff)
	}
}

// The reported fault must not depend on the order of a Go map.
func TestFirstFaultIsTheOneOfTheFirstName(t *testing.T) {
	for range 50 {
		e := newEncoder()
		raw := e.item(attributeMap{"c": number("x"), "b": &types.AttributeValueMemberNULL{}, "a": text("fine"), "d": nil})
		e.release()
		if raw.Fault != dynamo.FaultNullFalse {
			t.Fatalf("fault %v, want that of b", raw.Fault)
		}
	}
}

func TestNotSentIsNotEmpty(t *testing.T) {
	e := newEncoder()
	defer e.release()
	if raw := e.item(nil); raw.Item != nil {
		t.Errorf("a nil map became the item %v", raw.Item)
	}
	if raw := e.item(attributeMap{}); raw.Item == nil || raw.Item.Len() != 0 {
		t.Errorf("an empty map became %v, want an item without attributes", raw.Item)
	}
	if values := e.values(nil); values.ByName != nil {
		t.Errorf("nil values became %v", values.ByName)
	}
	if values := e.values(attributeMap{}); values.ByName == nil {
		t.Error("empty values became nil")
	}
}

func TestEmptyListsAndMapsAreValues(t *testing.T) {
	e := newEncoder()
	defer e.release()
	raw := e.item(attributeMap{"l": &types.AttributeValueMemberL{}, "m": &types.AttributeValueMemberM{}, "b": &types.AttributeValueMemberB{Value: []byte{}}})
	if raw.Fault != nil {
		t.Fatal(raw.Fault)
	}
	want := attributeMap{
		"l": &types.AttributeValueMemberL{Value: []types.AttributeValue{}},
		"m": &types.AttributeValueMemberM{Value: attributeMap{}},
		"b": &types.AttributeValueMemberB{Value: []byte{}},
	}
	if diff := cmp.Diff(want, attributes(raw.Item), allFields); diff != "" {
		t.Error(diff)
	}
}

func TestInputsAndOutputsShareNoMemory(t *testing.T) {
	sent := []byte("abc")
	e := newEncoder()
	defer e.release()
	raw := e.item(attributeMap{"b": &types.AttributeValueMemberB{Value: sent}, "bs": &types.AttributeValueMemberBS{Value: [][]byte{sent}}})
	sent[0] = 'x'
	want := attributeMap{
		"b":  &types.AttributeValueMemberB{Value: []byte("abc")},
		"bs": &types.AttributeValueMemberBS{Value: [][]byte{[]byte("abc")}},
	}
	first := attributes(raw.Item)
	if diff := cmp.Diff(want, first, allFields); diff != "" {
		t.Errorf("changing the input afterwards changed the item:\n%s", diff)
	}
	first["b"].(*types.AttributeValueMemberB).Value[0] = 'y'
	first["bs"].(*types.AttributeValueMemberBS).Value[0][0] = 'y'
	if diff := cmp.Diff(want, attributes(raw.Item), allFields); diff != "" {
		t.Errorf("changing an answer changed the item:\n%s", diff)
	}
}

// Small items share their strings and large ones do not; neither may be affected by a later
// change of the engine's bytes.
func TestOutputsDoNotShareTheEnginesBytes(t *testing.T) {
	for _, size := range []int{10, 2 * sharedItemSize} {
		want := attributeMap{"name": text(strings.Repeat("s", size)), "n": number("7")}
		e := newEncoder()
		item := e.item(want).Item.Clone()
		e.release()
		got := attributes(item)
		clear(item)
		if diff := cmp.Diff(want, got, allFields); diff != "" {
			t.Errorf("size %d: %s", size, diff)
		}
	}
}

// FuzzText sends any string as value, name and set member.
func FuzzText(f *testing.F) {
	for _, s := range []string{"", "a", "é", "\xff", "a\xc3", "\"\\\n\x00", "\xed\xa0\x80", strings.Repeat("x", 200)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		e := newEncoder()
		defer e.release()
		raw := e.item(attributeMap{s: text(s), "-set": &types.AttributeValueMemberSS{Value: []string{s}}})
		if raw.Fault != nil && s != "-set" {
			t.Fatalf("%q has the fault %v", s, raw.Fault)
		}
		got := attributes(raw.Item)
		if valid := validText(s); s != "-set" && !cmp.Equal(got[valid], text(valid), allFields) {
			t.Errorf("%q came back as %v", s, got)
		}
	})
}

// FuzzNumber sends any string as a number: it is either a fault or is returned as a number.
func FuzzNumber(f *testing.F) {
	for _, s := range []string{"0", "-0", "1e125", "1e-130", "1e126", "12345678901234567890123456789012345678", "+1.50", "", "x", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		e := newEncoder()
		defer e.release()
		raw := e.item(attributeMap{"n": number(s)})
		again := e.item(attributes(raw.Item))
		if again.Fault != nil || !slices.Equal(raw.Item, again.Item) {
			t.Errorf("%q: the returned number differs from the stored one: %v, %v", s, attributes(raw.Item), again.Fault)
		}
	})
}
