package gift

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"sortkey.dev/apps/exambuddy/exchange/draft"
	"sortkey.dev/apps/exambuddy/question"
)

// An answer is one entry between the braces.
type answer struct {
	right    bool // begins with =
	weight   float64
	weighted bool
	chars    []char // without the weight and the feedback
	text     string
	feedback string
}

// answers parses what is between the braces. It reports whether there is a draft.
func (p *parser) answers(before string, body []char, after string) bool {
	content := plain(body)
	switch {
	case content == "":
		p.skip("Essays are graded by people, so they cannot be imported.", "Ask for a short answer instead, as in {=answer}.", before)
		return false
	case !body[firstWord(body)].literal && strings.HasPrefix(content, "#"):
		return p.numeric(sentence(before, after), trimLeft(body)[1:])
	}
	if done, ok := p.trueOrFalse(sentence(before, after), body); done {
		return ok
	}
	entries := p.entries(body)
	if len(entries) == 0 {
		p.skip("The answers between the braces cannot be read.", "Begin right answers with = and wrong ones with ~.", before+" {"+content+"}")
		return false
	}
	pairs, wrong := 0, 0
	for _, e := range entries {
		if index(e.chars, "->") >= 0 && e.right {
			pairs++
		}
		if !e.right {
			wrong++
		}
	}
	switch {
	case pairs == len(entries) && pairs > 1:
		p.matching(sentence(before, after), entries)
	case wrong > 0:
		p.choice(before, after, entries)
	default:
		p.shortAnswer(sentence(before, after), entries)
	}
	return true
}

// firstWord returns the place of the first character that is no white space.
func firstWord(chars []char) int { return len(chars) - len(trimLeft(chars)) }

// trueOrFalse parses {T}, {FALSE#wrong#right} and the like. done reports whether the body is one.
func (p *parser) trueOrFalse(text string, body []char) (done, ok bool) {
	value, feedback, _ := cut(body, "#")
	word := strings.ToUpper(plain(value))
	right := word == "T" || word == "TRUE"
	if !right && word != "F" && word != "FALSE" {
		return false, false
	}
	p.d.Question, p.d.Key = draft.TrueOrFalse(text, right)
	p.d.Reason = "the braces hold " + word
	var lines []string
	for len(feedback) > 0 {
		var one []char
		one, feedback, _ = cut(feedback, "#")
		if line := p.text(one); line != "" {
			lines = append(lines, line)
		}
	}
	p.d.Key.Explanation = strings.Join(lines, "\n")
	return true, true
}

// entries splits the body at = and ~.
func (p *parser) entries(body []char) []answer {
	var all []answer
	start := -1
	add := func(end int) {
		if start < 0 {
			return
		}
		e := answer{right: body[start].r == '='}
		chars := body[start+1 : end]
		if rest, ok := cutWeight(chars, &e); ok && index(chars, "->") < 0 {
			chars = rest
		}
		text, feedback, _ := cut(chars, "#")
		e.chars, e.text, e.feedback = text, strings.Join(strings.Fields(p.text(text)), " "), p.text(feedback)
		all = append(all, e)
	}
	for i, c := range body {
		if !c.literal && (c.r == '=' || c.r == '~') {
			add(i)
			start = i
		}
	}
	add(len(body))
	return all
}

// cutWeight removes a weight such as %50%.
func cutWeight(chars []char, e *answer) ([]char, bool) {
	chars = trimLeft(chars)
	if index(chars, "%") != 0 {
		return nil, false
	}
	number, rest, ok := cut(chars[1:], "%")
	weight, err := strconv.ParseFloat(strings.TrimSpace(plain(number)), 64)
	if !ok || err != nil {
		return nil, false
	}
	e.weight, e.weighted = weight, true
	return rest, true
}

// choice makes a question of right and wrong answers.
func (p *parser) choice(before, after string, entries []answer) {
	var options []string
	var full, some []int
	negative := false
	for i, e := range entries {
		options = append(options, e.text)
		negative = negative || e.weight < 0
		switch {
		case e.right && !e.weighted, e.weighted && e.weight >= 100:
			full = append(full, i)
		case e.weight > 0:
			some = append(some, i)
		}
	}
	correct := slices.Sorted(slices.Values(append(full, some...)))
	if len(full) == 1 && len(some) > 0 {
		correct = full
		p.problem("An answer that earns a part of the mark is not supported in a single choice. It counts as wrong.", "Check the answer key.", entries[some[0]].text)
	}
	p.d.Question, p.d.Key = draft.Choice(sentence(before, after), options, correct)
	p.d.Reason = draft.KeyReason(correct, "=")
	if p.d.Question.Type == question.MultipleResponse {
		p.d.Reason = fmt.Sprintf("%d answers have a positive weight", len(correct))
		if len(some) > 0 {
			p.d.Key.Scheme = question.RightMinusWrong
			if !negative && len(correct) < len(options) {
				p.problem("Wrong answers cost nothing in this file. Here they take away what a right one earns.", "Choose another grading scheme if you want it otherwise.", "")
			}
		}
	}
	p.d.Key.Explanation = feedback(entries)
	if after != "" && len(correct) == 1 {
		p.d.Question, p.d.Key = dropDown(p.d.Question, p.d.Key)
		p.d.Reason = "the choices are inside the sentence"
	}
}

