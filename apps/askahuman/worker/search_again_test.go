package worker

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/askahumantest"
	"sortkey.dev/apps/askahuman/operators"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/jobs"
)

// A mortal is the way of a process to its database. The process dies with the first
// transaction that is done: nothing that it does afterwards arrives.
type mortal struct {
	access.API
	dead atomic.Bool
}

var errDead = errors.New("this process is dead")

func (m *mortal) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	if m.dead.Load() {
		return nil, errDead
	}
	out, err := m.API.TransactWriteItems(ctx, in, options...)
	m.dead.Store(err == nil)
	return out, err
}

func (m *mortal) PutItem(ctx context.Context, in *dynamodb.PutItemInput, options ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	if m.dead.Load() {
		return nil, errDead
	}
	return m.API.PutItem(ctx, in, options...)
}

// dying returns the operators' room of a process that dies.
func (p *fixture) dying() *operators.Service {
	p.t.Helper()
	return p.Through(p.t, &mortal{API: p.Database.DynamoDB}).Operators
}

// hasty answers a question faster than it can be read.
func (p *fixture) hasty(q askahumandb.Question) askahuman.Person {
	p.t.Helper()
	person, answer := p.Person(p.t, 1), askahumantest.Text(q.QuestionID, 20)
	answer.Took = new(time.Second)
	if _, err := p.Answers.Answer(p.t.Context(), person, answer); err != nil {
		p.t.Fatal(err)
	}
	return person
}

// TestRecipientsAreNotifiedAfterTheReopeningWorkerCrashed: that a question takes answers again and
// that people are looked for is one thing.
func TestRecipientsAreNotifiedAfterTheReopeningWorkerCrashed(t *testing.T) {
	for name, reopen := range map[string]func(*fixture, askahumandb.Question) error{
		"an answer was rejected": func(p *fixture, q askahumandb.Question) error {
			person := p.hasty(q)
			p.Clock.Advance(20 * time.Minute)
			p.work()
			return p.dying().Reject(t.Context(), "operator", q.QuestionID, person.Hash)
		},
		"it was hidden": func(p *fixture, q askahumandb.Question) error {
			if err := p.Operators.HideQuestion(t.Context(), "operator", q.QuestionID); err != nil {
				return err
			}
			p.Clock.Advance(20 * time.Minute)
			p.work()
			return p.dying().ShowQuestion(t.Context(), "operator", q.QuestionID)
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t)
			p.crowd(9)
			q := p.Ask(t, "agent-1", 1)
			p.work()
			first := p.devices.take()
			if err := reopen(p, q); err != nil && !errors.Is(err, errDead) {
				t.Fatal(err)
			}
			p.Clock.Advance(10 * time.Minute)
			p.work()
			second := p.devices.take()
			if len(second) != 3 || slices.ContainsFunc(second, func(token string) bool { return slices.Contains(first, token) }) {
				t.Errorf("notified at first %q, then %q; want three others", first, second)
			}
		})
	}
}

// TestAQueuedSearchIsNotQueuedTwice: it finds the question as it will be.
func TestAQueuedSearchIsNotQueuedTwice(t *testing.T) {
	p := open(t)
	rejected, shown := p.Ask(t, "agent-1", 1), p.Ask(t, "agent-1", 1)
	p.work()
	want := p.jobs(jobs.Queued)
	person := p.hasty(rejected)
	if err := p.Operators.Reject(t.Context(), "operator", rejected.QuestionID, person.Hash); err != nil {
		t.Fatal(err)
	}
	if err := p.Operators.HideQuestion(t.Context(), "operator", shown.QuestionID); err != nil {
		t.Fatal(err)
	}
	if err := p.Operators.ShowQuestion(t.Context(), "operator", shown.QuestionID); err != nil {
		t.Fatal(err)
	}
	if got := p.jobs(jobs.Queued); len(want) != 2 || !sameJobs(got, want) {
		t.Errorf("queued are %q, want %q", got, want)
	}
	if q := p.question(rejected.QuestionID); !questions.IsOpen(q.Status) {
		t.Errorf("the question did not open again: %s", q.Status)
	}
	if q := p.question(shown.QuestionID); q.Hidden {
		t.Error("the question is still hidden")
	}
}

func sameJobs(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}
