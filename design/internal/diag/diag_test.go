package diag

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// families maps families to the letter and the first digit of their codes.
var families = map[Family]struct{ letter, digit string }{
	Files: {"F", "0"}, Keys: {"K", "1"}, Order: {"O", "2"}, Coverage: {"C", "3"}, Indexes: {"I", "4"}, Heat: {"H", "5"},
	Time: {"T", "6"}, Limits: {"L", "7"}, Writes: {"W", "8"}, Cost: {"M", "9"}, Claims: {"X", "9"},
	Evolution: {"E", "0"},
}

func TestCodesAndNames(t *testing.T) {
	code, name := regexp.MustCompile(`^[A-Z][0-9]{3}$`), regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	seen := map[string]bool{}
	last := map[Family]Code{}
	var order []Family
	for _, rule := range Rules() {
		if !code.MatchString(string(rule.Code)) || !name.MatchString(rule.Name) {
			t.Errorf("%s %s: a code is a letter and three digits, a name lower-case words", rule.Code, rule.Name)
		}
		if seen[string(rule.Code)] || seen[rule.Name] {
			t.Errorf("%s %s is there twice", rule.Code, rule.Name)
		}
		seen[string(rule.Code)], seen[rule.Name] = true, true
		family, ok := families[rule.Family]
		if !ok || !strings.HasPrefix(string(rule.Code), family.letter+family.digit) {
			t.Errorf("%s is not a code of the family %s", rule.Code, rule.Family)
		}
		if rule.Code <= last[rule.Family] {
			t.Errorf("%s comes after %s", rule.Code, last[rule.Family])
		}
		last[rule.Family] = rule.Code
		if len(order) == 0 || order[len(order)-1] != rule.Family {
			order = append(order, rule.Family)
		}
	}
	want := []Family{Files, Keys, Order, Coverage, Indexes, Heat, Time, Limits, Writes, Cost, Claims, Evolution}
	if diff := cmp.Diff(want, order); diff != "" {
		t.Errorf("families are not listed together and in order (-want +got):\n%s", diff)
	}
}

func TestTextsOfRules(t *testing.T) {
	for _, rule := range Rules() {
		if rule.Severity < Note || rule.Severity > Error {
			t.Errorf("%s has no severity", rule.Code)
		}
		if rule.Title == "" || strings.HasSuffix(rule.Title, ".") || strings.ToUpper(rule.Title[:1]) != rule.Title[:1] {
			t.Errorf("%s: a title is a line without a full stop: %q", rule.Code, rule.Title)
		}
		for _, text := range []string{rule.Why, rule.Fix} {
			if !strings.HasSuffix(text, ".") || strings.ToUpper(text[:1]) != text[:1] || strings.Contains(text, "\n") {
				t.Errorf("%s: not a sentence: %q", rule.Code, text)
			}
		}
	}
}

func TestLookup(t *testing.T) {
	byCode, ok := Lookup("K101")
	byName, ok2 := Lookup("key-type")
	if !ok || !ok2 || byCode != byName || Code("K101").Rule() != byCode {
		t.Errorf("K101 is %+v, key-type is %+v", byCode, byName)
	}
	if _, ok := Lookup("k101"); ok {
		t.Error("codes are written in upper case")
	}
	Rules()[0].Name = "changed"
	if Rules()[0].Name == "changed" {
		t.Error("the list of rules can be changed from outside")
	}
}

func TestAddPanicsOnUnknownCode(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a finding with an unknown code was reported")
		}
	}()
	new(Report).Add(Finding{Code: "Z999"})
}

func TestDidYouMean(t *testing.T) {
	candidates := []string{"status", "created_at", "candidate_id", "ttl"}
	for name, want := range map[string]string{
		"satus": "status", "STATUS": "status", "createdat": "created_at", "created_ta": "created_at", "candidateId": "candidate_id",
	} {
		if got := DidYouMean(name, candidates); got != "; did you mean "+want+"?" {
			t.Errorf("%q: %q, want %s", name, got, want)
		}
	}
	for _, name := range []string{"", "quantity"} {
		if got := DidYouMean(name, candidates); got != "" {
			t.Errorf("%q: %q, but nothing is near", name, got)
		}
	}
	if got := DidYouMean("status", nil); got != "" {
		t.Errorf("%q was suggested out of nothing", got)
	}
}

func TestPlaces(t *testing.T) {
	p := Place{File: "a.yaml", Line: 3, Column: 5, EndColumn: 12}
	for place, want := range map[Place]string{
		p: "a.yaml:3:5", {Line: 3, Column: 5}: "3:5", {File: "a.yaml"}: "a.yaml", {}: "",
	} {
		if place.String() != want {
			t.Errorf("%#v prints as %q, want %q", place, place, want)
		}
	}
	if got, want := p.At(2, 3), (Place{File: "a.yaml", Line: 3, Column: 7, EndColumn: 10}); got != want {
		t.Errorf("2 characters on, 3 long: %+v, want %+v", got, want)
	}
	if p.IsZero() || !(Place{}).IsZero() {
		t.Error("only the zero place is zero")
	}
}

func TestSeverities(t *testing.T) {
	for _, s := range []Severity{Off, Note, Warning, Error} {
		text, _ := s.MarshalText()
		if got, ok := ParseSeverity(string(text)); !ok || got != s {
			t.Errorf("%s is read as %s, %v", s, got, ok)
		}
	}
	if got, ok := ParseSeverity("fatal"); ok || got != Off {
		t.Errorf("fatal is read as %s", got)
	}
}

func TestReportsSortByPlace(t *testing.T) {
	var r Report
	add := func(code Code, file string, line, column int, subject string) {
		r.Add(Finding{Code: code, Place: Place{File: file, Line: line, Column: column}, Subject: subject})
	}
	add("K102", "b.yaml", 1, 1, "")
	add("K101", "a.yaml", 9, 1, "")
	add("K102", "a.yaml", 2, 5, "")
	add("K101", "a.yaml", 2, 5, "y")
	add("K101", "a.yaml", 2, 5, "x")
	add("F012", "", 0, 0, "")
	var got []string
	for _, f := range r.Findings() {
		got = append(got, strings.TrimSpace(f.Place.String()+" "+string(f.Code)+" "+f.Subject))
		if f.Severity != f.Code.Rule().Severity {
			t.Errorf("%s has the severity %s", f.Code, f.Severity)
		}
	}
	want := []string{"F012", "a.yaml:2:5 K101 x", "a.yaml:2:5 K101 y", "a.yaml:2:5 K102", "a.yaml:9:1 K101", "b.yaml:1:1 K102"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestChangingFindings(t *testing.T) {
	var r Report
	r.Add(Finding{Code: "K101"})
	copied := r.Clone()
	copied.Add(Finding{Code: "K102"})
	copied.Each(func(f *Finding) { f.Severity = Note })
	if r.Findings()[0].Severity != Error || len(r.Findings()) != 1 {
		t.Error("changing a copy changes the report")
	}
	for _, f := range copied.Findings() {
		if f.Severity != Note {
			t.Errorf("%s stayed %s", f.Code, f.Severity)
		}
	}
}

func TestFailed(t *testing.T) {
	var r Report
	r.Add(Finding{Code: "F012"}) // a warning
	r.Add(Finding{Code: "K101", Accepted: "we know"})
	if r.Failed() {
		t.Error("warnings and accepted errors fail the check")
	}
	r.Add(Finding{Code: "K101"})
	if !r.Failed() {
		t.Error("an error does not fail the check")
	}
}
