package csvfile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sortkey.dev/apps/exambuddy/exchange/draft"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/internal/lazyregexp"
)

// A row is one question of a table.
type row struct {
	cells   map[string]string
	options []string
	matches []string
	d       draft.Draft
}

// row makes a draft of a row.
func (t *table) row(place draft.Place, cells []string) {
	r := row{cells: map[string]string{}, d: draft.Draft{Place: place, Confidence: 100}}
	extra := []string{}
	for i, cell := range cells {
		cell = strings.TrimSpace(unguard(cell))
		switch {
		case cell == "":
		case i >= len(t.columns) || t.columns[i] == "":
			extra = append(extra, cell)
		default:
			r.cells[t.columns[i]] = cell
		}
	}
	if len(r.cells) == 0 {
		return // an empty row
	}
	r.options, r.matches = r.list("option_"), r.list("match_")
	if len(extra) > 0 {
		r.problem("Cells of this row are in no known column.", "They were not imported.", strings.Join(extra, " | "))
	}
	r.question()
	r.common()
	t.out.Add(r.d)
}

// unguard removes the apostrophe that an export puts before formulas.
func unguard(cell string) string {
	if len(cell) > 1 && cell[0] == '\'' && strings.ContainsRune("=+-@\t\r'", rune(cell[1])) {
		return cell[1:]
	}
	return cell
}

// list returns the cells of numbered columns up to the last that is filled.
func (r *row) list(prefix string) []string {
	var all []string
	for i := 10; i >= 1; i-- {
		cell := r.cells[fmt.Sprint(prefix, i)]
		if cell != "" || len(all) > 0 {
			all = append([]string{cell}, all...)
		}
	}
	return all
}

func (r *row) problem(message, advice, text string) {
	r.d.Problems = append(r.d.Problems, draft.Problem{Place: r.d.Place, Message: message, Advice: advice, Text: text})
}

// typeNames maps names of types to ours.
var typeNames = map[string]question.Type{
	"multiple_choice": question.SingleChoice, "mc": question.SingleChoice, "single": question.SingleChoice, "choice": question.SingleChoice,
	"tf": question.TrueFalse, "true/false": question.TrueFalse, "boolean": question.TrueFalse, "multiple_answer": question.MultipleResponse,
	"multiple_answers": question.MultipleResponse, "multiple_select": question.MultipleResponse, "ma": question.MultipleResponse, "short_answer": question.FillInBlank, "fill_in_the_blank": question.FillInBlank,
	"drop_down": question.FillInBlank, "text": question.FillInBlank, "build_list": question.Ordering, "order": question.Ordering,
	"drag_and_drop": question.Matching, "match": question.Matching, "hot_area": question.Hotspot, "scenario_series": question.Scenario,
}

// typeOf returns the type that a row names or that its cells show.
func (r *row) typeOf() question.Type {
	name := strings.ReplaceAll(strings.ToLower(r.cells["type"]), " ", "_")
	switch t, ok := typeNames[name]; {
	case ok:
		r.d.Reason = "the column type says " + r.cells["type"]
		return t
	case name != "":
		r.d.Reason = "the column type says " + r.cells["type"]
		return question.Type(name)
	}
	correct := r.cells["correct"]
	r.d.Confidence = 90
	switch letters, ok := draft.Letters(correct, max(len(r.options), 1)); {
	case len(r.matches) > 0:
		r.d.Reason = "there are columns to match"
		return question.Matching
	case r.cells["passage"] != "":
		r.d.Reason = "there is a passage"
		return question.Scenario
	case len(r.options) == 0 && (draft.IsTrue(correct) || draft.IsFalse(correct)):
		r.d.Reason = "the answer is true or false"
		return question.TrueFalse
	case len(r.options) == 0:
		r.d.Reason = "there are no options"
		return question.FillInBlank
	case ok && len(letters) > 1:
		r.d.Reason = draft.KeyReason(letters, "the answer")
		return question.MultipleResponse
	}
	r.d.Reason = "there are options and one answer"
	return question.SingleChoice
}

// question fills the question and its key by the type.
func (r *row) question() {
	text, correct := r.cells["text"], r.cells["correct"]
	switch t := r.typeOf(); t {
	case question.TrueFalse:
		if len(r.options) == 0 {
			r.options = []string{"True", "False"}
		}
		r.choice(t, text, correct)
	case question.FillInBlank:
		r.blanks(text, correct)
	case question.Ordering:
		order, ok := draft.Letters(correct, len(r.options))
		if !ok && correct != "" {
			r.badKey("Give the order as letters, as in B, A, C.")
		}
		r.d.Question, r.d.Key = draft.Order(text, r.options, order)
	case question.Matching:
		r.d.Question, r.d.Key = draft.Match(text, r.options, r.matches, r.pairs(correct))
	case question.Hotspot:
		r.hotspot(text, correct)
	case question.Scenario:
		if r.statements(text, correct) {
			break
		}
		r.choice(t, text, correct)
		r.d.Question.Passage = r.cells["passage"]
	default:
		r.choice(t, text, correct)
	}
}

