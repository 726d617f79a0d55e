package migrate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/internal/code"
	"sortkey.dev/access/internal/lease"
	"sortkey.dev/internal/wait"
)

// Options configure how a migration is carried out. The zero value works.
type Options struct {
	Convert   map[string]Conversion // the conversions that the migration names
	WriteRate float64               // write units a second; 0: as many as the endpoint takes
	ReadRate  float64               // read units a second; 0: as many as the endpoint takes
	Prices    Prices                // of units; the zero value: nothing is priced
	Most      float64               // dollars after which the run pauses; 0: any
	Workers   int                   // segments that are worked on at the same time; 0 means 4
	// Patience bounds how long an endpoint may be unreachable. 0 means 15 minutes.
	Patience time.Duration
	// Progress observes the run: it is called after every page, never twice at once; or nil.
	Progress func(Status)
	// Streams reads the streams of the tables; without it the run cannot be watched. Unwatched goes on when a
	// stream that was watched is gone.
	Streams   Streams
	Unwatched bool
	// Fresh bounds the age of the verification when readers begin to use the new parts; 0 means an hour.
	Fresh time.Duration
	// Throttles returns how many requests the endpoint has throttled up to now, those of all clients; nil: it does not say.
	Throttles func(context.Context) (int64, error)
	// Tables makes the tables and indexes of the next version beside those of the last one (step expand), removes
	// those of the last one (contract), or those of the next one when the run went back (withdraw). Nil: the operator does.
	Tables func(ctx context.Context, step string) error
	// Segments of each table. 0 means 8 for each worker.
	Segments int
	Lease    time.Duration // of processes while the migration runs; 0 means access.LeaseMigrating
	Owner    string        // the name of this process in leases and in the log; "": the host and a random number
	Clock    Clock         // for tests; the zero value is the clock of the machine
}

// A Clock tells the time and waits.
type Clock struct {
	Now   func() time.Time
	Sleep func(context.Context, time.Duration) error
}

// A Conflict is an item that cannot get its part. Nothing of the item but its key is shown.
type Conflict struct {
	Part   string
	Table  string
	Key    access.Item
	Other  access.Item // the key of another item, which has the same value; nil: there is none
	Reason string
	At     time.Time
}

func (o Options) segments() int {
	if o.Segments > 0 {
		return o.Segments
	}
	return 8 * o.Workers
}

func (o Options) lease() time.Duration { return cmp.Or(o.Lease, access.LeaseMigrating) }

// peace returns the lease after the migration.
func (o Options) peace() time.Duration {
	if o.Lease > 0 && o.Lease < access.LeaseMigrating {
		return o.Lease
	}
	return access.LeaseInPeace
}

func (o Options) fresh() time.Duration { return cmp.Or(o.Fresh, time.Hour) }

// recheck is the pause before a difference is looked at again.
func (o Options) recheck() time.Duration { return time.Second }

// run carries out the steps of a migration.
type run struct {
	api           access.API
	table         func(name string) string // the name that a table of the design has in DynamoDB
	migration     *Migration
	bound         func(context.Context) ([]func(*dynamodb.Options), error) // the options of a request to a table of the design; nil: none
	listed        func(context.Context, Conflict) error                    // writes a conflict down; nil: nobody does
	orders        func(context.Context) (Orders, error)                    // what people told; nil: nothing
	checks        func(context.Context, Orders) error                      // stops the run; nil: nothing does
	options       Options
	alone         bool // no other process works on the migration, see Epochs.Alone
	reads, writes *limiter
	free          *limiter // without a limit: of rows that only runners need
	now           func() time.Time
	sleep         func(context.Context, time.Duration) error
	spent         *spending
	mu            sync.Mutex // guards what follows
	status        Status
	looked        time.Time // when the orders were read
	past          []moment  // of the step
}

// newRun returns a run with the defaults in place of zeros.
func newRun(api access.API, tableName func(string) string, m *Migration, o Options) *run {
	if tableName == nil {
		tableName = func(name string) string { return name }
	}
	if o.Clock.Now == nil {
		o.Clock = Clock{Now: time.Now, Sleep: wait.For}
	}
	if o.Workers <= 0 {
		o.Workers = 4
	}
	if o.Patience <= 0 {
		o.Patience = 15 * time.Minute
	}
	r := &run{api: api, table: tableName, migration: m, options: o, now: o.Clock.Now, sleep: o.Clock.Sleep}
	r.free = newLimiter(0, r.now, r.sleep)
	r.reads, r.writes = newLimiter(o.ReadRate, r.now, r.sleep), newLimiter(o.WriteRate, r.now, r.sleep)
	r.reads.look, r.writes.look = r.obey, r.obey
	r.spent = &spending{}
	return r
}

