package operators_test

import (
	"testing"
	"time"

	"sortkey.dev/apps/askahuman/askahumantest"
)

// TestRejectTakesNothingFromAFreshStart: what a person had before they were forgotten is gone, so an
// answer of that time takes nothing from what they earned since.
func TestRejectTakesNothingFromAFreshStart(t *testing.T) {
	w := askahumantest.Open(t)
	old, fresh := w.Ask(t, "a", 2), w.Ask(t, "a", 2)
	p := askahumantest.Answer(t, w, askahumantest.Fast(old.QuestionID))
	if err := w.People.Forget(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(time.Minute)
	reward := askahumantest.Say(t, w, p, fresh.QuestionID)
	if err := w.Operators.Reject(t.Context(), "op", old.QuestionID, p.Hash); err != nil {
		t.Fatal(err)
	}
	if got := askahumantest.Stats(t, w, p); got.TotalPoints != reward.TotalPoints || got.TotalAnswers != 1 || got.DayPoints != reward.TotalPoints || got.StreakDays != 1 || got.Rank != 1 {
		t.Errorf("after the rejection: %+v, earned %d points", got, reward.TotalPoints)
	}
	if q := askahumantest.Question(t, w, old.QuestionID); q.CurrentResponses != 0 {
		t.Errorf("the rejected answer still counts: %+v", q)
	}
}
