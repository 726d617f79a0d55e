// Package layout finds questions in the lines of a document: numbers before questions, letters before
// options, answers in a line, in a mark, in a table or in a key at the end. Each draft says why it is
// as it is and how sure that is. Lines that no rule can use are reported.
//
// It knows no file format. The importers of Word and PDF documents give it lines.
package layout

import (
	"context"
	"fmt"
	"strings"

	"sortkey.dev/apps/exambuddy/exchange/draft"
	"sortkey.dev/apps/internal/refusal"
)

// A Line is a line of a document in reading order.
type Line struct {
	Text   string
	Page   int
	Number int // on its page
	// Cells holds the cells of a row of a table; nil for a line that belongs to no table. Cells that
	// continue those of the row before have an empty first cell.
	Cells  []string
	Gap    bool // there is more space before it than between lines
	Bold   bool // all of it
	Marked bool // all of it is highlighted, underlined or in another colour
}

func (l Line) place() draft.Place { return draft.Place{Page: l.Page, Line: l.Number} }

// maxText bounds the text of a document in bytes. Questions of the largest import have less.
const maxText = 4 << 20

// Parse adds the questions in lines to a builder. It refuses a document with too much text, and fails
// when ctx ends.
func Parse(ctx context.Context, lines []Line, out *draft.Builder) error {
	size := 0
	for _, l := range lines {
		size += len(l.Text)
	}
	if size > maxText {
		return refusal.New(refusal.TooLarge, "TOO_COMPLEX", "The document has more than %d MB of text. Split it into several files.", maxText>>20)
	}
	p := parser{out: out, numbered: numbered(lines)}
	for _, line := range p.tables(ctx, lines) {
		if ctx.Err() != nil {
			break
		}
		p.line(line)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	p.end()
	p.reportUnused()
	for i := range p.blocks {
		p.applyKey(&p.blocks[i])
	}
	for _, b := range p.blocks {
		p.add(b)
	}
	p.reportKeys()
	return nil
}

// numbered reports whether most questions of a document have numbers.
func numbered(lines []Line) bool {
	numbers, firsts := 0, 0
	for _, l := range lines {
		if letter, _, _ := optionLine(l.Text); letter == 'A' {
			firsts++
		} else if questionLine(l.Text) != nil {
			numbers++
		}
	}
	return numbers > 0 && numbers*2 >= firsts
}

// A block is a question that is being read.
type block struct {
	number  int // 0 if it has none
	first   Line
	text    []string
	options []option
	answer  string // after "Answer:"
	source  string // where the answer is from
	reason  string // of the explanation
	inside  part
	list    int  // the last item of a numbered list in the text
	skipped bool // numbers before it are missing
	unclear []string
}

type option struct {
	text         string
	checked      bool // has a check mark
	bold, marked bool
}

// A part says which part of a block the last line belongs to.
type part int

const (
	inText part = iota
	inOptions
	inAnswer
	inExplanation
)

type parser struct {
	out      *draft.Builder
	numbered bool
	blocks   []block
	now      *block
	pending  []Line // text that may begin a question without a number
	unused   []Line
	inKey    bool // after the heading of an answer key
	keys     map[int]keyEntry
	count    int // questions that were begun, to number those without a number
}

// line takes the next line.
func (p *parser) line(l Line) {
	l.Text = strings.TrimSpace(l.Text)
	if l.Text == "" {
		return
	}
	if keyHeading.MatchString(l.Text) && (len(p.blocks) > 0 || p.now != nil && len(p.now.options) > 0) {
		p.end()
		p.inKey = true
		return
	}
	if p.keyLine(l) {
		return
	}
	if m := questionLine(l.Text); m != nil && p.begins(m.number, m.explicit) {
		p.begin(l, m.number, m.text)
		return
	}
	if m := answerLine.FindStringSubmatch(l.Text); m != nil && p.now != nil && p.now.answer == "" && p.hasQuestion() {
		p.now.answer, p.now.source, p.now.inside = strings.TrimSpace(m[1]), "the line "+fmt.Sprintf("%q", cutText(l.Text, 30)), inAnswer
		return
	}
	if m := explanationLine.FindStringSubmatch(l.Text); m != nil && p.now != nil && p.hasQuestion() {
		p.now.reason, p.now.inside = m[1], inExplanation
		return
	}
	if letter, _, _ := optionLine(l.Text); letter != 0 && p.options(l) {
		return
	}
	if p.now != nil && p.now.inside != inExplanation && p.boxes(l) {
		return
	}
	p.text(l)
}

// hasQuestion reports whether the open block can have an answer.
func (p *parser) hasQuestion() bool { return len(p.now.text) > 0 || len(p.now.options) > 0 }

// begins reports whether a number begins a question rather than an item of a list.
func (p *parser) begins(number int, explicit bool) bool {
	switch {
	case explicit || p.now == nil && len(p.pending) == 0:
		return true
	case p.now == nil:
		return p.numbered
	case len(p.now.options) > 0 || p.now.answer != "":
		return p.now.number == 0 || number > p.now.number || number == 1
	}
	if number == p.now.list+1 { // an item of a list inside of the question
		p.now.list = number
		return false
	}
	return number == p.now.number+1 && p.now.number > 0
}

// begin begins a question.
func (p *parser) begin(l Line, number int, text string) {
	p.end()
	skipped := false
	if n := len(p.blocks); n > 0 && p.blocks[n-1].number > 0 {
		skipped = number > p.blocks[n-1].number+1
	}
	p.flushPending()
	p.count++
	p.now = &block{number: number, first: l, skipped: skipped}
	p.inKey = false
	if text == "" {
		return
	}
	question, options := splitInline(text, 0)
	if question != "" {
		p.now.text = []string{question}
	}
	for _, o := range options {
		p.addOption(l, o)
	}
}

// end ends the open question.
func (p *parser) end() {
	if p.now != nil {
		p.blocks = append(p.blocks, *p.now)
		p.now = nil
	}
}

// options adds a line with one or several options. It reports whether the letters fit.
func (p *parser) options(l Line) bool {
	letter, _, _ := optionLine(l.Text)
	index := int(letter - 'A')
	if index == 0 && (p.now == nil || len(p.now.options) > 0 || p.now.answer != "") {
		if !p.beginUnnumbered() {
			return false
		}
	}
	if p.now == nil || index != len(p.now.options) || p.now.inside == inExplanation {
		return false
	}
	_, options := splitInline(l.Text, index)
	for _, o := range options {
		p.addOption(l, o)
	}
	return true
}

func (p *parser) addOption(l Line, text string) {
	text, checked := uncheck(text)
	p.now.options = append(p.now.options, option{text: text, checked: checked, bold: l.Bold, marked: l.Marked})
	p.now.inside = inOptions
}

// beginUnnumbered makes a question of the pending text.
func (p *parser) beginUnnumbered() bool {
	if len(p.pending) == 0 {
		return false
	}
	p.end()
	start := 0
	for i, l := range p.pending {
		if l.Gap {
			start = i
		}
	}
	p.unused = append(p.unused, p.pending[:start]...)
	asked := p.pending[start:]
	p.pending = nil
	p.count++
	p.now = &block{first: asked[0]}
	for _, l := range asked {
		p.now.text = append(p.now.text, l.Text)
	}
	return true
}

// boxes adds an option with a check box instead of a letter.
func (p *parser) boxes(l Line) bool {
	m := boxLine.FindStringSubmatch(l.Text)
	if m == nil || len(p.now.text) == 0 || p.now.inside == inAnswer {
		return false
	}
	p.now.options = append(p.now.options, option{text: m[2], checked: strings.ContainsAny(m[1], "☑☒✓✔xX●■◼"), bold: l.Bold, marked: l.Marked})
	p.now.inside = inOptions
	return true
}

// text adds a line that is neither a number nor an option.
func (p *parser) text(l Line) {
	if p.now == nil {
		p.pending = append(p.pending, l)
		return
	}
	b := p.now
	switch b.inside {
	case inText:
		b.text = append(b.text, l.Text)
	case inOptions:
		if l.Gap || !p.numbered && endsSentence(b.options[len(b.options)-1].text) {
			p.pending = append(p.pending, l)
			if p.numbered {
				return
			}
			p.end()
			return
		}
		if len(p.pending) > 0 {
			p.pending = append(p.pending, l)
			return
		}
		last := &b.options[len(b.options)-1]
		text, checked := uncheck(join(last.text, l.Text))
		last.text, last.checked = text, last.checked || checked
	case inExplanation:
		if l.Gap && !p.numbered {
			p.end()
			p.pending = append(p.pending, l)
			return
		}
		b.reason = join(b.reason, l.Text)
	default:
		p.end()
		p.pending = append(p.pending, l)
	}
}

// flushPending reports text that no question took.
func (p *parser) flushPending() {
	p.unused = append(p.unused, p.pending...)
	p.pending = nil
}

// reportUnused reports the lines that no rule could use, with neighbours together.
func (p *parser) reportUnused() {
	p.flushPending()
	for i := 0; i < len(p.unused); {
		end := i + 1
		for end < len(p.unused) && p.unused[end].Page == p.unused[i].Page && p.unused[end].Number == p.unused[end-1].Number+1 {
			end++
		}
		var texts []string
		for _, l := range p.unused[i:end] {
			texts = append(texts, l.Text)
		}
		p.out.Problem(draft.Problem{Place: p.unused[i].place(), Text: strings.Join(texts, "\n"),
			Message: "This text belongs to no question.", Advice: "If it is a question, number it and begin its options with A), B) and so on."})
		i = end
	}
}
