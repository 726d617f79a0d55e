package question

import (
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"

	"sortkey.dev/apps/internal/refusal"
)

// The limits of a question. Lengths are in characters.
const (
	MaxText        = 2000
	MaxPassage     = 8000
	MinOptions     = 2
	MaxOptions     = 6
	MaxOption      = 200
	MaxItems       = 10 // of an ordering, of each side of a matching, blanks, statements
	MaxRegions     = 20
	MaxImages      = 4
	MaxAlt         = 300
	MaxTags        = 10
	MaxTag         = 40
	MinTimeLimit   = 10
	MaxTimeLimit   = 300
	MaxExplanation = 1000
	MaxAccepted    = 20  // answers of a blank
	MaxAnswer      = 200 // of a typed answer
	maxID          = 40
)

// Check validates a question. The error is a *refusal.Error with one field for each value that is
// wrong.
func Check(q Question) error {
	var c checker
	if !slices.Contains(Types(), q.Type) {
		c.add("type", "allowed", "%q is not a question type.", q.Type).Allowed = texts(Types())
		return c.err("question")
	}
	c.text("text", q.Text, 1, MaxText, "The question")
	if !slices.Contains(Difficulties(), q.Difficulty) && q.Difficulty != "" {
		c.add("difficulty", "allowed", "%q is not a difficulty.", q.Difficulty).Allowed = texts(Difficulties())
	}
	if q.TimeLimit != 0 {
		c.between("time_limit", "range", q.TimeLimit, MinTimeLimit, MaxTimeLimit, "A time limit has %d to %d seconds.")
	}
	c.tags(q.Tags)
	c.images("images", q.Images)
	c.lists(q)
	c.ofType(q)
	return c.err("question")
}

// CheckKey validates the key of a valid question. The error is a *refusal.Error; a question whose
// key has one cannot be published.
func CheckKey(q Question, k Key) error {
	var c checker
	if k.Scheme != "" && !slices.Contains(q.Type.Schemes(), k.Scheme) {
		c.add("scheme", "allowed", "The scheme %s does not fit the type %s.", k.Scheme, q.Type).Allowed = texts(q.Type.Schemes())
	}
	c.text("explanation", k.Explanation, 0, MaxExplanation, "The explanation")
	c.images("explanation_images", k.ExplanationImages)
	switch {
	case q.Type == Matching:
		c.pairs(ids(q.Options), k.Pairs, func(target string) bool { return slices.Contains(ids(q.Targets), target) }, "Choose the right side of every pair.")
	case q.Type == Scenario && len(q.Statements) > 0:
		c.pairs(ids(q.Statements), k.Pairs, func(value string) bool { return value == Yes || value == No }, "Say yes or no for every statement.")
	case q.Type == FillInBlank:
		for _, b := range q.Blanks {
			c.accepted(b, k.Blanks[b.ID])
		}
		if len(k.Blanks) > len(q.Blanks) {
			c.add("blanks", "allowed", "The key has answers for blanks that the question does not have.")
		}
	case q.Type == Hotspot:
		c.correct(k, regionIDs(q.Regions))
	case q.Type == Ordering:
		c.order(k.Correct, ids(q.Options))
	default:
		c.correct(k, ids(q.Options))
	}
	if one := hasOneAnswer(q); one && len(k.Correct) > 1 {
		c.add("correct", "count", "Exactly one answer is correct. For several, make it a multiple response.")
	} else if !one && len(k.Also) > 0 {
		c.add("also", "allowed", "Only a question with one correct answer can accept others also.")
	}
	return c.err("answer key")
}

// hasOneAnswer reports whether the key of a question names exactly one option or region.
func hasOneAnswer(q Question) bool {
	switch q.Type {
	case SingleChoice, TrueFalse, Hotspot:
		return true
	case Scenario:
		return len(q.Statements) == 0
	}
	return false
}

// CheckAnswer validates what a candidate gave. The error is a *refusal.Error. An empty or an
// incomplete answer is valid.
func CheckAnswer(q Question, a Answer) error {
	var c checker
	allowed, most := ids(q.Options), 1
	switch q.Type {
	case Matching, FillInBlank:
		most = 0
	case MultipleResponse, Ordering:
		most = len(q.Options)
	case Hotspot:
		allowed = regionIDs(q.Regions)
	case Scenario:
		if len(q.Statements) > 0 {
			most = 0
		}
	}
	if len(a.Chosen) > most {
		c.add("chosen", "count", "Choose at most %d.", most)
	} else if !subset(a.Chosen, allowed) {
		c.add("chosen", "allowed", "The answer holds an option that the question does not have, or one twice.")
	}
	if q.Type == Ordering && len(a.Chosen) > 0 && len(a.Chosen) != len(q.Options) {
		c.add("chosen", "count", "Put all %d items in order.", len(q.Options))
	}
	for _, id := range sortedKeys(a.Parts) {
		c.part(q, id, a.Parts[id])
	}
	return c.err("answer")
}

