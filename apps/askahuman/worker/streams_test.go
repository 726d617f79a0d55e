package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/background"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/live"
)

func TestTheSweeperExpiresUnreadQuestions(t *testing.T) {
	p := open(t)
	minute := time.Minute
	var ids []string
	for range 30 {
		q := p.Submit(t, questions.Ask{AgentID: "agent-1", Prompt: "Is anybody there now?", Type: "text", Timeout: &minute})
		ids = append(ids, q.QuestionID)
	}
	lasting := p.Ask(t, "agent-1", 1)
	p.answer(p.Person(t, 1), p.question(ids[0]))
	listener := p.hub.Listen(askahuman.QuestionTopic(ids[0]))
	defer listener.Close()

	if n, err := p.StepSweep(t.Context()); n != 0 || err != nil {
		t.Fatalf("%d expired before their time (%v)", n, err)
	}
	p.Clock.Advance(minute)
	if n, err := p.StepSweep(t.Context()); n != 30 || err != nil {
		t.Fatalf("%d expired, want 30 (%v)", n, err)
	}
	for _, id := range ids {
		q := p.question(id)
		if q.Status != askahumandb.QuestionStatusExpired || q.ExpiredAt == nil || q.TTL == nil {
			t.Fatalf("a question is stored as %s", q.Status)
		}
	}
	if q := p.question(lasting.QuestionID); q.Status != askahumandb.QuestionStatusOpen {
		t.Errorf("a question that has time is %s", q.Status)
	}
	select {
	case <-listener.C():
	default:
		t.Error("an open page heard nothing")
	}
	if n, err := p.StepSweep(t.Context()); n != 0 || err != nil {
		t.Errorf("%d expired a second time (%v)", n, err)
	}
}

// A follower is a process that follows all tables. It reads what there is, and then rests
// until the test lets it go on.
type follower struct {
	*Worker
	page         *live.Listener
	rests, again chan struct{}
	stop         func()
}

// follower begins to follow, with a listener of topics.
func (p *fixture) follower(topics ...live.Topic) *follower {
	p.t.Helper()
	f := &follower{rests: make(chan struct{}), again: make(chan struct{})}
	var hub *live.Hub
	f.Worker, hub = p.worker(p.withStreams)
	f.page = hub.Listen(topics...)
	p.t.Cleanup(f.page.Close)
	f.tailSleep = func(ctx context.Context, _ time.Duration) error {
		select {
		case f.rests <- struct{}{}:
		case <-ctx.Done():
			return ctx.Err()
		}
		select {
		case <-f.again:
		case <-ctx.Done():
		}
		return ctx.Err()
	}
	ctx, cancel := context.WithCancel(p.t.Context())
	var all sync.WaitGroup
	for _, table := range p.HintTables() {
		all.Go(func() {
			if err := f.FollowHints(ctx, table); err != nil {
				p.t.Errorf("follow %s: %v", table, err)
			}
		})
	}
	f.stop = func() { cancel(); all.Wait() }
	p.t.Cleanup(f.stop)
	for range p.HintTables() {
		<-f.rests
	}
	return f
}

// read lets all tails read what there is.
func (f *follower) read() {
	for range f.Domain.HintTables() {
		f.again <- struct{}{}
	}
	for range f.Domain.HintTables() {
		<-f.rests
	}
}

// heard returns the topics a listener heard of.
func heard(l *live.Listener) []live.Topic {
	topics := l.Changed()
	slices.Sort(topics)
	return topics
}

