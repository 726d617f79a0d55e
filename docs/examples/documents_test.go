package examples

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const root = "../.."

// documents are the Markdown files of the repository.
func documents(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != root && strings.HasPrefix(d.Name(), "."), d.IsDir() && d.Name() == "testdata":
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(file) != ".md":
			return nil
		}
		text, err := os.ReadFile(file)
		texts[file] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(texts) < 5 {
		t.Fatalf("only %d documents found; the root is wrong", len(texts))
	}
	return texts
}

// plain drops indentation and empty lines: what a snippet and its source may differ in.
func plain(code string) string {
	var b strings.Builder
	for line := range strings.Lines(code) {
		if line = strings.TrimSpace(line); line != "" {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

var goBlock = regexp.MustCompile("(?ms)^```go\n(.*?)^```$")

// exampleCode is the code of this package.
func exampleCode(t *testing.T) string {
	t.Helper()
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var code strings.Builder
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		code.WriteString(plain(string(source)))
	}
	return code.String()
}

func TestSnippetsAreReal(t *testing.T) {
	code, checked := exampleCode(t), 0
	for file, text := range documents(t) {
		rel, err := filepath.Rel(root, file)
		if err != nil {
			t.Fatal(err)
		}
		if rel != "README.md" && !strings.HasPrefix(filepath.ToSlash(rel), "docs/guide/") {
			continue
		}
		if filepath.Base(rel) == "building-a-system.md" {
			continue // its own test builds the system
		}
		for _, block := range goBlock.FindAllStringSubmatch(text, -1) {
			if strings.HasPrefix(block[1], "package main\n") {
				continue // the tutorial's programs: its own test walks it
			}
			checked++
			if !strings.Contains(code, plain(block[1])) {
				t.Errorf("%s: this code is not in docs/examples:\n%s", rel, block[1])
			}
		}
	}
	if checked == 0 {
		t.Error("no Go code found in the documents")
	}
}

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

func TestLinksLeadSomewhere(t *testing.T) {
	for file, text := range documents(t) {
		for _, match := range link.FindAllStringSubmatch(goBlock.ReplaceAllString(text, ""), -1) {
			target, _, _ := strings.Cut(match[1], "#")
			if target == "" || strings.Contains(target, "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(file), target)); err != nil {
				t.Errorf("%s links to %s, which does not exist", file, match[1])
			}
		}
	}
}
