package worker

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/notices"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/notify"
	"sortkey.dev/apps/internal/refusal"
)

func every(d time.Duration) func(*notices.SubscriptionRequest) {
	return func(w *notices.SubscriptionRequest) { w.Interval = d }
}

func TestDispatchNotifiesThreeTimesTheNeededPeople(t *testing.T) {
	p := open(t)
	p.crowd(100)
	q := p.Ask(t, "agent-1", 5)
	p.work()
	notified := p.devices.take()
	if len(notified) != 15 {
		t.Fatalf("%d messages, want 15", len(notified))
	}
	slices.Sort(notified)
	if len(slices.Compact(slices.Clone(notified))) != 15 {
		t.Errorf("a person got two messages: %q", notified)
	}
	if notified[14] == "device-014" {
		t.Error("chance has chosen the first fifteen")
	}
	stored := p.question(q.QuestionID)
	if stored.NotifiedCount != 15 || stored.LastNotifiedAt == nil || !stored.LastNotifiedAt.Equal(p.Clock.Now()) {
		t.Errorf("the question says %d were notified at %v", stored.NotifiedCount, stored.LastNotifiedAt)
	}
	if n := p.work(); n != 0 || len(p.devices.take()) != 0 {
		t.Errorf("%d jobs were done a second time", n)
	}
	want := notify.Message{
		Title: "Help an AI decide", Body: "Somebody's software has a question. An answer takes about 30 seconds.",
		URL: "https://ask.example/q/" + q.QuestionID, ID: q.QuestionID, Kind: "question", TTL: time.Hour,
		Data: map[string]string{"question_id": q.QuestionID, "type": "text"},
	}
	if diff := cmp.Diff(want, p.devices.last); diff != "" {
		t.Errorf("the message (-want +got):\n%s", diff)
	}
}

func TestNotificationsRespectTheInterval(t *testing.T) {
	p := open(t)
	p.subscriber("half an hour", every(30*time.Minute))
	p.Ask(t, "agent-1", 5)
	p.work()
	p.devices.take() // it was notified now

	p.Clock.Advance(29 * time.Minute)
	p.subscriber("never notified")
	_, left := p.subscriber("left")
	p.unsubscribe(left)
	p.Ask(t, "agent-1", 5)
	p.work()
	got := p.devices.take()
	slices.Sort(got)
	if diff := cmp.Diff([]string{"never notified"}, got); diff != "" {
		t.Errorf("29 minutes later (-want +got):\n%s", diff)
	}

	p.Clock.Advance(time.Minute)
	p.Ask(t, "agent-1", 5)
	p.work()
	if diff := cmp.Diff([]string{"half an hour"}, p.devices.take()); diff != "" {
		t.Errorf("30 minutes later (-want +got):\n%s", diff)
	}
}

func (p *fixture) unsubscribe(s askahumandb.Subscription) {
	p.t.Helper()
	if err := p.Notices.Unsubscribe(p.t.Context(), askahuman.Person{Hash: s.FingerprintHash}, s.SubscriptionID); err != nil {
		p.t.Fatal(err)
	}
}

func TestDeadTokenIsRemovedAndReplacedInTheSample(t *testing.T) {
	p := open(t)
	var dead []string
	for i := range 6 {
		_, s := p.subscriber(fmt.Sprintf("dead-%d", i))
		dead = append(dead, s.SubscriptionID)
	}
	p.crowd(3)
	p.devices.answer = func(token string) error {
		if token[:4] == "dead" {
			return &notify.GoneError{Reason: "not registered"}
		}
		return nil
	}
	q := p.Ask(t, "agent-1", 1)
	q2 := p.Ask(t, "agent-1", 1)
	p.work()
	if got := p.devices.take(); len(got) != 3 {
		t.Errorf("%d people were reached by two questions, want all 3", len(got))
	}
	if got := p.question(q.QuestionID).NotifiedCount + p.question(q2.QuestionID).NotifiedCount; got != 3 {
		t.Errorf("%d people count as notified, want 3", got)
	}
	for _, id := range dead {
		if s := p.subscription(id); s.Active {
			t.Errorf("a dead subscription is active: %t", s.Active)
		}
	}
	p.Clock.Advance(24 * time.Hour)
	eligible, err := p.DB.ListEligible(0, p.Clock.Now()).Slice(t.Context())
	if err != nil || len(eligible) != 3 {
		t.Errorf("%d are left in the index, want 3 (%v)", len(eligible), err)
	}
}

