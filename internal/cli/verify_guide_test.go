package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// The guide to verification shows real commands: on the design that init writes, and on the
// design it prints.
func TestVerifyGuide(t *testing.T) {
	guide, err := os.ReadFile("../../docs/guide/verify.md")
	if err != nil {
		t.Fatal(err)
	}
	tasks := yamlBlock.FindStringSubmatch(string(guide))
	if tasks == nil {
		t.Fatal("the guide shows no design")
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("tasks.design.yaml", []byte(tasks[1]), 0o644); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, block := range consoleBlock.FindAllStringSubmatch(string(guide), -1) {
		for _, command := range strings.Split(block[1], "$ sortkey ")[1:] {
			line, want, _ := strings.Cut(command, "\n")
			var out bytes.Buffer
			Run(strings.Fields(line), strings.NewReader(""), &out, &out)
			expectPieces(t, line, want, out.String())
			n++
		}
	}
	if n < 4 {
		t.Errorf("the guide shows %d commands, want at least 4", n)
	}
}
