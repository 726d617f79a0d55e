package oracle

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// A Problem is a difference between the database and the model.
type Problem struct {
	Step int    // its position
	Kind string // what differs; problems of the same kind at the same type of step count as equal
	Text string
}

func problem(kind, format string, args ...any) *Problem {
	return &Problem{Kind: kind, Text: fmt.Sprintf(format, args...)}
}

// A player plays steps on a database and on a model.
type player struct {
	db        Database
	model     *Model
	crashed   bool                 // once
	followers map[string]*follower // by stream ARN
}

// Play plays steps on an empty database and returns the first problem, nil if there is none.
func Play(ctx context.Context, db Database, steps []Step) *Problem {
	p := &player{db: db, model: newModel()}
	db.SetClock(p.model.now)
	for i, s := range steps {
		if wrong := p.play(ctx, s); wrong != nil {
			wrong.Step = i
			wrong.Kind = strings.TrimPrefix(fmt.Sprintf("%T", s), "oracle.") + " " + wrong.Kind
			return wrong
		}
	}
	return nil
}

// play plays one step.
func (p *player) play(ctx context.Context, s Step) *Problem {
	if c, ok := s.(checker); ok {
		if wrong := c.check(ctx, p); wrong != nil {
			return wrong
		}
		return p.settle(ctx)
	}
	want, failure := s.expect(p.model)
	got, err := s.(doer).do(ctx, p.db.Tables())
	if wrong := p.compare(got, want, err, failure); wrong != nil {
		return wrong
	}
	if err := p.nameStreams(ctx); err != nil {
		return problem("error", "find the stream: %v", err)
	}
	return p.settle(ctx)
}

// compare compares a response, or an error, with the expected one.
func (p *player) compare(got, want any, err error, failure *Failure) *Problem {
	if wrong := p.compareFailures(err, failure); wrong != nil || err != nil {
		return wrong
	}
	if difference := difference(got, want); difference != "" {
		return problem("answer", "%s", difference)
	}
	return nil
}

// difference says how a result differs from the expected one; empty if it does not.
func difference(got, want any) string {
	if reflect.DeepEqual(got, want) {
		return ""
	}
	g, w := Literal(got), Literal(want)
	if g == w {
		return ""
	}
	at := 0
	for at < min(len(g), len(w)) && g[at] == w[at] {
		at++
	}
	whole := fmt.Sprintf("got  %s\nwant %s", g, w)
	if len(whole) < 1000 {
		return whole
	}
	excerpt := func(s string) string { return s[max(0, at-60):min(len(s), at+100)] }
	return fmt.Sprintf("%s\nthe first difference:\ngot  … %s …\nwant … %s …", whole, excerpt(g), excerpt(w))
}

func (p *player) compareFailures(err error, want *Failure) *Problem {
	if difference := observed(err).difference(want); difference != "" {
		return problem("error", "%s", difference)
	}
	return nil
}

// settle waits until the database has deleted the items that expired, and counted that, so that the next step
// finds them gone. Reads see a deletion before it is counted; only a caller who waits for a write can rely on both.
func (p *player) settle(ctx context.Context) *Problem {
	tables := map[string]bool{}
	for _, gone := range p.model.expire() {
		tables[gone.table] = true
		err := eventually(ctx, func() (bool, error) {
			out, err := p.db.Tables().GetItem(ctx, &dynamodb.GetItemInput{TableName: &gone.table, Key: gone.key, ConsistentRead: optional(true)})
			return err == nil && out.Item == nil, err
		})
		if err != nil {
			return problem("expiry", "item %s of %s should expire: %v", Literal(gone.key), gone.table, err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		if wrong := (DescribeTable{Table: name}).compare(ctx, p, true); wrong != nil {
			return wrong
		}
	}
	return nil
}

// backgroundTimeout limits the wait for background jobs.
const backgroundTimeout = 10 * time.Second

// eventually polls until done returns true.
func eventually(ctx context.Context, done func() (bool, error)) error {
	ctx, cancel := context.WithTimeout(ctx, backgroundTimeout)
	defer cancel()
	for {
		if ok, err := done(); ok || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Millisecond):
		}
	}
}

// Advance is a step that advances the clock.
type Advance struct{ Seconds int }

func (s Advance) expect(m *Model) (any, *Failure) {
	m.now = m.now.Add(time.Duration(s.Seconds) * time.Second)
	return nil, nil
}

func (s Advance) check(_ context.Context, p *player) *Problem {
	s.expect(p.model)
	p.db.SetClock(p.model.now)
	return nil
}

// Restart is a step that closes the database and opens it again. With Crash it
// is not closed properly first.
type Restart struct{ Crash bool }

func (s Restart) expect(*Model) (any, *Failure) { return nil, nil }

func (s Restart) check(ctx context.Context, p *player) *Problem {
	if wrong := p.restart(s.Crash); wrong != nil {
		return wrong
	}
	return Compare{}.check(ctx, p)
}

func (p *player) restart(crash bool) *Problem {
	done, err := p.db.Restart(crash)
	if err != nil {
		return problem("error", "%v", err)
	}
	p.crashed = p.crashed || done && crash
	return nil
}