func TestFailedNotificationIsRetriedAndThenDead(t *testing.T) {
	p := open(t)
	p.crowd(3)
	_, s := p.subscriber("down")
	p.devices.answer = func(token string) error {
		if token == "down" {
			return errors.New("unavailable")
		}
		return nil
	}
	q := p.Ask(t, "agent-1", 2)
	p.work()
	if got := len(p.devices.take()); got != 3 {
		t.Fatalf("%d were reached, want 3", got)
	}
	job := "push-" + q.QuestionID + "-" + s.SubscriptionID
	rests := []time.Duration{}
	for range 6 {
		p.Clock.Advance(time.Second) // the rest has a little chance in it
		queued := p.DueJobs(t, p.Clock.Now().Add(time.Hour))
		i := slices.IndexFunc(queued, func(j jobs.Job) bool { return j.ID == job })
		if i < 0 {
			t.Fatalf("there is no job to try again among %v", queued)
		}
		if p.work() != 0 {
			t.Error("it is tried again at once")
		}
		rests = append(rests, queued[i].Due.Sub(p.Clock.Now()).Round(5*time.Second))
		p.Clock.Set(queued[i].Due)
		p.work()
	}
	if !slices.IsSorted(rests) || rests[5] < 10*rests[0] {
		t.Errorf("the rests do not grow: %v", rests)
	}
	if got := p.devices.take(); len(got) != 0 {
		t.Errorf("others were notified again: %q", got)
	}
	dead, err := p.Jobs.Dead(t.Context(), 10, "")
	if err != nil || len(dead.Items) != 1 || dead.Items[0].ID != job || dead.Items[0].LastError == "" {
		t.Fatalf("the dead jobs are %+v (%v)", dead, err)
	}
	if got := p.subscription(s.SubscriptionID); got.FailureCount != 7 || !got.Active {
		t.Errorf("the subscription has %d failures and is active: %t", got.FailureCount, got.Active)
	}

	// An operator revives it when the push service is there again.
	p.devices.answer = nil
	if err := p.Jobs.Replay(t.Context(), "operator", job); err != nil {
		t.Fatal(err)
	}
	p.work()
	if diff := cmp.Diff([]string{"down"}, p.devices.take()); diff != "" {
		t.Errorf("after it was revived (-want +got):\n%s", diff)
	}
	if got := p.question(q.QuestionID).NotifiedCount; got != 4 {
		t.Errorf("%d count as notified, want 4", got)
	}
	if err := p.Jobs.Replay(t.Context(), "operator", job); !errors.Is(err, &refusal.Error{Kind: refusal.NotFound}) {
		t.Errorf("reviving a job that is done: %v", err)
	}
}

func TestRetryAfterOfAPushServiceIsHonoured(t *testing.T) {
	p := open(t)
	p.subscriber("busy")
	p.devices.answer = func(string) error {
		return jobs.RetryAfter(5*time.Minute, errors.New("quota"))
	}
	p.Ask(t, "agent-1", 1)
	p.work()
	p.devices.answer = nil
	p.Clock.Advance(5*time.Minute - time.Second)
	if p.work() != 0 {
		t.Error("it was tried before its time")
	}
	p.Clock.Advance(time.Second)
	p.work()
	if got := p.devices.take(); len(got) != 1 {
		t.Errorf("%d were reached, want 1", len(got))
	}
}

func TestOwnFailureDoesNotUseUpAllSubscribers(t *testing.T) {
	p := open(t)
	p.crowd(20)
	tried := 0
	p.devices.answer = func(string) error {
		tried++
		return jobs.Final(errors.New("the service account was refused"))
	}
	p.Ask(t, "agent-1", 1)
	p.work()
	if tried != 3 {
		t.Errorf("%d people were claimed for a message that fails, want 3", tried)
	}
	if dead := p.jobs(jobs.Dead); len(dead) != 0 {
		t.Errorf("dead jobs: %q", dead)
	}
}

func TestCatchUpNotifiesOthersWhileAnswersAreMissing(t *testing.T) {
	p := open(t)
	p.crowd(9)
	q := p.Ask(t, "agent-1", 2)
	p.work()
	first := p.devices.take()
	if len(first) != 6 {
		t.Fatalf("%d were notified at first, want 6", len(first))
	}
	p.answer(p.Person(t, 1), q)
	p.Clock.Advance(askahuman.CatchUpAfter - time.Second)
	if p.work() != 0 {
		t.Error("the catch-up came too early")
	}
	p.Clock.Advance(time.Second)
	p.work()
	second := p.devices.take()
	if len(second) != 3 {
		t.Fatalf("%d were notified for the one answer that is missing, want 3", len(second))
	}
	for _, token := range second {
		if slices.Contains(first, token) {
			t.Errorf("%s was notified twice for one question", token)
		}
	}
	// Everybody may be notified again by then, but was notified for this question.
	p.Clock.Advance(30 * time.Minute)
	p.work()
	if got := p.devices.take(); len(got) != 0 {
		t.Errorf("notified once more for the same question: %q", got)
	}
	p.answer(p.Person(t, 2), q)
	p.Clock.Advance(askahuman.CatchUpAfter)
	p.work()
	if left := p.jobs(jobs.Queued); len(left) != 0 {
		t.Errorf("the question is closed and there are jobs: %q", left)
	}
}

