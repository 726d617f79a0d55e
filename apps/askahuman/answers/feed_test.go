package answers_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/answers"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/askahumantest"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/refusal"
)

func feed(t *testing.T, w *askahumantest.World, p askahuman.Person, q answers.FeedQuery) answers.FeedPage {
	t.Helper()
	page, err := w.Answers.Feed(t.Context(), p, q)
	if err != nil {
		t.Fatalf("read the feed: %v", err)
	}
	return page
}

// wholeFeed reads page by page, and calls between before each page but the first.
func wholeFeed(t *testing.T, w *askahumantest.World, p askahuman.Person, q answers.FeedQuery, between func(page int, seen []answers.Card)) []answers.Card {
	t.Helper()
	var all []answers.Card
	for n := 1; ; n++ {
		page := feed(t, w, p, q)
		all = append(all, page.Cards...)
		if page.Next == "" {
			return all
		}
		if n > 100 {
			t.Fatal("the feed does not end")
		}
		if q.Cursor = page.Next; between != nil {
			between(n, all)
		}
	}
}

// thirtyAndTen asks 40 questions a second apart, every fourth of which is answered once.
func thirtyAndTen(t *testing.T, w *askahumantest.World) []askahumandb.Question {
	t.Helper()
	all := make([]askahumandb.Question, 40)
	for i := range all {
		w.Clock.Advance(time.Second)
		all[i] = w.Ask(t, "agent", 2+i%3)
		if i%4 == 0 {
			askahumantest.Say(t, w, w.Person(t, i), all[i].QuestionID)
		}
	}
	return all
}

func ids(cards []answers.Card) []string {
	var all []string
	for _, card := range cards {
		all = append(all, card.QuestionID)
	}
	return all
}

func TestTheFeedMergesOpenAndPartlyAnswered(t *testing.T) {
	w := askahumantest.Open(t)
	asked := thirtyAndTen(t, w)
	slices.Reverse(asked) // newest first
	p := w.Person(t, 99)
	q := answers.FeedQuery{Limit: 10}
	for n := range 4 {
		page := feed(t, w, p, q)
		var want []string
		for _, question := range asked[n*10 : n*10+10] {
			want = append(want, question.QuestionID)
		}
		got := ids(page.Cards)
		if !slices.IsSortedFunc(page.Cards, func(a, b answers.Card) int { return a.Needed - b.Needed }) {
			t.Errorf("page %d does not begin with what is nearly done", n)
		}
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("page %d: %s", n, diff)
		}
		q.Cursor = page.Next
	}
	if rest := wholeFeed(t, w, p, q, nil); q.Cursor != "" && len(rest) != 0 {
		t.Errorf("there are %d more", len(rest))
	}
}

func TestTheFeedIsStableWhileOthersAnswer(t *testing.T) {
	w := askahumantest.Open(t)
	asked := thirtyAndTen(t, w)
	got := ids(wholeFeed(t, w, w.Person(t, 99), answers.FeedQuery{Limit: 7}, func(page int, seen []answers.Card) {
		// What was seen becomes partly answered, and new questions come in front.
		for i, card := range seen[len(seen)-7:] {
			if card.Needed > 1 {
				askahumantest.Say(t, w, w.Person(t, 1000+page*10+i), card.QuestionID)
			}
		}
		w.Clock.Advance(time.Second)
		w.Ask(t, "agent", 3)
	}))
	slices.Sort(got)
	var want []string
	for _, question := range asked {
		want = append(want, question.QuestionID)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("some came twice or never: %s", diff)
	}
}

func TestTheFeedLeavesOut(t *testing.T) {
	w := askahumantest.Open(t)
	p := w.Person(t, 1)
	ask := func(audience string, timeout time.Duration) string {
		w.Clock.Advance(time.Second)
		return w.Submit(t, questions.Ask{AgentID: "agent", Prompt: "Something about " + audience, Type: "text", Audience: []string{"general", audience}, Timeout: &timeout}).QuestionID
	}
	short := ask("ethics", time.Minute)
	creative := ask("creative", time.Hour)
	ethics := ask("ethics", time.Hour)
	answered := ask("ethics", time.Hour)
	askahumantest.Say(t, w, p, answered)
	if got := ids(feed(t, w, p, answers.FeedQuery{Audience: "ethics"}).Cards); !slices.Equal(got, []string{ethics, short}) {
		t.Errorf("ethics: %v", got)
	}
	w.Clock.Advance(time.Minute)
	if got := ids(feed(t, w, p, answers.FeedQuery{}).Cards); !slices.Equal(got, []string{ethics, creative}) {
		t.Errorf("a minute later: %v", got)
	}
	if got := ids(feed(t, w, askahuman.Person{}, answers.FeedQuery{}).Cards); !slices.Equal(got, []string{answered, ethics, creative}) {
		t.Errorf("for nobody: %v", got)
	}
	var refused *refusal.Error
	if _, err := w.Answers.Feed(t.Context(), p, answers.FeedQuery{Audience: "other"}); !errors.As(err, &refused) || refused.Field() != "audience" {
		t.Errorf("another audience: %v", err)
	}
}

