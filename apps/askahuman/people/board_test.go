package people_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumantest"
	"sortkey.dev/apps/askahuman/people"
	"sortkey.dev/apps/internal/refusal"
)

func board(t *testing.T, w *askahumantest.World, p askahuman.Person, period people.Period, limit int) people.Board {
	t.Helper()
	got, err := w.People.Board(t.Context(), p, period, limit)
	if err != nil {
		t.Fatalf("read the board: %v", err)
	}
	return got
}

// earn lets a person answer texts of 15 points.
func earn(t *testing.T, w *askahumantest.World, p askahuman.Person, answers int) {
	t.Helper()
	for range answers {
		w.Clock.Advance(20 * time.Second)
		askahumantest.Say(t, w, p, w.Ask(t, "agent", 1).QuestionID)
	}
}

func TestBoardRanks(t *testing.T) {
	w := askahumantest.Open(t)
	crowd := make([]askahuman.Person, 5)
	for i, answers := range []int{3, 2, 2, 1, 1} {
		crowd[i] = w.Person(t, i)
		earn(t, w, crowd[i], answers)
	}
	for _, period := range []people.Period{people.Daily, people.Weekly, people.AllTime} {
		got := board(t, w, crowd[2], period, 3)
		ranks := []people.BoardRow{{Rank: 1, Points: 45, Answers: 3}, {Rank: 2, Points: 30, Answers: 2}, {Rank: 2, Points: 30, Answers: 2}}
		for i, row := range got.Entries {
			row.You, row.Handle = false, ""
			if i >= len(ranks) || row != ranks[i] {
				t.Errorf("%s: place %d is %+v", period, i, row)
			}
		}
		if len(got.Entries) != 3 || got.YourRank != 2 || got.YourPoints != 30 || got.Period != period {
			t.Errorf("%s: %d entries, your rank %d with %d points", period, len(got.Entries), got.YourRank, got.YourPoints)
		}
		if diff := cmp.Diff(got, board(t, w, crowd[2], period, 3)); diff != "" {
			t.Errorf("%s: equals change their order: %s", period, diff)
		}
		// Outside of what is shown.
		if last := board(t, w, crowd[4], period, 2); last.YourRank != 4 || last.YourPoints != 15 || last.YourAnswers != 1 || len(last.Entries) != 2 {
			t.Errorf("%s: the last is %d with %d points", period, last.YourRank, last.YourPoints)
		}
		if nobody := board(t, w, w.Person(t, 9), period, 0); nobody.YourRank != 0 || nobody.YourPoints != 0 || len(nobody.Entries) != 5 {
			t.Errorf("%s: a new person is %d, and sees %d", period, nobody.YourRank, len(nobody.Entries))
		}
	}
	if got := askahumantest.Stats(t, w, crowd[3]).Rank; got != 4 {
		t.Errorf("the statistics say rank %d", got)
	}
}

func TestYouAreOnTheBoardOnce(t *testing.T) {
	w := askahumantest.Open(t)
	you, other := w.Person(t, 1), w.Person(t, 2)
	earn(t, w, you, 2)
	earn(t, w, other, 2)
	yours := 0
	for _, row := range board(t, w, you, people.AllTime, 10).Entries {
		if row.You {
			yours++
		}
	}
	if yours != 1 {
		t.Errorf("%d rows are yours", yours)
	}
}

func TestBoardsBeginAnew(t *testing.T) {
	w := askahumantest.Open(t)
	p := w.Person(t, 1)
	w.Clock.Set(time.Date(2037, time.February, 8, 23, 50, 0, 0, time.UTC)) // a Sunday
	earn(t, w, p, 2)
	midnight := time.Date(2037, time.February, 9, 0, 0, 0, 0, time.UTC)
	for _, period := range []people.Period{people.Daily, people.Weekly} {
		if got := board(t, w, p, period, 0); len(got.Entries) != 1 || !got.Resets.Equal(midnight) {
			t.Errorf("%s: %d entries, resets %v", period, len(got.Entries), got.Resets)
		}
	}
	w.Clock.Set(midnight)
	for _, period := range []people.Period{people.Daily, people.Weekly} {
		if got := board(t, w, p, period, 0); len(got.Entries) != 0 || got.YourRank != 0 || !got.Resets.After(midnight) {
			t.Errorf("%s after midnight: %d entries, your rank %d, resets %v", period, len(got.Entries), got.YourRank, got.Resets)
		}
	}
	if got := board(t, w, p, "", 0); got.Period != people.AllTime || got.YourPoints != 30 || !got.Resets.IsZero() {
		t.Errorf("all time: %+v", got)
	}
	earn(t, w, p, 1)
	if got := board(t, w, p, people.Daily, 0); got.YourPoints != 15 || got.Entries[0].Answers != 1 {
		t.Errorf("the new day: %+v", got)
	}
	var refused *refusal.Error
	if _, err := w.People.Board(t.Context(), p, "monthly", 0); !errors.As(err, &refused) || refused.Field() != "period" {
		t.Errorf("another period: %v", err)
	}
}
