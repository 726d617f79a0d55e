package examples

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"sortkey.dev/design"
)

const scaleGuide = "../guide/scale.md"

// costBlock is the output of a command in the guide.
var costBlock = regexp.MustCompile("(?s)```text\n\\$ sortkey cost ([^\n ]+) --profile internet\n(.*?)\n```")

// TestSystemsAtInternetScale checks every system's design under its profile internet, and compares the
// figures in the guide with what sortkey cost prints. UPDATE=1 rewrites the figures.
func TestSystemsAtInternetScale(t *testing.T) {
	guide, err := os.ReadFile(scaleGuide)
	if err != nil {
		t.Fatal(err)
	}
	text, seen := string(guide), map[string]bool{}
	for _, block := range costBlock.FindAllStringSubmatch(text, -1) {
		seen[block[1]] = true
		d, err := design.Open("../../" + block[1])
		if err != nil {
			t.Fatal(err)
		}
		findings, err := design.Check([]*design.Design{d}, design.CheckOptions{Profile: "internet"})
		if err != nil {
			t.Fatal(err)
		}
		if failed, _ := findings.Failed("warning"); failed {
			findings.Text(os.Stderr, design.Style{})
			t.Errorf("%s has findings in profile internet", block[1])
		}
		want := strings.TrimRight(scaleFigures(t, d), "\n")
		if os.Getenv("UPDATE") != "" {
			text = strings.Replace(text, block[2], want, 1)
		} else if block[2] != want {
			t.Errorf("%s: the guide has\n%s\nand the command prints\n%s\nUPDATE=1 rewrites the guide.", block[1], block[2], want)
		}
	}
	for _, name := range []string{"askahuman", "ecobid", "exambuddy", "homeops"} {
		if path := "apps/" + name + "/" + name + ".design.yaml"; !seen[path] {
			t.Errorf("the guide has no figures of %s", path)
		}
	}
	if text != string(guide) {
		if err := os.WriteFile(scaleGuide, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// scaleFigures returns the hottest keys and the bills of an estimate as the command prints them.
func scaleFigures(t *testing.T, d *design.Design) string {
	t.Helper()
	priced, err := d.Cost(design.Workload{Profile: "internet"})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := priced.Text(&out, design.Style{}); err != nil {
		t.Fatal(err)
	}
	_, figures, found := strings.Cut(out.String(), "\nHottest keys at the peak\n")
	figures, _, whole := strings.Cut(figures, "\nbreak-even")
	if !found || !whole {
		t.Fatalf("the estimate has no hottest keys or no bills:\n%s", out.String())
	}
	return "[...]\nHottest keys at the peak\n" + figures
}