func TestNoNotificationsForEndedOrHiddenQuestions(t *testing.T) {
	p := open(t)
	p.crowd(5)
	closed := p.Ask(t, "agent-1", 1)
	if _, err := p.Questions.Close(t.Context(), "agent-1", closed.QuestionID); err != nil {
		t.Fatal(err)
	}
	improper := p.Ask(t, "agent-1", 1)
	reporter := p.Person(t, 1)
	if err := p.Answers.Report(t.Context(), reporter, improper.QuestionID, "spam"); err != nil {
		t.Fatal(err)
	}
	if err := p.Operators.DecideReport(t.Context(), "operator", improper.QuestionID, reporter.Hash, true); err != nil {
		t.Fatal(err)
	}
	minute := time.Minute
	p.Submit(t, questions.Ask{AgentID: "agent-1", Prompt: "Is anybody there now?", Type: "text", Timeout: &minute})
	p.Clock.Advance(time.Hour)
	if p.work() == 0 {
		t.Error("no job was done")
	}
	if got := p.devices.take(); len(got) != 0 {
		t.Errorf("notified: %q", got)
	}
	if left := p.jobs(jobs.Queued); len(left) != 0 {
		t.Errorf("jobs are left: %q", left)
	}
}

func TestOnlyEligiblePeopleAreNotified(t *testing.T) {
	p := open(t)
	answered, _ := p.subscriber("answered")
	banned, _ := p.subscriber("banned")
	shadow, _ := p.subscriber("shadow-banned")
	p.subscriber("ethics", func(w *notices.SubscriptionRequest) { w.Audience = []string{"ethics"} })
	p.subscriber("technical", func(w *notices.SubscriptionRequest) { w.Audience = []string{"technical", "creative"} })
	p.subscriber("everything")
	earlier := p.Ask(t, "agent-1", 5)
	p.answer(banned, earlier)
	if err := p.Operators.SetModerationStatus(t.Context(), "operator", banned.Hash, askahumandb.UserStatsStandingBanned); err != nil {
		t.Fatal(err)
	}
	if err := p.Operators.SetModerationStatus(t.Context(), "operator", shadow.Hash, askahumandb.UserStatsStandingShadowBanned); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Questions.Close(t.Context(), "agent-1", earlier.QuestionID); err != nil {
		t.Fatal(err)
	}
	q := p.Submit(t, questions.Ask{
		AgentID: "agent-1", Prompt: "Which of these is faster?", Type: "text", Audience: []string{"technical", "product"},
	})
	p.answer(answered, q)
	p.work()
	got := p.devices.take()
	slices.Sort(got)
	if diff := cmp.Diff([]string{"everything", "technical"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestPersonWithTwoSubscriptionsIsNotifiedOnce(t *testing.T) {
	p := open(t)
	person, _ := p.subscriber("phone")
	p.subscribe(person, "", func(w *notices.SubscriptionRequest) { w.Channel = askahumandb.SubscriptionChannelInbox })
	listener := p.hub.Listen(askahuman.PersonTopic(person.Hash))
	defer listener.Close()
	for range 2 {
		p.Ask(t, "agent-1", 1)
	}
	p.work()
	if diff := cmp.Diff([]string{"phone"}, p.devices.take()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	inbox, err := p.Notices.Inbox(t.Context(), person)
	if err != nil || len(inbox) != 1 {
		t.Errorf("%d entries are in the inbox, want 1 (%v)", len(inbox), err)
	}
	select {
	case <-listener.C():
	default:
		t.Error("the person's open page heard nothing")
	}
}

func TestWithoutASenderTheInboxHasTheQuestion(t *testing.T) {
	p := open(t)
	person, _ := p.subscriber("phone")
	q := p.Ask(t, "agent-1", 1)
	p.World.Options.Notices.Senders = nil
	other, w := p.process(p.Database.DynamoDB)
	step(t, w)
	if got := p.devices.take(); len(got) != 0 {
		t.Errorf("sent: %q", got)
	}
	_, err := other.Notices.Subscribe(t.Context(), p.Person(t, 2), notices.SubscriptionRequest{Channel: notices.ChannelFCM, FCMToken: "another"})
	if refused, ok := refusal.As(err, refusal.Invalid); !ok || refused.Field() != "channel" {
		t.Errorf("a channel without a sender: %v", err)
	}
	inbox, err := p.Notices.Inbox(t.Context(), person)
	if err != nil || len(inbox) != 1 || inbox[0].Card.QuestionID != q.QuestionID {
		t.Errorf("the inbox is %+v (%v)", inbox, err)
	}
}

func TestConcurrentDispatchersNotifyAPersonOnce(t *testing.T) {
	p := open(t)
	p.crowd(20)
	other, _ := p.worker()
	for range 4 {
		p.Ask(t, "agent-1", 5)
	}
	var both sync.WaitGroup
	for _, w := range []*Worker{p.Worker, other} {
		both.Go(func() {
			if _, err := w.Domain.Jobs.Step(t.Context()); err != nil {
				t.Errorf("do jobs: %v", err)
			}
		})
	}
	both.Wait()
	got := p.devices.take()
	slices.Sort(got)
	if unique := slices.Compact(slices.Clone(got)); len(unique) != len(got) || len(got) > 20 {
		t.Errorf("%d messages for %d people: %q", len(got), len(unique), got)
	}
}
