package question_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/internal/refusal"
)

// valid returns a valid question and key of each type.
func valid() map[question.Type]struct {
	Q question.Question
	K question.Key
} {
	type pair = struct {
		Q question.Question
		K question.Key
	}
	trueFalse := question.Question{Type: question.TrueFalse, Text: "Go has generics.", Options: []question.Option{{ID: "true", Text: "True"}, {ID: "false", Text: "False"}}}
	blanks := question.Question{Type: question.FillInBlank, Text: "A __ and a __.", Blanks: []question.Blank{{ID: "b1"}, {ID: "b2", Choices: options(3)}}}
	spot := question.Question{Type: question.Hotspot, Text: "Where?", Images: []question.Image{{File: "f1", Alt: "A map"}}, Regions: []question.Region{{ID: "r1", Label: "left", Width: 500, Height: 1000}, {ID: "r2", Label: "right", X: 500, Width: 500, Height: 1000}}}
	return map[question.Type]pair{
		question.SingleChoice:     {choice(question.SingleChoice, 4), question.Key{Correct: []string{"b"}}},
		question.TrueFalse:        {trueFalse, question.Key{Correct: []string{"true"}}},
		question.MultipleResponse: {choice(question.MultipleResponse, 4), question.Key{Correct: []string{"a", "c"}}},
		question.FillInBlank:      {blanks, question.Key{Blanks: map[string]question.Accepted{"b1": {Texts: []string{"pen"}}, "b2": {Texts: []string{"a"}}}}},
		question.Ordering:         {choice(question.Ordering, 4), question.Key{Correct: letters("abcd")}},
		question.Matching:         {question.Question{Type: question.Matching, Text: "Match.", Options: options(3), Targets: options(4)}, question.Key{Pairs: map[string]string{"a": "d", "b": "c", "c": "c"}}},
		question.Hotspot:          {spot, question.Key{Correct: []string{"r2"}}},
		question.Scenario:         {question.Question{Type: question.Scenario, Text: "Judge.", Passage: "A firm.", Statements: options(3)}, question.Key{Pairs: map[string]string{"a": "yes", "b": "no", "c": "no"}}},
	}
}

func TestEachTypeIsValid(t *testing.T) {
	all := valid()
	for _, typ := range question.Types() {
		v, ok := all[typ]
		if !ok || typ.Label() == "" {
			t.Fatalf("%s is not tested or has no label", typ)
		}
		if err := question.Check(v.Q); err != nil {
			t.Errorf("%s: %v", typ, err)
		}
		if err := question.CheckKey(v.Q, v.K); err != nil {
			t.Errorf("%s: %v", typ, err)
		}
		if question.CheckKey(v.Q, question.Key{}) == nil {
			t.Errorf("%s: an empty key is complete", typ)
		}
		if err := question.CheckAnswer(v.Q, question.Answer{}); err != nil {
			t.Errorf("%s: an empty answer is refused: %v", typ, err)
		}
	}
}

// field asserts which field and constraint an error names first.
func field(t *testing.T, err error, name, constraint string) {
	t.Helper()
	refused, ok := refusal.As(err, refusal.Invalid)
	if !ok {
		t.Errorf("%s %s: got %v, want a refusal", name, constraint, err)
		return
	}
	if !slices.ContainsFunc(refused.Fields, func(f refusal.Field) bool {
		return f.Name == name && f.Constraint == constraint && f.Message != ""
	}) {
		t.Errorf("got %+v, want %s %s", refused.Fields, name, constraint)
	}
}

