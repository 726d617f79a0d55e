package check_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/design/internal/check"
	"sortkey.dev/design/internal/diag"
)

func TestPolicySetsSeverities(t *testing.T) {
	tests := map[string]struct {
		text string
		want map[diag.Code]diag.Severity
	}{
		"by code":                   {"K106: off\n", map[diag.Code]diag.Severity{"K106": diag.Off, "K103": diag.Error}},
		"by name":                   {"delimiter-in-value: warning\n", map[diag.Code]diag.Severity{"K106": diag.Warning}},
		"by family":                 {"heat: error\n", map[diag.Code]diag.Severity{"H506": diag.Error, "K106": diag.Note}},
		"a code before its family":  {"keys: warning\nK106: off\n", map[diag.Code]diag.Severity{"K106": diag.Off, "K103": diag.Warning}},
		"a family after its code":   {"K106: off\nkeys: warning\n", map[diag.Code]diag.Severity{"K106": diag.Off, "K103": diag.Warning}},
		"a name before its family":  {"keys: warning\nid-not-in-key: note\n", map[diag.Code]diag.Severity{"K103": diag.Note}},
		"JSON":                      {`{"K106": "off", "order": "warning"}`, map[diag.Code]diag.Severity{"K106": diag.Off, "O201": diag.Warning}},
		"comments":                  {"# our rules\nK106: off # free text is fine\n", map[diag.Code]diag.Severity{"K106": diag.Off}},
		"nothing":                   {"", map[diag.Code]diag.Severity{"K106": diag.Note}},
		"only comments":             {"# nothing yet\n", map[diag.Code]diag.Severity{"K106": diag.Note}},
		"files that cannot be read": {"file: off\n", map[diag.Code]diag.Severity{"F001": diag.Error, "F014": diag.Off}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			policy, err := check.ParsePolicy([]byte(test.text))
			if err != nil {
				t.Fatal(err)
			}
			for code, want := range test.want {
				if got := policy.Severity(code.Rule()); got != want {
					t.Errorf("%s is %s, want %s", code, got, want)
				}
			}
		})
	}
}

func TestPolicyRejectsInvalidFiles(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"unknown name":      {"K103: error\nkeyz: off\n", `line 2: no rule or family is called "keyz"; did you mean keys?`},
		"unknown severity":  {"K106: fatal\n", `line 1: the severity of K106 must be off, note, warning or error, not "fatal"`},
		"bool for severity": {"K106: false\n", `line 1: the severity of K106 must be off, note, warning or error, not "false"`},
		"nested":            {"keys: { K106: off }\n", `line 1: the severity of keys must be off, note, warning or error`},
		"list":              {"- K106\n", `write a mapping such as "K106: off"`},
		"text":              {"K106\n", `write a mapping such as "K106: off"`},
		"broken":            {"K106: off\nK103: [\n", "line 2: [ is never closed"},
		"alias":             {"K106: *off\n", "line 1: * begins an alias"},
		"no value":          {"K106:\n", `line 1: the severity of K106 must be off, note, warning or error, not ""`},
		"two documents":     {"K106: off\n---\nK103: off\n", "line 2: --- begins a second document"},
		"twice":             {"K106: off\nK106: note\n", "K106"},
		"unreadable files":  {"F001: off\n", "line 1: F001 means that the design cannot be read, so it stays an error"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			policy, err := check.ParsePolicy([]byte(test.text))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("ParsePolicy = %v, %v, want an error with %q", policy, err, test.want)
			}
		})
	}
}

func TestPolicyReportsAllErrorsTogether(t *testing.T) {
	_, err := check.ParsePolicy([]byte("K999: off\nK106: loud\n"))
	if err == nil || !strings.Contains(err.Error(), "K999") || !strings.Contains(err.Error(), "loud") {
		t.Errorf("ParsePolicy = %v, want both mistakes", err)
	}
}

func TestPolicyApplyChangesSeverities(t *testing.T) {
	var report diag.Report
	report.Add(diag.Finding{Code: "K103", Message: "an error"})
	report.Add(diag.Finding{Code: "K106", Message: "a note"})
	report.Add(diag.Finding{Code: "C308", Message: "another note"})
	policy, err := check.ParsePolicy([]byte("keys: warning\nK106: off\ncoverage: error\n"))
	if err != nil {
		t.Fatal(err)
	}
	policy.Apply(&report)
	var got []string
	for _, f := range report.Findings() {
		got = append(got, string(f.Code)+" "+f.Severity.String())
	}
	if diff := cmp.Diff([]string{"C308 error", "K103 warning"}, got); diff != "" {
		t.Errorf("findings differ (-want +got):\n%s", diff)
	}
	if !report.Failed() {
		t.Error("a note raised to an error does not fail the report")
	}
}
