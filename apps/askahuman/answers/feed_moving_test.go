package answers_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/answers"
	"sortkey.dev/apps/askahuman/askahumantest"
	"sortkey.dev/apps/askahuman/questions"
)

func TestTheFeedMissesNothingThatMovesAheadOfIt(t *testing.T) {
	w := askahumantest.Open(t)
	asked := thirtyAndTen(t, w)
	slices.Reverse(asked) // newest first, as the feed
	got := ids(wholeFeed(t, w, w.Person(t, 99), answers.FeedQuery{Limit: 7}, func(page int, seen []answers.Card) {
		// The next ones are answered before they are seen.
		for i := len(seen); i < min(len(seen)+5, len(asked)); i++ {
			if askahumantest.Question(t, w, asked[i].QuestionID).Status == "OPEN" {
				askahumantest.Say(t, w, w.Person(t, 1000+i), asked[i].QuestionID)
			}
		}
	}))
	slices.Sort(got)
	var want []string
	for _, q := range slices.Backward(asked) {
		want = append(want, q.QuestionID)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("some came twice or never: %s", diff)
	}
}

func TestQuestionsOfOneMomentComeOnceEach(t *testing.T) {
	w := askahumantest.Open(t)
	var want []string
	for i := range 12 { // the clock stands still
		q := w.Ask(t, "agent", 3)
		want = append(want, q.QuestionID)
		if i%2 == 0 {
			askahumantest.Say(t, w, w.Person(t, i), q.QuestionID)
		}
	}
	slices.Sort(want)
	for _, limit := range []int{1, 2, 5, 12} {
		got := ids(wholeFeed(t, w, w.Person(t, 99), answers.FeedQuery{Limit: limit}, nil))
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("pages of %d: %s", limit, diff)
		}
	}
}

// TestTheFeedUnderAnswers reads the feed again and again while people answer what is in it and
// agents ask more. Whatever was there at the beginning comes exactly once.
func TestTheFeedUnderAnswers(t *testing.T) {
	w := askahumantest.Open(t)
	var asked []string
	for i := range 60 {
		if i%3 != 0 { // some are of the same moment
			w.Clock.Advance(time.Millisecond)
		}
		asked = append(asked, w.Ask(t, fmt.Sprintf("agent-%d", i%2), 50).QuestionID)
	}
	var all sync.WaitGroup
	for worker := range 3 {
		all.Go(func() {
			for i := range 20 {
				p := w.Person(t, i)
				if _, err := w.Answers.Answer(t.Context(), p, askahumantest.Text(asked[(worker+3*i)*7%60], 30)); err != nil {
					t.Errorf("answer: %v", err)
				}
			}
		})
	}
	all.Go(func() {
		for range 10 {
			w.Clock.Advance(time.Millisecond)
			required := 50
			if _, err := w.Questions.Submit(t.Context(), questions.Ask{AgentID: "later", Prompt: "One that came later", Type: "text", Required: &required}); err != nil {
				t.Errorf("ask: %v", err)
			}
		}
	})
	for range 3 {
		all.Go(func() {
			for range 4 {
				readOnce(t, w, asked)
			}
		})
	}
	all.Wait()
	readOnce(t, w, asked)
}

// readOnce reads the whole feed and makes sure that it has some questions once each.
func readOnce(t *testing.T, w *askahumantest.World, want []string) {
	times := make(map[string]int)
	q := answers.FeedQuery{Limit: 1 + rand.IntN(12)}
	for {
		page, err := w.Answers.Feed(t.Context(), askahuman.Person{}, q)
		if err != nil {
			t.Errorf("read the feed: %v", err)
			return
		}
		for _, card := range page.Cards {
			times[card.QuestionID]++
		}
		if q.Cursor = page.Next; q.Cursor == "" {
			break
		}
	}
	for _, id := range want {
		if times[id] == 0 {
			t.Errorf("in pages of %d, %s is missing", q.Limit, id)
		}
	}
	for id, n := range times {
		if n > 1 {
			t.Errorf("in pages of %d, %s comes %d times", q.Limit, id, n)
		}
	}
}
