package layout

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"sortkey.dev/apps/exambuddy/exchange/draft"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/internal/lazyregexp"
)

var (
	asksOrder    = lazyregexp.New(`(?i)\b(arrange|in the (correct|right|proper) (order|sequence)|put .* in order|rearrange|ordna|i rätt ordning|sortera|in die richtige reihenfolge)\b`)
	asksSeveral  = lazyregexp.New(`(?i)\b(select all|choose all|all that apply|(select|choose|pick|which) (two|three|four|2|3|4)\b|välj (två|tre)|wählen sie (zwei|drei)|alla som stämmer)`)
	scenarioHead = lazyregexp.New(`(?i)^(scenario|case study|case|fallstudie|fall)\s*\d*\s*[:–-]\s*`)
	emptyBlank   = lazyregexp.New(`_{2,}|\.{6,}|…{2,}`)
)

const leastText = 5 // characters of a question

// add adds the draft of a block.
func (p *parser) add(b block) {
	text := ""
	for _, line := range b.text {
		text = join(text, line)
	}
	if len(b.options) == 0 && b.answer == "" {
		if text == "" {
			text = b.first.Text
		}
		p.out.Problem(draft.Problem{Place: b.first.place(), Text: text, Message: "This question has neither options nor an answer.",
			Advice: "Write each option on a line of its own that begins with A), B) and so on, or add a line such as Answer: text."})
		return
	}
	d := draft.Draft{Place: b.first.place(), Confidence: 95}
	if b.number > 0 {
		d.Title = fmt.Sprintf("Question %d", b.number)
	} else {
		d.Confidence -= 10
	}
	if len(b.options) == 0 {
		b.typed(&d, text)
	} else {
		b.choice(&d, text)
	}
	if utf8.RuneCountInString(text) < leastText {
		d.Confidence = min(d.Confidence, 30)
		b.unclear = append(b.unclear, "The text of the question is very short.")
	}
	if b.skipped {
		d.Confidence -= 5
		b.unclear = append(b.unclear, fmt.Sprintf("The number before question %d is missing.", b.number))
	}
	for _, message := range b.unclear {
		d.Problems = append(d.Problems, draft.Problem{Place: d.Place, Message: message, Advice: "Compare the draft with the page."})
	}
	d.Key.Explanation = strings.TrimSpace(b.reason)
	p.out.Add(d)
}

// typed fills a question without options: true or false, or a text.
func (b *block) typed(d *draft.Draft, text string) {
	answer, _ := uncheck(b.answer)
	switch {
	case draft.IsTrue(answer) || draft.IsFalse(answer):
		d.Question, d.Key = draft.TrueOrFalse(text, draft.IsTrue(answer))
		d.Reason = fmt.Sprintf("no options, and %s says %s", b.source, answer)
	default:
		if emptyBlank.MatchString(text) {
			text = emptyBlank.ReplaceAllString(text, "____")
		} else {
			d.Confidence -= 20
		}
		parts := []string{answer}
		if gaps := len(question.Gaps(text)) - 1; gaps > 1 {
			parts = splitAnswers(answer, gaps)
		}
		var accepted []question.Accepted
		for _, part := range parts {
			accepted = append(accepted, question.Accepted{Texts: []string{strings.TrimSpace(part)}})
		}
		d.Question, d.Key = draft.Blanks(text, accepted...)
		d.Reason = fmt.Sprintf("no options, and %s is a text", b.source)
		if utf8.RuneCountInString(answer) == 1 {
			d.Confidence = min(d.Confidence, 40)
			b.unclear = append(b.unclear, "The answer looks like a letter, but no options were found.")
		}
	}
}

// splitAnswers splits the answers of several blanks.
func splitAnswers(answer string, n int) []string {
	for _, separator := range []string{";", ",", "/"} {
		if parts := strings.Split(answer, separator); len(parts) == n {
			return parts
		}
	}
	return append([]string{answer}, make([]string, n-1)...)
}

