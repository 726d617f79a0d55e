// Package docgen writes the report of a design for review, as a self-contained HTML page or
// as Markdown with Mermaid diagrams for a pull request.
//
// It only presents results of other packages: plans of resolve, costs of cost, sample items
// of sample. Package design calls it.
package docgen

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"unicode"

	"sortkey.dev/design/internal/compare"
	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/resolve"
)

// Input holds the contents of a report.
type Input struct {
	Layout     *resolve.Layout
	Estimate   *cost.Estimate
	Workload   string // in words
	Findings   []diag.Finding
	Comparison *compare.Comparison // nil: nothing to compare
}

//go:embed templates/*.html templates/style.css templates/script.js
var files embed.FS

// page is the data of the templates.
type page struct {
	Name, Doc string
	Facts     []fact
	Verdict   verdict
	Contents  []section

	Overview    []overviewTable
	Patterns    patternsView
	Chart       []chartTable
	Collections []tableView
	Findings    findingsView
	Cost        costView
	Heat        heatView
	Others      *othersView // nil: the design has no alternatives
	Details     detailsView

	Policy string
	Style  template.CSS
	Script template.JS
}

// A fact is one named value of the header or of a list of settings.
type fact struct{ Name, Value string }

// A section is an entry of the table of contents.
type section struct{ ID, Title string }

var sections = []section{
	{"overview", "Where everything is"},
	{"cost", "Cost"},
	{"heat", "Heat"},
	{"findings", "Findings"},
	{"patterns", "Access patterns"},
	{"collections", "Item collections"},
	{"chart", "Entity chart"},
	{"alternatives", "Alternatives"},
	{"details", "Details"},
}

// HTML returns the report as one page that loads nothing from the network.
func HTML(in Input) ([]byte, error) {
	sheets, err := template.New("page.html").Funcs(template.FuncMap{"scroll": scroll, "words": camelWords}).ParseFS(files, "templates/*.html")
	if err != nil {
		return nil, fmt.Errorf("reading the report's templates: %w", err)
	}
	style, err := files.ReadFile("templates/style.css")
	if err != nil {
		return nil, fmt.Errorf("reading the report's style: %w", err)
	}
	script, err := files.ReadFile("templates/script.js")
	if err != nil {
		return nil, fmt.Errorf("reading the report's script: %w", err)
	}
	p := view(in)
	p.Style, p.Script = template.CSS(style), template.JS(script)
	p.Policy = "default-src 'none'; style-src " + fingerprint(style) + "; script-src " + fingerprint(script) +
		"; base-uri 'none'; form-action 'none'"
	var out bytes.Buffer
	if err := sheets.Execute(&out, p); err != nil {
		return nil, fmt.Errorf("filling the report's templates: %w", err)
	}
	return out.Bytes(), nil
}

// fingerprint returns the hash of a text for a content security policy.
func fingerprint(text []byte) string {
	sum := sha256.Sum256(text)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// A frame is a scrollable box for wide content, with its accessible name.
type frame struct {
	Label   string
	Content any
}

func scroll(label string, content any) frame { return frame{label, content} }

// camelWords returns the words of a name, so that a line can break between them.
func camelWords(name string) []string {
	var words []string
	from := 0
	for i, r := range name {
		if i > from && (unicode.IsUpper(r) || r == '_' || r == '.' || r == '-') {
			words = append(words, name[from:i])
			from = i
		}
	}
	return append(words, name[from:])
}

// view prepares the input for both formats of the report.
func view(in Input) *page {
	d := in.Layout.Design()
	f := newFindings(in)
	p := &page{
		Name: d.Name, Doc: d.Doc, Contents: sections,
		Facts:    headerFacts(in),
		Verdict:  judge(in, f),
		Findings: f,
		Overview: newOverview(in),
		Patterns: newPatterns(in, f),
		Chart:    newChart(in),
		Cost:     newCost(in.Estimate),
		Heat:     newHeat(in.Estimate),
		Others:   newOthers(in.Comparison),
		Details:  newDetails(in),
	}
	p.Collections = newCollections(in)
	return p
}
