package operator_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/internal/background"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/webtest"
)

// busy fills the world as an ordinary day does, with a little trouble.
func (w *world) busy(t *testing.T) {
	t.Helper()
	w.Clock.Advance(-20 * hour)
	for i := range 20 {
		w.metrics.Count("asked", int64(20+(i*7)%23))
		w.metrics.Count("answered", int64(14+(i*5)%19))
		w.metrics.Count("failed", int64(i%3))
		w.Clock.Advance(hour)
	}
	if err := w.metrics.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	w.loops = []background.State{
		{Name: "jobs of work", Every: 5 * time.Second, Listens: true, Running: true, LastRun: now.Add(-3 * hour)},
		{Name: "sweeper", Every: time.Minute, Runs: 180, LastRun: now.Add(-20 * time.Second), Took: 12 * time.Millisecond},
		{Name: "metrics", Every: time.Minute, Runs: 179, Failures: 2, LastRun: now.Add(-40 * time.Second), Took: 2 * time.Second, LastError: "write 4 of 9 metrics: the disk is full", LastFailure: now.Add(-38 * time.Second)},
	}
	for i, route := range []string{"/", "/agent/questions/{id}", "/human/questions", "/metrics"} {
		for j := range 40 * (4 - i) {
			status := 200
			if j%17 == 0 {
				status = 404
			}
			w.traffic.Note(jsonapi.Answered{Route: route, Method: "GET", Status: status, Wait: time.Duration(j) * time.Millisecond})
		}
	}
	for i := range 3 {
		w.dead(t, jobs.Job{ID: fmt.Sprintf("webhook-01J9ZK4T5M%02d", i), Kind: []string{"send", "count"}[i%2], Payload: map[string]string{"question_id": "01J9ZK4T5MWQ0000000000000", "to": "a person"}})
	}
	for i := range 4 {
		if _, err := w.queue.Add(t.Context(), jobs.Job{ID: fmt.Sprintf("digest-%d", i), Kind: "send", Due: w.Now().Add(time.Duration(i) * hour)}); err != nil {
			t.Fatal(err)
		}
	}
	w.reports.Store(3)
	if _, _, err := w.staff.Add(t.Context(), "operator", "Ines Öberg"); err != nil {
		t.Fatal(err)
	}
}

func TestOperatorsInABrowser(t *testing.T) {
	w := open(t)
	w.busy(t)
	tab := webtest.Open(t, w.url+"/operator", webtest.Phone, webtest.Light)
	tab.WaitURL("/operator/sign-in")
	tab.LookAround("operator-sign-in")
	tab.Fill("Your name", "operator")
	tab.Fill("Your secret", "not this one")
	tab.Allow("422")
	tab.Click("button", "Sign in")
	tab.WaitFor("The name or the secret is wrong.")
	tab.LookAround("operator-sign-in-wrong")
	tab.Fill("Your secret", firstSecret)
	tab.Click("button", "Sign in")
	tab.WaitFor("What waits")
	tab.LookAround("operator")
	for _, path := range []string{"jobs", "jobs?lane=", "jobs/show?id=webhook-01J9ZK4T5M00", "patterns", "audit", "audit?by=operator", "operators", "settings", "reports"} {
		tab.Goto("/operator/" + path)
		tab.LookAround("operator-" + strings.NewReplacer("?", "-", "=", "-", "/", "-").Replace(path))
	}
	tab.Goto("/operator/operators")
	tab.Fill("Name", "Bo")
	tab.Click("button", "Add operator")
	tab.WaitFor("Bo is an operator now")
	tab.LookAround("operator-secret")
}

// TestOperatorsByKeyboard replays and drops dead jobs without a pointer.
func TestOperatorsByKeyboard(t *testing.T) {
	w := open(t)
	w.busy(t)
	tab := webtest.Open(t, w.url+"/operator/jobs", webtest.Desktop, webtest.Dark)
	tab.Fill("Your name", "operator")
	tab.Fill("Your secret", firstSecret)
	tab.Click("button", "Sign in")
	tab.WaitURL("/operator/jobs")
	walked := strings.Join(tab.Walk(60), "\n")
	at := 0
	for _, name := range []string{"link Overview", "link Reports 3", "link System 3", "button Sign out", "link Jobs 3", "link Patterns", "link Dead 3", "checkbox Send a mail", "button Replay: ", "button Drop: ", "combobox Which jobs", "button Replay them", "button Drop them"} {
		i := strings.Index(walked[at:], name)
		if i < 0 {
			t.Fatalf("%q is not reached in order:\n%s", name, walked)
		}
		at += i
	}
	tab.Click("button", "Drop: Send a mail webhook-01J9ZK4T5M02")
	tab.WaitFor("Drop this job?")
	tab.Click("button", "Drop")
	tab.WaitFor("The job is dropped.")
}
