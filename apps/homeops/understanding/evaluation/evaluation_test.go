package evaluation_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"sortkey.dev/apps/homeops/understanding/evaluation"
	"sortkey.dev/apps/homeops/understanding/rules"
)

func load(t *testing.T, name string) []evaluation.Case {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Stockholm")
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	cases, err := evaluation.Parse(name, file, zone)
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

func TestEvaluation(t *testing.T) {
	for _, name := range []string{"development.sv.txt", "development.en.txt"} {
		report, err := evaluation.Run(t.Context(), name, rules.New(), load(t, name))
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("\n%s", report)
		for _, h := range report.Hard {
			t.Errorf("hard error: %s", h)
		}
		if os.Getenv("VERBOSE") != "" {
			for _, w := range report.Wrong {
				t.Log(w)
			}
		}
	}
}