func (r *row) badKey(advice string) {
	r.problem("The column correct does not name an answer.", advice, r.cells["correct"])
}

// choice fills a question with options. The answer is letters, the text of an option, or texts with
// | between them.
func (r *row) choice(t question.Type, text, correct string) {
	found, ok := r.optionIndexes(correct)
	if !ok && correct != "" {
		r.badKey("Give the letter of the right option, as in B.")
	}
	r.d.Question, r.d.Key = draft.Choice(text, r.options, found)
	if t != question.TrueFalse && r.d.Question.Type == question.TrueFalse || t == question.Scenario {
		r.d.Question.Type = t
	}
	if t == question.MultipleResponse {
		r.d.Question.Type = t
	} else if r.d.Question.Type == question.MultipleResponse && t == question.SingleChoice && r.cells["type"] != "" {
		r.d.Question.Type = t // a key with several answers is reported
	} else if t != question.SingleChoice && t != question.TrueFalse {
		r.d.Question.Type = t
	}
}

func (r *row) optionIndexes(correct string) ([]int, bool) {
	for i, o := range r.options {
		if question.Canonical(o) == question.Canonical(correct) && correct != "" {
			return []int{i}, true
		}
	}
	if letters, ok := draft.Letters(correct, len(r.options)); ok {
		return letters, true
	}
	var found []int
	for _, part := range strings.Split(correct, "|") {
		i := slices.IndexFunc(r.options, func(o string) bool { return question.Canonical(o) == question.Canonical(part) })
		if i < 0 || slices.Contains(found, i) {
			return nil, false
		}
		found = append(found, i)
	}
	return found, len(found) > 0
}

// blanks fills a question with text answers: one line for each blank, | between alternatives. The
// options of a drop-down are in the option of its number.
func (r *row) blanks(text, correct string) {
	lines := strings.Split(correct, "\n")
	gaps := max(len(question.Gaps(text))-1, 1)
	if len(lines) > gaps {
		r.problem(fmt.Sprintf("The column correct has %d lines and the text has %d gaps (__).", len(lines), gaps), "Write the answer of each gap on a line of its own.", correct)
	}
	accepted := make([]question.Accepted, gaps)
	choices := make([][]piece, gaps)
	for i := range accepted {
		if i < len(r.options) && r.options[i] != "" {
			choices[i] = splitBar(r.options[i])
		}
		if i >= len(lines) {
			continue
		}
		for _, one := range splitBar(lines[i]) {
			low, high, ok := strings.Cut(one.text, "..")
			if ok && !one.literal && number.MatchString(low) && number.MatchString(high) {
				accepted[i].Low, accepted[i].High = low, high
			} else if one.text != "" {
				accepted[i].Texts = append(accepted[i].Texts, one.text)
			}
		}
		accepted[i].IgnoreAccents = strings.Contains(r.cells["ignore"], "accents")
		accepted[i].IgnorePunctuation = strings.Contains(r.cells["ignore"], "punctuation")
	}
	r.d.Question, r.d.Key = draft.Blanks(text, accepted...)
	for i, list := range choices {
		b := &r.d.Question.Blanks[i]
		for _, c := range list {
			b.Choices = append(b.Choices, question.Option{Text: c.text})
		}
		question.Identify(&r.d.Question)
		for _, c := range b.Choices {
			if a := accepted[i]; len(a.Texts) == 1 && question.Canonical(a.Texts[0]) == question.Canonical(c.Text) {
				r.d.Key.Blanks[b.ID] = question.Accepted{Texts: []string{c.ID}}
			}
		}
	}
	if len(r.options) > gaps {
		r.problem("The row has more options than the text has gaps.", "They were not imported.", strings.Join(r.options[gaps:], " | "))
	}
}

var number = lazyregexp.New(`^[+-]?[0-9]+([.,][0-9]+)?$`)

// A piece is a text between bars. An escaped point makes it a literal text and no range of numbers.
type piece struct {
	text    string
	literal bool
}

// splitBar splits at | and resolves the escapes of an export.
func splitBar(text string) []piece {
	var all []piece
	var b strings.Builder
	escaped, literal := false, false
	for _, c := range text {
		switch {
		case escaped && c == 'n':
			b.WriteByte('\n')
			escaped = false
		case escaped:
			literal = literal || c == '.'
			if c != '|' && c != '\\' && c != '.' {
				b.WriteByte('\\')
			}
			b.WriteRune(c)
			escaped = false
		case c == '\\':
			escaped = true
		case c == '|':
			all = append(all, piece{strings.TrimSpace(b.String()), literal})
			b.Reset()
			literal = false
		default:
			b.WriteRune(c)
		}
	}
	if escaped {
		b.WriteByte('\\')
	}
	return append(all, piece{strings.TrimSpace(b.String()), literal})
}

