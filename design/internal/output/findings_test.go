package output

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/loader"
)

func textOf(t *testing.T, f Findings, style Style) string {
	t.Helper()
	var b bytes.Buffer
	if err := f.Text(&b, style); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// finding returns one finding at a place of a file with the given text.
func finding(source string, place diag.Place) Findings {
	place.File = "x.yaml"
	return Findings{
		Sources:  []loader.Source{{Name: "x.yaml", Text: []byte(source)}},
		Findings: []diag.Finding{{Code: "K101", Severity: diag.Error, Place: place, Message: "a key of a type that cannot be one"}},
		Files:    []string{"x.yaml"},
	}
}

func TestCaretsAreBelowTheWord(t *testing.T) {
	for name, c := range map[string]struct {
		source string
		place  diag.Place
		want   string
	}{
		"a word":               {"a: b\n  pk: active\n", diag.Place{Line: 2, Column: 7, EndColumn: 13}, "    2 |   pk: active\n      |       ^^^^^^\n"},
		"no end":               {"pk: active\n", diag.Place{Line: 1, Column: 5}, "    1 | pk: active\n      |     ^\n"},
		"beyond the line":      {"pk: a\n", diag.Place{Line: 1, Column: 40, EndColumn: 50}, "    1 | pk: a\n      |      ^\n"},
		"letters of two bytes": {"é: öö\n", diag.Place{Line: 1, Column: 4, EndColumn: 6}, "    1 | é: öö\n      |    ^^\n"},
		"tabs are one wide":    {"\tpk: a\n", diag.Place{Line: 1, Column: 2, EndColumn: 4}, "    1 |  pk: a\n      |  ^^\n"},
		"a carriage return":    {"pk: a\r\nsk: b\r\n", diag.Place{Line: 2, Column: 1, EndColumn: 3}, "    2 | sk: b\n      | ^^\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := textOf(t, finding(c.source, c.place), Style{}); !strings.Contains(got, c.want) {
				t.Errorf("want\n%s\nin\n%s", c.want, got)
			}
		})
	}
}

func TestLongLinesAreCutAroundTheWord(t *testing.T) {
	line := strings.Repeat("a", 300) + "HERE" + strings.Repeat("b", 300)
	got := textOf(t, finding(line, diag.Place{Line: 1, Column: 301, EndColumn: 305}), Style{Width: 80})
	lines := strings.Split(got, "\n")
	if n := len([]rune(lines[1])); n > 80 {
		t.Errorf("the line is %d wide", n)
	}
	at := strings.Index(lines[2], "^^^^")
	if at < 0 || !strings.HasPrefix(string([]rune(lines[1])[at:]), "HERE") {
		t.Errorf("the carets are not below the word:\n%s", got)
	}
}

