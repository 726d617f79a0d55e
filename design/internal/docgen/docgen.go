// Package docgen writes the report of a design: one page to review it in, as HTML that
// needs nothing but itself, or as Markdown with Mermaid diagrams for a pull request.
//
// It arranges what other rooms found out and computes nothing they did not: plans come
// from resolve, money from cost, sample items from sample. Package design calls it.
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

// Input is everything a report shows.
type Input struct {
	Layout     *resolve.Layout
	Estimate   *cost.Estimate
	Workload   string // in words
	Findings   []diag.Finding
	Comparison *compare.Comparison // nil: nothing to compare
}

//go:embed templates/*.html templates/style.css templates/script.js
var files embed.FS

// page is the report as the templates see it.
type page struct {
	Name, Doc string
	Facts     []fact
	Verdict   verdict
	Contents  []section

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
	{"patterns", "Access patterns"},
	{"chart", "Entity chart"},
	{"collections", "Item collections"},
	{"findings", "Findings"},
	{"cost", "Cost"},
	{"heat", "Heat"},
	{"alternatives", "Alternatives"},
	{"details", "Details"},
}

// HTML writes the report as one page that needs no network.
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

// fingerprint is how a content security policy names the one text it allows.
func fingerprint(text []byte) string {
	sum := sha256.Sum256(text)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// A frame is a box wide content scrolls in, and what a screen reader calls it.
type frame struct {
	Label   string
	Content any
}

func scroll(label string, content any) frame { return frame{label, content} }

// camelWords are the words of a name, so that a line can break between them.
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

// view arranges the input for both forms of the report.
func view(in Input) *page {
	d := in.Layout.Design()
	f := newFindings(in)
	p := &page{
		Name: d.Name, Doc: d.Doc, Contents: sections,
		Facts:    headerFacts(in),
		Verdict:  judge(in, f),
		Findings: f,
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