// feedback joins the feedback of answers.
func feedback(entries []answer) string {
	var lines []string
	for _, e := range entries {
		if e.feedback != "" {
			lines = append(lines, e.text+": "+e.feedback)
		}
	}
	return strings.Join(lines, "\n")
}

func (p *parser) matching(text string, entries []answer) {
	var left, targets []string
	var pairs []int
	for _, e := range entries {
		l, r, _ := cut(e.chars, "->")
		target, word := -1, strings.Join(strings.Fields(p.text(r)), " ")
		for i, t := range targets {
			if t == word {
				target = i
			}
		}
		if target < 0 {
			target = len(targets)
			targets = append(targets, word)
		}
		if name := strings.Join(strings.Fields(p.text(l)), " "); name != "" {
			left, pairs = append(left, name), append(pairs, target)
		}
	}
	p.d.Question, p.d.Key = draft.Match(text, left, targets, pairs)
	p.d.Reason, p.d.Key.Explanation = "every answer is a pair with ->", feedback(entries)
}

func (p *parser) shortAnswer(text string, entries []answer) {
	var accepted question.Accepted
	for _, e := range entries {
		if e.weighted && e.weight < 100 {
			p.problem("An answer that earns a part of the mark is not supported. It counts as wrong.", "Add it to the accepted answers if it is right.", e.text)
			continue
		}
		accepted.Texts = append(accepted.Texts, e.text)
	}
	p.d.Question, p.d.Key = draft.Blanks(text, accepted)
	p.d.Reason, p.d.Key.Explanation = "all answers in the braces are right", feedback(entries)
}

// numeric parses {#3}, {#3:0.1}, {#1..5} and several of them with weights.
func (p *parser) numeric(text string, body []char) bool {
	var accepted question.Accepted
	lines := []string{}
	entries := p.entries(body)
	if len(entries) == 0 {
		number, note, _ := cut(body, "#")
		entries = []answer{{right: true, text: plain(number), feedback: p.text(note)}}
	}
	for _, e := range entries {
		low, high, ok := numberRange(e.text)
		switch {
		case e.weighted && e.weight < 100, !e.right:
			p.problem("A number that earns a part of the mark is not supported. It counts as wrong.", "Widen the range if it is right.", e.text)
		case !ok:
			p.problem("This is not a number or a range.", "Write {#3.14:0.01} or {#3.13..3.15}.", e.text)
		case accepted.Low == "":
			accepted.Low, accepted.High = low, high
		case low == high:
			accepted.Texts = append(accepted.Texts, low)
		default:
			p.problem("Only one range of numbers is supported.", "Add the numbers to the accepted answers.", e.text)
		}
		if e.feedback != "" {
			lines = append(lines, e.feedback)
		}
	}
	p.d.Question, p.d.Key = draft.Blanks(text, accepted)
	p.d.Reason, p.d.Key.Explanation = "the answer is a number", strings.Join(lines, "\n")
	return true
}

// numberRange parses 3, 3:0.1 and 1..5.
func numberRange(text string) (low, high string, ok bool) {
	text = strings.TrimSpace(text)
	if a, b, found := strings.Cut(text, ".."); found {
		low, okLow := number(a)
		high, okHigh := number(b)
		if !okLow || !okHigh {
			return "", "", false
		}
		return decimalText(low), decimalText(high), true
	}
	middle, tolerance, _ := strings.Cut(text, ":")
	m, okMiddle := number(middle)
	t, okTolerance := new(big.Rat), true
	if tolerance != "" {
		t, okTolerance = number(tolerance)
	}
	if !okMiddle || !okTolerance {
		return "", "", false
	}
	return decimalText(new(big.Rat).Sub(m, t)), decimalText(new(big.Rat).Add(m, t)), true
}

// number parses a decimal number of a sane length.
func number(text string) (*big.Rat, bool) {
	text = strings.TrimSpace(text)
	if text == "" || len(text) > 20 || strings.Trim(text, "+-0123456789.") != "" {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

// decimalText writes a number without needless zeros.
func decimalText(r *big.Rat) string {
	text := r.FloatString(20)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}
