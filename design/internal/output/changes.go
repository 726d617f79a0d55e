package output

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"sortkey.dev/design/internal/change"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/loader"
)

// Changes holds the changes from one version of a design to the next, with the texts of both.
type Changes struct {
	Old, New   string // how the caller named the versions
	OldSources []loader.Source
	Sources    []loader.Source
	Changes    []*change.Change
	Severity   func(diag.Rule) diag.Severity // of a rule
	Accepted   bool                          // show accepted changes in full
	Seen       []string                      // calls of both versions that went wrong, and that no change explains
	NotRun     string                        // why running them failed, or ""
}

// ChangeSummary counts changes by class, those that are accepted apart.
type ChangeSummary struct {
	Unclassed  int `json:"unclassed"`
	Breaking   int `json:"breaking"`
	Dual       int `json:"dual"`
	Backfill   int `json:"backfill"`
	Ordered    int `json:"ordered"`
	Compatible int `json:"compatible"`
	Dangerous  int `json:"dangerous"` // also counted in their class
	Accepted   int `json:"accepted"`
}

// Summary counts the changes.
func (c Changes) Summary() ChangeSummary {
	var s ChangeSummary
	for _, one := range c.Changes {
		if one.Accepted != "" {
			s.Accepted++
			continue
		}
		*s.of(one.Class)++
		if one.Dangerous {
			s.Dangerous++
		}
	}
	return s
}

func (s *ChangeSummary) of(class diag.Class) *int {
	switch class {
	case diag.Breaking:
		return &s.Breaking
	case diag.Dual:
		return &s.Dual
	case diag.Backfill:
		return &s.Backfill
	case diag.Ordered:
		return &s.Ordered
	case diag.Compatible:
		return &s.Compatible
	}
	return &s.Unclassed
}

// A classText says what a class of changes means.
type classText struct {
	class diag.Class
	head  string
	means string
}

// classTexts lists the classes, the worst first.
var classTexts = []classText{
	{"", "To decide", "only you know the answer"},
	{diag.Breaking, "Breaking", "not possible while programs run, as it is written"},
	{diag.Dual, "Dual", "old code would damage what is new: both are written for a while"},
	{diag.Backfill, "Backfill", "old items need something before new code relies on it"},
	{diag.Ordered, "Ordered", "safe in the right order"},
	{diag.Compatible, "Compatible", "old and new code run together, and nothing has to be done"},
}

// findings returns the changes as findings, whose texts are printed in the same way.
func (c Changes) findings() Findings {
	f := Findings{Sources: append(append([]loader.Source(nil), c.Sources...), c.OldSources...), Accepted: c.Accepted}
	for _, one := range c.Changes {
		f.Findings = append(f.Findings, c.finding(one))
	}
	return f
}

func (c Changes) finding(one *change.Change) diag.Finding {
	return diag.Finding{
		Code: one.Code, Severity: c.SeverityOf(one), Place: one.Place, Subject: one.Subject, Message: one.Message,
		Why: one.Why, Fix: one.Fix, Related: one.Related, Accepted: one.Accepted,
	}
}

// SeverityOf returns the severity of a change, which is that of its rule. What is harder than its rule says is a warning at least.
func (c Changes) SeverityOf(one *change.Change) diag.Severity {
	rule := one.Code.Rule()
	severity := rule.Severity
	if c.Severity != nil {
		severity = c.Severity(rule)
	}
	if severity == diag.Note && rule.Class == diag.Compatible && one.Class != rule.Class {
		return diag.Warning
	}
	return severity
}

// Text writes the changes by class, the worst first.
func (c Changes) Text(w io.Writer, style Style) error {
	p := &page{style: style}
	all := c.findings()
	explained := map[diag.Code]bool{}
	for _, class := range classTexts {
		c.class(p, all, class, explained)
	}
	c.closing(p)
	return p.send(w)
}

