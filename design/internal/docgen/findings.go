package docgen

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// findingsView is the section of findings, worst first.
type findingsView struct {
	Groups   []findingGroup
	Taken    []finding // accepted, with the reason
	Errors   int
	Warnings int
	Notes    int
	Accepted int
	about    map[string][]*finding // by anchor of their subject
}

type findingGroup struct {
	Title, Tone, Mark string
	Findings          []*finding
}

// A finding is one finding with the texts of its rule filled in.
type finding struct {
	ID, Code, Name, Tone, Mark, Severity string
	Subject, Link                        string // Link is "" if the subject is not on the page
	Place, Message, Why, Fix, Accepted   string
	Related                              []fact
}

func newFindings(in Input) findingsView {
	v := findingsView{about: map[string][]*finding{}}
	groups := map[diag.Severity]*findingGroup{
		diag.Error:   {Title: "Errors", Tone: "bad", Mark: mark(diag.Error)},
		diag.Warning: {Title: "Warnings", Tone: "warn", Mark: mark(diag.Warning)},
		diag.Note:    {Title: "Notes", Tone: "info", Mark: mark(diag.Note)},
	}
	known := anchors(in.Layout.Design())
	for i, f := range in.Findings {
		shown := newFinding(i, f, known)
		if f.Accepted != "" {
			v.Taken = append(v.Taken, *shown)
			continue
		}
		if group := groups[f.Severity]; group != nil {
			group.Findings = append(group.Findings, shown)
		}
		if shown.Link != "" {
			v.about[shown.Link] = append(v.about[shown.Link], shown)
		}
	}
	v.Errors, v.Warnings = len(groups[diag.Error].Findings), len(groups[diag.Warning].Findings)
	v.Notes, v.Accepted = len(groups[diag.Note].Findings), len(v.Taken)
	for _, s := range []diag.Severity{diag.Error, diag.Warning, diag.Note} {
		if len(groups[s].Findings) > 0 {
			v.Groups = append(v.Groups, *groups[s])
		}
	}
	return v
}

func newFinding(i int, f diag.Finding, known map[string]bool) *finding {
	rule, _ := diag.Lookup(string(f.Code))
	shown := &finding{
		ID: fmt.Sprintf("f-%d", i+1), Code: string(f.Code), Name: rule.Name,
		Severity: f.Severity.String(), Mark: mark(f.Severity), Tone: toneOf(f.Severity),
		Subject: f.Subject, Place: placeName(f.Place), Message: sentence(f.Message),
		Why: sentence(cmp.Or(f.Why, rule.Why)), Fix: sentence(cmp.Or(f.Fix, rule.Fix)), Accepted: f.Accepted,
	}
	if link := linkOf(f.Subject); known[link] {
		shown.Link = link
	}
	for _, r := range f.Related {
		shown.Related = append(shown.Related, fact{placeName(r.Place), r.Message})
	}
	return shown
}

func toneOf(s diag.Severity) string {
	switch s {
	case diag.Error:
		return "bad"
	case diag.Warning:
		return "warn"
	}
	return "info"
}

// linkOf returns the anchor of a subject: "pattern X" -> p-X, "index I of T" -> x-T.I.
func linkOf(subject string) string {
	kind, name, _ := strings.Cut(subject, " ")
	name, _, _ = strings.Cut(name, " in ")
	name, of, _ := strings.Cut(name, " of ")
	switch kind {
	case "pattern":
		return anchor("p", name)
	case "entity":
		return anchor("e", name)
	case "table":
		return anchor("t", name)
	case "index":
		return anchor("x", of+"."+name)
	case "attribute", "key", "counter":
		if of != "" {
			return anchor("e", of)
		}
		entity, _, _ := strings.Cut(name, ".")
		return anchor("e", entity)
	}
	return ""
}

// anchors returns the anchors that findings can link to.
func anchors(d *model.Design) map[string]bool {
	known := map[string]bool{}
	for _, p := range d.Patterns {
		known[anchor("p", p.Name)] = true
	}
	for _, e := range d.Entities {
		known[anchor("e", e.Name)] = true
	}
	for _, t := range d.Tables {
		known[anchor("t", t.Name)] = true
		for _, x := range t.Indexes {
			known[anchor("x", t.Name+"."+x.Name)] = true
		}
	}
	return known
}

// placeName returns a place with the base name of its file, without the author's
// directories.
func placeName(p diag.Place) string {
	if p.File != "" {
		p.File = filepath.Base(p.File)
	}
	return p.String()
}
