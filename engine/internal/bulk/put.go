package bulk

import (
	"context"
	"errors"
	"hash/maphash"
	"sync"
	"time"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/wire"
	"sortkey.dev/internal/wait"
)

// A putter puts the items of one operation. It is used by all writers.
type putter struct {
	*Operations
	op     *operation
	report *report
	pace   *pace
}

var seed = maphash.MakeSeed()

// queueOf is the same number for all lines of one key. Lines that cannot be put have any.
func (p *putter) queueOf(l line) uint64 {
	t := p.catalog.Lookup(p.op.Table)
	if t == nil || l.content == nil {
		return 0
	}
	return maphash.Bytes(seed, l.content.Item.Item.Only(t.KeyNames))
}

// put puts the item of a line. What is wrong with the line or the item goes to the report; an
// error ends the operation.
func (p *putter) put(ctx context.Context, l line) error {
	if l.err != nil {
		return p.refused(l, l.err)
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
		return p.refused(l, err)
	}
	for {
		out, err := p.tables.PutItem(ctx, req)
		refusal, ok := errors.AsType[*dynamo.Error](err)
		switch {
		case err == nil:
			p.op.count(progress{Items: 1, PutBytes: int64(req.Size)})
			return p.pace.spend(ctx, out.ConsumedCapacity.Units)
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
			return p.refused(l, err)
		default:
			return err
		}
	}
}

// refused notes a line that cannot be put.
func (p *putter) refused(l line, err error) error {
	refusal, ok := errors.AsType[*dynamo.Error](err)
	if !ok {
		return err
	}
	p.op.count(progress{Items: 1, Failed: 1})
	return p.report.refused(l, refusal)
}

// A pace keeps an operation to a number of units a second.
type pace struct {
	rate  float64 // 0: any
	mu    sync.Mutex
	spent float64
	since time.Time
}

func newPace(rate int64) *pace { return &pace{rate: float64(rate), since: time.Now()} }

// spend counts units and waits until they are due.
func (p *pace) spend(ctx context.Context, units float64) error {
	if p.rate == 0 {
		return nil
	}
	p.mu.Lock()
	p.spent += units
	due := p.due(time.Since(p.since))
	p.mu.Unlock()
	if due <= 0 {
		return nil
	}
	return wait.For(ctx, due)
}

// due returns the wait until the units spent are within the rate, given the elapsed time. A second's
// units may be spent at once.
func (p *pace) due(passed time.Duration) time.Duration {
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

// read reads what the line says.
func (l *line) read() { l.content, l.err = wire.ReadBulkLine(l.raw) }
