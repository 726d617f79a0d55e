package claim_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sortkey.dev/design/internal/claim"
	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// TestClaimsOfTheSeeds checks every number of the four seed documents: their own calculations
// at their own prices, and the true values. "sum ok" means that the document's arithmetic
// gives its number to the last digit.
func TestClaimsOfTheSeeds(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/seeds/*.design.yaml")
	if err != nil || len(paths) != 4 {
		t.Fatalf("want four seeds, got %v, %v", paths, err)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".design.yaml")
		t.Run(name, func(t *testing.T) {
			sources, err := loader.Read(path)
			if err != nil {
				t.Fatal(err)
			}
			var report diag.Report
			d := loader.Load(sources, &report)
			if report.Failed() {
				t.Fatal(report.Findings())
			}
			compareWithGolden(t, strings.TrimSuffix(path, ".design.yaml")+".claims.txt", table(d))
		})
	}
}

func table(d *model.Design) string {
	env := claim.NewEnv(resolve.New(d), cost.Options{})
	claims := d.Claims
	for _, p := range d.Patterns {
		claims = append(claims, p.Claims...)
	}
	var b strings.Builder
	for _, c := range claims {
		text := c.Text
		if c.Pattern != nil {
			text = c.Pattern.Name + " " + c.Of
		}
		fmt.Fprintf(&b, "%-11s %-7s %-7s %s\n", c.Says.Text, verdict(c.Worked != "", "sum", c, env, "X952"), verdict(c.Is != "" || c.Pattern != nil, "is", c, env, "X951"), text)
	}
	return b.String()
}

// verdict returns the result of a formula of a claim: ok, wrong, or nothing if there is none.
func verdict(stated bool, name string, c *model.Claim, env claim.Env, code diag.Code) string {
	if !stated {
		return "-"
	}
	for _, finding := range claim.Check(c, env) {
		if finding.Code == code || finding.Code == "X953" {
			return name + " NO"
		}
	}
	return name + " ok"
}

func compareWithGolden(t *testing.T, path, got string) {
	t.Helper()
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; read the change and run with UPDATE=1 if it is right. Got:\n%s", path, got)
	}
}
