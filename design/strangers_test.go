package design

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// strangers returns the paths of the published designs of others.
func strangers(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob("testdata/strangers/*.design.yaml")
	if err != nil || len(paths) != 10 {
		t.Fatalf("want ten designs, got %v (%v)", paths, err)
	}
	return paths
}

func name(path string) string { return strings.TrimSuffix(filepath.Base(path), ".design.yaml") }

// TestStrangers compares the findings of ten published designs of others with golden files.
// A change there needs a verdict in testdata/strangers/README.md.
func TestStrangers(t *testing.T) {
	for _, path := range strangers(t) {
		t.Run(name(path), func(t *testing.T) {
			findings, err := Check([]*Design{open(t, path)}, CheckOptions{})
			if err != nil {
				t.Fatal(err)
			}
			var text bytes.Buffer
			if err := findings.Text(&text, Style{}); err != nil {
				t.Fatal(err)
			}
			golden(t, strings.TrimSuffix(path, ".design.yaml")+".findings.txt", text.Bytes())
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			formatted, err := Format(path, source)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(source), string(formatted)); diff != "" {
				t.Errorf("not formatted (-file +fmt):\n%s", diff)
			}
		})
	}
}

// A verdictCount counts the verdicts on the findings of one design.
type verdictCount struct{ Right, Wrong, Arguable, BadAdvice int }

var (
	verdictRow = regexp.MustCompile(`^\| ([A-Z]\d{3}) \| (\d+) \| .* \| (right|wrong|arguable)(, advice wrong)? \| `)
	summaryRow = regexp.MustCompile(`^\| \[(\w+)\]\(#\w+\) \| .* \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$`)
)

// TestEveryFindingOfStrangersHasAVerdict compares the codes in the README's tables with the
// golden findings, and its summary with the tables.
func TestEveryFindingOfStrangersHasAVerdict(t *testing.T) {
	readme, err := os.ReadFile("testdata/strangers/README.md")
	if err != nil {
		t.Fatal(err)
	}
	judged, verdicts, summary := map[string]map[string]int{}, map[string]verdictCount{}, map[string]verdictCount{}
	section := ""
	for line := range strings.Lines(string(readme)) {
		line = strings.TrimSuffix(line, "\n")
		if heading, ok := strings.CutPrefix(line, "## "); ok {
			section = heading
			judged[section] = map[string]int{}
		}
		if row := verdictRow.FindStringSubmatch(line); row != nil {
			n := number(t, row[2])
			judged[section][row[1]] += n
			verdicts[section] = verdicts[section].plus(row[3], row[4] != "", n)
		}
		if row := summaryRow.FindStringSubmatch(line); row != nil {
			summary[row[1]] = verdictCount{number(t, row[2]), number(t, row[3]), number(t, row[4]), number(t, row[5])}
		}
	}
	for _, path := range strangers(t) {
		text, err := os.ReadFile(strings.TrimSuffix(path, ".design.yaml") + ".findings.txt")
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]int{}
		for _, heading := range regexp.MustCompile(`(?m)^\S+:\d+:\d+ +(?:error|warning|note) ([A-Z]\d{3}) `).FindAllSubmatch(text, -1) {
			found[string(heading[1])]++
		}
		if diff := cmp.Diff(found, judged[name(path)]); diff != "" {
			t.Errorf("%s: the verdicts in README.md are not those of the findings (-found +judged):\n%s", name(path), diff)
		}
		if diff := cmp.Diff(verdicts[name(path)], summary[name(path)]); diff != "" {
			t.Errorf("%s: the summary in README.md differs from its table (-table +summary):\n%s", name(path), diff)
		}
	}
}

func (v verdictCount) plus(verdict string, badAdvice bool, n int) verdictCount {
	switch verdict {
	case "right":
		v.Right += n
	case "wrong":
		v.Wrong += n
	default:
		v.Arguable += n
	}
	if badAdvice {
		v.BadAdvice += n
	}
	return v
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(fmt.Errorf("%q is not a number: %w", text, err))
	}
	return n
}
