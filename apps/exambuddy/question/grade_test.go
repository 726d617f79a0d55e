package question_test

import (
	"testing"

	"sortkey.dev/apps/exambuddy/question"
)

// choice returns a question with the options A, B, C, … whose ids are a, b, c, ….
func choice(t question.Type, n int) question.Question {
	return question.Question{Type: t, Text: "Which of these?", Options: options(n)}
}

func options(n int) []question.Option {
	var all []question.Option
	for i := range n {
		all = append(all, question.Option{ID: string(rune('a' + i)), Text: string(rune('A' + i))})
	}
	return all
}

func letters(text string) []string {
	var all []string
	for _, r := range text {
		all = append(all, string(r))
	}
	return all
}

func TestMultipleResponseSchemes(t *testing.T) {
	schemes := []question.Scheme{question.Exact, question.RightMinusWrong, question.EveryDecision, question.Halves}
	for _, v := range []struct {
		chosen string
		marks  [4]int
	}{
		{"ac", [4]int{1000, 1000, 1000, 1000}},
		{"ca", [4]int{1000, 1000, 1000, 1000}},
		{"a", [4]int{0, 500, 750, 500}},
		{"ab", [4]int{0, 0, 500, 0}},
		{"abc", [4]int{0, 500, 750, 500}},
		{"abcd", [4]int{0, 0, 500, 0}},
		{"bd", [4]int{0, 0, 0, 0}},
		{"", [4]int{0, 0, 0, 0}},
	} {
		for i, scheme := range schemes {
			key := question.Key{Correct: letters("ac"), Scheme: scheme}
			got := question.Grade(choice(question.MultipleResponse, 4), key, question.Answer{Chosen: letters(v.chosen)})
			want := question.Result{Mark: v.marks[i], Correct: v.marks[i] == question.Full, Answered: v.chosen != ""}
			if got != want {
				t.Errorf("%s of %q is %+v, want %+v", scheme, v.chosen, got, want)
			}
		}
	}
}

func TestHalvesDependOnTheNumberOfOptions(t *testing.T) {
	for _, v := range []struct {
		options         int
		correct, chosen string
		mark            int
	}{
		{2, "a", "ab", 0}, {3, "a", "ab", 500}, {4, "a", "abc", 0}, {5, "a", "abc", 250}, {5, "a", "abcd", 0},
	} {
		got := question.Grade(choice(question.MultipleResponse, v.options), question.Key{Correct: letters(v.correct), Scheme: question.Halves}, question.Answer{Chosen: letters(v.chosen)})
		if got.Mark != v.mark {
			t.Errorf("%q of %d options is %d, want %d", v.chosen, v.options, got.Mark, v.mark)
		}
	}
}

func TestOrderingSchemes(t *testing.T) {
	for _, v := range []struct {
		order string
		marks [3]int // Exact, ByPosition, ByNeighbours
	}{
		{"abcd", [3]int{1000, 1000, 1000}},
		{"abdc", [3]int{0, 500, 333}},
		{"bcda", [3]int{0, 0, 667}},
		{"dcba", [3]int{0, 0, 0}},
		{"abc", [3]int{0, 750, 667}},
		{"ababab", [3]int{0, 333, 200}}, // refused by CheckAnswer, and worth no more than its right parts
		{"", [3]int{0, 0, 0}},
	} {
		for i, scheme := range question.Ordering.Schemes() {
			key := question.Key{Correct: letters("abcd"), Scheme: scheme}
			if got := question.Grade(choice(question.Ordering, 4), key, question.Answer{Chosen: letters(v.order)}); got.Mark != v.marks[i] {
				t.Errorf("%s of %q is %d, want %d", scheme, v.order, got.Mark, v.marks[i])
			}
		}
	}
}

func TestOneAnswer(t *testing.T) {
	scenario := choice(question.Scenario, 3)
	scenario.Passage = "A company moves to the cloud."
	spot := question.Question{Type: question.Hotspot, Text: "Where is it?", Images: []question.Image{{File: "map"}}, Regions: []question.Region{
		{ID: "a", Label: "left", Width: 500, Height: 1000}, {ID: "b", Label: "right", X: 500, Width: 500, Height: 1000}, {ID: "c", Label: "top", Width: 1000, Height: 10}}}
	for _, q := range []question.Question{choice(question.SingleChoice, 3), scenario, spot} {
		if err := question.Check(q); err != nil {
			t.Fatalf("%s: %v", q.Type, err)
		}
		for chosen, mark := range map[string]int{"b": 1000, "a": 0, "c": 0, "bb": 0, "ab": 0, "": 0, "x": 0} {
			if got := question.Grade(q, question.Key{Correct: []string{"b"}}, question.Answer{Chosen: letters(chosen)}); got.Mark != mark {
				t.Errorf("%s: %q is %d, want %d", q.Type, chosen, got.Mark, mark)
			}
		}
		if got := question.Grade(q, question.Key{Correct: []string{"b"}, Also: []string{"c"}}, question.Answer{Chosen: []string{"c"}}); !got.Correct {
			t.Errorf("%s: an answer that is accepted also is not correct", q.Type)
		}
	}
}

