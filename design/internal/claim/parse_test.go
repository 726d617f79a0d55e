package claim

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// bare returns an Env of an empty design: prices of us-east-1 and no names.
func bare() Env {
	return NewEnv(resolve.New(&model.Design{Name: "Empty", Region: "us-east-1"}), cost.Options{})
}

func TestCompute(t *testing.T) {
	for formula, want := range map[string]string{
		"1 + 2 * 3":                           "7",
		"(1 + 2) * 3":                         "9",
		"10 - 4 - 3":                          "3",
		"100 / 10 / 5":                        "2",
		"-2 * -(3 + 1)":                       "8",
		"1.5k + 2M":                           "2001500",
		"25%":                                 "0.25",
		"$1.25 / 1M":                          "0.00000125",
		"0.1 + 0.2":                           "0.3",
		"1 / 3 * 3":                           "1",
		"6KB / 4KB":                           "1.5",
		"ceil(6KB / 4KB)":                     "2",
		"1MB / 6KB":                           "170.666667",
		"5GB * storage":                       "1.25",
		"5 * storage":                         "1.25",
		"512MB * storage":                     "0.125",
		"wcu_hour * hours":                    "0.4745",
		"wcu_hour * 24h * 30":                 "0.468",
		"5 * (wcu_hour + rcu_hour) * hours":   "2.847",
		"0.5 + 5 * storage":                   "1.75",
		"5 * storage + 5 * wcu_hour * hours":  "3.6225",
		"100k * write":                        "0.0625",
		"1M * read":                           "0.125",
		"60k * (1.5KB + 100B) / 1GB":          "0.09141862",
		"1.5KB + limit(item_overhead)":        "1.597656",
		"limit(item)":                         "400",
		"limit(item_overhead) + 20":           "120",
		"seconds(90d)":                        "7776000",
		"seconds(24h) + seconds(1w)":          "691200",
		"6200 / seconds(30d)":                 "0.002391975",
		"30d / 1h":                            "720",
		"max(3, 9, 4)":                        "9",
		"min(3, 9, 4)":                        "3",
		"max(0.25, break_even(write))":        "0.2888889",
		"break_even(read)":                    "0.2888889",
		"free(writes)":                        "65700000",
		"free(storage)":                       "25",
		"pow(1.5, 2) * 30":                    "67.5",
		"pow(2, 0)":                           "1",
		"floor(2.7) + round(2.5) + ceil(-1)":  "4",
		"cells(52.2297, 21.0122, 5km, 6)":     "207",
		"cells_span(52.2297, 21.0122, 5, 6)":  "270",
		"round(cell_width(0, 6) / 1km * 100)": "122",
		"tables() + indexes() + gsis() + patterns() + entities()": "0",
		"list_price(write) / write":                               "1",
	} {
		got, bad := compute(formula, bare())
		if bad != nil {
			t.Errorf("%s: %s", formula, bad.message)
		} else if text := got.shown().String(); text != want {
			t.Errorf("%s = %s, want %s", formula, text, want)
		}
	}
}

func TestComputeText(t *testing.T) {
	got, bad := compute("geohash(52.2297, 21.0122, 6)", bare())
	if bad != nil || got.text != "u3qcnh" {
		t.Errorf("got %q, %v", got.text, bad)
	}
}

