package people_test

import (
	"testing"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumantest"
	"sortkey.dev/apps/askahuman/people"
)

// parted returns a world whose boards have several parts.
func parted(t *testing.T, parts int) *askahumantest.World {
	t.Helper()
	w := askahumantest.Open(t)
	w.Parts = parts
	return w.Through(t, w.Database.DynamoDB)
}

func TestABoardOfPartsHasAllPeople(t *testing.T) {
	w := parted(t, 3)
	crowd, used := make([]askahuman.Person, 8), map[int64]bool{}
	for i := range crowd {
		crowd[i] = w.Person(t, i)
		used[w.Env.Part(crowd[i].Hash)] = true
		earn(t, w, crowd[i], 1+i%4)
	}
	if len(used) < 2 {
		t.Fatalf("all people are in one of %d parts", len(w.Env.AllParts()))
	}
	got := board(t, w, crowd[3], people.AllTime, 0)
	if len(got.Entries) != len(crowd) || got.YourRank != 1 || got.YourAnswers != 4 {
		t.Errorf("%d entries, your rank %d with %d answers", len(got.Entries), got.YourRank, got.YourAnswers)
	}
	for i, row := range got.Entries {
		if want := 4 - i/2; row.Answers != want || row.Rank != 1+2*(i/2) {
			t.Errorf("place %d: %+v, want %d answers", i, row, want)
		}
	}

	// The first places are kept in memory for a while.
	earn(t, w, crowd[0], 1) // moves the clock by 20 seconds
	if got := board(t, w, crowd[0], people.AllTime, 0); got.Entries[2].Answers != 3 || got.YourAnswers != 2 {
		t.Errorf("after ten seconds: %+v", got)
	}
	askahumantest.Say(t, w, crowd[0], w.Ask(t, "agent", 1).QuestionID)
	if got := board(t, w, crowd[0], people.AllTime, 0); got.YourAnswers != 3 || got.Entries[4].Answers != 2 {
		t.Errorf("at once: %+v", got)
	}
	w.Clock.Advance(10 * time.Second)
	if got := board(t, w, crowd[0], people.AllTime, 0); got.Entries[4].Answers != 3 {
		t.Errorf("later: %+v", got)
	}

	// Forgetting removes the place from its part.
	if err := w.People.Forget(t.Context(), crowd[0]); err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(10 * time.Second)
	if got := board(t, w, crowd[0], people.AllTime, 0); len(got.Entries) != len(crowd)-1 || got.YourRank != 0 {
		t.Errorf("after forgetting: %+v", got)
	}
}