func TestEveryProcessGetsChangeHints(t *testing.T) {
	p := open(t)
	person, _ := p.subscriber("phone")
	q := p.Ask(t, "agent-1", 2)
	topics := []live.Topic{askahuman.FeedTopic, askahuman.PersonTopic(person.Hash), askahuman.QuestionTopic(q.QuestionID), "question of others"}
	processes := map[string]*follower{"first": p.follower(topics...), "second": p.follower(topics...)}
	for name, f := range processes {
		// At the start, earlier changes are unknown.
		if got := heard(f.page); len(got) != len(topics) {
			t.Errorf("at first the %s process heard of %q, want all", name, got)
		}
		if f.read(); len(heard(f.page)) != 0 {
			t.Errorf("nothing changed and the %s process heard of something", name)
		}
	}
	for _, change := range []struct {
		name string
		do   func()
		want []live.Topic
	}{
		{"a question is asked", func() { p.Ask(t, "agent-2", 1) }, []live.Topic{askahuman.FeedTopic}},
		{"an answer", func() { p.answer(p.Person(t, 2), q) }, []live.Topic{askahuman.FeedTopic, askahuman.QuestionTopic(q.QuestionID)}},
		{"the last answer", func() { p.answer(p.Person(t, 3), q) }, []live.Topic{askahuman.FeedTopic, askahuman.QuestionTopic(q.QuestionID)}},
		{"a person is notified", func() { p.work() }, []live.Topic{askahuman.PersonTopic(person.Hash)}},
		{"a person changes a subscription", func() { p.subscribe(person, "phone", every(time.Hour)) }, nil},
	} {
		change.do()
		for name, f := range processes {
			f.read()
			if err := f.StepHints(t.Context()); err != nil { // which has nothing to tell
				t.Fatal(err)
			}
			got := heard(f.page)
			if len(got) == 0 {
				got = nil
			}
			if diff := cmp.Diff(change.want, got); diff != "" {
				t.Errorf("%s: the %s process heard (-want +got):\n%s", change.name, name, diff)
			}
		}
	}
}

// refusing are streams of an endpoint that has none.
type refusing struct{ *dynamodbstreams.Client }

func (refusing) DescribeStream(context.Context, *dynamodbstreams.DescribeStreamInput, ...func(*dynamodbstreams.Options)) (*dynamodbstreams.DescribeStreamOutput, error) {
	return nil, errors.New("UnknownOperationException")
}

