package question_test

import (
	"testing"

	"sortkey.dev/apps/exambuddy/question"
)

func TestDescribe(t *testing.T) {
	all := valid()
	for typ, want := range map[question.Type]string{
		question.SingleChoice: "B", question.TrueFalse: "True", question.MultipleResponse: "A; C", question.FillInBlank: "pen; A", question.Ordering: "A > B > C > D",
		question.Matching: "A: D; B: C; C: C", question.Hotspot: "right", question.Scenario: "A: yes; B: no; C: no",
	} {
		v := all[typ]
		if got := question.DescribeKey(v.Q, v.K); got != want {
			t.Errorf("the key of %s is %q, want %q", typ, got, want)
		}
		if got := question.Describe(v.Q, right(v.Q, v.K)); got != want {
			t.Errorf("the answer of %s is %q, want %q", typ, got, want)
		}
		if got := question.Describe(v.Q, question.Answer{}); got != "" {
			t.Errorf("an empty answer of %s is %q", typ, got)
		}
		question.Describe(v.Q, question.Answer{Chosen: []string{"gone"}, Parts: map[string]string{"gone": "x", "a": "gone"}})
	}
	q := question.Question{Type: question.FillInBlank, Text: "Pi", Blanks: []question.Blank{{ID: "b1"}}}
	if got := question.DescribeKey(q, question.Key{Blanks: map[string]question.Accepted{"b1": {Texts: []string{"pi", "π"}, Low: "3", High: "4"}}}); got != "pi / π / 3 to 4" {
		t.Errorf("got %q", got)
	}
}