func TestPlacesOutsideTheText(t *testing.T) {
	for name, place := range map[string]diag.Place{"nowhere": {}, "after the end": {Line: 9, Column: 1}} {
		got := textOf(t, finding("a: b\n", place), Style{})
		if strings.Contains(got, "^") || !strings.Contains(got, "K101") {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}

func TestReasonsAreWrittenOnce(t *testing.T) {
	f := finding("a: b\n", diag.Place{Line: 1, Column: 1})
	f.Findings = append(f.Findings, f.Findings[0])
	got := textOf(t, f, Style{})
	why := diag.Code("K101").Rule().Why
	if n := strings.Count(strings.Join(strings.Fields(got), " "), why); n != 1 {
		t.Errorf("the reason stands %d times:\n%s", n, got)
	}
	if !strings.Contains(got, "2 errors, 0 warnings, 0 notes in 1 design.") {
		t.Errorf("no summary:\n%s", got)
	}
}

func TestColourIsOptional(t *testing.T) {
	f := finding("a: b\n", diag.Place{Line: 1, Column: 1})
	if strings.Contains(textOf(t, f, Style{}), "\x1b") {
		t.Error("colour without being asked for")
	}
	if !strings.Contains(textOf(t, f, Style{Color: true}), "\x1b[31m") {
		t.Error("no colour although asked for")
	}
}

// Only the page itself may write escape sequences.
func TestControlCharactersAreRemoved(t *testing.T) {
	f := finding("a: \x1b[2Jb\n", diag.Place{Line: 1, Column: 1})
	f.Findings[0].Message = "evil \x1b[31m and \u202Eturned"
	f.Findings[0].Place.File = "x\ny.yaml"
	for _, style := range []Style{{}, {Color: true}} {
		got := textOf(t, f, style)
		for _, bad := range []string{"\x1b[2J", "evil \x1b", "\u202E", "x\ny"} {
			if strings.Contains(got, bad) {
				t.Errorf("%q went through", bad)
			}
		}
	}
}

// TestSARIF checks the fields that code hosts require.
func TestSARIF(t *testing.T) {
	f := finding("a: b\n", diag.Place{Line: 1, Column: 1, EndColumn: 2})
	f.Findings[0].Related = []diag.Related{{Place: diag.Place{File: "x.yaml", Line: 1, Column: 4}, Message: "the other"}}
	accepted := f.Findings[0]
	accepted.Accepted = "we know"
	f.Findings = append(f.Findings, accepted)
	var b bytes.Buffer
	if err := f.SARIF(&b, "v1"); err != nil {
		t.Fatal(err)
	}
	var log sarifLog
	decoder := json.NewDecoder(&b)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	for i, result := range run.Results {
		rule := run.Tool.Driver.Rules[result.RuleIndex]
		if rule.ID != result.RuleID || rule.Help.Text == "" || rule.Full.Text == "" || !strings.HasSuffix(rule.HelpURI, "/"+rule.ID) {
			t.Errorf("result %d: rule %+v", i, rule)
		}
		if region := result.Locations[0].Physical.Region; region.StartLine != 1 || region.EndColumn != 2 {
			t.Errorf("result %d: region %+v", i, region)
		}
		if len(result.Related) != 1 || result.Related[0].Message.Text != "the other" {
			t.Errorf("result %d: related %+v", i, result.Related)
		}
	}
	first, second := run.Results[0], run.Results[1]
	if rule := diag.Code(first.RuleID).Rule(); !strings.Contains(first.Message.Text, rule.Why) || !strings.Contains(first.Message.Text, rule.Fix) {
		t.Errorf("the message has no reason or advice: %s", first.Message.Text)
	}
	if first.Fingerprints["sortkey/v1"] == second.Fingerprints["sortkey/v1"] {
		t.Error("two findings have the same fingerprint")
	}
	if len(run.Results[0].Suppressions) != 0 || run.Results[1].Suppressions[0].Justification != "we know" {
		t.Error("only the accepted finding is suppressed, with its reason")
	}
}

// TestFingerprintsOutliveEdits moves a finding to another line with another figure.
func TestFingerprintsOutliveEdits(t *testing.T) {
	before := finding("a: b\n", diag.Place{Line: 1, Column: 1}).Findings[0]
	after := before
	after.Place.Line, after.Message = 7, "another figure"
	if fingerprint(before, map[string]int{}) != fingerprint(after, map[string]int{}) {
		t.Error("the fingerprint depends on the line or the message")
	}
	after.Subject = "pattern Other"
	if fingerprint(before, map[string]int{}) == fingerprint(after, map[string]int{}) {
		t.Error("the fingerprint does not depend on the subject")
	}
}

func TestFileURI(t *testing.T) {
	for name, want := range map[string]string{
		"shop.design.yaml": "shop.design.yaml", "a b/ü%.yaml": "a%20b/%C3%BC%25.yaml", "/tmp/x.yaml": "file:///tmp/x.yaml",
	} {
		if got := fileURI(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"one two three", 7, "one two|three"},
		{"one two three", 6, "one|two|three"},
		{"unbreakable", 4, "unbreakable"},
		{"ä ö ü", 3, "ä ö|ü"},
		{"", 10, ""},
	} {
		if got := strings.Join(wrap(c.text, c.width), "|"); got != c.want {
			t.Errorf("wrap(%q, %d) = %q, want %q", c.text, c.width, got, c.want)
		}
	}
}
