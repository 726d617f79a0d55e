package bulk

import (
	"context"
	"errors"
	"hash/maphash"
	"sync"
	"time"

	"sortkey.dev/engine/internal/clock"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/wire"
	"sortkey.dev/internal/wait"
)

// A putter puts the items of one operation. All writers share it.
type putter struct {
	*Operations
	op      *operation
	report  *report
	limiter *limiter
}

var seed = maphash.MakeSeed()

// queueOf returns the same number for all lines of one key. It is arbitrary for invalid lines.
func (p *putter) queueOf(l line) uint64 {
	t := p.catalog.Lookup(p.op.Table)
	if t == nil || l.content == nil {
		return 0
	}
	return maphash.Bytes(seed, l.content.Item.Item.Only(t.KeyNames))
}

// put puts the item of a line. It reports an invalid line or item; an error ends the
// operation.
func (p *putter) put(ctx context.Context, l line) error {
	if l.err != nil {
		return p.rejected(l, l.err)
	}
	t := p.catalog.Lookup(p.op.Table)
	if t == nil || t.UUID != p.op.TableID {
		return failed("ResourceNotFoundException", "The table %s was deleted.", p.op.Table)
	}
	in := &dynamo.PutItemInput{Item: l.content.Item}
	in.TableName, in.ReturnConsumedCapacity = &p.op.Table, "TOTAL"
	in.ConditionExpression, in.Expressions = l.content.ConditionExpression, l.content.Expressions
	in.ReturnValuesOnConditionCheckFailure = "ALL_OLD"
	req, err := p.opts.Wording.CheckPutItem(in)
	if err != nil {
		return p.rejected(l, err)
	}
	for {
		out, err := p.tables.PutItem(ctx, req)
		refusal, ok := errors.AsType[*dynamo.Error](err)
		switch {
		case err == nil:
			p.op.count(progress{Items: 1, PutBytes: int64(req.Size)})
			return p.limiter.spend(ctx, out.ConsumedCapacity.Units)
		case ok && refusal.Code == dynamo.TransactionConflict:
			if err := wait.For(ctx, time.Millisecond); err != nil {
				return err
			}
			continue
		case ok && refusal.Code == dynamo.ConditionalCheckFailed:
			p.op.count(progress{Items: 1})
			return p.report.conditionFailed(l, refusal.Item)
		case ok && refusal.Code == dynamo.ResourceNotFound:
			return failed("ResourceNotFoundException", "The table %s was deleted.", p.op.Table)
		case ok:
			return p.rejected(l, err)
		default:
			return err
		}
	}
}

// rejected reports a line that cannot be put.
func (p *putter) rejected(l line, err error) error {
	refusal, ok := errors.AsType[*dynamo.Error](err)
	if !ok {
		return err
	}
	p.op.count(progress{Items: 1, Failed: 1})
	return p.report.rejected(l, refusal)
}

// A limiter limits an operation to a number of units per second.
type limiter struct {
	clock clock.Clock
	rate  float64 // 0: no limit
	mu    sync.Mutex
	spent float64
	since time.Time
}

func newLimiter(c clock.Clock, rate int64) *limiter {
	return &limiter{clock: c, rate: float64(rate), since: c.Now()}
}

// spend counts units and waits until the rate allows them.
func (p *limiter) spend(ctx context.Context, units float64) error {
	if p.rate == 0 {
		return nil
	}
	p.mu.Lock()
	p.spent += units
	due := p.due(p.clock.Now().Sub(p.since))
	p.mu.Unlock()
	if due <= 0 {
		return nil
	}
	return clock.Sleep(ctx, p.clock, due)
}

// due returns the wait until the units spent are within the rate, given the elapsed time. A second's
// units may be spent at once.
func (p *limiter) due(passed time.Duration) time.Duration {
	return time.Duration((p.spent-p.rate)/p.rate*float64(time.Second)) - passed
}

// A line is one line of an object: what it says, or what is wrong with it.
type line struct {
	object  string
	number  int // from 1
	raw     []byte
	content *dynamo.BulkLine
	err     error
}

// read decodes the line.
func (l *line) read() { l.content, l.err = wire.ReadBulkLine(l.raw) }
