package docgen

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"sortkey.dev/design/internal/check"
	"sortkey.dev/design/internal/compare"
	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/resolve"
)

// load loads a design as package design does and fails the test if it has errors.
func load(t testing.TB, name string, text []byte) Input {
	t.Helper()
	in, findings := tryLoad(name, text)
	if in.Layout == nil {
		t.Fatalf("%s cannot be used: %v", name, findings)
	}
	return in
}

func tryLoad(name string, text []byte) (Input, []diag.Finding) {
	var report diag.Report
	d := loader.Load([]loader.Source{{Name: name, Text: text}}, &report)
	if d == nil || report.Failed() {
		return Input{}, report.Findings()
	}
	check.Run(d, check.Options{}, &report)
	layout := resolve.New(d)
	return Input{
		Layout:     layout,
		Estimate:   cost.Price(layout, cost.Options{}),
		Workload:   "workload: the rates of the design",
		Findings:   report.Findings(),
		Comparison: compare.Layouts(d, cost.Options{}),
	}, nil
}

// examples returns the design files of the repository, read once; reports do not change them.
func examples(t testing.TB) map[string]Input {
	t.Helper()
	all, err := readExamples()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var readExamples = sync.OnceValues(func() (map[string]Input, error) {
	all := map[string]Input{}
	for _, glob := range []string{"../../testdata/seeds/*.design.yaml", "../../../apps/*/*.design.yaml"} {
		paths, err := filepath.Glob(glob)
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			in, _ := tryLoad(path, text)
			if in.Layout == nil { // whether examples can be used is tested elsewhere
				continue
			}
			name := filepath.Base(filepath.Dir(path)) + "-" + strings.TrimSuffix(filepath.Base(path), ".design.yaml")
			all[name] = in
		}
	}
	if len(all) == 0 {
		return nil, errors.New("there are no example designs that can be used")
	}
	return all, nil
})

// With SHOW=dir the test writes the pages of all examples to that directory.
func TestExamplesFitOnAPage(t *testing.T) {
	const most = 400 << 10
	for name, in := range examples(t) {
		t.Run(name, func(t *testing.T) {
			page, err := HTML(in)
			if err != nil {
				t.Fatal(err)
			}
			notes, err := Markdown(in)
			if err != nil {
				t.Fatal(err)
			}
			if dir := os.Getenv("SHOW"); dir != "" {
				show(t, filepath.Join(dir, name+".html"), page)
				show(t, filepath.Join(dir, name+".md"), notes)
			}
			t.Logf("%d KB of HTML, %d KB of Markdown", len(page)>>10, len(notes)>>10)
			if len(page) > most {
				t.Errorf("the page has %d KB, more than %d", len(page)>>10, most>>10)
			}
		})
	}
}

func show(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
}
