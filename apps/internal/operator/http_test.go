package operator_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"sortkey.dev/apps/internal/audit"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/operator"
	"sortkey.dev/apps/internal/staff"
	"sortkey.dev/apps/internal/webkit"
)

var secretForm = regexp.MustCompile(`<code>([a-z2-7]{26})</code>`)

func TestPagesNeedASignIn(t *testing.T) {
	w := open(t)
	b := w.browser(t)
	for _, path := range []string{"/operator", "/operator/", "/operator/live", "/operator/jobs", "/operator/jobs/show?id=x", "/operator/patterns", "/operator/audit", "/operator/operators", "/operator/settings", "/operator/reports", "/operator/reports/7"} {
		if status := b.Get(path); status != http.StatusOK || !strings.HasPrefix(b.Path, "/operator/sign-in") {
			t.Errorf("%s: %d at %s", path, status, b.Path)
		}
		b.Hides("System", "Sign out")
	}
	if status := b.Submit("/operator/reports/7", "back", "/operator/reports"); status != http.StatusOK || !strings.HasPrefix(b.Path, "/operator/sign-in?back=") {
		t.Errorf("a form without a session: %d at %s", status, b.Path)
	}
	b.Says("nothing was changed")
	if w.reports.Load() != 0 {
		t.Error("a form was executed without a session")
	}
	b.Submit("/operator/sign-in", "name", staff.First, "secret", firstSecret, "back", "/operator/reports")
	if b.Path != "/operator/reports" {
		t.Errorf("after the sign-in: %s", b.Path)
	}
	b.Get("/operator/sign-in?back=https://example.org/")
	if b.Path != "/operator" {
		t.Errorf("the sign-in of a signed-in operator leads to %s", b.Path)
	}
	if got := b.Head.Get("Cache-Control"); got != "no-store" {
		t.Errorf("operators' pages may be cached: %q", got)
	}
}

func TestWrongSecretsAreRefused(t *testing.T) {
	w := open(t)
	b := w.browser(t)
	b.Get("/operator/sign-in")
	b.Says("The first operator is named operator")
	if status := b.Submit("/operator/sign-in", "name", "", "secret", ""); status != http.StatusUnprocessableEntity {
		t.Errorf("an empty form: %d", status)
	}
	for range staff.SignInLimit.Most {
		if status := b.Submit("/operator/sign-in", "name", "operator", "secret", "wrong"); status != http.StatusUnprocessableEntity {
			t.Fatalf("a wrong secret: %d", status)
		}
		b.Says("The name or the secret is wrong.")
	}
	if status := b.Submit("/operator/sign-in", "name", "operator", "secret", firstSecret); status != http.StatusTooManyRequests || b.Head.Get("Retry-After") == "" {
		t.Errorf("too many: %d, Retry-After %q", status, b.Head.Get("Retry-After"))
	}
	w.Clock.Advance(staff.SignInLimit.Window * 13 / 12)
	w.operator(t)
}

// TestAKnownBrowserIsNotLockedOut: guesses from the same network do not count against the browser
// in which the operator signed in before.
func TestAKnownBrowserIsNotLockedOut(t *testing.T) {
	w := open(t)
	known := w.operator(t)
	known.Submit("/operator/sign-out")
	known.Says("You are signed out.")
	stranger := w.browser(t)
	stranger.Get("/operator/sign-in")
	for range staff.SignInLimit.Most {
		stranger.Submit("/operator/sign-in", "name", "operator", "secret", "wrong")
	}
	if status := stranger.Submit("/operator/sign-in", "name", "operator", "secret", "wrong"); status != http.StatusTooManyRequests {
		t.Fatalf("the stranger: %d", status)
	}
	if status := known.Submit("/operator/sign-in", "name", "Operator", "secret", firstSecret); status != http.StatusOK || known.Path != "/operator" {
		t.Errorf("the known browser: %d at %s", status, known.Path)
	}
}

