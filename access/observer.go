package access

import (
	"context"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// An Observer is told about every call when it is over. It is called by the goroutine
// that made the call, which waits for it, and by many at once.
//
// Only a client with an observer asks DynamoDB for the units a request took.
type Observer interface {
	Observe(ctx context.Context, call Call)
}

// ObserverFunc is a function as an Observer.
type ObserverFunc func(ctx context.Context, call Call)

// Observe calls the function.
func (f ObserverFunc) Observe(ctx context.Context, call Call) { f(ctx, call) }

// Observers tells several observers about every call, in order.
func Observers(all ...Observer) Observer {
	return ObserverFunc(func(ctx context.Context, call Call) {
		for _, o := range all {
			o.Observe(ctx, call)
		}
	})
}

// A Call is one use of an access pattern: a get, a write, a page of a list, or a whole
// iteration.
type Call struct {
	Pattern   string // as in the design; those of a Tx joined by " + "
	Table     string // its real name; of a transaction that of its first action
	Index     string // "" or the index that was read
	Operation string // DynamoDB's: Query, PutItem, TransactWriteItems, ...
	// Estimated is what the design says one call takes, and Units what this one took. DynamoDB
	// does not tell what a request took that it refused.
	Estimated, Units float64
	Requests         int // sent, the repeated ones included
	Items            int // read or written
	Retries          int // requests sent again because DynamoDB was busy
	Start            time.Time
	Duration         time.Duration
	Err              error // what the call returned
}

// A call gathers what an observer is told. Without an observer it is nil, and its methods
// do nothing. The requests of one call may run at once.
type call struct {
	ctx      context.Context
	observer Observer
	mu       sync.Mutex
	seen     Call
}

// begin starts the call of a pattern; end has to follow.
func (c *Client) begin(ctx context.Context, p *Pattern, operation string) *call {
	if c.observer == nil {
		return nil
	}
	return &call{ctx: ctx, observer: c.observer, seen: Call{
		Pattern: p.Name, Table: c.tableName(p.Table), Index: p.Index, Operation: operation,
		Estimated: p.Units, Start: time.Now(),
	}}
}

// capacity is what a request asks DynamoDB to tell about the units it takes.
func (c *Client) capacity() types.ReturnConsumedCapacity {
	if c.observer == nil {
		return ""
	}
	return types.ReturnConsumedCapacityTotal
}

// add counts a request that was answered, the units it took and its items.
func (k *call) add(units *types.ConsumedCapacity, items int) {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.seen.Requests++
	k.seen.Items += items
	k.seen.Units += unitsOf(units)
}

// addAll is add for a request that touches several tables.
func (k *call) addAll(units []types.ConsumedCapacity, items int) {
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
func (k *call) fail() {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.seen.Requests++
}

// retry says that a request is about to be sent again.
func (k *call) retry() {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.seen.Retries++
}

// times says that a call does n times what the pattern does: the estimate is of one.
func (k *call) times(n int) {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.seen.Estimated *= float64(n)
}

// end tells the observer. err is what the caller gets.
func (k *call) end(err error) {
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
