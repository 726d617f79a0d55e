package answers_test

import (
	"slices"
	"testing"
	"time"

	"sortkey.dev/apps/askahuman/answers"
	"sortkey.dev/apps/askahuman/askahumantest"
)

// A person's feed has the questions of a few parts. Every question is in the feed of other people.
func TestAFeedOfPartsHasSomeQuestions(t *testing.T) {
	w := askahumantest.Open(t)
	w.Parts = 16
	w = w.Through(t, w.Database.DynamoDB)
	asked, parts := map[string]int64{}, map[int64]bool{}
	for range 60 {
		w.Clock.Advance(time.Second)
		q := w.Ask(t, "agent", 2)
		asked[q.QuestionID], parts[q.Part] = q.Part, true
	}
	if len(parts) < 8 {
		t.Fatalf("60 questions are in %d of 16 parts", len(parts))
	}
	seen := map[string]bool{}
	for n := 0; n < 200 && len(seen) < len(asked); n++ {
		p := w.Person(t, n)
		mine := w.Env.PartsFor(p.Hash)
		cards := wholeFeed(t, w, p, answers.FeedQuery{Limit: 10}, nil)
		for _, card := range cards {
			seen[card.QuestionID] = true
			if !slices.Contains(mine, asked[card.QuestionID]) {
				t.Errorf("a question of part %d is in the feed of parts %v", asked[card.QuestionID], mine)
			}
		}
		want := 0
		for _, part := range asked {
			if slices.Contains(mine, part) {
				want++
			}
		}
		if len(cards) != want || len(mine) != 4 {
			t.Errorf("%d cards of parts %v, want %d", len(cards), mine, want)
		}
	}
	if len(seen) != len(asked) {
		t.Errorf("%d of %d questions are in a feed", len(seen), len(asked))
	}

	// An answer moves a question within its part, and the sweeper finds questions of every part.
	p := w.Person(t, 0)
	first := wholeFeed(t, w, p, answers.FeedQuery{}, nil)[0]
	askahumantest.Say(t, w, w.Person(t, 1), first.QuestionID)
	if again := wholeFeed(t, w, p, answers.FeedQuery{}, nil); again[0].QuestionID != first.QuestionID || again[0].Needed != 1 {
		t.Errorf("the question with an answer is not first: %+v", again[0])
	}
	w.Clock.Advance(30 * 24 * time.Hour)
	expired, err := w.Questions.Sweep(t.Context())
	if err != nil || len(expired) != len(asked) {
		t.Errorf("%d of %d questions expired (%v)", len(expired), len(asked), err)
	}
}
