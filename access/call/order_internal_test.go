package call

import (
	"bytes"
	"math/big"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
)

func FuzzCompareNumbers(f *testing.F) {
	for _, pair := range [][2]string{
		{"1", "2"}, {"10", "9"}, {"-1", "1"}, {"-10", "-9"}, {"0", "-0"}, {"0", "0.0"}, {"1.50", "1.5"}, {"0.05", "0.5"}, {".5", "0.5"},
		{"1e3", "1000"}, {"1E-3", "0.001"}, {"12.5e1", "125"}, {"100.01", "100.1"}, {"99999999999999999999999999999999999998", "99999999999999999999999999999999999999"},
		{"1e125", "1e-125"}, {"+5", "5"}, {"", "1"}, {"x", "1"}, {"1e", "1"}, {".", "1"}, {"1.2.3", "1"}, {"5.", "5"},
	} {
		f.Add(pair[0], pair[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		_, okA := parseNumber(a)
		_, okB := parseNumber(b)
		if !okA || !okB {
			return
		}
		x, y := new(big.Rat), new(big.Rat)
		if _, ok := x.SetString(a); !ok {
			t.Fatalf("%q is a number only here", a)
		}
		if _, ok := y.SetString(b); !ok {
			t.Fatalf("%q is a number only here", b)
		}
		if got, want := compareNumbers(a, b), x.Cmp(y); got != want {
			t.Errorf("%s and %s: %d, want %d", a, b, got, want)
		}
		same := bytes.Equal(appendNumber(nil, a), appendNumber(nil, b))
		if same != (x.Cmp(y) == 0) {
			t.Errorf("%s and %s are the same: %v", a, b, same)
		}
	})
}

func TestParseNumberTakesNumbersOnly(t *testing.T) {
	for text, want := range map[string]bool{
		"0": true, "-0.10": true, "5.": true, ".5": true, "1E+3": true, "1e-3": true,
		"": false, "-": false, ".": false, "1e": false, "e1": false, "1.2.3": false, "0x1": false, "1 ": false, "--1": false, "1e9999999999": false, "NaN": false,
	} {
		if _, ok := parseNumber(text); ok != want {
			t.Errorf("%q: %v", text, ok)
		}
	}
}

func TestAppendValueTellsValuesApart(t *testing.T) {
	s := func(v string) types.AttributeValue { return &types.AttributeValueMemberS{Value: v} }
	n := func(v string) types.AttributeValue { return &types.AttributeValueMemberN{Value: v} }
	list := func(v ...types.AttributeValue) types.AttributeValue { return &types.AttributeValueMemberL{Value: v} }
	values := []types.AttributeValue{
		nil, s(""), s("a"), s("1"), n("1"), n("10"), n("-1"), n("bad"), &types.AttributeValueMemberB{Value: []byte("a")},
		&types.AttributeValueMemberBOOL{Value: true}, &types.AttributeValueMemberBOOL{}, &types.AttributeValueMemberNULL{Value: true},
		&types.AttributeValueMemberSS{Value: []string{"a", "b"}}, &types.AttributeValueMemberSS{Value: []string{"ab"}},
		&types.AttributeValueMemberNS{Value: []string{"1", "2"}}, &types.AttributeValueMemberBS{Value: [][]byte{{1}, {2}}},
		list(), list(s("a"), s("b")), list(s("ab")), list(list(s("a")), s("b")), list(list(s("a"), s("b"))),
		&types.AttributeValueMemberM{}, &types.AttributeValueMemberM{Value: access.Item{"a": s("b")}}, &types.AttributeValueMemberM{Value: access.Item{"a": nil, "b": nil}},
	}
	for i, a := range values {
		for j, b := range values {
			if same := bytes.Equal(appendValue(nil, a), appendValue(nil, b)); same != (i == j) {
				t.Errorf("%v and %v are the same: %v", a, b, same)
			}
		}
	}
	for _, pair := range [][2]types.AttributeValue{
		{n("1.0"), n("1")}, {n("1e2"), n("100")}, {n("-0"), n("0")},
		{&types.AttributeValueMemberSS{Value: []string{"a", "b"}}, &types.AttributeValueMemberSS{Value: []string{"b", "a"}}},
	} {
		if !bytes.Equal(appendValue(nil, pair[0]), appendValue(nil, pair[1])) {
			t.Errorf("%v and %v are not the same", pair[0], pair[1])
		}
	}
}

func TestOnlyTheFirstSortAttributeHasALead(t *testing.T) {
	s := func(v string) types.AttributeValue { return &types.AttributeValueMemberS{Value: v} }
	at := func(lead int, first, second string) *reader {
		return &reader{request: &Request{Lead: lead}, items: []access.Item{{"first": s(first), "second": s(second)}}}
	}
	m := &merge{sort: []string{"first", "second"}}
	if m.compare(at(2, "zz1", "aab"), at(0, "1", "aac")) >= 0 || m.compare(at(2, "zz1", "b"), at(0, "1", "ab")) <= 0 {
		t.Error("the second attribute is not compared as a whole")
	}
	if m.compare(at(9, "z", ""), at(0, "1", "")) >= 0 {
		t.Error("a value shorter than the lead is not nothing")
	}
}
