package drift

import (
	"context"
	"errors"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
	"sortkey.dev/access/shape"
)

// segments holds the number of places from which a table is read.
const segments = 10

// A place is a segment of a table and how far it was read.
type place struct {
	segment int32
	after   access.Item
}

// A reading is the reading of one table by some workers.
type reading struct {
	*checker
	*table

	mu   sync.Mutex // for all of the checker, too
	open []place
	left int // items of the sample that no request asks for yet
}

// read reads the items of a table: of a sample from every segment a few, and more where there are some left.
func (c *checker) read(ctx context.Context, t *table) error {
	r := &reading{checker: c, table: t, left: c.Sample}
	for i := range int32(segments) {
		r.open = append(r.open, place{segment: i})
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var workers sync.WaitGroup
	for range c.Workers {
		workers.Go(func() {
			for {
				more, err := r.page(ctx)
				if err != nil {
					stop(err)
				}
				if err != nil || !more {
					return
				}
			}
		})
	}
	workers.Wait()
	if err := context.Cause(ctx); err != nil {
		return err
	}
	t.read.All = len(r.open) == 0 && !t.read.Stopped
	c.report.Tables = append(c.report.Tables, t.read)
	return nil
}

// page reads one page and looks at its items. It returns false if there is nothing left to read.
func (r *reading) page(ctx context.Context) (more bool, err error) {
	at, limit := r.next()
	if limit < 0 {
		return false, nil
	}
	want := float64(mostForPage)
	if limit > 0 {
		want = min(want, float64(limit)*mostForItem)
	}
	reserved := r.budget.reserve(mostForItem, want)
	if reserved == 0 {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.table.read.Stopped = true
		return false, nil
	}
	if reserved < want {
		limit = int(reserved / mostForItem)
	}
	in := &dynamodb.ScanInput{
		TableName: &r.name, Segment: &at.segment, TotalSegments: aws.Int32(segments),
		ExclusiveStartKey: at.after, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}
	if limit > 0 {
		in.Limit = aws.Int32(int32(limit))
	}
	out, err := r.api.Scan(ctx, in)
	if err != nil {
		r.budget.spend(reserved, nil)
		return false, err
	}
	r.budget.spend(reserved, out.ConsumedCapacity)
	for _, item := range out.Items {
		if err := r.look(ctx, item); err != nil {
			return false, err
		}
	}
	r.done(at, out, limit)
	return true, nil
}

// next returns where to read next, and how many items: 0 for as many as a page has. A number below 0 says that
// nothing is left.
func (r *reading) next() (at place, limit int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.open) == 0 || r.table.read.Stopped || !r.Full && r.left == 0 {
		return place{}, -1
	}
	if !r.Full {
		limit = min(max(1, r.Sample/segments), r.left)
	}
	at, r.open = r.open[0], r.open[1:]
	return at, limit
}

// done notes a page.
func (r *reading) done(at place, out *dynamodb.ScanOutput, limit int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(out.LastEvaluatedKey) > 0 {
		r.open = append(r.open, place{at.segment, out.LastEvaluatedKey})
	}
	if !r.Full {
		r.left = max(0, r.left-len(out.Items))
	}
	r.table.read.Items += int64(len(out.Items))
	r.Progress(Progress{Table: r.name, Items: r.table.read.Items, Units: r.budget.used()})
}

// look compares one item with the design.
func (r *reading) look(ctx context.Context, item access.Item) error {
	key := r.keyOf(item)
	if r.state != nil && compareKeys(r.state, key) == 0 {
		return nil
	}
	entity, wrong := r.reader.Entity(item)
	if wrong != nil {
		r.misfit(wrong, item, key)
		return nil
	}
	if entity == "" {
		return nil // a row of a unique value or of a counter
	}
	r.mu.Lock()
	r.count(r.table, entity, item, key)
	r.mu.Unlock()
	err := r.guards(ctx, item, key)
	if errors.Is(err, errSpent) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.table.read.Stopped = true
		return nil
	}
	return err
}

// misfit notes an item that is not as the design says. One whose attributes decode is counted all the same.
func (r *reading) misfit(wrong *shape.Misfit, item, key access.Item) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case wrong.Entity == "":
		r.add(ItemOfNobody, r.name, wrong.Error(), key)
	case wrong.Key != "":
		r.add(KeyStale, r.name, wrong.Error(), key)
		r.count(r.table, wrong.Entity, item, key)
	default:
		r.add(ItemUnreadable, r.name, wrong.Error(), key)
		r.skipped(wrong.Entity)
	}
}

// note adds a finding about one item.
func (r *reading) note(kind Kind, text string, key access.Item) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.add(kind, r.name, text, key)
}

func (r *reading) keyOf(item access.Item) access.Item {
	key := access.Item{}
	for _, name := range r.keys {
		key[name] = item[name]
	}
	return key
}

var errSpent = errors.New("no units are left")

// guards looks for the rows that keep values of an item unique. A row that is missing may be of an item that
// changed since it was read, so both are read again.
func (r *reading) guards(ctx context.Context, item, key access.Item) error {
	for _, row := range r.reader.Rows(item) {
		found, err := r.get(ctx, row.Key, false)
		if err != nil {
			return err
		}
		if found == nil {
			found, err = r.get(ctx, row.Key, true)
		}
		if err != nil {
			return err
		}
		if found != nil && (marshal.Owner(found) == nil || compareKeys(marshal.Owner(found), key) == 0) {
			continue
		}
		now, err := r.get(ctx, key, true)
		if err != nil {
			return err
		}
		for _, still := range r.reader.Rows(now) {
			if still.Unique == row.Unique && compareKeys(still.Key, row.Key) == 0 {
				reason := "there is no row that keeps " + row.Unique + " unique"
				if found != nil {
					reason = "the row that keeps " + row.Unique + " unique belongs to another item"
				}
				r.note(GuardMissing, reason, key)
			}
		}
	}
	return nil
}

// get reads one item; nil if there is none.
func (r *reading) get(ctx context.Context, key access.Item, consistent bool) (access.Item, error) {
	most := mostForItem
	if consistent {
		most *= 2
	}
	reserved := r.budget.reserve(most, most)
	if reserved == 0 {
		return nil, errSpent
	}
	out, err := r.api.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: &r.name, Key: key, ConsistentRead: &consistent, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	})
	if err != nil {
		r.budget.spend(reserved, nil)
		return nil, err
	}
	r.budget.spend(reserved, out.ConsumedCapacity)
	if len(out.Item) == 0 {
		return nil, nil
	}
	return out.Item, nil
}