var pair = lazyregexp.New(`^([A-Ja-j])\s*[-=>:]*\s*(10|[1-9])$`)

// pairs parses "A2, B1".
func (r *row) pairs(correct string) []int {
	all := make([]int, len(r.options))
	for i := range all {
		all[i] = -1
	}
	for _, one := range strings.FieldsFunc(correct, func(c rune) bool { return c == ',' || c == ';' || c == ' ' }) {
		m := pair.FindStringSubmatch(one)
		if m == nil {
			r.badKey("Give pairs of a letter and a number, as in A2, B1.")
			return nil
		}
		left, _ := draft.LetterIndex(m[1])
		target, _ := strconv.Atoi(m[2])
		if left >= len(all) || target > len(r.matches) {
			r.badKey("A pair names an option or a match that the row does not have.")
			return nil
		}
		all[left] = target - 1
	}
	return all
}

// statements fills a scenario whose answer is a list of yes and no.
func (r *row) statements(text, correct string) bool {
	words := strings.FieldsFunc(strings.ToLower(correct), func(c rune) bool { return c == ',' || c == ';' || c == ' ' })
	if len(words) == 0 || slices.ContainsFunc(words, func(w string) bool { return w != question.Yes && w != question.No }) {
		return false
	}
	q := question.Question{Type: question.Scenario, Text: text, Passage: r.cells["passage"]}
	for _, o := range r.options {
		q.Statements = append(q.Statements, question.Option{Text: o})
	}
	question.Identify(&q)
	k := question.Key{Pairs: map[string]string{}}
	for i, w := range words {
		if i < len(q.Statements) {
			k.Pairs[q.Statements[i].ID] = w
		}
	}
	if len(words) > len(q.Statements) {
		r.badKey("Give one yes or no for each statement.")
	}
	r.d.Question, r.d.Key = q, k
	return true
}

var area = lazyregexp.New(`^(.*)@\s*(\d{1,4})\s*,\s*(\d{1,4})\s*,\s*(\d{1,4})\s*,\s*(\d{1,4})$`)

// hotspot fills a hotspot from options such as "top left @ 0,0,500,500".
func (r *row) hotspot(text, correct string) {
	q := question.Question{Type: question.Hotspot, Text: text}
	for _, o := range r.options {
		m := area.FindStringSubmatch(o)
		if m == nil {
			r.problem("A region needs its place.", "Write it as: description @ x,y,width,height, in thousandths of the image.", o)
			q.Regions = append(q.Regions, question.Region{Label: o})
			continue
		}
		var n [4]int
		for i := range n {
			n[i], _ = strconv.Atoi(m[i+2])
		}
		q.Regions = append(q.Regions, question.Region{Label: strings.TrimSpace(m[1]), X: n[0], Y: n[1], Width: n[2], Height: n[3]})
	}
	question.Identify(&q)
	r.d.Question = q
	if found, ok := draft.Letters(correct, len(q.Regions)); ok {
		for _, i := range found {
			r.d.Key.Correct = append(r.d.Key.Correct, q.Regions[i].ID)
		}
	} else if correct != "" {
		r.badKey("Give the letter of the right region, as in B.")
	}
}

// common fills the values that all types have.
func (r *row) common() {
	q, k := &r.d.Question, &r.d.Key
	r.d.ID, r.d.Title = r.cells["id"], r.cells["title"]
	q.Difficulty = question.Difficulty(strings.ToLower(r.cells["difficulty"]))
	if limit := r.cells["time_limit"]; limit != "" {
		n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(limit), " s"))
		if err != nil {
			r.problem("The time limit is not a number of seconds.", "It was not imported.", limit)
		}
		q.TimeLimit = n
	}
	for _, tag := range strings.FieldsFunc(r.cells["tags"], func(c rune) bool { return strings.ContainsRune(",;|", c) }) {
		if tag = strings.TrimSpace(tag); tag != "" {
			q.Tags = append(q.Tags, tag)
		}
	}
	for _, line := range strings.Split(r.cells["images"], "\n") {
		if file, alt, _ := strings.Cut(line, "|"); file != "" {
			q.Images = append(q.Images, question.Image{File: strings.TrimSpace(file), Alt: strings.TrimSpace(alt)})
		}
	}
	k.Explanation, k.Scheme = r.cells["explanation"], question.Scheme(strings.ToUpper(r.cells["scheme"]))
	if q.Passage == "" {
		if passage := r.cells["passage"]; passage != "" {
			q.Passage = passage
		}
	}
	if k.Scheme == "PARTIAL" {
		k.Scheme = q.Type.Partial()
	}
}