func TestPagesPollWhenStreamsFail(t *testing.T) {
	p := open(t)
	w, hub := p.worker(p.withStreams, func(o *Options) { o.Streams = refusing{} })
	w.tailSleep = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	l := hub.Listen(askahuman.FeedTopic, "question 1")
	defer l.Close()
	if err := w.FollowHints(t.Context(), p.HintTables()[0]); err == nil {
		t.Error("the failure is not reported")
	}
	if got := heard(l); len(got) != 2 {
		t.Errorf("heard of %q, want everything", got)
	}
	other, _ := p.worker()
	for name, w := range map[string]*Worker{"failing": w, "without streams": other} {
		l := w.Hub.Listen(askahuman.FeedTopic, "question 1")
		defer l.Close()
		if err := w.StepHints(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := heard(l); len(got) != 2 {
			t.Errorf("%s: heard of %q, want everything", name, got)
		}
	}
}

// TestPagesPollAfterAStreamReaderStops: what is followed in part, or no longer, is not known.
func TestPagesPollAfterAStreamReaderStops(t *testing.T) {
	p := open(t)
	p.Ask(t, "agent-1", 1)
	f := p.follower(askahuman.FeedTopic, "question 1")
	heard(f.page)
	f.stop()
	if got := heard(f.page); len(got) != 2 {
		t.Errorf("at the end it heard of %q, want everything", got)
	}
	if err := f.StepHints(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := heard(f.page); len(got) != 2 {
		t.Errorf("after the end it heard of %q, want everything", got)
	}
}

// TestDisabledStreamIsHandled is no failure. All pages look again until there is one.
func TestDisabledStreamIsHandled(t *testing.T) {
	p := open(t)
	p.Ask(t, "agent-1", 1)
	w, hub := p.worker(p.withStreams)
	page := hub.Listen(askahuman.FeedTopic)
	defer page.Close()
	table := p.HintTables()[0]
	off := sync.OnceFunc(func() {
		heard(page)
		_, err := p.Database.DynamoDB.UpdateTable(t.Context(), &dynamodb.UpdateTableInput{
			TableName: &table, StreamSpecification: &types.StreamSpecification{StreamEnabled: new(false)}})
		if err != nil {
			t.Errorf("switch the stream off: %v", err)
		}
	})
	w.tailSleep = func(ctx context.Context, _ time.Duration) error { off(); return ctx.Err() }
	if err := w.FollowHints(t.Context(), p.HintTables()[0]); err != nil {
		t.Fatalf("follow: %v", err)
	}
	if got := heard(page); len(got) != 1 || w.tailing.Load() != 0 {
		t.Errorf("after that it heard of %q, and %d tables are followed", got, w.tailing.Load())
	}
}

// run runs the loops of a worker and of the jobs until the test stops them.
func run(t *testing.T, w *Worker) (loops *background.Group, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	loops, err := background.New(w.Log, append(w.Domain.Jobs.Loops(), w.Loops(ctx)...)...)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() { defer close(done); loops.Run(ctx) }()
	return loops, func() {
		cancel()
		<-done
	}
}

func TestAQuestionThatClosesReachesItsAgentAndThePages(t *testing.T) {
	p := open(t)
	a := newAgent(t, http.StatusOK)
	// Nothing may go wrong on the way, even if it were made good later.
	var log syncBuffer
	loud := func(o *Options) {
		o.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	}
	p.Ask(t, "agent-2", 1) // a stream has no shards before its first record
	// One process after the other, as when a new version is started: the second goes on where
	// the first has stopped.
	for range 2 {
		w, hub := p.worker(p.withStreams, loud)
		loops, stop := run(t, w)
		q := p.askWithCallback(a.URL)
		page := hub.Listen(askahuman.QuestionTopic(q.QuestionID))
		p.vote(q, 1)
		<-page.C()
		page.Close()
		got := <-a.calls
		p.checkSignature(got)
		if !strings.Contains(string(got.body), q.QuestionID) {
			t.Errorf("the agent was told of another question: %s", got.body)
		}
		for len(p.deliveries(q)) == 0 { // a delivery that is interrupted is repeated
			runtime.Gosched()
		}
		began := func(state background.State) bool { return !state.LastRun.IsZero() }
		for !all(loops.States(), began) { // on a busy machine some begin late
			runtime.Gosched()
		}
		stop()
		for _, state := range loops.States() {
			if state.Runs == 0 {
				t.Errorf("a loop never ran: %+v", state)
			}
			if state.Name == "sweeper" && state.Every != time.Minute {
				t.Errorf("the sweeper runs every %s, want every minute", state.Every)
			}
		}
	}
	// Whatever was left to do is done by hand; the agent must not hear of it twice.
	p.work()
	if n := len(a.calls); n != 0 {
		t.Errorf("the agent was told %d times more", n)
	}
	if dead := p.jobs(jobs.Dead); len(dead) != 0 {
		t.Errorf("dead jobs: %q", dead)
	}
	if text := log.String(); text != "" {
		t.Errorf("the workers complain:\n%s", text)
	}
}

func all[T any](list []T, is func(T) bool) bool {
	return !slices.ContainsFunc(list, func(one T) bool { return !is(one) })
}

// A syncBuffer is for the logs of several workers.
type syncBuffer struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.String()
}

func TestWebhookIsDeliveredForEveryEnd(t *testing.T) {
	p := open(t)
	a := newAgent(t, http.StatusOK)
	answered, expiring, closing, ended := p.askWithCallback(a.URL), p.askWithCallback(a.URL), p.askWithCallback(a.URL), p.askWithCallback(a.URL)
	var told struct {
		ID     string `json:"question_id"`
		Status string `json:"status"`
	}
	next := func(q askahumandb.Question, status string) {
		t.Helper()
		p.work()
		select {
		case got := <-a.calls:
			if err := json.Unmarshal(got.body, &told); err != nil {
				t.Fatal(err)
			}
		default:
			t.Fatal("the agent was not told")
		}
		if told.ID != q.QuestionID || told.Status != status {
			t.Errorf("the agent was told of %+v, want %s", told, status)
		}
	}
	p.vote(answered, 2)
	next(answered, "CLOSED")
	if _, err := p.Questions.Close(t.Context(), "agent-1", closing.QuestionID); err != nil {
		t.Fatal(err)
	}
	next(closing, "CLOSED")
	if err := p.Operators.CloseByOperator(t.Context(), "operator", ended.QuestionID); err != nil {
		t.Fatal(err)
	}
	next(ended, "CLOSED")
	p.Clock.Advance(askahuman.DefaultTimeout)
	if _, err := p.StepSweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	next(expiring, "EXPIRED")
	if p.work(); len(a.calls) != 0 {
		t.Error("the agent was told twice")
	}
}

func TestAWorkerNeedsItsParts(t *testing.T) {
	p := open(t)
	whole := p.Worker.Options
	for name, change := range map[string]func(*Options){
		"domain": func(o *Options) { o.Domain = nil },
		"hub":    func(o *Options) { o.Hub = nil },
		"log":    func(o *Options) { o.Log = nil },
		"tables": func(o *Options) { o.Streams = p.Database.Streams },
	} {
		o := whole
		change(&o)
		if _, err := New(o); err == nil {
			t.Errorf("no %s: no error", name)
		}
	}
}