func TestCheckNamesTheField(t *testing.T) {
	for _, v := range []struct {
		typ              question.Type
		change           func(*question.Question)
		name, constraint string
	}{
		{question.SingleChoice, func(q *question.Question) { q.Type = "essay" }, "type", "allowed"},
		{question.SingleChoice, func(q *question.Question) { q.Text = " \u200b\n" }, "text", "required"},
		{question.SingleChoice, func(q *question.Question) { q.Text = strings.Repeat("ä", question.MaxText+1) }, "text", "length"},
		{question.SingleChoice, func(q *question.Question) { q.Text = "a\x00b" }, "text", "format"},
		{question.SingleChoice, func(q *question.Question) { q.Text = "a\xff" }, "text", "format"},
		{question.SingleChoice, func(q *question.Question) { q.Options = options(1) }, "options", "count"},
		{question.SingleChoice, func(q *question.Question) { q.Options = options(7) }, "options", "count"},
		{question.SingleChoice, func(q *question.Question) { q.Options[1].ID = "a" }, "options", "unique"},
		{question.SingleChoice, func(q *question.Question) { q.Options[1].ID = "a b" }, "options", "format"},
		{question.SingleChoice, func(q *question.Question) { q.Options[1].Text = " a" }, "options[1]", "unique"},
		{question.SingleChoice, func(q *question.Question) { q.Options[1].Text = "" }, "options[1]", "required"},
		{question.SingleChoice, func(q *question.Question) { q.Options[1].Text = strings.Repeat("x", 201) }, "options[1]", "length"},
		{question.SingleChoice, func(q *question.Question) { q.Options[1].Image = &question.Image{} }, "options[1]", "required"},
		{question.SingleChoice, func(q *question.Question) { q.Targets = options(2) }, "targets", "allowed"},
		{question.SingleChoice, func(q *question.Question) { q.Difficulty = "extreme" }, "difficulty", "allowed"},
		{question.SingleChoice, func(q *question.Question) { q.TimeLimit = 9 }, "time_limit", "range"},
		{question.SingleChoice, func(q *question.Question) { q.TimeLimit = 301 }, "time_limit", "range"},
		{question.SingleChoice, func(q *question.Question) { q.Tags = []string{"Net", "net "} }, "tags", "unique"},
		{question.SingleChoice, func(q *question.Question) { q.Tags = []string{""} }, "tags[0]", "required"},
		{question.SingleChoice, func(q *question.Question) { q.Tags = letters("abcdefghijk") }, "tags", "count"},
		{question.SingleChoice, func(q *question.Question) { q.Images = make([]question.Image, 5) }, "images", "count"},
		{question.TrueFalse, func(q *question.Question) { q.Options[0].ID = "yes" }, "options", "allowed"},
		{question.FillInBlank, func(q *question.Question) { q.Blanks = nil }, "blanks", "count"},
		{question.FillInBlank, func(q *question.Question) { q.Text = "One __ only." }, "blanks", "count"},
		{question.FillInBlank, func(q *question.Question) { q.Blanks[1].Choices = options(1) }, "blanks[1].choices", "count"},
		{question.Ordering, func(q *question.Question) { q.Options = options(11) }, "options", "count"},
		{question.Matching, func(q *question.Question) { q.Targets = nil }, "targets", "count"},
		{question.Hotspot, func(q *question.Question) { q.Images = nil }, "images", "required"},
		{question.Hotspot, func(q *question.Question) { q.Regions[1].X = 501 }, "regions[1]", "range"},
		{question.Hotspot, func(q *question.Question) { q.Regions = q.Regions[:1] }, "regions", "count"},
		{question.Scenario, func(q *question.Question) { q.Passage = "" }, "passage", "required"},
		{question.Scenario, func(q *question.Question) { q.Options = options(2) }, "statements", "allowed"},
		{question.Scenario, func(q *question.Question) { q.Statements = nil }, "options", "count"},
	} {
		q := valid()[v.typ].Q
		v.change(&q)
		field(t, question.Check(q), v.name, v.constraint)
	}
}

