package operators_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/askahumantest"
	"sortkey.dev/apps/askahuman/operators"
	"sortkey.dev/apps/askahuman/people"
	"sortkey.dev/apps/internal/refusal"
)

// TestTheQuestionsOfABannedAgent: they are hidden together and shown again, except for those
// that were hidden for another reason; or they are closed.
func TestTheQuestionsOfABannedAgent(t *testing.T) {
	w := askahumantest.Open(t)
	improper := w.Ask(t, "a", 2)
	var ids []string
	for range 3 {
		ids = append(ids, w.Ask(t, "a", 2).QuestionID)
	}
	other := w.Ask(t, "b", 2)
	if err := w.Operators.HideQuestion(t.Context(), "op", improper.QuestionID); err != nil {
		t.Fatal(err)
	}
	change := func(c operators.Change, want int) {
		t.Helper()
		if n, err := w.Operators.ChangeOfAgent(t.Context(), "op", c, "a"); err != nil || n != want {
			t.Errorf("%s: %d questions (%v), want %d", c, n, err, want)
		}
	}
	hidden := func(want bool) {
		t.Helper()
		for _, id := range ids {
			if q := askahumantest.Question(t, w, id); q.Hidden != want {
				t.Errorf("hidden is %t, want %t", q.Hidden, want)
			}
		}
		if !askahumantest.Question(t, w, improper.QuestionID).Hidden || askahumantest.Question(t, w, other.QuestionID).Hidden {
			t.Error("another question was changed")
		}
	}
	change(operators.Hide, 3)
	hidden(true)
	change(operators.Hide, 0)
	change(operators.Show, 3)
	hidden(false)
	change(operators.Close, 4)
	if n := askahumantest.Agent(t, w, "a").OpenQuestions; n != 0 {
		t.Errorf("%d questions are open", n)
	}
	if _, err := w.Operators.ChangeQuestions(t.Context(), "op", "sing", ids); !askahumantest.IsKind(err, refusal.Invalid) {
		t.Errorf("another change: %v", err)
	}
	if n, err := w.Operators.ChangeQuestions(t.Context(), "op", operators.Hide, []string{other.QuestionID, "01XKS4JNQH44MMA31KBB4AAG74"}); err != nil || n != 1 {
		t.Errorf("%d were hidden (%v), want 1", n, err)
	}
}

// TestARejectedAnswerTakesBackWhatItEarned: points, badges and the places on the boards.
func TestARejectedAnswerTakesBackWhatItEarned(t *testing.T) {
	w := askahumantest.Open(t)
	p := w.Person(t, 1)
	first, second := w.Ask(t, "a", 3), w.Ask(t, "a", 3)
	askahumantest.Say(t, w, p, first.QuestionID)
	before := askahumantest.Stats(t, w, p)
	w.Clock.Advance(time.Minute)
	flagged := askahumantest.Fast(second.QuestionID)
	flagged.Confidence = new(5)
	if askahumantest.Reward(t, w, p, flagged).Points == 0 {
		t.Fatal("the answer earned nothing")
	}
	if err := w.Operators.Reject(t.Context(), "op", second.QuestionID, p.Hash); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, askahumantest.Stats(t, w, p)); diff != "" {
		t.Errorf("the statistics (-want +got):\n%s", diff)
	}
	for _, period := range []people.Period{people.Daily, people.Weekly, people.AllTime} {
		board, err := w.People.Board(t.Context(), p, period, 0)
		if err != nil || board.YourPoints != before.TotalPoints || board.YourAnswers != 1 {
			t.Errorf("%s: %d points and %d answers (%v), want %d and 1", period, board.YourPoints, board.YourAnswers, err, before.TotalPoints)
		}
	}
	if r := askahumantest.StoredResponse(t, w, p, second.QuestionID); r.Points != 0 {
		t.Errorf("the answer has %d points", r.Points)
	}
	// The only answer: nothing is left, not even a place.
	q := w.Ask(t, "a", 3)
	hasty := askahumantest.Answer(t, w, askahumantest.Fast(q.QuestionID))
	if err := w.Operators.Reject(t.Context(), "op", q.QuestionID, hasty.Hash); err != nil {
		t.Fatal(err)
	}
	if got := askahumantest.Stats(t, w, hasty); got.TotalPoints != 0 || len(got.Badges) != 0 || got.Rank != 0 {
		t.Errorf("after the only answer was rejected: %+v", got)
	}
}

// TestShadowBannedPeopleSeeThemselvesOnTheBoard, and others do not see them.
func TestShadowBannedPeopleSeeThemselvesOnTheBoard(t *testing.T) {
	w := askahumantest.Open(t)
	good, shadow := w.Person(t, 1), w.Person(t, 2)
	for _, p := range []askahuman.Person{good, shadow, shadow} {
		askahumantest.Say(t, w, p, w.Ask(t, "a", 3).QuestionID)
	}
	board := func(p askahuman.Person) []people.BoardRow {
		t.Helper()
		b, err := w.People.Board(t.Context(), p, people.Daily, 0)
		if err != nil {
			t.Fatal(err)
		}
		return b.Entries
	}
	all := board(good)
	if len(all) != 2 || !all[1].You {
		t.Fatalf("the board is %+v", all)
	}
	set := func(standing askahumandb.UserStatsStanding) {
		t.Helper()
		if err := w.Operators.SetModerationStatus(t.Context(), "op", shadow.Hash, standing); err != nil {
			t.Fatal(err)
		}
	}
	set(askahumandb.UserStatsStandingShadowBanned)
	askahumantest.Say(t, w, shadow, w.Ask(t, "a", 3).QuestionID)
	if got := board(good); len(got) != 1 || !got[0].You || got[0].Rank != 1 {
		t.Errorf("others see %+v", got)
	}
	if got := board(shadow); len(got) != 2 || !got[0].You || got[0].Answers != 3 || got[1].Rank != 2 {
		t.Errorf("the shadow-banned person sees %+v", got)
	}
	set(askahumandb.UserStatsStandingGood)
	if got := board(good); len(got) != 2 || got[0].Answers != 3 {
		t.Errorf("after the pardon others see %+v", got)
	}
}
