package questions_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/askahumantest"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/refusal"
)

func TestQuestionExpiresBeforeTheSweep(t *testing.T) {
	w := askahumantest.Open(t)
	q := askahumantest.AskFor(t, w, "a", 3, time.Minute)
	askahumantest.Answer(t, w, askahumantest.Text(q.QuestionID, 20))

	w.Clock.Advance(time.Minute - time.Millisecond)
	if got := askahumantest.Question(t, w, q.QuestionID); got.Status != questions.StatusPartial || got.ExpiredAt != nil {
		t.Errorf("just before its time is up: %s, expired at %v", got.Status, got.ExpiredAt)
	}
	w.Clock.Advance(time.Millisecond)
	for _, later := range []time.Duration{0, time.Second} {
		w.Clock.Advance(later)
		got := askahumantest.Question(t, w, q.QuestionID)
		if got.Status != questions.StatusExpired || got.ExpiredAt == nil || !got.ExpiredAt.Equal(q.ExpiresAt) {
			t.Errorf("after its time: %s, expired at %v, want %v", got.Status, got.ExpiredAt, q.ExpiresAt)
		}
		results, err := w.Questions.Results(t.Context(), got)
		if err != nil || len(results.Answers) != 1 {
			t.Errorf("%d answers (%v), want 1", len(results.Answers), err)
		}
	}
	if _, err := w.Answers.Answer(t.Context(), w.Person(t, 2), askahumantest.Text(q.QuestionID, 20)); !errors.Is(err, askahuman.ErrClosed) {
		t.Errorf("a late answer: %v, want %v", err, askahuman.ErrClosed)
	}
	if got := askahumantest.Agent(t, w, "a").OpenQuestions; got != 1 {
		t.Errorf("%d open questions are written down, want 1: nothing has noticed", got)
	}
}

func TestExpireStoresTheStatus(t *testing.T) {
	w := askahumantest.Open(t)
	q := askahumantest.AskFor(t, w, "a", 3, time.Minute)
	expire := func(want bool) {
		t.Helper()
		if did, err := w.Questions.Expire(t.Context(), q.QuestionID, "a"); err != nil || did != want {
			t.Errorf("expire: %v (%v), want %v", did, err, want)
		}
	}
	w.Clock.Advance(time.Minute - time.Millisecond)
	expire(false)
	w.Clock.Advance(time.Hour)
	read := askahumantest.Question(t, w, q.QuestionID)
	expire(true)
	expire(false)
	if diff := cmp.Diff(read, askahumantest.Question(t, w, q.QuestionID)); diff != "" {
		t.Errorf("what was read before it was written, and after (-before +after):\n%s", diff)
	}
	if got := askahumantest.Agent(t, w, "a").OpenQuestions; got != 0 {
		t.Errorf("%d open questions, want none", got)
	}
	if did, err := w.Questions.Expire(t.Context(), "01ARZ3NDEKTSV4RRFFQ69G5FAV", ""); did || err != nil {
		t.Errorf("expire what is not there: %v (%v)", did, err)
	}
}

func TestHowLongAQuestionIsKept(t *testing.T) {
	w := askahumantest.Open(t)
	over := askahumantest.AskFor(t, w, "a", 1, time.Minute)
	done := w.AskChoice(t, "a", 1, "yes", "no")
	askahumantest.Answer(t, w, askahumantest.Choice(done.QuestionID, 0))
	early := w.Ask(t, "a", 5)
	if _, err := w.Questions.Close(t.Context(), "a", early.QuestionID); err != nil {
		t.Fatal(err)
	}
	kept := func(when string, id string, want bool) {
		t.Helper()
		_, err := w.Questions.Question(t.Context(), id)
		if want && err != nil || !want && !errors.Is(err, askahuman.ErrNoQuestion) {
			t.Errorf("%s: %v, want it kept: %v", when, err, want)
		}
	}
	at := func(d time.Duration) { w.Clock.Set(askahumantest.Start.Add(d)) }
	at(24*time.Hour + 59*time.Second)
	kept("expired for less than a day", over.QuestionID, true)
	at(24*time.Hour + time.Minute)
	kept("expired for a day", over.QuestionID, false)
	at(7*24*time.Hour - time.Second)
	kept("complete for less than a week", done.QuestionID, true)
	kept("closed for less than a week", early.QuestionID, true)
	at(7 * 24 * time.Hour)
	kept("complete for a week", done.QuestionID, false)
	kept("closed for a week", early.QuestionID, false)

	// Answers outlive their question.
	for d, want := range map[time.Duration]int{30*24*time.Hour - time.Second: 1, 30 * 24 * time.Hour: 0} {
		at(d)
		results, err := w.Questions.Results(t.Context(), done)
		if err != nil || len(results.Answers) != want {
			t.Errorf("after %v: %d answers (%v), want %d", d, len(results.Answers), err, want)
		}
	}
	kept("never asked", "01ARZ3NDEKTSV4RRFFQ69G5FAV", false)
	kept("no id", "q_1#2", false)
	kept("nothing", "", false)
}

