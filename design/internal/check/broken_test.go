package check_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sortkey.dev/design/internal/check"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/loader"
)

// TestRunSurvivesIncompleteDesigns takes each line out of every golden design in turn.
// Editors check incomplete designs while the user types, so no rule may rely on parts that
// did not load.
func TestRunSurvivesIncompleteDesigns(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("testdata", "*", "*.yaml"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no golden designs: %v", err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		design, _ := splitWanted(string(text))
		lines := strings.Split(strings.TrimSpace(design), "\n")
		for i := range lines {
			rest := strings.Join(slices.Delete(slices.Clone(lines), i, i+1), "\n")
			survives(t, path, i+1, rest)
		}
	}
}

func survives(t *testing.T, path string, line int, text string) {
	t.Helper()
	defer func() {
		if problem := recover(); problem != nil {
			t.Errorf("%s without line %d: %v", path, line, problem)
		}
	}()
	var report diag.Report
	design := loader.Load([]loader.Source{{Name: path, Text: []byte(text)}}, &report)
	if design != nil {
		check.Run(design, check.Options{}, &report)
	}
}

// TestPartialDesignsKeepTheirAcceptances checks a design with a misspelt key: the finding that is
// accepted may be in the part that was not read.
func TestPartialDesignsKeepTheirAcceptances(t *testing.T) {
	const text = `design: Users
entities:
  User: { id: user_id, attributes: { user_id: ulid, email: string, city: string } }
tables:
  users:
    pk: PK
    indexes: { ByCity: { pk: GSI1PK } }
    items:
      User: { PK: "USER#{user_id}", GSIPK1: "CITY#{city}" }
patterns:
  ListByEmail: { list: User, where: { email: $ }, limit: 5, rate: 1/day, accept: { C301: few users } }
`
	var report diag.Report
	design := loader.Load([]loader.Source{{Name: "users.design.yaml", Text: []byte(text)}}, &report)
	if design == nil || !report.Failed() {
		t.Fatal("the misspelt key is not found")
	}
	check.Run(design, check.Options{Partial: true}, &report)
	for _, f := range report.Findings() {
		if f.Code != "F007" {
			t.Errorf("%s: %s", f.Code, f.Message)
		}
	}
}
