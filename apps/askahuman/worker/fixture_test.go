package worker

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/askahumantest"
	"sortkey.dev/apps/askahuman/domain"
	"sortkey.dev/apps/askahuman/notices"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/notify"
	"sortkey.dev/apps/internal/publichttp"
)

// A fixture is a world with a worker and people's devices.
type fixture struct {
	*askahumantest.World
	*Worker
	t       *testing.T
	devices *devices
	hub     *live.Hub
}

// devices receives notifications. Each answers as the test wants, by its token.
type devices struct {
	mu     sync.Mutex
	answer func(token string) error
	sent   []string // tokens, one for each message that arrived
	last   notify.Message
}

func (d *devices) Send(_ context.Context, to notify.Target, m notify.Message) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.answer != nil {
		if err := d.answer(to.Token); err != nil {
			return err
		}
	}
	d.sent, d.last = append(d.sent, to.Token), m
	return nil
}

// take returns the tokens that got a message since the last call.
func (d *devices) take() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	sent := d.sent
	d.sent = nil
	return sent
}

// begin is the start time of tests: in the future, because a database deletes expired items
// by its own clock.
var begin = time.Date(2040, time.January, 2, 12, 0, 0, 0, time.UTC)

// open returns a fixture without streams; change modifies the options of its domain.
func open(t *testing.T, change ...func(*domain.Options)) *fixture {
	t.Helper()
	p := &fixture{World: askahumantest.Open(t), t: t, devices: &devices{}}
	p.Clock.Set(begin)
	var mu sync.Mutex
	chance := rand.New(rand.NewPCG(1, 2))
	p.World.Options = domain.Options{
		Callbacks: publichttp.Options{AllowPrivate: true},
		Notices: notices.Options{
			PublicURL: "https://ask.example",
			Senders:   map[notices.Channel]notify.Sender{notices.ChannelFCM: p.devices},
			Random: func() float64 {
				mu.Lock()
				defer mu.Unlock()
				return chance.Float64()
			},
		},
	}
	for _, c := range change {
		c(&p.World.Options)
	}
	p.World, p.Worker = p.process(p.Database.DynamoDB)
	p.hub = p.Worker.Hub
	return p
}

// process starts another process in the same world, with another connection to the database.
func (p *fixture) process(dynamo access.API, change ...func(*Options)) (*askahumantest.World, *Worker) {
	p.t.Helper()
	w := *p.World
	w.Options.Notices.Hub = new(live.Hub)
	other := w.Through(p.t, dynamo)
	options := Options{Domain: other.Domain, Hub: w.Options.Notices.Hub, Log: slog.New(slog.DiscardHandler), Poll: time.Millisecond}
	for _, c := range change {
		c(&options)
	}
	worker, err := New(options)
	if err != nil {
		p.t.Fatal(err)
	}
	return other, worker
}

// worker starts another process in the same world.
func (p *fixture) worker(change ...func(*Options)) (*Worker, *live.Hub) {
	p.t.Helper()
	_, w := p.process(p.Database.DynamoDB, change...)
	return w, w.Hub
}

// withStreams makes a worker follow the streams of the fixture.
func (p *fixture) withStreams(o *Options) {
	o.Streams, o.DynamoDB = p.Database.Streams, p.Database.DynamoDB
}

// subscriber returns a new person with a subscribed device.
func (p *fixture) subscriber(token string, change ...func(*notices.SubscriptionRequest)) (askahuman.Person, askahumandb.Subscription) {
	p.t.Helper()
	person := p.Person(p.t, 1)
	return person, p.subscribe(person, token, change...)
}

func (p *fixture) subscribe(person askahuman.Person, token string, change ...func(*notices.SubscriptionRequest)) askahumandb.Subscription {
	p.t.Helper()
	request := notices.SubscriptionRequest{Channel: askahumandb.SubscriptionChannelFCM, FCMToken: token}
	for _, c := range change {
		c(&request)
	}
	s, err := p.Notices.Subscribe(p.t.Context(), person, request)
	if err != nil {
		p.t.Fatalf("subscribe %s: %v", token, err)
	}
	return s
}

// crowd subscribes n people.
func (p *fixture) crowd(n int) {
	p.t.Helper()
	for i := range n {
		p.subscriber(fmt.Sprintf("device-%03d", i))
	}
}

// work runs the jobs that are due.
func (p *fixture) work() int {
	p.t.Helper()
	return step(p.t, p.Worker)
}

func step(t *testing.T, w *Worker) int {
	t.Helper()
	n, err := w.Domain.Jobs.Step(t.Context())
	if err != nil {
		t.Fatalf("do jobs: %v", err)
	}
	return n
}

// question returns a question as it is stored, with what the work wrote into it.
func (p *fixture) question(id string) askahumandb.Question {
	p.t.Helper()
	q, err := p.DB.GetQuestion(p.t.Context(), id)
	if err != nil {
		p.t.Fatalf("read question %s: %v", id, err)
	}
	return q
}

// jobs returns the ids of all jobs of a status.
func (p *fixture) jobs(status jobs.Status) []string {
	p.t.Helper()
	var ids []string
	for job, err := range p.Platform.DB.ScanJob().All(p.t.Context()) {
		if err != nil {
			p.t.Fatal(err)
		}
		if job.Status == status {
			ids = append(ids, job.JobID)
		}
	}
	return ids
}

func (p *fixture) subscription(id string) askahumandb.Subscription {
	p.t.Helper()
	s, err := p.DB.GetSubscription(p.t.Context(), id)
	if err != nil {
		p.t.Fatalf("read subscription %s: %v", id, err)
	}
	return s
}

func (p *fixture) answer(person askahuman.Person, q askahumandb.Question) {
	p.t.Helper()
	if _, err := p.Answers.Answer(p.t.Context(), person, askahumantest.Text(q.QuestionID, 20)); err != nil {
		p.t.Fatalf("answer: %v", err)
	}
}