// choice fills a question with options.
func (b *block) choice(d *draft.Draft, text string) {
	var options []string
	for _, o := range b.options {
		options = append(options, o.text)
	}
	correct := b.correct(d)
	several := asksSeveral.MatchString(text)
	switch {
	case asksOrder.MatchString(text) && (len(correct) == 0 && b.answer == "" || len(correct) == len(options) && len(options) > 2):
		d.Question, d.Key = draft.Order(text, options, correct)
		d.Reason = "the text asks for an order; " + d.Reason
	default:
		sorted := slices.Sorted(slices.Values(correct))
		d.Question, d.Key = draft.Choice(text, options, sorted)
		if several && len(correct) <= 1 {
			d.Question.Type = question.MultipleResponse
			d.Reason = "the text asks for several answers; " + d.Reason
			if len(correct) == 1 {
				d.Confidence = min(d.Confidence, 50)
				b.unclear = append(b.unclear, "The text asks for several answers, and one was found.")
			}
		}
		b.scenario(d, text)
	}
	d.Reason = fmt.Sprintf("%d options; %s", len(options), d.Reason)
}

// scenario splits the passage from a question that begins with "Scenario:".
func (b *block) scenario(d *draft.Draft, text string) {
	head := scenarioHead.FindString(text)
	if head == "" || d.Question.Type == question.MultipleResponse {
		return
	}
	rest := strings.TrimSpace(text[len(head):])
	cut := strings.LastIndexAny(strings.TrimRight(rest, "?.! "), ".!?")
	if cut < 0 {
		return
	}
	if d.Question.Type == question.TrueFalse {
		return
	}
	d.Question.Type, d.Question.Passage, d.Question.Text = question.Scenario, rest[:cut+1], strings.TrimSpace(rest[cut+1:])
	d.Confidence = min(d.Confidence, 75)
	d.Reason = "the text begins with " + strings.TrimSpace(head) + " " + d.Reason
}

// correct returns the indexes of the right options, and sets the reason and the confidence.
func (b *block) correct(d *draft.Draft) []int {
	if b.answer != "" {
		return b.fromAnswer(d)
	}
	for _, mark := range []struct {
		has        func(option) bool
		name       string
		confidence int
	}{
		{func(o option) bool { return o.checked }, "a check mark", 90},
		{func(o option) bool { return o.marked }, "highlighting", 75},
		{func(o option) bool { return o.bold }, "bold type", 60},
	} {
		var found []int
		for i, o := range b.options {
			if mark.has(o) {
				found = append(found, i)
			}
		}
		if len(found) > 0 && len(found) < len(b.options) {
			d.Reason, d.Confidence = draft.KeyReason(found, mark.name), min(d.Confidence, mark.confidence)
			return found
		}
	}
	d.Reason, d.Confidence = "no answer was found", min(d.Confidence, 80)
	return nil
}

// fromAnswer finds the options that an answer names, by letter or by text.
func (b *block) fromAnswer(d *draft.Draft) []int {
	answer, _ := uncheck(b.answer)
	if letters, ok := draft.Letters(answer, len(b.options)); ok {
		d.Reason = draft.KeyReason(letters, b.source)
		return letters
	}
	for i, o := range b.options {
		if question.Canonical(strings.TrimRight(o.text, ".")) == question.Canonical(strings.TrimRight(answer, ".")) {
			d.Reason = b.source + " repeats option " + draft.Letter(i)
			return []int{i}
		}
	}
	// "B) Stockholm" or "B because …"
	if letter, rest, _ := optionLine(answer); letter != 0 && int(letter-'A') < len(b.options) {
		i := int(letter - 'A')
		d.Reason = draft.KeyReason([]int{i}, b.source)
		if rest != "" && question.Canonical(rest) != question.Canonical(b.options[i].text) {
			d.Confidence = min(d.Confidence, 60)
			b.unclear = append(b.unclear, fmt.Sprintf("After the letter the answer says %q.", cutText(rest, 60)))
		}
		return []int{i}
	}
	d.Reason, d.Confidence = b.source+" names no option", min(d.Confidence, 40)
	b.unclear = append(b.unclear, fmt.Sprintf("The answer %q names no option.", cutText(b.answer, 60)))
	return nil
}