func TestCloseEndsAQuestionOnce(t *testing.T) {
	w := askahumantest.Open(t)
	q := w.Ask(t, "a", 5)
	askahumantest.Answer(t, w, askahumantest.Text(q.QuestionID, 20))
	for _, other := range []string{"b", ""} {
		if _, err := w.Questions.Close(t.Context(), other, q.QuestionID); !errors.Is(err, askahuman.ErrNoQuestion) {
			t.Errorf("agent %q closes it: %v, want %v", other, err, askahuman.ErrNoQuestion)
		}
	}
	w.Clock.Advance(time.Minute)
	first, err := w.Questions.Close(t.Context(), "a", q.QuestionID)
	if err != nil {
		t.Fatal(err)
	}
	if first.Status != questions.StatusClosed || first.ClosedAt == nil || !first.ClosedAt.Equal(w.Clock.Now()) || first.CurrentResponses != 1 {
		t.Errorf("closed: %+v", first)
	}
	w.Clock.Advance(time.Minute)
	again, err := w.Questions.Close(t.Context(), "a", q.QuestionID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first, again); diff != "" {
		t.Errorf("closed again (-first +again):\n%s", diff)
	}
	if got := askahumantest.Agent(t, w, "a").OpenQuestions; got != 0 {
		t.Errorf("%d open questions, want none", got)
	}

	late := askahumantest.AskFor(t, w, "a", 5, time.Minute)
	w.Clock.Advance(time.Minute)
	if got, err := w.Questions.Close(t.Context(), "a", late.QuestionID); err != nil || got.Status != questions.StatusExpired {
		t.Errorf("close one whose time is up: %s (%v), want %s", got.Status, err, questions.StatusExpired)
	}
}

func TestOwnQuestionsByStatus(t *testing.T) {
	w := askahumantest.Open(t)
	var names = map[string]string{}
	made := func(name string, q askahumandb.Question) askahumandb.Question {
		names[q.QuestionID] = name
		w.Clock.Advance(time.Second)
		return q
	}
	for i := range 3 {
		made(fmt.Sprintf("over %d", i), askahumantest.AskFor(t, w, "a", 1, time.Minute))
		made(fmt.Sprintf("open %d", i), askahumantest.AskFor(t, w, "a", 1, time.Hour))
		q := made(fmt.Sprintf("closed %d", i), askahumantest.AskFor(t, w, "a", 1, time.Minute))
		if _, err := w.Questions.Close(t.Context(), "a", q.QuestionID); err != nil {
			t.Fatal(err)
		}
	}
	w.Ask(t, "b", 1)
	w.Clock.Advance(time.Minute)
	list := func(status string, limit int) (all []string) {
		for cursor := ""; ; {
			page, err := w.Questions.Questions(t.Context(), "a", status, limit, cursor)
			if err != nil {
				t.Fatal(err)
			}
			for _, q := range page.Questions {
				all = append(all, names[q.QuestionID])
				if status != "" && string(q.Status) != status {
					t.Errorf("%s is %s in the list of %s", names[q.QuestionID], q.Status, status)
				}
			}
			if cursor = page.Next; cursor == "" {
				return all
			}
			if len(page.Questions) != limit {
				t.Errorf("a page of %d, want %d", len(page.Questions), limit)
			}
		}
	}
	for _, limit := range []int{1, 2, 50} {
		for status, want := range map[string][]string{
			"":        {"closed 2", "open 2", "over 2", "closed 1", "open 1", "over 1", "closed 0", "open 0", "over 0"},
			"OPEN":    {"open 2", "open 1", "open 0"},
			"EXPIRED": {"over 2", "over 1", "over 0"},
			"CLOSED":  {"closed 2", "closed 1", "closed 0"},
			"PARTIAL": nil,
		} {
			if diff := cmp.Diff(want, list(status, limit)); diff != "" {
				t.Errorf("status %q by %d (-want +got):\n%s", status, limit, diff)
			}
		}
	}
	for field, call := range map[string][2]string{"status": {"DONE", ""}, "cursor": {"", "nonsense"}} {
		_, err := w.Questions.Questions(t.Context(), "a", call[0], 0, call[1])
		var refused *refusal.Error
		if !errors.As(err, &refused) || refused.Field() != field {
			t.Errorf("wrong %s: %v", field, err)
		}
	}
}