func TestPartsSchemes(t *testing.T) {
	matching := question.Question{Type: question.Matching, Text: "Match them.", Options: options(4), Targets: options(4)}
	statements := question.Question{Type: question.Scenario, Text: "Judge.", Passage: "A firm.", Statements: options(4)}
	blanks := question.Question{Type: question.FillInBlank, Text: "__ __ __ __", Blanks: []question.Blank{{ID: "a"}, {ID: "b"}, {ID: "c"}, {ID: "d"}}}
	for _, v := range []struct {
		q    question.Question
		key  question.Key
		r, w string
	}{
		{matching, question.Key{Pairs: map[string]string{"a": "b", "b": "b", "c": "b", "d": "b"}}, "b", "c"},
		{statements, question.Key{Pairs: map[string]string{"a": "yes", "b": "yes", "c": "yes", "d": "yes"}}, "yes", "no"},
		{blanks, question.Key{Blanks: map[string]question.Accepted{"a": {Texts: []string{"x"}}, "b": {Texts: []string{"x"}}, "c": {Texts: []string{"x"}}, "d": {Texts: []string{"x"}}}}, "X ", "y"},
	} {
		for _, n := range []struct {
			right, wrong int
			marks        [3]int // Exact, RightMinusWrong, EveryDecision
		}{
			{4, 0, [3]int{1000, 1000, 1000}}, {3, 1, [3]int{0, 500, 750}}, {3, 0, [3]int{0, 750, 750}}, {1, 3, [3]int{0, 0, 250}}, {0, 4, [3]int{0, 0, 0}}, {0, 0, [3]int{0, 0, 0}},
		} {
			a := question.Answer{Parts: map[string]string{}}
			for i, id := range letters("abcd") {
				if i < n.right {
					a.Parts[id] = v.r
				} else if i < n.right+n.wrong {
					a.Parts[id] = v.w
				} else {
					a.Parts[id] = ""
				}
			}
			for i, scheme := range v.q.Type.Schemes() {
				v.key.Scheme = scheme
				if got := question.Grade(v.q, v.key, a); got.Mark != n.marks[i] {
					t.Errorf("%s %s of %d right and %d wrong is %d, want %d", v.q.Type, scheme, n.right, n.wrong, got.Mark, n.marks[i])
				}
			}
		}
	}
}

func TestTypedAnswers(t *testing.T) {
	q := question.Question{Type: question.FillInBlank, Text: "HTML stands for __ Markup Language.", Blanks: []question.Blank{{ID: "b1"}}}
	for _, v := range []struct {
		accepted question.Accepted
		given    string
		right    bool
	}{
		{question.Accepted{Texts: []string{"HyperText"}}, " hypertext ", true},
		{question.Accepted{Texts: []string{"Hyper Text"}}, "hyper \u00a0 TEXT", true},
		{question.Accepted{Texts: []string{"HyperText"}}, "hyper text", false},
		{question.Accepted{Texts: []string{"ﬁve"}}, "FIVE", true},
		{question.Accepted{Texts: []string{"Straße"}}, "STRASSE", true},
		{question.Accepted{Texts: []string{"Malmö"}}, "malmo", false},
		{question.Accepted{Texts: []string{"Malmö"}, IgnoreAccents: true}, "malmo", true},
		{question.Accepted{Texts: []string{"don't"}}, "dont", false},
		{question.Accepted{Texts: []string{"e-mail, web"}, IgnorePunctuation: true}, "E mail  web.", true},
		{question.Accepted{Texts: []string{"one", "two"}}, "two", true},
		{question.Accepted{Low: "3.1", High: "3.2"}, "3.14", true},
		{question.Accepted{Low: "3.1", High: "3.2"}, "3,14", true},
		{question.Accepted{Low: "3.1", High: "3.2"}, "3.2", true},
		{question.Accepted{Low: "3.1", High: "3.2"}, "3.2000001", false},
		{question.Accepted{Low: "-2", High: "-1"}, "−1.5", true},
		{question.Accepted{Low: "0", High: "9"}, "1e1", false},
		{question.Accepted{Low: "0", High: "9"}, "1/2", false},
		{question.Accepted{Low: "0", High: "9"}, ".", false},
	} {
		key := question.Key{Blanks: map[string]question.Accepted{"b1": v.accepted}}
		if err := question.CheckKey(q, key); err != nil {
			t.Fatalf("%+v: %v", v.accepted, err)
		}
		if got := question.Grade(q, key, question.Answer{Parts: map[string]string{"b1": v.given}}); got.Correct != v.right {
			t.Errorf("%q against %+v is %v", v.given, v.accepted, got.Correct)
		}
	}
}

func TestDropDown(t *testing.T) {
	q := question.Question{Type: question.FillInBlank, Text: "A __ of geese.", Blanks: []question.Blank{{ID: "b1", Choices: options(3)}}}
	key := question.Key{Blanks: map[string]question.Accepted{"b1": {Texts: []string{"c"}}}}
	for given, right := range map[string]bool{"c": true, "C": false, "a": false} {
		if got := question.Grade(q, key, question.Answer{Parts: map[string]string{"b1": given}}); got.Correct != right {
			t.Errorf("%q is %v", given, got.Correct)
		}
	}
}

func TestNoKeyEarnsNothing(t *testing.T) {
	for _, key := range []question.Key{{}, {Correct: []string{"x"}}, {Correct: []string{"a", "b"}}} {
		if got := question.Grade(choice(question.SingleChoice, 2), key, question.Answer{Chosen: []string{"a"}}); got != (question.Result{Answered: true}) {
			t.Errorf("with the key %v: %+v", key, got)
		}
	}
}

func TestPercent(t *testing.T) {
	for _, v := range []struct{ marks, questions, tenths int }{
		{17 * question.Full, 20, 850}, {question.Full, 3, 333}, {2 * question.Full, 3, 667}, {0, 5, 0}, {42 * question.Full, 50, 840},
		{50 * question.Full, 50, 1000}, {0, 0, 0}, {1, 2, 1}, {1, 3, 0}, {-5, 1, 0},
	} {
		if got := question.Percent(v.marks, v.questions); got != v.tenths {
			t.Errorf("%d of %d questions is %d, want %d", v.marks, v.questions, got, v.tenths)
		}
	}
}
