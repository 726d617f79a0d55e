package drafttest

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"sortkey.dev/apps/exambuddy/exchange/draft"
	"sortkey.dev/apps/exambuddy/question"
)

// Same fails the test if a draft has another question or key than it should have. Titles, ids, places
// and reasons do not count.
func Same(t testing.TB, got, want draft.Draft) {
	t.Helper()
	if !reflect.DeepEqual(normal(got.Question), normal(want.Question)) {
		t.Errorf("the question is\n%+v, want\n%+v", got.Question, want.Question)
	}
	if g, w := normalKey(got), normalKey(want); !reflect.DeepEqual(g, w) {
		t.Errorf("the key of %q is\n%+v, want\n%+v", want.Question.Text, g, w)
	}
}

// normal returns a question in which empty lists are nil.
func normal(q question.Question) question.Question {
	if len(q.Tags) == 0 {
		q.Tags = nil
	}
	if len(q.Options) == 0 {
		q.Options = nil
	}
	return q
}

// normalKey returns a key in which the right options are sorted and empty lists are nil.
func normalKey(d draft.Draft) question.Key {
	k := d.Key
	k.Correct = slices.Clone(k.Correct)
	if d.Question.Type != question.Ordering {
		slices.Sort(k.Correct)
	}
	if len(k.Correct) == 0 {
		k.Correct = nil
	}
	if len(k.Pairs) == 0 {
		k.Pairs = nil
	}
	if len(k.Blanks) == 0 {
		k.Blanks = nil
	}
	return k
}

// Sound fails the test if a result breaks what every import promises: each draft has a place, a
// reason and a confidence, and each problem has a message.
func Sound(t testing.TB, result *draft.Result, err error) {
	t.Helper()
	if result == nil {
		if err == nil {
			t.Error("neither a result nor an error")
		}
		return
	}
	if len(result.Drafts) == 0 && err == nil {
		t.Error("no draft and no error")
	}
	problems := slices.Clone(result.Problems)
	for i, d := range result.Drafts {
		problems = append(problems, d.Problems...)
		if d.Reason == "" || d.Confidence < 0 || d.Confidence > 100 || d.DuplicateOf >= i || d.Place == (draft.Place{}) {
			t.Errorf("draft %d: reason %q, confidence %d, duplicate of %d, place %v", i, d.Reason, d.Confidence, d.DuplicateOf, d.Place)
		}
		if d.Status() != draft.Ready && d.Status() != draft.Unsure && len(d.Problems) == 0 {
			t.Errorf("draft %d is %s and has no problem: %+v", i, d.Status(), d)
		}
	}
	for _, p := range problems {
		if p.Message == "" || p.Advice == "" {
			t.Errorf("a problem without message or advice: %+v", p)
		}
	}
}

// Summary describes drafts in a line each: type, status, text, options and key.
func Summary(result *draft.Result) []string {
	var all []string
	for _, d := range result.Drafts {
		var correct []string
		for _, o := range d.Question.Options {
			mark := ""
			if slices.Contains(d.Key.Correct, o.ID) {
				mark = "*"
			}
			correct = append(correct, mark+o.Text)
		}
		all = append(all, fmt.Sprintf("%s %s: %s %q", d.Question.Type, d.Status(), d.Question.Text, correct))
	}
	return all
}
