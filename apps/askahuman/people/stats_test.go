package people_test

import (
	"testing"

	"sortkey.dev/apps/askahuman/askahumantest"
)

func TestStatsOfSomebodyNew(t *testing.T) {
	w := askahumantest.Open(t)
	got := askahumantest.Stats(t, w, w.Person(t, 1))
	if got.TotalAnswers != 0 || got.Rank != 0 || len(got.Badges) != 0 || len(got.Progress) != 18 || !got.Since.IsZero() {
		t.Errorf("%+v", got)
	}
}