// class writes the changes of a class: those that have to be read in full, and then a line for each other.
func (c Changes) class(p *page, all Findings, class classText, explained map[diag.Code]bool) {
	var long, short []int
	for i, one := range c.Changes {
		switch {
		case one.Class != class.class || one.Accepted != "" && !c.Accepted || all.Findings[i].Severity == diag.Off:
		case one.Class == diag.Compatible && !one.Dangerous:
			short = append(short, i)
		default:
			long = append(long, i)
		}
	}
	if len(long)+len(short) == 0 {
		return
	}
	p.heading(fmt.Sprintf("%s: %s", class.head, class.means))
	p.line("")
	for _, i := range long {
		c.long(p, all, i, !explained[c.Changes[i].Code])
		explained[c.Changes[i].Code] = true
	}
	for _, i := range short {
		c.short(p, c.Changes[i])
	}
	if len(short) > 0 {
		p.line("")
	}
}

// short writes a change on one line.
func (c Changes) short(p *page, one *change.Change) {
	text := sentence(one.Message)
	if one.Accepted != "" {
		text += " Accepted: " + sentence(one.Accepted)
	}
	if one.Evidence != "" {
		text += " Ran: " + sentence(one.Evidence)
	}
	p.labelled("  ", string(one.Code), strings.ToUpper(text[:1])+text[1:])
}

func (c Changes) long(p *page, all Findings, i int, first bool) {
	one, finding := c.Changes[i], all.Findings[i]
	if one.Dangerous && one.Code != "E025" { // which is about writes
		finding.Message += "; data is deleted or becomes unreachable"
	}
	var b page
	b.style = p.style
	all.finding(&b, finding, first)
	p.WriteString(strings.TrimRight(b.String(), "\n"))
	p.line("")
	if one.Evidence != "" {
		p.labelled("  ", "ran", one.Evidence)
	}
	p.line("")
}

// ran writes what running the versions showed besides.
func (c Changes) ran(p *page) {
	for _, text := range c.Seen {
		p.labelled("  ", "ran", text)
	}
	if c.NotRun != "" {
		p.labelled("  ", "not run", c.NotRun)
	}
	if len(c.Seen) > 0 || c.NotRun != "" {
		p.line("")
	}
}

func (c Changes) closing(p *page) {
	c.ran(p)
	s := c.Summary()
	if len(c.Changes) == 0 {
		p.line("%s from %s to %s: items, tables and methods are the same.", p.paint(green, "No changes"), c.Old, c.New)
		return
	}
	var all []string
	for _, class := range classTexts {
		if n := *s.of(class.class); n > 0 {
			all = append(all, fmt.Sprintf("%d %s", n, strings.ToLower(class.head)))
		}
	}
	text := strings.Join(all, ", ")
	if text == "" {
		text = "no changes that are not accepted"
	}
	if s.Dangerous > 0 {
		text += fmt.Sprintf(", of which %d dangerous", s.Dangerous)
	}
	if s.Accepted > 0 {
		text += fmt.Sprintf("; %d accepted", s.Accepted)
		if !c.Accepted {
			text += " (--accepted shows them)"
		}
	}
	p.line("From %s to %s: %s.", c.Old, c.New, text)
}

// Markdown writes the changes as a comment on a pull request.
func (c Changes) Markdown(w io.Writer) error {
	p := &page{}
	p.line("### Changes from `%s` to `%s`", c.Old, c.New)
	p.line("")
	if len(c.Changes) == 0 {
		p.line("None: items, tables and methods are the same.")
		return p.send(w)
	}
	p.line("| class | change | what to do |")
	p.line("|---|---|---|")
	for _, class := range classTexts {
		for _, one := range c.Changes {
			if one.Class != class.class || c.SeverityOf(one) == diag.Off {
				continue
			}
			p.line("%s", c.row(class, one))
		}
	}
	return p.send(w)
}

func (c Changes) row(class classText, one *change.Change) string {
	name := strings.ToLower(class.head)
	if one.Dangerous {
		name += ", dangerous"
	}
	rule := one.Code.Rule()
	advice := cmp.Or(one.Fix, rule.Fix)
	if one.Accepted != "" {
		advice = "accepted: " + one.Accepted
	}
	text := fmt.Sprintf("[%s](%s%s) %s", one.Code, findingPages, one.Code, sentence(one.Message))
	if one.Evidence != "" {
		text += " Seen: " + sentence(one.Evidence)
	}
	return fmt.Sprintf("| %s | %s | %s |", name, cellText(text), cellText(advice))
}

// cellText returns a text for a cell of a table in Markdown.
func cellText(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;", ">", "&gt;", "{", `\{`, "}", `\}`, "*", `\*`, "_", `\_`).Replace(sentence(text))
}