func TestCheckAcceptsLimits(t *testing.T) {
	for name, change := range map[string]func(*question.Question){
		"text":       func(q *question.Question) { q.Text = strings.Repeat("ä", question.MaxText) },
		"options":    func(q *question.Question) { q.Options = options(6) },
		"option":     func(q *question.Question) { q.Options[0].Text = strings.Repeat("x", 200) },
		"image":      func(q *question.Question) { q.Options[0] = question.Option{ID: "a", Image: &question.Image{File: "f"}} },
		"least time": func(q *question.Question) { q.TimeLimit = 10 },
		"most time":  func(q *question.Question) { q.TimeLimit = 300 },
		"tags":       func(q *question.Question) { q.Tags = letters("abcdefghij") },
		"difficulty": func(q *question.Question) { q.Difficulty = question.Expert },
	} {
		q := valid()[question.SingleChoice].Q
		change(&q)
		if err := question.Check(q); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCheckKeyNamesTheField(t *testing.T) {
	for _, v := range []struct {
		typ              question.Type
		change           func(*question.Key)
		name, constraint string
	}{
		{question.SingleChoice, func(k *question.Key) { k.Correct = nil }, "correct", "required"},
		{question.SingleChoice, func(k *question.Key) { k.Correct = []string{"a", "b"} }, "correct", "count"},
		{question.SingleChoice, func(k *question.Key) { k.Correct = []string{"z"} }, "correct", "allowed"},
		{question.SingleChoice, func(k *question.Key) { k.Also = []string{"z"} }, "correct", "allowed"},
		{question.SingleChoice, func(k *question.Key) { k.Scheme = question.Halves }, "scheme", "allowed"},
		{question.SingleChoice, func(k *question.Key) { k.Explanation = strings.Repeat("x", 1001) }, "explanation", "length"},
		{question.MultipleResponse, func(k *question.Key) { k.Correct = []string{"a", "a"} }, "correct", "allowed"},
		{question.MultipleResponse, func(k *question.Key) { k.Also = []string{"b"} }, "also", "allowed"},
		{question.FillInBlank, func(k *question.Key) { delete(k.Blanks, "b1") }, "blanks.b1", "required"},
		{question.FillInBlank, func(k *question.Key) { k.Blanks["b1"] = question.Accepted{Low: "2", High: "1"} }, "blanks.b1", "format"},
		{question.FillInBlank, func(k *question.Key) { k.Blanks["b1"] = question.Accepted{Low: "2"} }, "blanks.b1", "format"},
		{question.FillInBlank, func(k *question.Key) {
			k.Blanks["b1"] = question.Accepted{Texts: []string{"?!"}, IgnorePunctuation: true}
		}, "blanks.b1", "format"},
		{question.FillInBlank, func(k *question.Key) { k.Blanks["b1"] = question.Accepted{Texts: make([]string, 21)} }, "blanks.b1", "count"},
		{question.FillInBlank, func(k *question.Key) { k.Blanks["b2"] = question.Accepted{Texts: []string{"pen"}} }, "blanks.b2", "allowed"},
		{question.FillInBlank, func(k *question.Key) { k.Blanks["b3"] = question.Accepted{Texts: []string{"pen"}} }, "blanks", "allowed"},
		{question.Ordering, func(k *question.Key) { k.Correct = letters("abc") }, "correct", "allowed"},
		{question.Matching, func(k *question.Key) { delete(k.Pairs, "a") }, "pairs", "required"},
		{question.Matching, func(k *question.Key) { k.Pairs["a"] = "z" }, "pairs", "allowed"},
		{question.Matching, func(k *question.Key) { k.Pairs["z"] = "a" }, "pairs", "allowed"},
		{question.Scenario, func(k *question.Key) { k.Pairs["a"] = "maybe" }, "pairs", "allowed"},
		{question.Hotspot, func(k *question.Key) { k.Correct = []string{"r1", "r2"} }, "correct", "count"},
	} {
		pair := valid()[v.typ]
		v.change(&pair.K)
		field(t, question.CheckKey(pair.Q, pair.K), v.name, v.constraint)
	}
}

func TestCheckAnswer(t *testing.T) {
	for _, v := range []struct {
		typ              question.Type
		answer           question.Answer
		name, constraint string // "" if it is valid
	}{
		{question.SingleChoice, question.Answer{Chosen: letters("d")}, "", ""},
		{question.SingleChoice, question.Answer{Chosen: letters("ab")}, "chosen", "count"},
		{question.SingleChoice, question.Answer{Chosen: letters("z")}, "chosen", "allowed"},
		{question.SingleChoice, question.Answer{Parts: map[string]string{"a": "yes"}}, "parts", "allowed"},
		{question.MultipleResponse, question.Answer{Chosen: letters("abcd")}, "", ""},
		{question.MultipleResponse, question.Answer{Chosen: letters("aa")}, "chosen", "allowed"},
		{question.Ordering, question.Answer{Chosen: letters("dcba")}, "", ""},
		{question.Ordering, question.Answer{Chosen: letters("dcb")}, "chosen", "count"},
		{question.Hotspot, question.Answer{Chosen: []string{"r1"}}, "", ""},
		{question.Hotspot, question.Answer{Chosen: []string{"r3"}}, "chosen", "allowed"},
		{question.Matching, question.Answer{Parts: map[string]string{"a": "d", "b": ""}}, "", ""},
		{question.Matching, question.Answer{Parts: map[string]string{"a": "z"}}, "parts.a", "allowed"},
		{question.Matching, question.Answer{Chosen: letters("a")}, "chosen", "count"},
		{question.Scenario, question.Answer{Parts: map[string]string{"a": "yes"}}, "", ""},
		{question.Scenario, question.Answer{Parts: map[string]string{"a": "Yes"}}, "parts.a", "allowed"},
		{question.FillInBlank, question.Answer{Parts: map[string]string{"b1": strings.Repeat("x", 200), "b2": "c"}}, "", ""},
		{question.FillInBlank, question.Answer{Parts: map[string]string{"b1": strings.Repeat("x", 201)}}, "parts.b1", "length"},
		{question.FillInBlank, question.Answer{Parts: map[string]string{"b2": "z"}}, "parts.b2", "allowed"},
		{question.FillInBlank, question.Answer{Parts: map[string]string{"b3": "z"}}, "parts", "allowed"},
	} {
		err := question.CheckAnswer(valid()[v.typ].Q, v.answer)
		if v.name != "" {
			field(t, err, v.name, v.constraint)
		} else if err != nil {
			t.Errorf("%s: %+v is refused: %v", v.typ, v.answer, err)
		}
	}
}

// A response that is built from a Question must not be able to carry the answer: no type that a
// Question holds is part of a key.
func TestQuestionsHoldNoKey(t *testing.T) {
	secret := []reflect.Type{reflect.TypeFor[question.Key](), reflect.TypeFor[question.Accepted](), reflect.TypeFor[question.Scheme](), reflect.TypeFor[question.Result]()}
	var walk func(reflect.Type, string)
	walk = func(typ reflect.Type, path string) {
		if slices.Contains(secret, typ) {
			t.Errorf("%s holds %s", path, typ)
		}
		switch typ.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map:
			walk(typ.Elem(), path)
		case reflect.Struct:
			for f := range typ.Fields() {
				for _, word := range []string{"correct", "answer", "key", "explanation", "right"} {
					if strings.Contains(strings.ToLower(f.Name), word) {
						t.Errorf("%s.%s sounds like a key", path, f.Name)
					}
				}
				walk(f.Type, path+"."+f.Name)
			}
		}
	}
	walk(reflect.TypeFor[question.Question](), "Question")
}

func TestDifficultiesHaveTheirTime(t *testing.T) {
	var seconds []int
	for _, d := range question.Difficulties() {
		seconds = append(seconds, d.Seconds())
	}
	if !slices.Equal(seconds, []int{120, 60, 30, 10}) || question.Difficulty("?").Seconds() != 0 {
		t.Errorf("got %v", seconds)
	}
}
