package askahumantest

import (
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/platform/platformdb"
)

// DeadJob queues a job and gives it up with an error.
func DeadJob(t testing.TB, w *World, id, kind string, payload askahuman.JobPayload, failure string) {
	t.Helper()
	now := w.Now()
	if _, err := w.Jobs.Add(t.Context(), jobs.Job{ID: id, Kind: kind, Payload: payload}); err != nil {
		t.Fatal(err)
	}
	key, lease := platformdb.JobKey{JobID: id}, now.Add(time.Minute)
	if _, err := w.Platform.DB.ClaimJob(t.Context(), key, lease, platformdb.ClaimJobParams{OldDueAt: now, Now: now}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Platform.DB.BuryJob(t.Context(), key, now, platformdb.BuryJobParams{LastError: &failure, TTL: now.Add(askahuman.KeepDeadJob), Lease: lease}); err != nil {
		t.Fatal(err)
	}
}

// DropJobs ends the jobs that are due.
func DropJobs(t testing.TB, w *World) {
	t.Helper()
	now := w.Now()
	for _, job := range w.DueJobs(t, now) {
		key, lease := platformdb.JobKey{JobID: job.ID}, now.Add(time.Minute)
		if _, err := w.Platform.DB.ClaimJob(t.Context(), key, lease, platformdb.ClaimJobParams{OldDueAt: job.Due, Now: now}); err != nil {
			t.Fatal(err)
		}
		if err := w.Platform.DB.FinishJob(t.Context(), key, platformdb.FinishJobParams{Lease: lease}); err != nil {
			t.Fatal(err)
		}
	}
}

// RecordDelivery records an attempt to deliver the end of a question.
func RecordDelivery(t testing.TB, w *World, questionID string, try int, status int64, failure string) {
	t.Helper()
	now := w.Now()
	delivery := platformdb.Delivery{
		Subject: questionID, DeliveryID: access.NewULID(now), MessageID: "evt_" + questionID, Try: int64(try),
		URL: "https://agent.example/hook", HTTPStatus: &status, At: now, TTL: now.Add(time.Hour),
	}
	if failure != "" {
		delivery.Error = &failure
	}
	if _, err := w.Platform.DB.RecordDelivery(t.Context(), delivery); err != nil {
		t.Fatal(err)
	}
}