// Every fault has the place of the error.
func TestFaults(t *testing.T) {
	for _, test := range []struct{ formula, marked, message string }{
		{"1 +", "+", "the formula ends"},
		{"", "", "the formula ends"},
		{"(1 + 2", "2", `the formula ends, but ")"`},
		{"1 2", "2", "an operator"},
		{"2 * raed", "raed", "did you mean read?"},
		{"1 + unit(X)", "unit", "did you mean units?"},
		{"units(Nothing)", "Nothing", "no pattern is called Nothing"},
		{"1 + size(User)", "User", "no entity"},
		{"rate(", "(", "the pattern of rate(pattern, profile?)"},
		{"ceil(1, 2)", "2", "ceil(x)"},
		{"max(1)", ")", "max(x, y, ...)"},
		{"5GB + 30d", "5GB + 30d", "different units"},
		{"1.5KB + 100", "1.5KB + 100", "different units"},
		{"1 / (2 - 2)", "1 / (2 - 2)", "division by zero"},
		{"3parsec", "parsec", "unknown unit"},
		{"1..2", "1..2", "not a decimal"},
		{"geohash(1, 2, 3) + 1", "geohash(1, 2, 3) + 1", "a text"},
		{"geohash(1, 2, 30)", "geohash(1, 2, 30)", "1 to 12"},
		{"pow(2, 1000)", "1000", "exponent"},
		{"pow(999999999, 100)", "pow(999999999, 100)", "too large"},
		{"month(free)", "free", "not one of on_demand"},
		{"seconds(5)", "5", "a duration"},
		{"alternative(other, 1)", "other", "no alternative"},
		{"limit(pages)", "pages", "did you mean page?"},
		{"total(x)", "x", "no profile"},
		{"gsis(\"no such\")", "\"no such\"", "no table"},
		{strings.Repeat("(", 60), "(", "too deeply"},
		{strings.Repeat("-", 60) + "1", "-", "too deeply"},
		{strings.Repeat("1+", 1500), "1", "at most"},
		{strings.Repeat("ceil(1)+", 51) + "1", "ceil", "at most 50 functions"},
	} {
		_, bad := compute(test.formula, bare())
		if bad == nil {
			t.Errorf("%s: no fault", test.formula)
			continue
		}
		if !strings.Contains(bad.message, test.message) {
			t.Errorf("%s: %q does not speak of %q", test.formula, bad.message, test.message)
		}
		if marked := slice(test.formula, bad); test.marked != "" && marked != test.marked {
			t.Errorf("%s: marks %q, want %q (%s)", test.formula, marked, test.marked, bad.message)
		}
	}
}

func slice(formula string, bad *fault) string {
	text := []rune(formula)
	return string(text[min(bad.offset, len(text)):min(bad.offset+bad.length, len(text))])
}

// Formulas compute with exact numbers, whatever their parentheses.
func TestRandomSums(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		text, want := randomSum(random, 4)
		got, bad := compute(text, bare())
		if bad != nil || !got.number.Equal(want) {
			t.Fatalf("%s = %v, %v; want %s", text, got.number, bad, want)
		}
	}
}

func randomSum(random *rand.Rand, depth int) (string, exact.Number) {
	if depth == 0 || random.IntN(4) == 0 {
		n := random.Int64N(1000)
		return strconv.FormatInt(n, 10), exact.Int(n)
	}
	left, a := randomSum(random, depth-1)
	right, b := randomSum(random, depth-1)
	switch random.IntN(3) {
	case 0:
		return "(" + left + " + " + right + ")", a.Add(b)
	case 1:
		return "(" + left + "-" + right + ")", a.Sub(b)
	}
	return "(" + left + ") * (" + right + ")", a.Mul(b)
}

func TestFunctionsAreDocumented(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range Functions() {
		if seen[f.Name] {
			t.Errorf("%s is there twice", f.Name)
		}
		seen[f.Name] = true
		if f.Doc == "" || !strings.HasSuffix(f.Doc, ".") || f.call == nil {
			t.Errorf("%s has no sentence or does nothing", f.Signature())
		}
	}
	for _, name := range Names() {
		if name.Doc == "" {
			t.Errorf("%s has no sentence", name.Name)
		}
	}
}

func FuzzCompute(f *testing.F) {
	for _, seed := range []string{
		"1 + 2 * (3 - 4) / 5", "cells(52.2, 21, 5km, 6)", "month(on_demand)", "pow(pow(9, 9), 9)", "$5GB*storage", "max(1,2",
		"cells(0, 0, 20000, 8)", "1/0", "alternative(a, b)", "geohash(90,180,12)", "((((", "-----1", "5GB/1d*2h", "\"x", "limit(item)", "9e9",
	} {
		f.Add(seed)
	}
	env := bare()
	f.Fuzz(func(t *testing.T, formula string) {
		result, bad := compute(formula, env)
		if bad == nil {
			show(result, model.Stated{})
			return
		}
		if length := len([]rune(formula)); bad.offset < 0 || bad.offset > length || bad.length < 1 || bad.message == "" {
			t.Fatalf("%q: fault %+v lies outside", formula, bad)
		}
	})
}
