package cli

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"
)

// yamlBlock matches a block of a guide with a part of a design.
var yamlBlock = regexp.MustCompile("(?s)```yaml\n(.*?)```")

// The guide to infrastructure shows real commands on the design that init writes, with the
// roles that the guide adds.
func TestInfrastructureGuide(t *testing.T) {
	guide, err := os.ReadFile("../../docs/guide/infrastructure.md")
	if err != nil {
		t.Fatal(err)
	}
	roles := yamlBlock.FindStringSubmatch(string(guide))
	if roles == nil {
		t.Fatal("the guide adds no roles")
	}
	t.Chdir(t.TempDir())
	var out bytes.Buffer
	if code := Run([]string{"init"}, strings.NewReader(""), &out, &out); code != exitOK {
		t.Fatalf("init: %s", &out)
	}
	rewrite(t, "shop.design.yaml", func(text string) string { return text + "\n" + roles[1] })
	n := 0
	for _, block := range consoleBlock.FindAllStringSubmatch(string(guide), -1) {
		for _, command := range strings.Split(block[1], "$ sortkey ")[1:] {
			line, want, _ := strings.Cut(command, "\n")
			out.Reset()
			Run(strings.Fields(line), strings.NewReader(""), &out, &out)
			expectShown(t, line, want, out.String())
			if want == "" && out.Len() > 0 {
				t.Errorf("sortkey %s prints what the guide does not show:\n%s", line, &out)
			}
			n++
		}
	}
	if n < 6 {
		t.Errorf("the guide shows %d commands, want at least 6", n)
	}
}
