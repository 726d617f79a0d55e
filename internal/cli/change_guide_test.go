package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// TestChangeGuide follows the guide: each design it shows is saved, and commands print what it shows.
func TestChangeGuide(t *testing.T) {
	guide, err := os.ReadFile("../../docs/guide/change.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	n := 0
	for _, block := range tutorialBlock.FindAllStringSubmatch(string(guide), -1) {
		if block[1] == "yaml" && strings.HasPrefix(block[2], "design:") {
			if err := os.WriteFile("shop.design.yaml", []byte(block[2]), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if block[1] != "console" {
			continue
		}
		for _, command := range strings.Split(block[2], "$ sortkey ")[1:] {
			line, want, _ := strings.Cut(command, "\n")
			var out bytes.Buffer
			Run(strings.Fields(line), strings.NewReader(""), &out, &out)
			expectPieces(t, line, want, out.String())
			n++
		}
	}
	if n < 2 {
		t.Errorf("the guide shows %d commands", n)
	}
}
