package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// buildingBlock matches a block of the guide, with the file that it is the content of.
var buildingBlock = regexp.MustCompile("(?s)(?:\\*\\*([^*\\n]+)\\*\\*\n\n)?```(console|yaml|go|html|diff)\n(.*?)```")

// TestBuildingASystem follows the guide like a newcomer in a checkout: it saves every file and
// runs every command, which must print what the guide shows.
func TestBuildingASystem(t *testing.T) {
	guide, err := os.ReadFile("../../docs/guide/building-a-system.md")
	if err != nil {
		t.Fatal(err)
	}
	checkout := linkCheckout(t)
	t.Chdir(checkout)
	files, commands := 0, 0
	for _, block := range buildingBlock.FindAllStringSubmatch(string(guide), -1) {
		path, kind, content := block[1], block[2], block[3]
		switch kind {
		case "console":
			for _, command := range strings.Split(content, "$ ")[1:] {
				line, want, _ := strings.Cut(command, "\n")
				expectPieces(t, line, want, walk(t, line, checkout, "GOWORK=off"))
				commands++
			}
		case "diff":
			rewrite(t, path, func(text string) string { return applyDiff(t, text, content) })
		default:
			if path == "" {
				t.Fatalf("a block of the guide names no file:\n%s", content)
			}
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
			files++
		}
	}
	walk(t, "go vet ./apps/borrow/... ./apps/showcase", checkout, "GOWORK=off")
	if commands < 5 || files < 8 {
		t.Errorf("the guide shows %d commands and %d files", commands, files)
	}
}

// linkCheckout returns a folder that looks like this checkout. Files can be added and those of apps
// and internal/cli can be changed without touching it.
func linkCheckout(t *testing.T) string {
	t.Helper()
	source, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	link := func(inside string, except ...string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(folder, inside), 0o755); err != nil {
			t.Fatal(err)
		}
		entries, err := os.ReadDir(filepath.Join(source, inside))
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range entries {
			name := entry.Name()
			if strings.HasPrefix(name, ".") || strings.Contains(" "+strings.Join(except, " ")+" ", " "+name+" ") {
				continue
			}
			if err := os.Symlink(filepath.Join(source, inside, name), filepath.Join(folder, inside, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	link("", "apps", "internal")
	link("internal", "cli")
	for _, copied := range []string{"apps", "internal/cli"} { // apps embeds files, which cannot be links
		if err := os.CopyFS(filepath.Join(folder, copied), os.DirFS(filepath.Join(source, copied))); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// applyDiff inserts the added lines after the lines that stand before them in a diff.
func applyDiff(t *testing.T, text, diff string) string {
	t.Helper()
	after := ""
	for line := range strings.Lines(diff) {
		if added, ok := strings.CutPrefix(line, "+"); ok {
			if !strings.Contains(text, after) {
				t.Fatalf("the file has no line %q", after)
			}
			text = strings.Replace(text, after, after+added, 1)
			after = added
			continue
		}
		after = strings.TrimPrefix(line, " ")
	}
	return text
}
