package output

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/loader"
)

// Findings holds the findings of a check of one or more designs, with their texts.
type Findings struct {
	Sources  []loader.Source
	Findings []diag.Finding
	Files    []string // the checked files, as the caller named them
	Accepted bool     // show accepted findings in full
}

// Summary counts findings by severity.
type Summary struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Notes    int `json:"notes"`
	Accepted int `json:"accepted"`
}

// Summary counts the findings.
func (f Findings) Summary() Summary {
	var s Summary
	for _, finding := range f.Findings {
		switch {
		case finding.Accepted != "":
			s.Accepted++
		case finding.Severity == diag.Error:
			s.Errors++
		case finding.Severity == diag.Warning:
			s.Warnings++
		case finding.Severity == diag.Note:
			s.Notes++
		}
	}
	return s
}

// Text writes the findings as text: the place, the line with a caret, the problem, its
// consequences and the advice.
func (f Findings) Text(w io.Writer, style Style) error {
	p := &page{style: style}
	explained := map[diag.Code]bool{}
	for _, finding := range f.Findings {
		if finding.Accepted != "" && !f.Accepted {
			continue
		}
		f.finding(p, finding, !explained[finding.Code])
		explained[finding.Code] = true
	}
	f.closing(p)
	return p.send(w)
}

// finding writes one finding. The consequences are written only for the first of a code.
func (f Findings) finding(p *page, finding diag.Finding, first bool) {
	rule := finding.Code.Rule()
	severity := p.paint(severityColour(finding.Severity), finding.Severity.String())
	p.line("%s  %s %s %s", p.paint(bold, oneLine(finding.Place.String())), severity, finding.Code, p.paint(dim, rule.Name))
	f.excerpt(p, finding.Place)
	p.paragraph("  ", sentence(finding.Message))
	for _, related := range finding.Related {
		p.labelled("  ", "see", oneLine(related.Place.String())+": "+related.Message)
	}
	if why := cmp.Or(finding.Why, rule.Why); first && why != "" {
		p.labelled("  ", "why", why)
	}
	if finding.Accepted != "" {
		p.labelled("  ", "accepted", finding.Accepted)
	} else if fix := cmp.Or(finding.Fix, rule.Fix); finding.Fix != "" || first {
		p.labelled("  ", "do ", fix)
	}
	p.line("")
}

// excerpt writes the line of a place, with carets below it.
func (f Findings) excerpt(p *page, place diag.Place) {
	text, ok := f.sourceLine(place)
	if !ok {
		return
	}
	gutter := fmt.Sprintf("%5d | ", place.Line)
	runes := []rune(text)
	column := min(max(place.Column, 1), len(runes)+1)
	length := max(min(place.EndColumn, len(runes)+1)-column, 1)
	runes, column = window(runes, column, length, p.style.width()-len(gutter))
	p.line("%s%s", p.paint(dim, gutter), string(runes))
	blank := strings.Repeat(" ", len(gutter)-2) + "| "
	length = max(min(length, len(runes)-column+1), 1)
	p.line("%s%s%s", p.paint(dim, blank), strings.Repeat(" ", column-1), p.paint(red, strings.Repeat("^", length)))
}

// window truncates a long line around the range at column.
func window(line []rune, column, length, width int) ([]rune, int) {
	if len(line) <= width || width < 20 {
		return line, column
	}
	start := max(0, min(column-1-width/3, len(line)-width))
	end := min(len(line), start+width)
	cut := append([]rune(nil), line[start:end]...)
	if start > 0 {
		cut[0] = '…'
	}
	if end < len(line) {
		cut[len(cut)-1] = '…'
	}
	return cut, column - start
}

// sourceLine returns the text of the line of a place.
func (f Findings) sourceLine(place diag.Place) (string, bool) {
	for _, source := range f.Sources {
		if source.Name != place.File || place.Line < 1 {
			continue
		}
		lines := strings.SplitN(string(source.Text), "\n", place.Line+1)
		if len(lines) < place.Line {
			return "", false
		}
		line := strings.ToValidUTF8(strings.TrimRight(lines[place.Line-1], "\r"), "?")
		return strings.ReplaceAll(line, "\t", " "), true
	}
	return "", false
}

// closing writes the summary.
func (f Findings) closing(p *page) {
	s := f.Summary()
	files := count(len(f.Files), "design")
	if s.Errors+s.Warnings+s.Notes == 0 {
		text := p.paint(green, "No findings") + " in " + files
		if s.Accepted > 0 {
			text += fmt.Sprintf("; %d accepted", s.Accepted)
		}
		p.line("%s.", text)
		return
	}
	text := fmt.Sprintf("%s, %s, %s in %s", count(s.Errors, "error"), count(s.Warnings, "warning"), count(s.Notes, "note"), files)
	if s.Accepted > 0 && !f.Accepted {
		text += fmt.Sprintf("; %d accepted (--accepted shows them)", s.Accepted)
	}
	p.line("%s.", text)
}

func severityColour(s diag.Severity) string {
	switch s {
	case diag.Error:
		return red
	case diag.Warning:
		return yellow
	}
	return cyan
}

// sentence returns a message with its full stop.
func sentence(message string) string {
	if message == "" || strings.HasSuffix(message, ".") || strings.HasSuffix(message, "?") {
		return message
	}
	return message + "."
}

// oneLine replaces line ends in a file name.
func oneLine(name string) string { return strings.ReplaceAll(name, "\n", "\uFFFD") }
