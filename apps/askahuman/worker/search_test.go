package worker

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/notices"
	"sortkey.dev/apps/internal/jobs"
)

// TestNarrowAudiencesDoNotBlockOthers: those who want to hear of few kinds of questions
// have waited longest, and there are more of them than people are chosen from.
func TestNarrowAudiencesDoNotBlockOthers(t *testing.T) {
	p := open(t)
	for i := range 501 {
		p.subscriber(fmt.Sprintf("ethics-%d", i), func(w *notices.SubscriptionRequest) { w.Audience = []string{"ethics"} })
	}
	p.Clock.Advance(time.Minute)
	p.crowd(4)
	p.Ask(t, "agent-1", 1)
	p.work()
	got := p.devices.take()
	if len(got) != 3 || slices.ContainsFunc(got, func(token string) bool { return token[:6] == "ethics" }) {
		t.Errorf("notified: %q, want three of those who hear of every question", got)
	}
}

// TestNotificationsAreSentWhileManyWebhooksWait: an address may ask 600 questions in an hour and
// close them all at once.
func TestNotificationsAreSentWhileManyWebhooksWait(t *testing.T) {
	p := open(t)
	for i := range 600 {
		p.queue(fmt.Sprintf("hook-%d", i), askahuman.JobWebhook, "many.example", askahuman.JobPayload{})
	}
	p.Clock.Advance(time.Second)
	p.crowd(3)
	p.Ask(t, "agent-1", 1)
	p.work()
	if got := p.devices.take(); len(got) != 3 {
		t.Errorf("notified: %q, want three", got)
	}
}

// TestRetrySkipsPeopleWhoHaveAnswered: between two tries of a message its person may have
// found the question, or may have been banned.
func TestRetrySkipsPeopleWhoHaveAnswered(t *testing.T) {
	p := open(t)
	p.subscriber("waits")
	answers, _ := p.subscriber("answers")
	shadow, _ := p.subscriber("shadow-banned")
	p.devices.answer = func(string) error { return errors.New("unavailable") }
	q := p.Ask(t, "agent-1", 5)
	p.work()
	p.devices.answer = nil
	p.answer(answers, q)
	if err := p.Operators.SetModerationStatus(t.Context(), "operator", shadow.Hash, askahumandb.UserStatsStandingShadowBanned); err != nil {
		t.Fatal(err)
	}
	p.Clock.Advance(time.Minute)
	p.work()
	if diff := cmp.Diff([]string{"waits"}, p.devices.take()); diff != "" {
		t.Errorf("tried again (-want +got):\n%s", diff)
	}
	if dead := p.jobs(jobs.Dead); len(dead) != 0 {
		t.Errorf("dead jobs: %q", dead)
	}
}

// TestReopenedQuestionNotifiesPeople: its catch-up had ended with it.
func TestReopenedQuestionNotifiesPeople(t *testing.T) {
	p := open(t)
	p.crowd(9)
	q := p.Ask(t, "agent-1", 1)
	p.work()
	first := p.devices.take()
	hasty := p.hasty(q)
	p.Clock.Advance(20 * time.Minute)
	p.work()
	if left := p.jobs(jobs.Queued); len(left) != 0 || len(p.devices.take()) != 0 {
		t.Fatalf("a search is queued although the question is complete: %q", left)
	}
	if err := p.Operators.Reject(t.Context(), "operator", q.QuestionID, hasty.Hash); err != nil {
		t.Fatal(err)
	}
	p.Clock.Advance(10 * time.Minute)
	p.work()
	second := p.devices.take()
	if len(second) != 3 || slices.ContainsFunc(second, func(token string) bool { return slices.Contains(first, token) }) {
		t.Errorf("notified at first %q, then %q; want three others", first, second)
	}
	if left := p.jobs(jobs.Queued); len(left) != 1 {
		t.Errorf("%d jobs look for people, want 1: %q", len(left), left)
	}
}
