package design_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"sortkey.dev/design"
)

func TestGenerate(t *testing.T) {
	d, err := design.Open("../apps/homeops/homeops.design.yaml")
	if err != nil {
		t.Fatal(err)
	}
	files, err := d.Generate(design.GenerateOptions{Package: "homeopsdb", ImportPath: "example.com/homeopsdb"})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, f := range files {
		seen[f.Name] = true
		if !strings.HasPrefix(string(f.Text), design.GeneratedBegin+"homeops.design.yaml"+design.GeneratedEnd+"\n") {
			t.Errorf("%s does not say where it is from", f.Name)
		}
	}
	for _, want := range []string{"db.gen.go", "types.gen.go", "items.gen.go", "tables.gen.go", "homeopsdbtest/homeopsdbtest.gen.go"} {
		if !seen[want] {
			t.Errorf("there is no %s", want)
		}
	}
}

func TestGenerateRejectsDesignsWithErrors(t *testing.T) {
	text, err := os.ReadFile("../apps/homeops/homeops.design.yaml")
	if err != nil {
		t.Fatal(err)
	}
	unserved := strings.Replace(string(text), "\npatterns:\n", "\npatterns:\n  Unserved: { list: Event, where: { activity: $ }, rate: 1/day }\n", 1)
	_, err = design.Parse("homeops.design.yaml", []byte(unserved)).Generate(design.GenerateOptions{Package: "homeopsdb"})
	var broken *design.BrokenError
	if !errors.As(err, &broken) {
		t.Fatalf("%v, not a BrokenError", err)
	}
	if s := broken.Findings.Summary(); s.Errors == 0 || s.Warnings+s.Notes+s.Accepted > 0 {
		t.Errorf("the findings are %+v, not errors alone", s)
	}
	_, err = design.Parse("x.design.yaml", []byte("design: X\nentitis: {}\n")).Generate(design.GenerateOptions{Package: "x"})
	if !errors.As(err, &broken) {
		t.Errorf("%v, not a BrokenError", err)
	}
}
