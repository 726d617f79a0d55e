package operators_test

import (
	"testing"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/askahumantest"
	"sortkey.dev/apps/internal/refusal"
)

func TestRevivingAJobIsOnRecord(t *testing.T) {
	w := askahumantest.Open(t)
	now := w.Clock.Now()
	if _, err := w.Env.QueueJob(t.Context(), "job", askahumandb.JobKindErase, askahuman.JobPayload{}, now); err != nil {
		t.Fatal(err)
	}
	key, lease := askahumandb.JobKey{JobID: "job"}, now.Add(time.Minute)
	if _, err := w.DB.ClaimJob(t.Context(), key, lease, askahumandb.ClaimJobParams{OldDueAt: now, Now: now}); err != nil {
		t.Fatal(err)
	}
	if err := w.Operators.ReviveJob(t.Context(), "op", "job"); !askahumantest.IsKind(err, refusal.Conflict) {
		t.Errorf("a job that runs: %v", err)
	}
	if _, err := w.DB.BuryJob(t.Context(), key, now, askahumandb.BuryJobParams{Lease: lease, TTL: now.Add(askahuman.KeepDeadJob)}); err != nil {
		t.Fatal(err)
	}
	succeeded := 0
	for _, err := range askahumantest.AtOnce(4, func(int) error { return w.Operators.ReviveJob(t.Context(), "op", "job") }) {
		switch {
		case err == nil:
			succeeded++
		case !askahumantest.IsKind(err, refusal.Conflict):
			t.Error(err)
		}
	}
	if succeeded != 1 {
		t.Errorf("it was revived %d times", succeeded)
	}
	for _, id := range []string{"", "another"} {
		if err := w.Operators.ReviveJob(t.Context(), "op", id); !askahumantest.IsKind(err, refusal.NotFound) {
			t.Errorf("%q: %v", id, err)
		}
	}
	askahumantest.Audited(t, w, "revive job job")
}
