package cli

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"sortkey.dev/design"
	"sortkey.dev/engine"
)

func verifyCommand() command {
	return command{
		name:    "verify",
		summary: "run every pattern of a design and compare with brute force",
		args:    "FILE",
		about: `Creates the tables of the design, fills them with sample items, and calls every pattern many
times, with values at and beside boundaries. Each result is compared with a scan of all items, each
write with its expected changes and the conditions that must reject it, and the units DynamoDB
counts with those of the cost model. It also shows how the load spreads over partitions.

It runs on the embedded engine, in memory. With --endpoint it runs on any DynamoDB, in tables
with unique names that are deleted afterwards, also after an interrupt; on AWS that costs a few
cents.
The exit status is 1 if anything differs.`,
		setup: func(flags *flag.FlagSet) action {
			var c verifyConfig
			c.options.Seed = 1
			flags.Var((*seed)(&c.options.Seed), "seed", "random seed `NUMBER` for sample items and calls")
			flags.Var(boundedVar(&c.options.Runs, design.DefaultVerifyCalls, 1, mostCalls), "calls", "call each pattern `NUMBER` times")
			flags.Var(boundedVar(&c.options.Roots, design.DefaultVerifyRoots, 1, mostItems), "roots", "create this `NUMBER` of items of each entity that refers to no other")
			flags.Var(boundedVar(&c.options.Children, design.DefaultVerifyChildren, 1, mostItems), "children", "create at most this `NUMBER` of items of an entity for each item it refers to")
			flags.Var((*words)(&c.options.Only), "patterns", "only these `PATTERNS`, such as ListOrders,PlaceOrder")
			flags.Var((*words)(&c.options.Tags), "tags", "only patterns with one of these `TAGS`")
			flags.StringVar(&c.alternative, "alternative", "", "use this `ALTERNATIVE` of the design instead of its main layout")
			flags.StringVar(&c.endpoint, "endpoint", "", "run on the DynamoDB at this `URL`, or on AWS with --endpoint aws")
			flags.StringVar(&c.region, "region", "", "the AWS `REGION`")
			flags.BoolVar(&c.keep, "keep", false, "keep the tables on the endpoint")
			flags.BoolVar(&c.asJSON, "json", false, "print one JSON object")
			return func(s streams, args []string) error {
				ctx, stop := untilSignal()
				defer stop()
				return c.run(ctx, s, args)
			}
		},
	}
}

type verifyConfig struct {
	endpoint, region, alternative string
	keep, asJSON                  bool
	options                       design.VerifyOptions
}

// atAWS is the value of --endpoint that means AWS itself.
const atAWS = "aws"

// Upper limits of flags: beyond them a run takes hours and finds nothing new.
const (
	mostCalls = 10000
	mostItems = 200
)

// awsLag is the time an index of AWS may lag behind before a difference counts.
const awsLag = 10 * time.Second

func (c *verifyConfig) run(ctx context.Context, s streams, args []string) error {
	d, err := oneDesign("verify", args)
	if err != nil {
		return err
	}
	progress := newProgressLine(s.err)
	api, closing, err := c.database(ctx, progress)
	if err != nil {
		return err
	}
	defer closing()
	answer, err := c.verify(ctx, d, api, progress)
	if _, broken := errors.AsType[*design.BrokenError](err); broken {
		return usable(s, err, c.asJSON)
	}
	if err != nil {
		return c.failure(err)
	}
	if err := printResult(s, answer, c.asJSON); err != nil {
		return err
	}
	if answer.Failed() {
		return errPrinted
	}
	return nil
}

// verify runs the design and reports its progress.
func (c *verifyConfig) verify(ctx context.Context, d *design.Design, api design.DynamoDB, progress *progressLine) (*design.Verification, error) {
	tick := time.NewTicker(logInterval)
	defer tick.Stop()
	progress.start(tick.C)
	defer progress.clear()
	deleting, end := c.tellInterrupt(ctx, progress)
	defer end()
	c.options.Progress = func(p design.VerifyProgress) {
		if p.Deleting {
			deleting()
			progress.show(p.Doing)
			return
		}
		progress.show(fmt.Sprintf("%d of %d patterns, %d calls: %s", p.Done, p.Total, p.Calls, p.Doing))
	}
	return d.Verify(ctx, api, c.alternative, c.keep, c.options)
}

// tellInterrupt prints after an interrupt that tables are being deleted, once the deletion
// begins. Before there are tables it prints nothing. End waits for pending output.
func (c *verifyConfig) tellInterrupt(ctx context.Context, progress *progressLine) (deleting, end func()) {
	if c.endpoint == "" {
		return func() {}, func() {}
	}
	say := sync.OnceFunc(func() {
		progress.say("stopping; deleting the tables %s… (interrupt again to leave them)", c.options.Prefix)
	})
	var begun atomic.Bool
	said := make(chan struct{})
	forget := context.AfterFunc(ctx, func() {
		defer close(said)
		if begun.Load() {
			say()
		}
	})
	deleting = func() {
		begun.Store(true)
		if ctx.Err() != nil {
			say()
		}
	}
	return deleting, func() {
		if !forget() {
			<-said
		}
	}
}

// failure returns the error of a run that failed, with the tables that may be left.
func (c *verifyConfig) failure(err error) error {
	left, remain := errors.AsType[*design.TablesLeftError](err)
	if remain {
		err = cmp.Or(left.Run, left.Err)
	}
	if errors.Is(err, context.Canceled) {
		err = errors.New("stopped")
	} else {
		err = endpointFailure(c.address(), err)
	}
	if !remain || c.endpoint == "" {
		return err
	}
	var next []string
	if p, ok := errors.AsType[*problem](err); ok {
		next = p.next
	}
	return advise(err, append([]string{"Tables whose names begin with " + left.Prefix + " may remain: delete them."}, next...)...)
}

// address returns the endpoint to call; "" is AWS.
func (c *verifyConfig) address() string {
	if c.endpoint == atAWS {
		return ""
	}
	return c.endpoint
}

// database returns the DynamoDB for the run: an engine in memory, or an endpoint.
func (c *verifyConfig) database(ctx context.Context, tell *progressLine) (design.DynamoDB, func(), error) {
	if c.endpoint == "" {
		db, err := engine.Open("", nil)
		if err != nil {
			return nil, nil, err
		}
		return db.API(), func() { db.Close() }, nil
	}
	client, err := endpointClient(ctx, c.address(), c.region, tell)
	if err != nil {
		return nil, nil, err
	}
	var name [4]byte
	if _, err := rand.Read(name[:]); err != nil {
		return nil, nil, err
	}
	c.options.Prefix = "verify-" + hex.EncodeToString(name[:]) + "-"
	c.options.Lag = awsLag
	if c.keep {
		tell.say("The tables begin with %s and stay.", c.options.Prefix)
	}
	return client, func() {}, nil
}
