package domain_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/apps/askahuman/askahumantest"
)

func TestMetricsOfTheDomain(t *testing.T) {
	w := askahumantest.Open(t)
	ask := askahumantest.Plain("a")
	ask.IdempotencyKey = "once"
	w.Submit(t, ask)
	w.Submit(t, ask) // a repeat is no submission
	over := askahumantest.AskFor(t, w, "a", 1, time.Minute)
	w.Clock.Advance(time.Minute)
	for range 2 {
		if _, err := w.Questions.Expire(t.Context(), over.QuestionID, "a"); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(map[string]int64{"submitted": 2, "expired": 1}, askahumantest.Totals(t, w, 1)); diff != "" {
		t.Errorf("counted (-want +got):\n%s", diff)
	}
}
