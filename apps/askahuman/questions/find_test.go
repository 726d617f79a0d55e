package questions_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"sortkey.dev/apps/askahuman/askahumantest"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/refusal"
)

// found returns the prompts that a search finds, page by page.
func found(t *testing.T, w *askahumantest.World, search questions.Search) []string {
	t.Helper()
	var all []string
	for range 100 {
		page, err := w.Questions.Find(t.Context(), search)
		if err != nil {
			t.Fatalf("find %+v: %v", search, err)
		}
		for _, q := range page.Questions {
			all = append(all, q.Prompt)
		}
		if search.Cursor = page.Next; page.Next == "" {
			return all
		}
	}
	t.Fatal("the search does not end")
	return nil
}

func TestFindQuestions(t *testing.T) {
	for _, parts := range []int{1, 5} {
		t.Run(fmt.Sprint(parts, " parts"), func(t *testing.T) { findQuestions(t, parts) })
	}
}

func findQuestions(t *testing.T, parts int) {
	w := askahumantest.Open(t)
	w.Parts = parts
	w = w.Through(t, w.Database.DynamoDB)
	ask := func(agent, prompt string, required int) string {
		w.Clock.Advance(time.Hour)
		return w.Submit(t, questions.Ask{AgentID: agent, Prompt: prompt, Type: "text", Required: &required, Timeout: new(24 * time.Hour)}).QuestionID
	}
	closed := ask("poet", "Does this verse about RAIN sound sad?", 1)
	askahumantest.Say(t, w, w.Person(t, 1), closed)
	hidden := ask("poet", "Is this verse rude to readers?", 2)
	if err := w.Operators.HideQuestion(t.Context(), "op", hidden); err != nil {
		t.Fatal(err)
	}
	partial := ask("cook", "Does soup taste better when it rains?", 2)
	askahumantest.Say(t, w, w.Person(t, 2), partial)
	w.Clock.Advance(22*time.Hour + time.Minute) // the first two are over, and it is the next day
	ask("cook", "Is a soup without salt a soup?", 2)
	// Now hidden has expired, and partial is still open.

	const verse, rude, rain, salt = "Does this verse about RAIN sound sad?", "Is this verse rude to readers?", "Does soup taste better when it rains?", "Is a soup without salt a soup?"
	for _, test := range []struct {
		search questions.Search
		want   []string
	}{
		{questions.Search{}, []string{salt, rain, rude, verse}},
		{questions.Search{Text: " Rain "}, []string{rain, verse}},
		{questions.Search{Text: "nothing like it"}, nil},
		{questions.Search{Condition: questions.ConditionOpen}, []string{salt, rain}},
		{questions.Search{Condition: questions.ConditionClosed}, []string{verse}},
		{questions.Search{Condition: questions.ConditionExpired}, []string{rude}},
		{questions.Search{Condition: questions.ConditionHidden}, []string{rude}},
		{questions.Search{AgentID: "cook"}, []string{salt, rain}},
		{questions.Search{AgentID: "cook", Text: "salt"}, []string{salt}},
		{questions.Search{AgentID: "poet", Condition: questions.ConditionClosed}, []string{verse}},
		{questions.Search{AgentID: "nobody"}, nil},
	} {
		for _, limit := range []int{0, 1, 3} {
			test.search.Limit = limit
			if got := found(t, w, test.search); !slices.Equal(got, test.want) {
				t.Errorf("%+v finds %q, want %q", test.search, got, test.want)
			}
		}
	}
	for field, search := range map[string]questions.Search{"status": {Condition: "odd"}, "cursor": {Cursor: "odd"}} {
		_, err := w.Questions.Find(t.Context(), search)
		if refused, ok := refusal.As(err, refusal.Invalid); !ok || refused.Field() != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}
