package operator_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/background"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/operator"
	"sortkey.dev/apps/internal/platform/platformdb"
)

// TestTheSmallestSystem renders the frame of a system without jobs, metrics and the rest.
func TestTheSmallestSystem(t *testing.T) {
	w := open(t, func(o *operator.Options) {
		*o = operator.Options{Site: o.Site, Platform: o.Platform, Staff: o.Staff, Trail: o.Trail}
	})
	b := w.operator(t)
	b.Says("Everything is within its bounds.", "The loops do not run in this process.", "Database takes writes")
	b.Hides("What waits", "Last 24 hours", "Jobs", "Traffic")
	b.see("/operator/patterns", "Calls are not measured")
	b.see("/operator/settings", "There are no settings", "Show the token")
	b.see("/operator/operators")
	b.see("/operator/audit")
	if status := b.Get("/operator/jobs"); status != http.StatusNotFound {
		t.Errorf("jobs of a system without jobs: %d", status)
	}
	b.Get("/operator")
	b.Submit("/operator/loops", "loop", "x")
	b.Says("There is no such loop")
}

// TestTheBusiestSystem renders every state that parts of the overview can have.
func TestTheBusiestSystem(t *testing.T) {
	w := open(t)
	w.reports.Store(operator.MaxWaiting)
	now := time.Now()
	w.loops = []background.State{
		{Name: "new", Every: time.Minute},
		{Name: "sweeper", Every: time.Minute, Runs: 7, LastRun: now, Took: 3 * time.Millisecond},
		{Name: "running", Every: time.Hour, Running: true, Runs: 1, LastRun: now, Took: 90 * time.Microsecond},
		{Name: "broken", Every: time.Hour, Runs: 4, Failures: 4, LastRun: now, LastError: "panic: " + strings.Repeat("x", 900), LastFailure: now, Took: 2 * time.Second},
		{Name: "once", Every: time.Hour, Runs: 4, Failures: 1, LastRun: now, LastError: "timeout", LastFailure: now},
		{Name: "stream", Every: time.Second, Listens: true, Running: true, LastRun: now.Add(-time.Hour)},
		{Name: "stream that failed", Every: time.Second, Listens: true, Running: true, LastRun: w.Now().Add(-time.Second), Failures: 2, LastError: "gone", LastFailure: now},
		{Name: "stream that holds", Every: time.Second, Listens: true, Running: true, LastRun: w.Now().Add(-time.Hour), Failures: 2, LastError: "gone", LastFailure: now},
	}
	for i := range 20 {
		w.traffic.Note(jsonapi.Answered{Route: "/route/" + string(rune('a'+i)), Method: "GET", Status: 200 + i*20, Wait: time.Duration(i) * 60 * time.Millisecond})
	}
	w.metrics.Count("asked", 40)
	w.metrics.Count("answered", 30)
	w.metrics.Count("failed", 10)
	if err := w.metrics.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.dead(t, jobs.Job{ID: "dead", Kind: "count"})
	if _, err := w.queue.Add(t.Context(), jobs.Job{ID: "late", Kind: "send"}); err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(hour)
	b := w.operator(t)
	b.Says("1,000+", "Loop broken", "failed 4 times in a row", "failed once in a row", "Late jobs", "Failures", "below 10", "75 %",
		"Not yet run", "Resting", "Running", "Failing", "Listening", "Traffic by route", "and 9 routes with less traffic", "Run now: sweeper")
	if first := strings.Index(b.Page, "Loop broken"); first < 0 || first > strings.Index(b.Page, "below 10") {
		t.Error("a severe alert is not before the others")
	}
	b.Hides("Run now: stream\"")
}

func TestADatabaseThatTakesNoWritesIsShown(t *testing.T) {
	w := open(t)
	b := w.operator(t)
	w.refuseWrites.Store(true)
	w.Clock.Advance(time.Minute)
	b.see("/operator", "Database takes no writes", "the disk is full", "Severe")
}

func TestJobsInEveryState(t *testing.T) {
	w := open(t)
	b := w.operator(t)
	add := func(job jobs.Job) {
		t.Helper()
		if _, err := w.queue.Add(t.Context(), job); err != nil {
			t.Fatal(err)
		}
	}
	add(jobs.Job{ID: "scheduled", Kind: "send", Due: w.Now().Add(hour)})
	add(jobs.Job{ID: "due", Kind: "send", Group: "example.org"})
	add(jobs.Job{ID: "leased", Kind: "count"})
	_, err := w.DB.ClaimJob(t.Context(), platformdb.JobKey{JobID: "leased"}, w.Now().Add(2*time.Minute), platformdb.ClaimJobParams{OldDueAt: w.Now(), Now: w.Now()})
	if err != nil {
		t.Fatal(err)
	}
	b.see("/operator/jobs?lane=", "Scheduled", "Due", "Running", "Lane work", "Lane post")
	w.Clock.Advance(3 * time.Minute)
	b.see("/operator/jobs?lane=work", "Worker lost")
	b.see("/operator/jobs/show?id=due", "group example.org", "{}")
	for i := range 30 {
		add(jobs.Job{ID: "many-" + string(rune('a'+i)), Kind: "send"})
	}
	b.see("/operator/jobs?lane=post", "More jobs")
}

func TestPatternsInEveryShape(t *testing.T) {
	meter := new(access.Meter)
	w := open(t, func(o *operator.Options) { o.Meter = meter })
	b := w.operator(t)
	b.see("/operator/patterns", "No calls yet")
	observe := func(name string, estimated, units float64, err error) {
		meter.Observe(t.Context(), access.Call{Pattern: name, Table: "platform", Estimated: estimated, Units: units, Err: err, Duration: time.Millisecond})
	}
	observe("GetJob", 1, 1, nil)
	b.see("/operator/patterns", "GetJob", "not used since the start")
	b.Hides("clearly above the design")
	observe("ListDueJobs", 1, 3, nil)
	observe("QueueJob", 4, 2, nil)
	observe("Broken", 1, 0, errDisk)
	b.see("/operator/patterns", "1 clearly above the design", "Where the units go", "3 ×", "0.5 ×")
	b.see("/operator/patterns?only=over&sort=pattern", "Only those clearly above the design: 1 of 4", "Show all")
	b.Hides("QueueJob</span>")
	for _, sort := range []string{"pattern", "-pattern", "calls", "units", "-units", "estimate", "ratio", "p50", "p99", "refused", "errors", "nonsense"} {
		b.see("/operator/patterns?sort="+sort, `aria-sort="`)
	}
	b.see("/operator/settings", "mail.example.org", "SMALL_VAPID", "On", "Off", "Proxies")
}
