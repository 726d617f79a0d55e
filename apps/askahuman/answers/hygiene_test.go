package answers_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/answers"
	"sortkey.dev/apps/askahuman/askahumantest"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/refusal"
)

func TestInvisibleCharactersAreNotStored(t *testing.T) {
	w := askahumantest.Open(t)
	q := w.Submit(t, questions.Ask{
		AgentID: "agent", Prompt: "Which \u202eeno\u202c is better?\u200b", Context: "\ufeffFor a bu\u00adtton.", Type: "multiple_choice",
		Options: []string{"Go\u200b", "👩‍💻"},
	})
	if q.Prompt != "Which eno is better?" || *q.Context != "For a button." || !slices.Equal(q.Options, []string{"Go", "👩‍💻"}) {
		t.Errorf("the question is %+q, %+q, %+q", q.Prompt, *q.Context, q.Options)
	}
	text := w.Ask(t, "agent", 3)
	p := w.Person(t, 1)
	took := time.Minute
	askahumantest.Reward(t, w, p, answers.Answer{QuestionID: text.QuestionID, Text: "The \u2066first\u2069 one\U000e0041", Took: &took})
	if got := *askahumantest.StoredResponse(t, w, p, text.QuestionID).Answer; got != "The first one" {
		t.Errorf("the answer is %+q", got)
	}
	if err := w.Answers.Report(t.Context(), p, text.QuestionID, "Ru\u200bde"); err != nil {
		t.Fatal(err)
	}
	reports, _, err := w.Operators.OpenReports(t.Context(), 0, "")
	if err != nil || len(reports) != 1 || reports[0].Report.Reason != "Rude" {
		t.Errorf("the reports are %+v, %v", reports, err)
	}
}

func TestTextsThatSayNothingAreRefused(t *testing.T) {
	w := askahumantest.Open(t)
	nothing := "\u200b\u200d\u3164\u202e\u2060\ufe0f\u200d\u200b\u200b\u200b\u200b\u200b"
	q, p := w.Ask(t, "agent", 3), w.Person(t, 1)
	ask := func(prompt string, options ...string) error {
		_, err := w.Questions.Submit(t.Context(), questions.Ask{AgentID: "agent", Prompt: prompt, Type: "multiple_choice", Options: options})
		return err
	}
	say := func(text string) error {
		_, err := w.Answers.Answer(t.Context(), p, answers.Answer{QuestionID: q.QuestionID, Text: text})
		return err
	}
	good := "Which one is better?"
	for _, test := range []struct {
		name, field string
		err         error
	}{
		{"a prompt", "prompt", ask(nothing, "a", "b")},
		{"an option", "options", ask(good, "a", nothing)},
		{"options that look the same", "options", ask(good, "a", "a\u200b")},
		{"an option of two lines", "options", ask(good, "a", "b\u2028c")},
		{"a control character in a prompt", "prompt", ask(good+"\x1b[31m", "a", "b")},
		{"an answer", "answer", say(nothing)},
		{"a control character in an answer", "answer", say("Yes\x00")},
		{"a reason", "reason", w.Answers.Report(t.Context(), p, q.QuestionID, nothing)},
		{"a control character in a reason", "reason", w.Answers.Report(t.Context(), p, q.QuestionID, "Ru\bde")},
	} {
		var refused *refusal.Error
		if !errors.As(test.err, &refused) || refused.Field() != test.field {
			t.Errorf("%s: %v", test.name, test.err)
		}
	}
}

func TestRapidAnswersAtOnce(t *testing.T) {
	w := askahumantest.Open(t)
	p := w.Person(t, 1)
	const tries = askahuman.RapidAnswers + 3
	var questions []string
	for range tries {
		questions = append(questions, w.Ask(t, "agent", 2).QuestionID)
	}
	taken := 0
	for _, err := range askahumantest.AtOnce(tries, func(i int) error {
		_, err := w.Answers.Answer(t.Context(), p, askahumantest.Text(questions[i], 20+i))
		return err
	}) {
		var refused *refusal.Error
		switch {
		case err == nil:
			taken++
		case !errors.As(err, &refused) || refused.Kind != refusal.TooMany || refused.Wait != askahuman.RapidWindow:
			t.Errorf("refused with %v", err)
		}
	}
	if got := askahumantest.Stats(t, w, p).TotalAnswers; taken != askahuman.RapidAnswers || got != taken {
		t.Errorf("%d answers were taken and %d counted, want %d", taken, got, askahuman.RapidAnswers)
	}
}

func TestOwnAnswersHaveTheirOptions(t *testing.T) {
	w := askahumantest.Open(t)
	p := w.Person(t, 1)
	q := w.AskChoice(t, "agent", 3, "this", "that")
	askahumantest.Reward(t, w, p, askahumantest.Choice(q.QuestionID, 1))
	own, _, err := w.Answers.OwnAnswers(t.Context(), p, 0, "")
	if err != nil || len(own) != 1 || !slices.Equal(own[0].Options, q.Options) {
		t.Errorf("%+v, %v", own, err)
	}
}
