package draft

import (
	"fmt"
	"strings"

	"sortkey.dev/apps/exambuddy/question"
)

// Choice returns a question with options and its key. correct holds the indexes of the right
// options. With several it is a multiple response; with two options that say true and false it is a
// true-or-false question.
func Choice(text string, options []string, correct []int) (question.Question, question.Key) {
	q := question.Question{Type: question.SingleChoice, Text: text}
	for _, option := range options {
		q.Options = append(q.Options, question.Option{Text: option})
	}
	switch {
	case len(correct) > 1:
		q.Type = question.MultipleResponse
	case len(options) == 2 && IsTrue(options[0]) && IsFalse(options[1]):
		q.Type = question.TrueFalse
	case len(options) == 2 && IsFalse(options[0]) && IsTrue(options[1]):
		q.Type = question.TrueFalse
		q.Options[0].ID, q.Options[1].ID = "false", "true"
	}
	markLast(q.Options)
	question.Identify(&q)
	return q, question.Key{Correct: pick(q.Options, correct)}
}

// pick returns the ids of options by their indexes.
func pick(options []question.Option, indexes []int) []string {
	var ids []string
	for _, i := range indexes {
		if i >= 0 && i < len(options) {
			ids = append(ids, options[i].ID)
		}
	}
	return ids
}

// TrueOrFalse returns a true-or-false question.
func TrueOrFalse(text string, right bool) (question.Question, question.Key) {
	if right {
		return Choice(text, []string{"True", "False"}, []int{0})
	}
	return Choice(text, []string{"True", "False"}, []int{1})
}

// Order returns an ordering question. order holds the indexes of the items in their right order.
func Order(text string, items []string, order []int) (question.Question, question.Key) {
	q := question.Question{Type: question.Ordering, Text: text}
	for _, item := range items {
		q.Options = append(q.Options, question.Option{Text: item})
	}
	question.Identify(&q)
	return q, question.Key{Correct: pick(q.Options, order)}
}

// Match returns a matching question. pairs holds the index of the target for each left side; -1 if
// it is not known.
func Match(text string, left, targets []string, pairs []int) (question.Question, question.Key) {
	q := question.Question{Type: question.Matching, Text: text}
	for _, l := range left {
		q.Options = append(q.Options, question.Option{Text: l})
	}
	for _, t := range targets {
		q.Targets = append(q.Targets, question.Option{Text: t})
	}
	question.Identify(&q)
	k := question.Key{Pairs: map[string]string{}}
	for i, target := range pairs {
		if i < len(q.Options) && target >= 0 && target < len(q.Targets) {
			k.Pairs[q.Options[i].ID] = q.Targets[target].ID
		}
	}
	return q, k
}

// Blanks returns a question with typed answers, one for each gap of its text.
func Blanks(text string, accepted ...question.Accepted) (question.Question, question.Key) {
	q := question.Question{Type: question.FillInBlank, Text: text}
	k := question.Key{Blanks: map[string]question.Accepted{}}
	q.Blanks = make([]question.Blank, len(accepted))
	question.Identify(&q)
	for i, a := range accepted {
		if len(a.Texts) > 0 || a.Low != "" {
			k.Blanks[q.Blanks[i].ID] = a
		}
	}
	return q, k
}

// IsTrue reports whether a text says true.
func IsTrue(text string) bool {
	switch strings.ToLower(strings.Trim(text, " .")) {
	case "true", "t", "wahr", "richtig", "sant", "vrai", "verdadero", "rätt", "rett":
		return true
	}
	return false
}

// IsFalse reports whether a text says false.
func IsFalse(text string) bool {
	switch strings.ToLower(strings.Trim(text, " .")) {
	case "false", "f", "falsch", "falskt", "usant", "faux", "falso", "fel", "feil":
		return true
	}
	return false
}

// lastOptions begins options that keep their place.
var lastOptions = []string{"all of the above", "none of the above", "both of the above", "all of these", "none of these", "inget av ovanstående", "alla ovanstående", "keine der", "alle oben"}

// markLast marks options such as "All of the above", which refer to those before them.
func markLast(options []question.Option) {
	for i := len(options) - 1; i > 0; i-- {
		text := strings.ToLower(strings.TrimSpace(options[i].Text))
		found := false
		for _, last := range lastOptions {
			found = found || strings.HasPrefix(text, last)
		}
		if !found {
			return
		}
		options[i].Last = true
	}
}

// Letter returns the letter of an option by its index: A, B, C and so on.
func Letter(i int) string { return string(rune('A' + i)) }

// LetterIndex returns the index of an option from its letter or, if numbers are allowed, from its
// number that begins with 1.
func LetterIndex(text string) (int, bool) {
	text = strings.Trim(text, " .)(][")
	if len(text) == 1 {
		switch c := text[0]; {
		case c >= 'A' && c <= 'Z':
			return int(c - 'A'), true
		case c >= 'a' && c <= 'z':
			return int(c - 'a'), true
		case c >= '1' && c <= '9':
			return int(c - '1'), true
		}
	}
	if text == "10" {
		return 9, true
	}
	return 0, false
}

// Letters returns the indexes of a list of letters or numbers such as "A, C" or "A and C"; false if
// the text holds anything else.
func Letters(text string, most int) ([]int, bool) {
	text = strings.NewReplacer(",", " ", ";", " ", "&", " ", "/", " ", "+", " ", "|", " ").Replace(text)
	fields := strings.Fields(text)
	if len(fields) == 1 && len(fields[0]) > 1 && strings.ToUpper(fields[0]) == fields[0] && fields[0] != "10" {
		fields = strings.Split(strings.Trim(fields[0], ".()[]"), "") // "AC"
	}
	var all []int
	for _, f := range fields {
		if lower := strings.ToLower(f); lower == "and" || lower == "och" || lower == "und" {
			continue
		}
		i, ok := LetterIndex(f)
		if !ok || i >= most {
			return nil, false
		}
		all = append(all, i)
	}
	for i, index := range all {
		for _, other := range all[:i] {
			if other == index {
				return nil, false
			}
		}
	}
	return all, len(all) > 0
}

// KeyReason returns a reason that names the right options.
func KeyReason(correct []int, source string) string {
	if len(correct) == 0 {
		return "no answer was found"
	}
	letters := ""
	for i, index := range correct {
		if i > 0 {
			letters += ", "
		}
		letters += Letter(index)
	}
	if len(correct) == 1 {
		return fmt.Sprintf("%s names %s", source, letters)
	}
	return fmt.Sprintf("%s names %d answers: %s", source, len(correct), letters)
}
