package cli

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"
)

// consoleBlock matches a block of a guide with commands and their output.
var consoleBlock = regexp.MustCompile("(?s)```console\n(.*?)```")

// The guide to designs shows real commands. They are run here, in order and in one
// folder, and must print what the guide shows; a line with … matches any lines.
func TestDesignGuide(t *testing.T) {
	guide, err := os.ReadFile("../../docs/guide/design.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	edits := map[int]func(string) string{
		2: func(text string) string { // "Change order_id … and check again"
			return strings.Replace(text, "order_id: { type: ulid, time: placed_at }", "order_id: uuid", 1)
		},
		3: func(text string) string { // and back
			return strings.Replace(text, "order_id: uuid", "order_id: { type: ulid, time: placed_at }", 1)
		},
	}
	n := 0
	for _, block := range consoleBlock.FindAllStringSubmatch(string(guide), -1) {
		for _, command := range strings.Split(block[1], "$ sortkey ")[1:] {
			line, want, _ := strings.Cut(command, "\n")
			if edit := edits[n]; edit != nil {
				rewrite(t, "shop.design.yaml", edit)
			}
			var out bytes.Buffer
			Run(strings.Fields(line), strings.NewReader(""), &out, &out)
			expectShown(t, line, want, out.String())
			n++
		}
	}
	if n < 5 {
		t.Errorf("the guide shows %d commands, want at least 5", n)
	}
}

func rewrite(t *testing.T, path string, edit func(string) string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(edit(string(text))), 0o644); err != nil {
		t.Fatal(err)
	}
}

// expectShown looks for each part between … lines, one after the other.
func expectShown(t *testing.T, command, shown, got string) {
	t.Helper()
	for stretch := range strings.SplitSeq(shown, "…\n") {
		i := strings.Index(got, stretch)
		if i < 0 {
			t.Errorf("sortkey %s does not print, or not in this order:\n%s\nbut:\n%s", command, stretch, got)
			return
		}
		got = got[i+len(stretch):]
	}
}
