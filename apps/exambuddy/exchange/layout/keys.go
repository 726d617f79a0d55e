package layout

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sortkey.dev/apps/exambuddy/exchange/draft"
)

// A keyEntry is the answer of a question in an answer key.
type keyEntry struct {
	answer string
	line   Line
	used   bool
	other  string // a second entry with another answer
}

// keyLine takes a line of an answer key: below its heading, or a line that holds nothing but at
// least three pairs of a number and a letter.
func (p *parser) keyLine(l Line) bool {
	pairs, rest := keyPairs(l.Text)
	if len(pairs) == 0 {
		if p.inKey && len(l.Text) > 40 {
			p.inKey = false
		}
		return p.inKey && isKeyHeader(l.Text)
	}
	if strings.Trim(rest, " \t.,;|") != "" || !p.inKey && (len(pairs) < 3 || len(p.blocks) == 0 && p.now == nil) {
		return false
	}
	p.end()
	p.inKey = true
	if p.keys == nil {
		p.keys = map[int]keyEntry{}
	}
	for _, pair := range pairs {
		if old, ok := p.keys[pair.number]; ok {
			if !strings.EqualFold(old.answer, pair.answer) {
				old.other = pair.answer
				p.keys[pair.number] = old
			}
			continue
		}
		p.keys[pair.number] = keyEntry{answer: pair.answer, line: l}
	}
	return true
}

// isKeyHeader reports whether a line names the columns of an answer key.
func isKeyHeader(text string) bool {
	for _, word := range strings.Fields(strings.ToLower(strings.NewReplacer("|", " ", "#", " ", ".", " ", ":", " ").Replace(text))) {
		if !slices.Contains([]string{"question", "questions", "answer", "answers", "no", "nr", "q", "key", "correct", "fråga", "svar", "frage", "antwort"}, word) {
			return false
		}
	}
	return true
}

type pair struct {
	number int
	answer string
}

// keyPairs finds pairs such as "12. B" and returns the text around them.
func keyPairs(text string) (pairs []pair, rest string) {
	for text != "" {
		m := keyPair.FindStringSubmatchIndex(text)
		if m == nil {
			break
		}
		n, _ := strconv.Atoi(text[m[2]:m[3]])
		pairs = append(pairs, pair{n, text[m[4]:m[5]]})
		rest += text[:m[0]]
		text = text[min(m[5], len(text)):]
		text = strings.TrimPrefix(text, ")")
	}
	return pairs, rest + text
}

// applyKey gives a block its answer from the answer key.
func (p *parser) applyKey(b *block) {
	entry, ok := p.keys[b.number]
	if !ok || b.number == 0 {
		return
	}
	entry.used = true
	p.keys[b.number] = entry
	switch {
	case entry.other != "":
		b.unclear = append(b.unclear, fmt.Sprintf("The answer key names both %s and %s.", entry.answer, entry.other))
	case b.answer == "":
		b.answer, b.source = entry.answer, "the answer key on "+entry.line.place().String()
	case !sameLetters(b.answer, entry.answer):
		b.unclear = append(b.unclear, fmt.Sprintf("The question says %s and the answer key says %s.", b.answer, entry.answer))
	}
}

func sameLetters(a, b string) bool {
	x, okX := draft.Letters(a, 10)
	y, okY := draft.Letters(b, 10)
	return okX && okY && slices.Equal(x, y) || strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b))
}

// reportKeys reports entries of the answer key without a question.
func (p *parser) reportKeys() {
	var numbers []int
	for n, entry := range p.keys {
		if !entry.used {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	for _, n := range numbers {
		entry := p.keys[n]
		p.out.Problem(draft.Problem{Place: entry.line.place(), Text: entry.line.Text,
			Message: fmt.Sprintf("The answer key has an answer for question %d, which was not found.", n), Advice: "Check whether a question is missing."})
	}
}