func TestOperatorsAreAddedRenewedAndDisabled(t *testing.T) {
	w := open(t)
	first := w.operator(t)
	first.Says("Only the first operator exists.")
	first.see("/operator/operators", "secret from the settings")
	if status := first.Submit("/operator/operators", "name", "#"); status != http.StatusUnprocessableEntity {
		t.Errorf("a bad name: %d", status)
	}
	first.Says("letters, digits")
	first.Submit("/operator/operators", "name", "Ines Öberg")
	first.Says("Ines Öberg is an operator now")
	secret := secretForm.FindStringSubmatch(first.Page)
	if secret == nil {
		t.Fatal("the secret is not shown")
	}
	ines := w.browser(t)
	ines.Get("/operator/sign-in")
	ines.Hides("The first operator is named")
	ines.Submit("/operator/sign-in", "name", "ines öberg", "secret", secret[1])
	ines.Says("Signed in as <strong>Ines Öberg</strong>")
	ines.Hides("Only the first operator exists.")

	first.Get("/operator/operators")
	first.Hides(secret[1])
	first.Submit("/operator/operators/ines%20%C3%B6berg", "action", "renew")
	first.Says("has a new secret")
	renewed := secretForm.FindStringSubmatch(first.Page)[1]
	ines.Get("/operator")
	if !strings.HasPrefix(ines.Path, "/operator/sign-in") {
		t.Error("the session with the old secret goes on")
	}
	ines.Submit("/operator/sign-in", "name", "Ines Öberg", "secret", renewed)
	ines.see("/operator/operators")
	ines.Submit("/operator/operators/operator", "action", "disable")
	ines.Says("signed out everywhere", "Disabled")
	first.Get("/operator")
	if !strings.HasPrefix(first.Path, "/operator/sign-in") {
		t.Error("the disabled operator is signed in")
	}
	ines.Submit("/operator/operators/ines%20%C3%B6berg", "action", "disable", "back", "/operator/operators")
	ines.Says("You cannot disable yourself.")
	ines.Submit("/operator/operators/operator", "action", "enable")
	ines.Says("The operator can sign in again.")
	ines.Submit("/operator/operators/operator", "action", "renew", "back", "/operator/operators")
	ines.Says("secret is a setting")
	ines.Submit("/operator/operators/operator", "action", "paint", "back", "/operator/operators")
	ines.Says("renewed, disabled or enabled")
	ines.see("/operator/audit?by=operator", "Add operator", "Ines Öberg", "Renew secret of operator")
	ines.see("/operator/audit?about=operator", "Disable operator", "Enable operator")
}

func TestJobsAreReplayedAndDropped(t *testing.T) {
	w := open(t)
	b := w.operator(t)
	b.see("/operator/jobs", "No dead jobs")
	b.see("/operator/jobs?lane=", "No job waits")
	for i, id := range []string{"a", "b", "c", "d", "e", "f"} {
		kind := []string{"send", "count"}[i%2]
		w.dead(t, jobs.Job{ID: id, Kind: kind, Payload: map[string]string{"to": "person-" + id}})
	}
	w.Clock.Advance(hour)
	b.see("/operator", "Dead jobs")
	b.see("/operator/jobs", "Send a mail", "address of a", "no such host", "Dead after 1 try")
	b.see("/operator/jobs/show?id=a", `"to": "person-a"`, "Given up")
	back := []string{"back", "/operator/jobs"}
	b.Submit("/operator/jobs", append(back, "replay", "a")...)
	b.Says("The job is queued again.")
	b.see("/operator/jobs/show?id=a", "What operators did with it", "Replay job", "Due")
	b.see("/operator/jobs?lane=post", "Send a mail", "Due")
	b.Hides(">count<")
	b.Submit("/operator/jobs", append(back, "drop", "b")...)
	b.Says("The job is dropped.")
	b.Submit("/operator/jobs", append(back, "drop", "b")...)
	b.Says("There is no such job.")
	b.Submit("/operator/jobs", append(back, "action", "replay", "scope", "chosen")...)
	b.Says("Choose jobs first.")
	b.Submit("/operator/jobs", append(back, "action", "drop", "scope", "chosen", "job", "c", "job", "b", "job", "d")...)
	b.Says("2 jobs are dropped.")
	b.Submit("/operator/jobs", append(back, "action", "replay", "scope", "all", "kind", "send")...)
	b.Says("The job is queued again.")
	b.Submit("/operator/jobs", append(back, "action", "drop", "scope", "all")...)
	b.Says("The job is dropped.", "No dead jobs")
	if status := b.Get("/operator/jobs?lane=none"); status != http.StatusNotFound {
		t.Errorf("a lane that is not there: %d", status)
	}
	if status := b.Get("/operator/jobs?cursor=x"); status != http.StatusBadRequest {
		t.Errorf("a bad cursor: %d", status)
	}
	if status := b.Get("/operator/jobs/show?id=none"); status != http.StatusNotFound {
		t.Errorf("a job that is not there: %d", status)
	}
}