// part validates the answer of one part.
func (c *checker) part(q Question, id, given string) {
	name := "parts." + id
	isPart, values := false, []string(nil)
	switch q.Type {
	case Matching:
		isPart, values = slices.Contains(ids(q.Options), id), ids(q.Targets)
	case Scenario:
		isPart, values = slices.Contains(ids(q.Statements), id), []string{Yes, No}
	case FillInBlank:
		if i := slices.IndexFunc(q.Blanks, func(b Blank) bool { return b.ID == id }); i >= 0 {
			isPart, values = true, ids(q.Blanks[i].Choices)
		}
	}
	switch {
	case !isPart:
		c.add("parts", "allowed", "The answer has a part that the question does not have.")
	case given == "":
	case len(values) > 0 && !slices.Contains(values, given):
		c.add(name, "allowed", "The answer holds a value that the question does not offer.")
	case len(values) == 0:
		c.text(name, given, 0, MaxAnswer, "An answer")
	}
}

// correct validates the right options or regions.
func (c *checker) correct(k Key, of []string) {
	switch {
	case len(k.Correct) == 0:
		c.add("correct", "required", "Mark the correct answer.")
	case !subset(k.Correct, of) || !subset(k.Also, of):
		c.add("correct", "allowed", "The key names an answer that the question does not have, or one twice.")
	}
}

func (c *checker) order(order, items []string) {
	if len(order) == 0 {
		c.add("correct", "required", "Put the items in the right order.")
	} else if len(order) != len(items) || !subset(order, items) {
		c.add("correct", "allowed", "The right order must hold every item once.")
	}
}

func (c *checker) pairs(parts []string, pairs map[string]string, valid func(string) bool, advice string) {
	for _, id := range parts {
		switch value, ok := pairs[id]; {
		case !ok || value == "":
			c.add("pairs", "required", "%s", advice)
			return
		case !valid(value):
			c.add("pairs", "allowed", "The key names an answer that the question does not have.")
			return
		}
	}
	if len(pairs) > len(parts) {
		c.add("pairs", "allowed", "The key has answers for parts that the question does not have.")
	}
}

// accepted validates what is accepted for a blank.
func (c *checker) accepted(b Blank, ok Accepted) {
	name := "blanks." + b.ID
	if len(ok.Texts) == 0 && ok.Low == "" {
		c.add(name, "required", "Give the correct answer of every blank.")
		return
	}
	if len(b.Choices) > 0 {
		if len(ok.Texts) != 1 || !subset(ok.Texts, ids(b.Choices)) || ok.Low != "" {
			c.add(name, "allowed", "Exactly one choice of a drop-down is correct.")
		}
		return
	}
	c.between(name, "count", len(ok.Texts), 0, MaxAccepted, "A blank has %d to %d accepted answers.")
	for _, text := range ok.Texts {
		c.text(name, text, 1, MaxAnswer, "An accepted answer")
		if text != "" && answerText(text, ok) == "" {
			c.add(name, "format", "An accepted answer must hold a letter or a digit.")
		}
	}
	low, lowOK := decimal(ok.Low)
	high, highOK := decimal(ok.High)
	if (ok.Low != "" || ok.High != "") && (!lowOK || !highOK || low.Cmp(high) > 0) {
		c.add(name, "format", "The accepted numbers go from a low number to a high number.")
	}
}

// ids returns the ids of options.
func ids(options []Option) []string {
	all := make([]string, len(options))
	for i, o := range options {
		all[i] = o.ID
	}
	return all
}

func regionIDs(regions []Region) []string {
	all := make([]string, len(regions))
	for i, r := range regions {
		all[i] = r.ID
	}
	return all
}

// subset reports whether all values are allowed and none occurs twice.
func subset(values, allowed []string) bool {
	for i, v := range values {
		if !slices.Contains(allowed, v) || slices.Contains(values[:i], v) {
			return false
		}
	}
	return true
}

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// A checker collects the fields that are wrong.
type checker struct{ fields []refusal.Field }

// add adds a field and returns it. A constraint of a field is reported once.
func (c *checker) add(name, constraint, format string, args ...any) *refusal.Field {
	for i, f := range c.fields {
		if f.Name == name && f.Constraint == constraint {
			return &c.fields[i]
		}
	}
	c.fields = append(c.fields, refusal.Field{Name: name, Constraint: constraint, Message: fmt.Sprintf(format, args...)})
	return &c.fields[len(c.fields)-1]
}

// between validates a number; format has a verb for each end of the range.
func (c *checker) between(name, constraint string, value, least, most int, format string) {
	if value >= least && value <= most {
		return
	}
	f := c.add(name, constraint, format, least, most)
	f.Min, f.Max = &least, &most
}

// text validates the length and the characters of a text.
func (c *checker) text(name, text string, least, most int, what string) {
	switch n := utf8.RuneCountInString(text); {
	case !utf8.ValidString(text) || slices.ContainsFunc([]rune(text), func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }):
		c.add(name, "format", "%s holds characters that cannot be shown.", what)
	case least > 0 && Canonical(text) == "":
		c.add(name, "required", "%s is empty.", what)
	default:
		c.between(name, "length", n, least, most, what+" has %d to %d characters.")
	}
}

func texts[T ~string](values []T) []string {
	all := make([]string, len(values))
	for i, v := range values {
		all[i] = string(v)
	}
	return all
}

// err returns the refusal of all fields, or nil.
func (c *checker) err(what string) error {
	if len(c.fields) == 0 {
		return nil
	}
	message := c.fields[0].Message
	if n := len(c.fields); n > 1 {
		message = fmt.Sprintf("%d values of the %s are wrong. The first: %s", n, what, message)
	}
	return &refusal.Error{Kind: refusal.Invalid, Message: message, Fields: c.fields}
}
