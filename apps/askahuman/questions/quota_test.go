package questions_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/askahumantest"
)

func TestAnAgentHasAHundredOpenQuestions(t *testing.T) {
	w := askahumantest.Open(t)
	var last askahumandb.Question
	for range askahuman.MaxOpenQuestions {
		last = w.Ask(t, "a", 2)
	}
	submit := func(want error) {
		t.Helper()
		if _, err := w.Questions.Submit(t.Context(), askahumantest.Plain("a")); !errors.Is(err, want) {
			t.Errorf("one more: %v, want %v", err, want)
		}
	}
	submit(askahuman.ErrQuota)
	w.Ask(t, "b", 2) // another agent is not concerned
	askahumantest.Answer(t, w, askahumantest.Text(last.QuestionID, 20))
	submit(askahuman.ErrQuota) // one that is partly answered is open
	if _, err := w.Questions.Close(t.Context(), "a", last.QuestionID); err != nil {
		t.Fatal(err)
	}
	submit(nil)
	submit(askahuman.ErrQuota)
	w.Clock.Advance(time.Hour)
	submit(nil) // time has freed all places, though nothing has noticed
	if got := askahumantest.Agent(t, w, "a").OpenQuestions; got != 1 {
		t.Errorf("%d open questions, want 1", got)
	}
}

func TestQuotaHoldsForManyAtOnce(t *testing.T) {
	w := askahumantest.Open(t)
	for range askahuman.MaxOpenQuestions - 3 {
		w.Ask(t, "a", 2)
	}
	var all sync.WaitGroup
	var taken atomic.Int64
	for range 12 {
		all.Go(func() {
			_, err := w.Questions.Submit(t.Context(), askahumantest.Plain("a"))
			switch {
			case err == nil:
				taken.Add(1)
			case !errors.Is(err, askahuman.ErrQuota):
				t.Errorf("refused with %v", err)
			}
		})
	}
	all.Wait()
	if got := askahumantest.Agent(t, w, "a").OpenQuestions; taken.Load() != 3 || got != askahuman.MaxOpenQuestions {
		t.Errorf("%d were taken, %d are open; want 3 and %d", taken.Load(), got, askahuman.MaxOpenQuestions)
	}
}
