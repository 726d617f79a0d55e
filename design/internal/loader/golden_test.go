package loader

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// TestCases compares the findings and the model of every folder of testdata/cases with its
// want.txt. UPDATE=1 rewrites the files.
func TestCases(t *testing.T) {
	folders, err := filepath.Glob("testdata/cases/*")
	if err != nil || len(folders) == 0 {
		t.Fatal("no cases", err)
	}
	for _, folder := range folders {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			got := dump(caseSources(t, folder))
			compareFile(t, filepath.Join(folder, "want.txt"), got)
		})
	}
}

func caseSources(t *testing.T, folder string) []Source {
	t.Helper()
	path := folder
	if _, err := os.Stat(filepath.Join(folder, "design.yaml")); err == nil {
		path = filepath.Join(folder, "design.yaml")
	}
	sources, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range sources {
		sources[i].Name = filepath.Base(sources[i].Name)
	}
	return sources
}

func compareFile(t *testing.T, path, got string) {
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
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// dump formats findings with the text they point at, and the names of the elements that were
// loaded.
func dump(sources []Source) string {
	var report diag.Report
	design := Load(sources, &report)
	var b strings.Builder
	for _, f := range report.Findings() {
		fmt.Fprintf(&b, "%s %s %s\n", f.Place, f.Code, f.Message)
		underline(&b, sources, f.Place)
		if f.Subject != "" {
			fmt.Fprintf(&b, "    about: %s\n", f.Subject)
		}
		if f.Fix != "" {
			fmt.Fprintf(&b, "    fix: %s\n", f.Fix)
		}
		for _, r := range f.Related {
			fmt.Fprintf(&b, "    %s: %s\n", r.Place, r.Message)
		}
	}
	b.WriteString(summary(design))
	return b.String()
}

func underline(b *strings.Builder, sources []Source, p diag.Place) {
	for _, s := range sources {
		lines := linesOf(s.Text)
		if s.Name != p.File || p.Line > len(lines) || len(lines[p.Line-1]) > 300 {
			continue
		}
		line := strings.ReplaceAll(string(lines[p.Line-1]), "\x00", "\uFFFD")
		fmt.Fprintf(b, "    | %s\n    | %s%s\n", line, strings.Repeat(" ", p.Column-1), strings.Repeat("^", max(1, p.EndColumn-p.Column)))
	}
}

// linesOf splits a text into lines of characters.
func linesOf(text []byte) [][]rune {
	s := strings.TrimPrefix(strings.ToValidUTF8(string(text), "\uFFFD"), "\uFEFF")
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)
	var lines [][]rune
	for line := range strings.SplitSeq(strings.TrimSuffix(s, "\n"), "\n") {
		lines = append(lines, []rune(line))
	}
	return lines
}

func summary(d *model.Design) string {
	if d == nil {
		return "nothing was read\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "design %q\n", d.Name)
	for _, e := range d.Entities {
		fmt.Fprintf(&b, "entity %s: %s\n", e.Name, strings.Join(attributeNames(e), " "))
	}
	tables := func(indent string, all []*model.Table) {
		for _, t := range all {
			fmt.Fprintf(&b, "%stable %s:", indent, t.Name)
			for _, x := range t.Indexes {
				fmt.Fprintf(&b, " index %s", x.Name)
			}
			for _, i := range t.Items {
				fmt.Fprintf(&b, " item %s", i.Entity.Name)
			}
			for _, g := range t.Guards {
				fmt.Fprintf(&b, " guard of %s", g.Entity.Name)
			}
			b.WriteString("\n")
		}
	}
	tables("", d.Tables)
	for _, a := range d.Alternatives {
		fmt.Fprintf(&b, "alternative %s\n", a.Name)
		tables("  ", a.Tables)
	}
	for _, p := range d.Patterns {
		fmt.Fprintf(&b, "pattern %s: %s\n", p.Name, p.Verb)
	}
	for _, a := range d.Accepts {
		fmt.Fprintf(&b, "accept %s in %s:%d-%d\n", a.Code, a.Scope.File, a.Scope.First, a.Scope.Last)
	}
	fmt.Fprintf(&b, "%d types, %d profiles, %d roles, %d claims\n", len(d.Structs), len(d.Profiles), len(d.Roles), len(d.Claims))
	return b.String()
}
