package migrate

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

// A spending counts the units of a migration. A row of the control table has those of all runners.
type spending struct {
	throttled atomic.Int64 // requests of this process

	mu            sync.Mutex
	reads, writes float64 // of this process, not in the row yet
	all           units   // the row, as it was read last
}

// units holds the units that requests consumed.
type units struct{ reads, writes float64 }

func (s *spending) add(reads, writes float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reads, s.writes = s.reads+reads, s.writes+writes
}

// total returns what was consumed in all, as far as this process knows.
func (s *spending) total() (reads, writes float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all.reads + s.reads, s.all.writes + s.writes
}

// flush adds what this process consumed to the row. What it consumed in its last second is lost with it.
func (l ledger) flush(ctx context.Context, s *spending) error {
	s.mu.Lock()
	add := units{s.reads, s.writes}
	s.mu.Unlock()
	if add == (units{}) {
		all, err := l.consumed(ctx)
		if err == nil {
			s.mu.Lock()
			s.all = all
			s.mu.Unlock()
		}
		return err
	}
	var out *dynamodb.UpdateItemOutput
	_, err := l.run.try(ctx, l.run.free, func(ctx context.Context) (_ *types.ConsumedCapacity, err error) {
		out, err = l.run.api.UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName: &l.table, Key: l.key(runRows, "consumed"), UpdateExpression: new("ADD #r :r, #w :w"),
			ExpressionAttributeNames:  map[string]string{"#r": "reads", "#w": "writes"},
			ExpressionAttributeValues: access.Item{":r": marshal.Num(marshal.FormatFloat(add.reads)), ":w": marshal.Num(marshal.FormatFloat(add.writes))},
			ReturnValues:              types.ReturnValueAllNew,
		})
		return nil, err
	})
	if err != nil {
		return fmt.Errorf("write the control table: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reads, s.writes, s.all = s.reads-add.reads, s.writes-add.writes, unitsIn(out.Attributes)
	return nil
}

// consumed reads what the runners consumed.
func (l ledger) consumed(ctx context.Context) (units, error) {
	item, err := l.item(ctx, runRows, "consumed")
	return unitsIn(item), err
}

func unitsIn(item access.Item) units {
	var u units
	u.reads, _ = marshal.ParseFloat(textOf(item["reads"]))
	u.writes, _ = marshal.ParseFloat(textOf(item["writes"]))
	return u
}

// obey looks at what people told and what the migration costs, at most once a second.
func (r *run) obey(ctx context.Context) error {
	if r.orders == nil {
		return nil
	}
	r.mu.Lock()
	due := r.now().Sub(r.looked) >= time.Second || r.now().Before(r.looked)
	if due {
		r.looked = r.now()
	}
	r.mu.Unlock()
	if !due {
		return nil
	}
	o, err := r.orders(ctx)
	switch {
	case err != nil:
		return err
	case o.Paused != "":
		return &PausedError{o.Paused}
	}
	r.writes.set(cmp.Or(o.WriteRate, r.options.WriteRate))
	r.reads.set(cmp.Or(o.ReadRate, r.options.ReadRate))
	if r.checks == nil {
		return nil
	}
	return r.checks(ctx, o)
}

// check pauses the run when the money is spent or the traffic suffers.
func (e *execution) check(ctx context.Context, orders Orders) error {
	if err := e.ledger.flush(ctx, e.spent); err != nil {
		return err
	}
	reads, writes := e.spent.total()
	most := cmp.Or(orders.Most, e.options.Most)
	if spent := e.options.Prices.of(reads, writes); most > 0 && spent >= most {
		return e.pause(ctx, fmt.Sprintf("%s of %s are spent", dollars(spent), dollars(most)))
	}
	return e.throttles.check(ctx, e)
}

// pause stops all runners.
func (e *execution) pause(ctx context.Context, why string) error {
	if err := e.ledger.order(ctx, func(o *Orders) { o.Paused = why }); err != nil {
		return err
	}
	if err := e.ledger.log(ctx, e.owner, "paused: "+why); err != nil {
		return err
	}
	return &PausedError{why}
}

// A throttleGuard compares how often the endpoint throttles others with how often it did before there was work.
type throttleGuard struct {
	mu      sync.Mutex
	working bool
	known   bool
	before  float64 // a second, before the first step; a runner that begins in the middle of one does not know
	span    throttleSpan
}

// A throttleSpan is a time in which throttles are counted.
type throttleSpan struct {
	begun time.Time
	count int64 // by the endpoint, less those of this process, at the beginning
}

// throttleWindow is the time over which throttles are compared.
const throttleWindow = 10 * time.Second

// count returns how many requests of others were throttled up to now.
func (g *throttleGuard) count(ctx context.Context, e *execution) (int64, error) {
	n, err := e.options.Throttles(ctx)
	if err != nil {
		return 0, fmt.Errorf("count what is throttled: %w", err)
	}
	return n - e.spent.throttled.Load(), nil
}

// rest measures while no step is under way.
func (g *throttleGuard) rest(ctx context.Context, e *execution) error {
	if e.options.Throttles == nil {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	n, err := g.count(ctx, e)
	switch now := e.now(); {
	case err != nil:
		return err
	case g.working || g.span.begun.IsZero():
		g.working, g.span = false, throttleSpan{now, n}
	case now.Sub(g.span.begun) > 0:
		g.known, g.before = true, max(0, float64(n-g.span.count))/now.Sub(g.span.begun).Seconds()
	}
	return nil
}

// check pauses the run when throttles have risen by more than a tenth.
func (g *throttleGuard) check(ctx context.Context, e *execution) error {
	if e.options.Throttles == nil {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	now := e.now()
	if g.working && now.Sub(g.span.begun) < throttleWindow {
		return nil
	}
	n, err := g.count(ctx, e)
	if err != nil {
		return err
	}
	last, was := g.span, g.working
	g.working, g.span = true, throttleSpan{now, n}
	if !was || !g.known {
		return nil
	}
	if rate := float64(n-last.count) / now.Sub(last.begun).Seconds(); rate > 1.1*g.before {
		return e.pause(ctx, fmt.Sprintf("the endpoint throttles %.1f requests of others a second, and %.1f before", rate, g.before))
	}
	return nil
}
