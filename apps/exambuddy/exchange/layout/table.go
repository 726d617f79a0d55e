package layout

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/internal/lazyregexp"
)

// columns says what the columns of a table of questions hold; -1 if there is no such column.
type columns struct{ number, text, options, answer, explanation int }

// tables takes the rows of tables with questions, and returns the other lines. Rows of other tables
// become lines. It stops when ctx ends.
func (p *parser) tables(ctx context.Context, lines []Line) []Line {
	var rest []Line
	var header *columns
	var row *Line
	finish := func() {
		if row != nil && header != nil {
			rest = append(rest, rowLines(*row, *header)...)
		}
		row = nil
	}
	for _, l := range lines {
		if ctx.Err() != nil {
			return nil
		}
		if len(l.Cells) < 2 {
			finish()
			if l.Cells == nil {
				header = nil
			}
			rest = append(rest, l)
			continue
		}
		if found := tableHeader(l.Cells); found != nil {
			finish()
			header = found
			continue
		}
		switch {
		case header == nil:
			l.Text = strings.Join(nonEmpty(l.Cells), "  ")
			rest = append(rest, l)
		case row != nil && continues(l.Cells, *header):
			for i, cell := range l.Cells {
				if i < len(row.Cells) && cell != "" {
					row.Cells[i] = strings.TrimPrefix(row.Cells[i]+"\n"+cell, "\n")
				}
			}
		default:
			finish()
			copied := l
			copied.Cells = slices.Clone(l.Cells)
			row = &copied
		}
	}
	finish()
	return rest
}

func nonEmpty(cells []string) []string {
	var all []string
	for _, c := range cells {
		if strings.TrimSpace(c) != "" {
			all = append(all, strings.TrimSpace(c))
		}
	}
	return all
}

// continues reports whether a row continues the one before: its number or its text is empty.
func continues(cells []string, c columns) bool {
	key := c.number
	if key < 0 {
		key = c.answer
	}
	return key >= 0 && key < len(cells) && strings.TrimSpace(cells[key]) == ""
}

// tableHeader recognises the first row of a table of questions.
func tableHeader(cells []string) *columns {
	c := columns{-1, -1, -1, -1, -1}
	for i, cell := range cells {
		switch strings.Trim(strings.ToLower(strings.TrimSpace(cell)), ".:") {
		case "q#", "#", "no", "nr", "q", "number", "q no":
			c.number = i
		case "question", "question text", "fråga", "frage", "text":
			c.text = i
		case "options", "choices", "alternatives", "alternativ", "answers", "antworten", "option":
			c.options = i
		case "answer", "correct", "correct answer", "key", "svar", "rätt svar", "antwort", "ans":
			c.answer = i
		case "explanation", "rationale", "förklaring", "erklärung":
			c.explanation = i
		}
	}
	if c.text < 0 || c.options < 0 && c.answer < 0 {
		return nil
	}
	return &c
}

// IsTableHeader reports whether cells are the first row of a table of questions or of answers.
func IsTableHeader(cells []string) bool { return tableHeader(cells) != nil }

// keyNumber matches the question of a table that holds answers only.
var keyNumber = lazyregexp.New(`^\d{1,4}[.)]?$`)

// rowLines writes a row of a table as the lines of a question.
func rowLines(l Line, c columns) []Line {
	cell := func(i int) string {
		if i < 0 || i >= len(l.Cells) {
			return ""
		}
		return strings.TrimSpace(l.Cells[i])
	}
	line := func(text string) Line { return Line{Text: text, Page: l.Page, Number: l.Number} }
	number := strings.Trim(cell(c.number), "Qq.)# ")
	text := oneLine(cell(c.text))
	if text == "" {
		return nil
	}
	if keyNumber.MatchString(text) {
		return []Line{line("Answer key"), line(text + " " + oneLine(cell(c.answer)))}
	}
	if number == "" {
		number = "0"
	}
	lines := []Line{line(fmt.Sprintf("Question %s: %s", number, text))}
	if m := questionLine(text); c.number < 0 && m != nil {
		lines[0] = line(fmt.Sprintf("Question %d: %s", m.number, m.text))
	}
	options := ""
	for _, part := range strings.Split(cell(c.options), "\n") {
		part = strings.TrimSpace(part)
		if letter, _, _ := optionLine(part); letter != 0 || options == "" {
			if options != "" {
				lines = append(lines, line(options))
			}
			options = part
		} else {
			options = join(options, part)
		}
	}
	if options != "" {
		lines = append(lines, optionLines(options, line)...)
	}
	if answer := oneLine(cell(c.answer)); answer != "" {
		lines = append(lines, line("Answer: "+answer))
	}
	if explanation := oneLine(cell(c.explanation)); explanation != "" {
		lines = append(lines, line("Explanation: "+explanation))
	}
	return lines
}

// optionLines gives options without letters their letters: "one; two; three".
func optionLines(options string, line func(string) Line) []Line {
	if letter, _, _ := optionLine(options); letter != 0 {
		return []Line{line(options)}
	}
	for _, separator := range []string{";", " / ", "|", ","} {
		parts := strings.Split(options, separator)
		if len(parts) < 2 {
			continue
		}
		var all []Line
		for i, part := range parts {
			all = append(all, line(fmt.Sprintf("%c) %s", 'A'+i%26, strings.TrimSpace(part))))
		}
		return all
	}
	return []Line{line(options)}
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
