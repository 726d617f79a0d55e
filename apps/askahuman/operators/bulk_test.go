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

// TestTheQuestionsOfABannedAgent: they are hidden or closed together and restored together, except
// for those that were hidden or closed for another reason.
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
	change(operators.Restore, 3)
	hidden(false)
	if err := w.Operators.CloseByOperator(t.Context(), "op", improper.QuestionID); err != nil {
		t.Fatal(err)
	}
	open := func(want int64) {
		t.Helper()
		if n := askahumantest.Agent(t, w, "a").OpenQuestions; n != want {
			t.Errorf("%d questions are open, want %d", n, want)
		}
	}
	change(operators.Close, 3)
	open(0)
	change(operators.Restore, 3)
	open(3)
	change(operators.Restore, 0)
	hidden(false)
	if _, err := w.Operators.ChangeQuestions(t.Context(), "op", "sing", ids); !askahumantest.IsKind(err, refusal.Invalid) {
		t.Errorf("another change: %v", err)
	}
	if n, err := w.Operators.ChangeQuestions(t.Context(), "op", operators.Hide, []string{other.QuestionID, "01XKS4JNQH44MMA31KBB4AAG74"}); err != nil || n != 1 {
		t.Errorf("%d were hidden (%v), want 1", n, err)
	}
}

// TestAClosedQuestionIsReopened: with the answers it had, and only while it has time.
func TestAClosedQuestionIsReopened(t *testing.T) {
	w := askahumantest.Open(t)
	untouched, answered, full, late := w.Ask(t, "a", 2), w.Ask(t, "a", 2), w.Ask(t, "a", 1), w.Ask(t, "a", 2)
	askahumantest.Say(t, w, w.Person(t, 1), answered.QuestionID)
	askahumantest.Say(t, w, w.Person(t, 1), full.QuestionID)
	ids := []string{untouched.QuestionID, answered.QuestionID, full.QuestionID, late.QuestionID}
	both := func(change operators.Change, ids ...string) {
		t.Helper()
		if n, err := w.Operators.ChangeQuestions(t.Context(), "op", change, ids); err != nil || n != len(ids) {
			t.Fatalf("%s: %d questions, %v", change, n, err)
		}
	}
	both(operators.Close, ids...)
	both(operators.Reopen, ids[:3]...)
	w.Clock.Set(late.ExpiresAt)
	both(operators.Reopen, late.QuestionID)
	for id, want := range map[string]askahumandb.QuestionStatus{
		untouched.QuestionID: askahumandb.QuestionStatusOpen, answered.QuestionID: askahumandb.QuestionStatusPartial,
		full.QuestionID: askahumandb.QuestionStatusClosed, late.QuestionID: askahumandb.QuestionStatusClosed,
	} {
		q, err := w.DB.GetQuestion(t.Context(), id)
		if err != nil || q.Status != want || (want == askahumandb.QuestionStatusClosed) != (q.ClosedAt != nil) || (q.ClosedAt == nil) != (q.TTL == nil) {
			t.Errorf("the question is %+v (%v), want %s", q, err, want)
		}
	}
}

// TestAQuestionIsNotReopenedBeyondTheQuota of its agent.
func TestAQuestionIsNotReopenedBeyondTheQuota(t *testing.T) {
	w := askahumantest.Open(t)
	closed := w.Ask(t, "a", 2)
	if err := w.Operators.CloseByOperator(t.Context(), "op", closed.QuestionID); err != nil {
		t.Fatal(err)
	}
	for range askahuman.MaxOpenQuestions {
		w.Ask(t, "a", 2)
	}
	if err := w.Operators.Reopen(t.Context(), "op", closed.QuestionID); !askahumantest.IsKind(err, refusal.Conflict) {
		t.Errorf("reopening one too many: %v", err)
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

// TestWhatWasHiddenForItselfStaysHidden: a pardon of the agent shows what its ban hid last, and
// nothing that was hidden for another reason since.
func TestWhatWasHiddenForItselfStaysHidden(t *testing.T) {
	w := askahumantest.Open(t)
	q, reported := w.Ask(t, "a", 2), w.Ask(t, "a", 2)
	with := func(change operators.Change) {
		t.Helper()
		w.Clock.Advance(time.Minute)
		if _, err := w.Operators.ChangeOfAgent(t.Context(), "op", change, "a"); err != nil {
			t.Fatal(err)
		}
	}
	hidden := func(want bool) {
		t.Helper()
		for _, id := range []string{q.QuestionID, reported.QuestionID} {
			if got := askahumantest.Question(t, w, id).Hidden; got != want {
				t.Errorf("hidden is %t, want %t", got, want)
			}
		}
	}
	with(operators.Hide)
	hidden(true)
	with(operators.Restore)
	hidden(false)
	w.Clock.Advance(time.Minute)
	if err := w.Operators.HideQuestion(t.Context(), "op", q.QuestionID); err != nil {
		t.Fatal(err)
	}
	p := w.Person(t, 1)
	if err := w.Answers.Report(t.Context(), p, reported.QuestionID, "It is rude."); err != nil {
		t.Fatal(err)
	}
	if err := w.Operators.DecideReport(t.Context(), "op", reported.QuestionID, p.Hash, true); err != nil {
		t.Fatal(err)
	}
	with(operators.Hide)
	with(operators.Restore)
	hidden(true)
	for _, id := range []string{q.QuestionID, reported.QuestionID} {
		if err := w.Operators.ShowQuestion(t.Context(), "op", id); err != nil {
			t.Fatal(err)
		}
	}
	with(operators.Hide)
	with(operators.Restore)
	hidden(false)
}