func TestATabOfTheSystem(t *testing.T) {
	w := open(t)
	w.reports.Store(2)
	b := w.operator(t)
	b.Says(`Reports <span class="count">2</span>`, "to decide")
	b.see("/operator/reports", "Reports to decide: 2", "Signed in as <strong>operator</strong>", `href="/operator/reports" aria-current="page"`)
	b.Submit("/operator/reports/7", "back", "/operator/reports")
	b.Says("operator decided report 7", `Reports <span class="count">1</span>`)
	b.Submit("/operator/reports/8", "back", "/operator/reports")
	b.Submit("/operator/reports/9", "back", "/operator/reports")
	b.Says("It was decided already.")
	if status := b.Get("/operator/reports/9"); status != http.StatusNotFound {
		t.Errorf("a refusal of a page: %d", status)
	}
	b.Says("There is no such report.", "Overview")
	w.broken.Store(true)
	w.Clock.Advance(hour)
	b.see("/operator/reports", "Reports to decide")
	b.Hides(`Reports <span class="count">`)
}

func TestTabsThatCannotBe(t *testing.T) {
	w := open(t)
	page := map[string]operator.Handler{"GET ": nil}
	for name, tabs := range map[string][]operator.Tab{
		"no name": {{Title: "A", Pages: page}}, "no title": {{Name: "a", Pages: page}}, "no pages": {{Name: "a", Title: "A"}},
		"a path": {{Name: "a/b", Title: "A", Pages: page}}, "taken": {{Name: "audit", Title: "A", Pages: page}},
		"twice": {{Name: "a", Title: "A", Pages: page}, {Name: "a", Title: "B", Pages: page}},
	} {
		_, err := operator.New(operator.Options{Site: new(webkit.Site), Platform: w.Platform, Staff: w.staff, Trail: w.trail, Tabs: tabs})
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := operator.New(operator.Options{}); err == nil {
		t.Error("without anything: no error")
	}
}

func TestLoopsAreRunNow(t *testing.T) {
	w := open(t)
	b := w.operator(t)
	b.Submit("/operator/loops", "loop", "sweeper", "back", "/operator")
	b.Says("The loop sweeper runs now.")
	b.Submit("/operator/loops", "loop", "other", "back", "/operator")
	b.Says("There is no such loop")
	b.see("/operator/audit", "Run loop", "sweeper")
	b.Hides("other")
}

func TestTheAuditTrailByDay(t *testing.T) {
	w := open(t)
	b := w.operator(t)
	b.see("/operator/audit", "Today, 2 Feb 2037", "Sign in", "Day before")
	b.Hides("Day after")
	b.see("/operator/audit?day=2037-02-01", "1 Feb 2037", "Nothing is recorded here", "Day after")
	b.see("/operator/audit?day=2035-02-04", "4 Feb 2035", "kept for 730 days", "Day before")
	b.see("/operator/audit?day=2035-02-03", "3 Feb 2035", "Day after") // two years ago: what is older is deleted
	b.Hides("Day before")
	if status := b.Get("/operator/audit?day=yesterday"); status != http.StatusBadRequest {
		t.Errorf("a day that is none: %d", status)
	}
	b.see("/operator/audit?by=none", "What none did", "Nothing is recorded here")
	for range 40 {
		if err := w.trail.RecordAlone(t.Context(), audit.Event{Actor: "operator", Action: "ban_person", Target: "person-1", Detail: map[string]string{"reason": "spam"}}); err != nil {
			t.Fatal(err)
		}
	}
	b.see("/operator/audit?about=person-1", "Ban person", "reason: spam")
	b.see("/operator/audit?by=operator", "Earlier")
	next := regexp.MustCompile(`href="([^"]*cursor=[^"]*)"`).FindStringSubmatch(b.Page)
	if next == nil {
		t.Fatal("there is no next page")
	}
	b.see(next[1], "Back to the first", "Sign in")
}
