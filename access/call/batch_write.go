package call

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
)

const maxBatchWrite = 25 // writes of one request

// BatchWrite sends puts and deletes without conditions, up to 25 with one request and several
// requests at the same time. It is not a transaction: some writes may succeed and others
// fail, and an *access.BatchError says which. Writes that DynamoDB leaves unprocessed are
// sent again. An empty batch succeeds. While a migration moves the items, each write is a transaction of its own.
func BatchWrite(ctx context.Context, c *access.Client, p *access.Pattern, writes []Action) error {
	if changes(writes) {
		return InPhase(ctx, c, func(c *access.Client) error {
			all := make([]Action, len(writes))
			for i := range writes {
				all[i] = writes[i].inPhaseOf(c)
			}
			return batchWrite(ctx, c, p, all)
		})
	}
	return batchWrite(ctx, c, p, writes)
}

func batchWrite(ctx context.Context, c *access.Client, p *access.Pattern, writes []Action) error {
	k := begin(ctx, c, p, "BatchWriteItem")
	k.times(len(writes))
	b, err := newBatch(c, k, writes)
	switch {
	case err != nil:
		err = named(p.Name, "", err)
	case slices.ContainsFunc(writes, func(w Action) bool { return w.elsewhere != nil }):
		err = b.each(ctx, p)
	default:
		err = b.run(ctx, p)
	}
	k.end(err)
	return err
}

// A batch is a BatchWrite under way.
type batch struct {
	c        *access.Client
	k        *recorder
	writes   []Action
	tables   []string            // of each write, by its real name
	byID     map[string]int      // identity of an item -> its write
	keyNames map[string][]string // by table

	mu   sync.Mutex
	next int // the first write that no request has had
	left []int
	err  error // the first
}

func newBatch(c *access.Client, k *recorder, writes []Action) (*batch, error) {
	for i := range writes {
		switch w := &writes[i]; {
		case w.Err != nil:
			return nil, named(w.Name, "", w.Err)
		case w.Kind != Put && w.Kind != Delete:
			return nil, fmt.Errorf("access: write %d (%s) of a batch is neither Put nor Delete but %s", i+1, w.Name, w.Kind)
		case w.Condition != "":
			return nil, fmt.Errorf("access: write %d (%s) of a batch has a condition, and DynamoDB has none in batches", i+1, w.Name)
		}
	}
	ids, err := distinct(c, writes)
	if err != nil {
		return nil, err
	}
	b := &batch{c: c, k: k, writes: writes, tables: make([]string, len(writes)),
		byID: make(map[string]int, len(writes)), keyNames: map[string][]string{}}
	for i := range writes {
		b.tables[i] = c.Table(writes[i].Table)
		b.byID[ids[i]] = i
		b.keyNames[b.tables[i]] = writes[i].keyNames()
	}
	return b, nil
}

// run sends all chunks, so many at once as the client allows.
func (b *batch) run(ctx context.Context, p *access.Pattern) error {
	chunks := (len(b.writes) + maxBatchWrite - 1) / maxBatchWrite
	var workers sync.WaitGroup
	for range min(chunks, b.c.Options().Concurrency) {
		workers.Go(func() {
			for chunk := b.take(); len(chunk) > 0; chunk = b.take() {
				if left, err := b.write(ctx, chunk); err != nil {
					b.fail(left, err)
				}
			}
		})
	}
	workers.Wait()
	if b.err == nil {
		return nil
	}
	for i := b.next; i < len(b.writes); i++ {
		b.left = append(b.left, i)
	}
	slices.Sort(b.left)
	return &access.BatchError{Pattern: p.Name, Left: b.left, Err: b.err, Of: len(b.writes)}
}

// take gives the next writes to send; none after an error, for what met one request
// mostly awaits all.
func (b *batch) take() []int {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err != nil {
		return nil
	}
	var chunk []int
	for len(chunk) < maxBatchWrite && b.next < len(b.writes) {
		chunk = append(chunk, b.next)
		b.next++
	}
	return chunk
}

func (b *batch) fail(left []int, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.left = append(b.left, left...)
	b.err = cmp.Or(b.err, err)
}

// write sends one chunk until all of it is done, and returns what is not. It gives up
// after as many requests in a row that did nothing as one request is sent.
func (b *batch) write(ctx context.Context, chunk []int) ([]int, error) {
	for round, idle := 0, 0; ; round++ {
		out, err := send(ctx, b.c, b.k, access.API.BatchWriteItem, &dynamodb.BatchWriteItemInput{
			RequestItems: b.requests(chunk), ReturnConsumedCapacity: capacity(b.c),
		})
		if err != nil {
			return chunk, err
		}
		left, err := b.unprocessed(out.UnprocessedItems)
		if err != nil {
			return chunk, err
		}
		b.k.addAll(out.ConsumedCapacity, len(chunk)-len(left))
		if len(left) == 0 {
			return nil, nil
		}
		if idle++; len(left) < len(chunk) {
			idle = 0
		}
		chunk = left
		if idle >= b.c.Options().Attempts {
			return chunk, leftUnprocessed(idle)
		}
		if err := pause(ctx, b.c, round); err != nil {
			return chunk, fmt.Errorf("%w while waiting to send what was left unprocessed", err)
		}
		b.k.retry()
	}
}

func (b *batch) requests(chunk []int) map[string][]types.WriteRequest {
	requests := map[string][]types.WriteRequest{}
	for _, i := range chunk {
		w := &b.writes[i]
		var r types.WriteRequest
		if w.Kind == Put {
			r.PutRequest = &types.PutRequest{Item: w.Item}
		} else {
			r.DeleteRequest = &types.DeleteRequest{Key: w.Key}
		}
		requests[b.tables[i]] = append(requests[b.tables[i]], r)
	}
	return requests
}

// unprocessed finds the writes that DynamoDB left undone.
func (b *batch) unprocessed(tables map[string][]types.WriteRequest) ([]int, error) {
	var left []int
	for table, requests := range tables {
		for _, r := range requests {
			var item access.Item
			switch {
			case r.PutRequest != nil:
				item = r.PutRequest.Item
			case r.DeleteRequest != nil:
				item = r.DeleteRequest.Key
			}
			id, err := identity(table, b.keyNames[table], item)
			i, known := b.byID[id]
			if err != nil || !known {
				return nil, errors.Join(errors.New("access: DynamoDB left a write unprocessed that was not sent"), err)
			}
			left = append(left, i)
		}
	}
	slices.Sort(left)
	return left, nil
}
