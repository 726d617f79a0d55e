package question

import (
	"math/big"
	"slices"
	"strings"
)

// Full is the mark of a right answer. Marks are thousandths, so that a third of a question is an
// integer.
const Full = 1000

// A Scheme says what a partly right answer earns. An empty answer earns nothing in every scheme.
type Scheme string

// The schemes. Parts are the options of a MultipleResponse, the blanks, the pairs of a Matching or
// the statements of a Scenario.
const (
	Exact           Scheme = "EXACT"             // all or nothing
	RightMinusWrong Scheme = "RIGHT_MINUS_WRONG" // (hits - wrong) / number of right parts
	EveryDecision   Scheme = "EVERY_DECISION"    // share of the parts that are decided rightly
	Halves          Scheme = "HALVES"            // half for one error, a quarter for two
	ByPosition      Scheme = "BY_POSITION"       // share of the items at their place
	ByNeighbours    Scheme = "BY_NEIGHBOURS"     // share of the neighbouring pairs in the right order
)

// Schemes lists the schemes that fit a type, Exact first.
func (t Type) Schemes() []Scheme {
	switch t {
	case MultipleResponse:
		return []Scheme{Exact, RightMinusWrong, EveryDecision, Halves}
	case FillInBlank, Matching, Scenario:
		return []Scheme{Exact, RightMinusWrong, EveryDecision}
	case Ordering:
		return []Scheme{Exact, ByPosition, ByNeighbours}
	}
	return []Scheme{Exact}
}

// Partial returns the scheme for "partial credit" without further choice; Exact if the type has
// no partial credit.
func (t Type) Partial() Scheme {
	if schemes := t.Schemes(); len(schemes) > 1 {
		return schemes[1]
	}
	return Exact
}

// A Result is a graded answer.
type Result struct {
	Mark     int  // from 0 to Full
	Correct  bool // Mark is Full
	Answered bool // the answer is not empty
}

// Grade grades an answer. An answer that CheckAnswer refuses earns no more than its right parts.
// Without a complete key no answer earns anything.
func Grade(q Question, k Key, a Answer) Result {
	if a.Empty() {
		return Result{}
	}
	r := Result{Answered: true}
	if CheckKey(q, k) != nil {
		return r
	}
	r.Mark = mark(q, k, a)
	r.Correct = r.Mark == Full
	return r
}

func mark(q Question, k Key, a Answer) int {
	switch {
	case q.Type == MultipleResponse:
		return responseMark(q, k, a)
	case q.Type == Ordering:
		return orderMark(k, a.Chosen)
	case q.Type == FillInBlank:
		return partsMark(len(q.Blanks), k.Scheme, a, func(id, given string) (bool, bool) {
			i := slices.IndexFunc(q.Blanks, func(b Blank) bool { return b.ID == id })
			return i >= 0 && k.Blanks[id].accepts(q.Blanks[i], given), i >= 0
		})
	case q.Type == Matching, q.Type == Scenario && len(q.Statements) > 0:
		return partsMark(len(k.Pairs), k.Scheme, a, func(id, given string) (bool, bool) {
			right, ok := k.Pairs[id]
			return ok && right == given, ok
		})
	}
	// One option or region.
	if len(a.Chosen) == 1 && (a.Chosen[0] == k.Correct[0] || slices.Contains(k.Also, a.Chosen[0])) {
		return Full
	}
	return 0
}

// responseMark grades a set of options.
func responseMark(q Question, k Key, a Answer) int {
	chosen := map[string]bool{}
	hits, wrong := 0, 0
	for _, id := range a.Chosen {
		switch {
		case chosen[id]:
		case slices.Contains(k.Correct, id):
			hits++
		default:
			wrong++
		}
		chosen[id] = true
	}
	missed := len(k.Correct) - hits
	switch k.Scheme {
	case RightMinusWrong:
		return share(hits-wrong, len(k.Correct))
	case EveryDecision:
		return share(len(q.Options)-missed-wrong, len(q.Options))
	case Halves:
		switch errors := missed + wrong; {
		case errors == 0:
			return Full
		case errors == 1 && len(q.Options) >= 3:
			return Full / 2
		case errors == 2 && len(q.Options) >= 5:
			return Full / 4
		}
		return 0
	}
	return allOrNothing(missed+wrong == 0)
}

// partsMark grades the parts of an answer. right reports whether a part is right and whether the
// question has it.
func partsMark(parts int, scheme Scheme, a Answer, right func(id, given string) (bool, bool)) int {
	hits, wrong := 0, 0
	for id, given := range a.Parts {
		if Canonical(given) == "" {
			continue
		}
		if ok, _ := right(id, given); ok {
			hits++
		} else {
			wrong++
		}
	}
	switch scheme {
	case RightMinusWrong:
		return share(hits-wrong, parts)
	case EveryDecision:
		return share(hits, parts)
	}
	return allOrNothing(hits == parts && wrong == 0)
}

// orderMark grades an order of items.
func orderMark(k Key, given []string) int {
	n := len(k.Correct)
	switch k.Scheme {
	case ByPosition:
		hits := 0
		for i := range min(n, len(given)) {
			if given[i] == k.Correct[i] {
				hits++
			}
		}
		return share(hits, max(n, len(given)))
	case ByNeighbours:
		next := map[string]string{}
		for i := 1; i < n; i++ {
			next[k.Correct[i-1]] = k.Correct[i]
		}
		hits := 0
		for i := 1; i < len(given); i++ {
			if follower, ok := next[given[i-1]]; ok && follower == given[i] {
				hits++
				delete(next, given[i-1]) // a pair counts once
			}
		}
		return share(hits, max(n, len(given))-1)
	}
	return allOrNothing(slices.Equal(given, k.Correct))
}

// share returns part/whole of the full mark, rounded to the nearest thousandth; 0 for less.
func share(part, whole int) int {
	if part <= 0 || whole <= 0 {
		return 0
	}
	return (part*Full*2 + whole) / (whole * 2)
}

func allOrNothing(right bool) int {
	if right {
		return Full
	}
	return 0
}

// Percent returns the score of an attempt in tenths of a per cent: the sum of its marks, of the
// number of its questions. Half a tenth is rounded up.
func Percent(marks, questions int) int {
	if questions <= 0 || marks <= 0 {
		return 0
	}
	return min((marks*2+questions)/(questions*2), 1000)
}

// accepts reports whether a blank is filled rightly.
func (ok Accepted) accepts(b Blank, given string) bool {
	if len(b.Choices) > 0 {
		return slices.Contains(ok.Texts, given)
	}
	text := answerText(given, ok)
	if slices.ContainsFunc(ok.Texts, func(t string) bool { return text != "" && answerText(t, ok) == text }) {
		return true
	}
	if ok.Low == "" {
		return false
	}
	number, isNumber := decimal(given)
	low, _ := decimal(ok.Low)
	high, _ := decimal(ok.High)
	return isNumber && number.Cmp(low) >= 0 && number.Cmp(high) <= 0
}

// maxDigits bounds the arithmetic on numbers that candidates type.
const maxDigits = 40

// decimal parses a number with a point or a comma before its decimals.
func decimal(text string) (*big.Rat, bool) {
	text = strings.Replace(strings.ReplaceAll(Canonical(text), "−", "-"), ",", ".", 1)
	if len(text) == 0 || len(text) > maxDigits {
		return nil, false
	}
	digits := strings.TrimLeft(text, "+-")
	if len(text)-len(digits) > 1 || strings.Trim(digits, "0123456789.") != "" || strings.Trim(digits, ".") == "" {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}
