package cli

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"sortkey.dev/design"
	"sortkey.dev/engine"
)

func verifyCommand() command {
	return command{
		name:    "verify",
		summary: "run a design: every pattern on invented items, compared with brute force",
		args:    "FILE",
		about: `Makes the tables of the design, fills them with invented items, and calls every pattern many
times, with values at and beside the edges. Each answer is compared with one found by looking
at every item, each write with what it should change and with what must refuse it, and the
units DynamoDB counts with those of the cost model. Also shown: how the load spreads.

It runs on the embedded engine, in memory. With --endpoint it runs on any DynamoDB, in tables
with a name of their own that are deleted afterwards; on AWS that costs a few cents.
The exit status is 1 if anything differs.`,
		setup: func(flags *flag.FlagSet) action {
			var c verifyConfig
			flags.Uint64Var(&c.options.Seed, "seed", 1, "invent the items and calls of this `number`")
			flags.IntVar(&c.options.Runs, "calls", 0, "call each pattern this `number` of times (default 24)")
			flags.IntVar(&c.options.Roots, "roots", 0, "items of an entity that refers to no other (default 12)")
			flags.IntVar(&c.options.Children, "children", 0, "most items of an entity for one it refers to (default 10)")
			flags.Var((*words)(&c.options.Only), "patterns", "only these `patterns`, such as ListOrders,PlaceOrder")
			flags.Var((*words)(&c.options.Tags), "tags", "only patterns with one of these `tags`")
			flags.StringVar(&c.alternative, "alternative", "", "take this `alternative` of the design instead of the layout it chose")
			flags.StringVar(&c.endpoint, "endpoint", "", "run on the DynamoDB at this `URL`, or on AWS with --endpoint aws")
			flags.StringVar(&c.region, "region", "", "the AWS `REGION`")
			flags.BoolVar(&c.keep, "keep", false, "leave the tables of the endpoint for a look at them")
			flags.BoolVar(&c.asJSON, "json", false, "print one JSON object")
			return func(s streams, args []string) error {
				ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
				context.AfterFunc(ctx, stop) // a second signal ends the process at once
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

// atAWS is the endpoint that means AWS itself.
const atAWS = "aws"

// awsLag is how long an index of AWS may stay behind before a difference counts.
const awsLag = 10 * time.Second

func (c *verifyConfig) run(ctx context.Context, s streams, args []string) error {
	d, err := oneDesign("verify", args)
	if err != nil {
		return err
	}
	api, closing, err := c.database(s.err)
	if err != nil {
		return err
	}
	defer closing()
	progress := newProgressLine(s.err)
	c.options.Progress = func(p design.VerifyProgress) { progress.show(p.Done, p.Total, p.Doing) }
	answer, err := d.Verify(ctx, api, c.alternative, c.keep, c.options)
	progress.clear()
	if err != nil {
		if _, broken := errors.AsType[*design.BrokenError](err); broken {
			return usable(s, err, c.asJSON)
		}
		return endpointFailure(c.endpoint, err)
	}
	if err := printResult(s, answer, c.asJSON); err != nil {
		return err
	}
	if answer.Failed() {
		return errSaid
	}
	return nil
}

// database is the DynamoDB to run on: an engine in memory, or an endpoint.
func (c *verifyConfig) database(w io.Writer) (design.DynamoDB, func(), error) {
	if c.endpoint == "" {
		db, err := engine.Open("", nil)
		if err != nil {
			return nil, nil, err
		}
		return db.API(), func() { db.Close() }, nil
	}
	endpoint := c.endpoint
	if endpoint == atAWS {
		endpoint = ""
	}
	client, err := endpointClient(endpoint, c.region)
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
		fmt.Fprintf(w, "The tables begin with %s and stay.\n", c.options.Prefix)
	}
	return client, func() {}, nil
}