// A question can be open for a day, and people who answered it do not see it for as
// long.
func TestTheFeedLeavesOutWhatWasAnsweredLongAgo(t *testing.T) {
	w := askahumantest.Open(t)
	p, day := w.Person(t, 1), 24*time.Hour
	q := w.Submit(t, questions.Ask{AgentID: "agent", Prompt: "What is a day good for?", Type: "text", Timeout: &day})
	askahumantest.Say(t, w, p, q.QuestionID)
	w.Clock.Advance(day - time.Second)
	if got := feed(t, w, p, answers.FeedQuery{}).Cards; len(got) != 0 {
		t.Errorf("a day after the answer the feed has %v", ids(got))
	}
	if got := ids(feed(t, w, w.Person(t, 2), answers.FeedQuery{}).Cards); !slices.Equal(got, []string{q.QuestionID}) {
		t.Errorf("the feed of another person has %v", got)
	}
}

func TestAPageIsFilledAlthoughMuchIsLeftOut(t *testing.T) {
	w := askahumantest.Open(t)
	p := w.Person(t, 1)
	want := 0
	for i := range 24 {
		w.Clock.Advance(time.Minute)
		q := w.Ask(t, "agent", 3)
		if i%3 == 0 {
			want++
			continue
		}
		askahumantest.Say(t, w, p, q.QuestionID)
	}
	page := feed(t, w, p, answers.FeedQuery{Limit: 6})
	if len(page.Cards) != 6 || page.Next == "" {
		t.Errorf("the first page has %d cards, next %q", len(page.Cards), page.Next)
	}
	if all := wholeFeed(t, w, p, answers.FeedQuery{Limit: 5}, nil); len(all) != want {
		t.Errorf("all pages have %d cards, want %d", len(all), want)
	}
}

func TestCursorsOfNothing(t *testing.T) {
	w := askahumantest.Open(t)
	thirtyAndTen(t, w)
	p := w.Person(t, 1)
	good := feed(t, w, p, answers.FeedQuery{Limit: 5}).Next
	for _, cursor := range []string{"x", "~", good[:20], good + "x", "x" + good} {
		_, err := w.Answers.Feed(t.Context(), p, answers.FeedQuery{Cursor: cursor})
		var refused *refusal.Error
		if !errors.As(err, &refused) || refused.Field() != "cursor" {
			t.Errorf("%q: %v", cursor, err)
		}
	}
}

func TestACardShowsTheWholeQuestion(t *testing.T) {
	w := askahumantest.Open(t)
	q := w.Submit(t, questions.Ask{
		AgentID: "agent", Prompt: "Which one is better?", Context: "It is for a button.", Type: "multiple_choice",
		Options: []string{"Go", "Start"}, Audience: []string{"product"}, Required: new(4),
	})
	got, err := w.Answers.Card(t.Context(), w.Person(t, 1), q.QuestionID)
	want := answers.Card{
		QuestionID: q.QuestionID, Prompt: "Which one is better?", Context: "It is for a button.", Type: "multiple_choice",
		Options: []string{"Go", "Start"}, Audience: []string{"product"}, Needed: 4, Required: 4,
		CreatedAt: askahumantest.Start, ExpiresAt: askahumantest.Start.Add(time.Hour), CanAnswer: true,
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v: %s", err, diff)
	}
}

func TestOwnAnswers(t *testing.T) {
	w := askahumantest.Open(t)
	p := w.Person(t, 1)
	var want []string
	for i := range 7 {
		w.Clock.Advance(time.Minute)
		q := w.Submit(t, questions.Ask{AgentID: "agent", Prompt: fmt.Sprintf("This is question %d", i), Type: "text", Required: new(1 + i%2)})
		askahumantest.Say(t, w, p, q.QuestionID)
		want = append(want, q.Prompt)
	}
	slices.Reverse(want)
	var got []string
	for cursor := ""; ; {
		answers, next, err := w.Answers.OwnAnswers(t.Context(), p, 3, cursor)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range answers {
			got = append(got, a.Prompt)
			if a.Response.Answer == nil || a.Status == "" {
				t.Errorf("%s: %+v", a.Prompt, a)
			}
		}
		if cursor = next; cursor == "" {
			break
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	w.Clock.Advance(10 * 24 * time.Hour) // the questions are gone, the answers are not
	answers, _, err := w.Answers.OwnAnswers(t.Context(), p, 0, "")
	if err != nil || len(answers) != 7 || answers[0].Prompt != "" || answers[0].Status != "" {
		t.Errorf("ten days later: %d answers, first %+v, %v", len(answers), answers[0], err)
	}
	w.Clock.Advance(20 * 24 * time.Hour)
	if answers, _, err := w.Answers.OwnAnswers(t.Context(), p, 0, ""); err != nil || len(answers) != 0 {
		t.Errorf("thirty days later: %d answers, %v", len(answers), err)
	}
}

// TestTheFeedFindsAQuestionBehindMany: a filter and a person who has answered much read past
// more questions than fit on a page many times.
func TestTheFeedFindsAQuestionBehindMany(t *testing.T) {
	w := askahumantest.Open(t)
	ask := askahumantest.Plain("first")
	ask.Audience = []string{"ethics"}
	rare := w.Submit(t, ask)
	for i := range 400 {
		w.Clock.Advance(time.Second)
		w.Ask(t, fmt.Sprintf("agent-%d", i%5), 2)
	}
	page, err := w.Answers.Feed(t.Context(), askahuman.Person{}, answers.FeedQuery{Limit: 12, Audience: "ethics"})
	if err != nil || len(page.Cards) != 1 || page.Cards[0].QuestionID != rare.QuestionID || page.Next != "" {
		t.Errorf("the page has %d cards (%v)", len(page.Cards), err)
	}
}
