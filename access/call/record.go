package call

import (
	"context"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
)

// A recorder collects what an observer is told about a call. Without an observer it is nil,
// and its methods do nothing. The requests of one call may run at the same time.
type recorder struct {
	ctx      context.Context
	observer access.Observer
	mu       sync.Mutex
	seen     access.Call
}

// begin starts the call of a pattern; end has to follow.
func begin(ctx context.Context, c *access.Client, p *access.Pattern, operation string) *recorder {
	observer := c.Options().Observer
	if observer == nil {
		return nil
	}
	return &recorder{ctx: ctx, observer: observer, seen: access.Call{
		Pattern: p.Name, Table: c.Table(p.Table), Index: p.Index, Operation: operation,
		Estimated: p.Units, Start: time.Now(),
	}}
}

// capacity returns what a request asks DynamoDB to report about the units it takes.
func capacity(c *access.Client) types.ReturnConsumedCapacity {
	if c.Options().Observer == nil {
		return ""
	}
	return types.ReturnConsumedCapacityTotal
}

// add counts a request that was answered, the units it took and its items.
func (k *recorder) add(units *types.ConsumedCapacity, items int) {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.seen.Requests++
	k.seen.Items += items
	k.seen.Units += unitsOf(units)
}

// addAll is like add, for a request that touches several tables.
func (k *recorder) addAll(units []types.ConsumedCapacity, items int) {
	if k == nil {
		return
	}
	k.add(nil, items)
	k.mu.Lock()
	defer k.mu.Unlock()
	for i := range units {
		k.seen.Units += unitsOf(&units[i])
	}
}

// fail counts a request that DynamoDB refused. send does it.
func (k *recorder) fail() {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.seen.Requests++
}

// retry says that a request is about to be sent again.
func (k *recorder) retry() {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.seen.Retries++
}

// times says that a call does n times what the pattern does: the estimate is of one.
func (k *recorder) times(n int) {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.seen.Estimated *= float64(n)
}

// end reports the call to the observer. err is the error that the caller gets.
func (k *recorder) end(err error) {
	if k == nil {
		return
	}
	k.mu.Lock()
	seen := k.seen
	k.mu.Unlock()
	seen.Duration, seen.Err = time.Since(seen.Start), err
	k.observer.Observe(k.ctx, seen)
}

func unitsOf(units *types.ConsumedCapacity) float64 {
	if units == nil || units.CapacityUnits == nil {
		return 0
	}
	return *units.CapacityUnits
}
