package access

import (
	"context"
	"time"
)

// An Observer is told about every call when it ends. The goroutine that made the call calls
// it, so it is called concurrently.
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
	// Estimated holds the units that the design estimates for a call, Units those it took. DynamoDB
	// does not tell what a request took that it refused.
	Estimated, Units float64
	Requests         int // sent, the repeated ones included
	Items            int // read or written
	Retries          int // requests sent again because DynamoDB was busy
	Start            time.Time
	Duration         time.Duration
	Err              error // what the call returned
}