func TestResultsOfAChoice(t *testing.T) {
	w := askahumantest.Open(t)
	q := w.AskChoice(t, "a", 6, "red", "green", "blue")
	for _, step := range []struct {
		option      int // that is chosen next
		votes       []int
		consensus   *questions.Consensus
		reliability string
	}{
		{2, []int{0, 0, 1}, nil, "low"},
		{2, []int{0, 0, 2}, nil, "low"},    // agreed, but only two
		{0, []int{1, 0, 2}, nil, "medium"}, // two thirds are not more than two thirds
		{2, []int{1, 0, 3}, &questions.Consensus{Option: 2, Share: 0.75}, "medium"},
		{0, []int{2, 0, 3}, nil, "medium"},
		{2, []int{2, 0, 4}, nil, "high"},
	} {
		w.Clock.Advance(time.Second)
		askahumantest.Answer(t, w, askahumantest.Choice(q.QuestionID, step.option))
		now := askahumantest.Question(t, w, q.QuestionID)
		got, err := w.Questions.Results(t.Context(), now)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(questions.Results{Votes: step.votes, Consensus: step.consensus, Reliability: step.reliability},
			questions.Results{Votes: got.Votes, Consensus: got.Consensus, Reliability: got.Reliability}); diff != "" {
			t.Errorf("after %d answers (-want +got):\n%s", len(got.Answers), diff)
		}
		sum := int64(0)
		for _, n := range got.Votes {
			sum += int64(n)
		}
		if sum != now.CurrentResponses || int64(len(got.Answers)) != sum {
			t.Errorf("%d votes, %d answers, %d counted", sum, len(got.Answers), now.CurrentResponses)
		}
		for i := 1; i < len(got.Answers); i++ {
			if got.Answers[i].CreatedAt.Before(got.Answers[i-1].CreatedAt) {
				t.Errorf("answer %d is older than the one before", i)
			}
		}
	}
}

func TestResultsOfWords(t *testing.T) {
	w := askahumantest.Open(t)
	q := w.Ask(t, "a", 50)
	for range 50 {
		askahumantest.Answer(t, w, askahumantest.Text(q.QuestionID, 2000))
	}
	got, err := w.Questions.Results(t.Context(), askahumantest.Question(t, w, q.QuestionID))
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Answers) != 50 || got.Votes != nil || got.Consensus != nil || got.Reliability != "high" {
		t.Errorf("%d answers, votes %v, consensus %v, reliability %s", len(got.Answers), got.Votes, got.Consensus, got.Reliability)
	}
	early := w.Ask(t, "a", 5)
	if early, err = w.Questions.Close(t.Context(), "a", early.QuestionID); err != nil {
		t.Fatal(err)
	}
	if got, err = w.Questions.Results(t.Context(), early); err != nil || got.Reliability != "low" || len(got.Answers) != 0 {
		t.Errorf("closed without answers: %d, reliability %s (%v)", len(got.Answers), got.Reliability, err)
	}
}