// paced sends a write, or a read of a single item, at the rate of writes, and again while the endpoint
// is busy or unreachable.
func (r *run) paced(ctx context.Context, request func(context.Context) (*types.ConsumedCapacity, error)) error {
	units, err := r.try(ctx, r.writes, request)
	r.spent.add(0, units)
	return err
}

// try sends a request when the rate allows it, and returns the units it consumed.
func (r *run) try(ctx context.Context, l *limiter, request func(context.Context) (*types.ConsumedCapacity, error)) (float64, error) {
	began := r.now()
	for pause := 50 * time.Millisecond; ; pause = min(2*pause, 10*time.Second) {
		if err := l.wait(ctx); err != nil {
			return 0, err
		}
		capacity, err := request(ctx)
		if err == nil {
			units := unitsOf(capacity)
			l.spend(units)
			return units, nil
		}
		name := code.Of(err)
		switch {
		case access.Late(err) && ctx.Err() == nil && r.now().Sub(began) <= r.options.Patience: // nothing was done
		case errors.Is(err, lease.ErrLost), fenced(err), ctx.Err() != nil, name != "" && !code.Unavailable(name) && name != "TransactionConflictException":
			return 0, err
		case r.now().Sub(began) > r.options.Patience:
			return 0, fmt.Errorf("gave up after %v: %w", r.options.Patience, err)
		case code.Unavailable(name):
			l.throttled()
			r.spent.throttled.Add(1)
		}
		if stopped := r.sleep(ctx, pause); stopped != nil {
			return 0, errors.Join(stopped, err)
		}
	}
}

// fenced reports whether no request may be sent. One that came too late was not carried out, and is sent again under a new lease.
func fenced(err error) bool {
	_, is := errors.AsType[*access.FencedError](err)
	return is && !access.Late(err)
}

// An admission returns the options of a request to a table of the design, while the epoch lasts.
type admission = func(context.Context) ([]func(*dynamodb.Options), error)

type boundKey struct{}

// within binds the requests of a context to an epoch of its own: what follows a stream goes on when the steps begin another one.
func within(ctx context.Context, bound admission) context.Context {
	return context.WithValue(ctx, boundKey{}, bound)
}

// permitted returns the options of a request to a table of the design.
func (r *run) permitted(ctx context.Context) ([]func(*dynamodb.Options), error) {
	if bound, is := ctx.Value(boundKey{}).(admission); is {
		return bound(ctx)
	}
	if r.bound == nil {
		return nil, nil
	}
	return r.bound(ctx)
}

func unitsOf(c *types.ConsumedCapacity) float64 {
	if c == nil || c.CapacityUnits == nil {
		return 1 // the endpoint does not say
	}
	return *c.CapacityUnits
}

// conflict lists an item that cannot get its part.
func (r *run) conflict(ctx context.Context, p *part, item access.Item, reason string) error {
	return r.list(ctx, Conflict{Part: p.Name, Table: p.Table, Key: p.In.Old.KeyOf(item), Reason: reason})
}

// list writes a conflict down.
func (r *run) list(ctx context.Context, c Conflict) error {
	if r.listed == nil {
		return nil
	}
	c.At = r.now().UTC()
	return r.listed(ctx, c)
}

// PageItems bounds what is repeated after a crash, and how long a pause takes.
const PageItems = 250

// scan reads a page of a segment.
func (r *run) scan(ctx context.Context, table string, segment, segments int32, after access.Item) (*dynamodb.ScanOutput, error) {
	var out *dynamodb.ScanOutput
	units, err := r.try(ctx, r.reads, func(ctx context.Context) (_ *types.ConsumedCapacity, err error) {
		options, err := r.permitted(ctx)
		if err != nil {
			return nil, err
		}
		out, err = r.api.Scan(ctx, &dynamodb.ScanInput{
			TableName: &table, Segment: &segment, TotalSegments: &segments, ExclusiveStartKey: after,
			Limit: new(int32(PageItems)), ConsistentRead: new(true), ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
		}, options...)
		if err != nil {
			return nil, err
		}
		return out.ConsumedCapacity, nil
	})
	r.spent.add(units, 0)
	if err != nil {
		return nil, fmt.Errorf("scan %s: %w", table, err)
	}
	return out, nil
}
