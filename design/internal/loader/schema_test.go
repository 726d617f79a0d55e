package loader

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/diag"
)

func compiledSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(schemaID, document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile(schemaID)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// acceptedFiles returns all designs of testdata that have no findings.
func acceptedFiles(t *testing.T) []string {
	t.Helper()
	examples, err := filepath.Glob("testdata/examples/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	cases, err := filepath.Glob("testdata/cases/ok_*/design.yaml")
	if err != nil {
		t.Fatal(err)
	}
	all := append(examples, cases...)
	if len(all) < 6 {
		t.Fatalf("only %d accepted files", len(all))
	}
	return all
}

func TestSchemaAcceptsValidDesigns(t *testing.T) {
	schema := compiledSchema(t)
	for _, path := range acceptedFiles(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text = bytes.TrimPrefix(text, []byte("\uFEFF"))
		asJSON, err := yaml.YAMLToJSON(text)
		if err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(asJSON))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestSchemaAgreesWithLoader changes every key and every value of a design with all keys: the
// loader and the schema must agree about names and shapes.
func TestSchemaAgreesWithLoader(t *testing.T) {
	schema := compiledSchema(t)
	text, err := os.ReadFile("testdata/cases/ok_everything/design.yaml")
	if err != nil {
		t.Fatal(err)
	}
	root := parse(Source{Name: "x", Text: text}, &findings{report: &diag.Report{}})
	changes := 0
	try := func(what string) {
		changes++
		asJSON := jsonOf(root)
		refused := shapeFindings(asJSON)
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(asJSON))
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		invalid := schema.Validate(value)
		switch {
		case invalid == nil && len(refused) > 0:
			t.Errorf("%s: the schema accepts it; the reader says %s", what, refused[0].Message)
		case invalid != nil && len(refused) == 0 && !isReported(asJSON):
			t.Errorf("%s: the reader accepts it; the schema says %v", what, invalid)
		}
	}
	try("nothing changed")
	mutate(root, "", map[string]bool{}, try)
	if changes < 1000 {
		t.Errorf("only %d changes were tried", changes)
	}
}

// mutate changes one element after the other, and restores it. Of keys with the same path it
// changes only the first.
func mutate(n *node, path string, seen map[string]bool, try func(what string)) {
	for i, e := range n.entries {
		here := path + "." + e.key.text
		steps := strings.Split(here, ".")
		if place := strings.Join(steps[max(0, len(steps)-2):], "."); seen[place] {
			continue
		} else {
			seen[place] = true
		}
		key, value := e.key.text, e.value
		e.key.text = key + " x"
		try(here + " renamed")
		e.key.text = key
		all := n.entries
		n.entries = append(append([]*entry{}, all[:i]...), all[i+1:]...)
		try(here + " removed")
		n.entries = all
		for name, other := range map[string]*node{
			"a mapping": {kind: mapping, entries: []*entry{{key: &node{kind: scalar, text: "zz zz"}, value: &node{kind: scalar, text: "1"}}}},
			"a list":    {kind: list, items: []*node{{kind: list}}},
			"a number":  {kind: scalar, text: "7"},
			"empty":     {kind: mapping},
			"no items":  {kind: list},
			"null":      {kind: empty},
		} {
			e.value = other
			try(here + " is " + name)
		}
		e.value = value
		mutate(value, here, seen, try)
	}
	for _, item := range n.items {
		mutate(item, path+"[]", seen, try)
	}
}

// shapeFindings returns the findings about names and shapes.
func shapeFindings(text string) []diag.Finding {
	var report diag.Report
	found := &findings{report: &report}
	if root := parse(Source{Name: "x", Text: []byte(text)}, found); root != nil {
		checkShape(root, found)
	}
	return report.Findings()
}

// isReported reports whether anything is wrong with a design.
func isReported(text string) bool {
	var report diag.Report
	Load([]Source{{Name: "x", Text: []byte(text)}}, &report)
	return len(report.Findings()) > 0
}

// jsonOf writes nodes as JSON, which is YAML too.
func jsonOf(n *node) string {
	var b strings.Builder
	quote := func(s string) string {
		quoted, _ := json.Marshal(s)
		return string(quoted)
	}
	switch n.kind {
	case empty:
		return "null"
	case scalar:
		if !n.quoted && (numberPattern.MatchString(n.text) || n.text == "true" || n.text == "false") {
			return n.text
		}
		return quote(n.text)
	case list:
		for i, item := range n.items {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(jsonOf(item))
		}
		return "[" + b.String() + "]"
	}
	for i, e := range n.entries {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(quote(e.key.text) + ": " + jsonOf(e.value))
	}
	return "{" + b.String() + "}"
}

func TestSchemaPatternsAgreeWithTheParsers(t *testing.T) {
	design := func(key, value string) string {
		text := "design: App\nentities: { User: { id: a, attributes: { a: int }, growth: 1/s, " + key + ": " + value + " } }\n" +
			"tables: { app: { pk: a, items: [User] } }\npatterns: {}\n"
		if key == "growth" {
			text = strings.Replace(text, "growth: 1/s, ", "", 1)
		}
		return text
	}
	for _, c := range []struct {
		key    string
		form   *form
		values []string
	}{
		{"growth", rateText, []string{"5/s", "5/minute", "1.5/hour", "1k/day", "2M/week", "5/month", "5/year", "5/fortnight", "5", "x/s", "5K/s", ".5/s", "5./s", "-5/s"}},
		{"size", bytesText, []string{"5B", "1.5KB", "2MB", "1GB", "5", "5kb", "5 KB", ".5KB", "-5B", "1TB"}},
		{"keep", durationText, []string{"30m", "24h", "90d", "4w", "2y", "1.5h", "5s", "5", "d", "-5d", "5mo"}},
	} {
		for _, value := range c.values {
			var report diag.Report
			Load([]Source{{Name: "x", Text: []byte(design(c.key, value))}}, &report)
			if got, want := c.form.pattern.MatchString(value), len(report.Findings()) == 0; got != want {
				t.Errorf("%s: %s: the pattern says %v, the parser %v", c.key, value, got, want)
			}
		}
	}
}

func TestEveryPriceHasAKey(t *testing.T) {
	for _, p := range cost.PriceNames {
		if pricesSpec.key(p.Name) == nil {
			t.Errorf("prices has no key %s", p.Name)
		}
	}
	if got, want := len(pricesSpec.keys), len(cost.PriceNames)+2; got != want {
		t.Errorf("prices has %d keys, and there are %d prices besides date and source", got, want-2)
	}
}

// TestSpecIsComplete checks the definition of the format: unique names, a description and a
// valid example for every key.
func TestSpecIsComplete(t *testing.T) {
	forms, blocks := map[string]*form{}, map[string]*blockSpec{}
	var visit func(v *valueSpec)
	visitBlock := func(b *blockSpec) {
		if blocks[b.name] != nil || forms[b.name] != nil {
			if blocks[b.name] != b {
				t.Errorf("two things are called %s", b.name)
			}
			return
		}
		blocks[b.name] = b
		for _, k := range b.keys {
			if k.doc == "" || !strings.HasSuffix(k.doc, ".") || k.example == "" {
				t.Errorf("%s.%s needs a sentence and an example", b.name, k.name)
			}
			text := k.name + ": " + k.example + "\n"
			var report diag.Report
			found := &findings{report: &report}
			root := parse(Source{Name: "example", Text: []byte(text)}, found)
			if root != nil {
				c := newShapeChecker(found)
				c.value(root.entries[0].value, k.value, slot{name: k.name})
			}
			for _, f := range report.Findings() {
				t.Errorf("the example of %s.%s: %s", b.name, k.name, f.Message)
			}
			visit(k.value)
		}
	}
	visit = func(v *valueSpec) {
		switch {
		case v == nil:
		case v.form != nil:
			if have := forms[v.form.name]; have != nil && have != v.form && strings.Join(have.values, " ") != strings.Join(v.form.values, " ") || blocks[v.form.name] != nil {
				t.Errorf("two things are called %s", v.form.name)
			}
			forms[v.form.name] = v.form
		case v.block != nil:
			visitBlock(v.block)
		default:
			visit(v.element)
			for _, o := range v.options {
				visit(o)
			}
		}
	}
	visitBlock(designSpec)
	if len(blocks) < 18 || len(forms) < 25 {
		t.Errorf("only %d blocks and %d forms were found", len(blocks), len(forms))
	}
}

func TestReferenceFilesAreUpToDate(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "docs", "reference")
	compareFile(t, filepath.Join(folder, "design.schema.json"), string(Schema()))
	compareFile(t, filepath.Join(folder, "format.md"), string(Reference()))
}
