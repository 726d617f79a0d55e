package cli

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

	"sortkey.dev/design"
	"sortkey.dev/engine"
)

func diffCommand() command {
	return command{
		name:    "diff",
		summary: "compare two versions of a design",
		args:    "[OLD] NEW",
		about: `Each version is a design file, a directory of them that belong together, FILE#ALTERNATIVE for another
layout of a file, or a revision of git with a path:
  sortkey diff main:apps/shop/shop.design.yaml apps/shop/shop.design.yaml
A file with the name of an argument comes before a revision. A used design is read from the same revision.
FILE@7 is version 7 of the design's history, and @7 that of the other argument. Without OLD, it is the
last version of the history.

Things are the same if they have the same name, or if NEW says was: and the name in OLD. Nothing is
guessed; where something was removed and something like it added, E004 asks. Each change has a class:
  compatible  both may run, and nothing has to be done
  ordered     both may run, if they come in the right order
  backfill    old items need something that old code does not damage
  dual        old code damages what is new: write both for a while
  breaking    not possible while programs run, as it is written
and may be dangerous besides: data is deleted or becomes unreachable. "sortkey explain E016" shows the
page of a change. Accept one in NEW, around what changed, or with --accept:
  accept: { E014: "nobody reads the nickname" }
Both versions run on each other's items, in memory: each change shows the smallest calls that go wrong.
With --endpoint the items are counted that a new TTL would delete, a new index refuse, and a removed
table lose: a scan of such a table, half a read unit for 4 KB, which writes nothing.
The exit status is 1 if a change that is not accepted is an error or at least of the class --fail-on.`,
		setup: func(flags *flag.FlagSet) action {
			var c diffConfig
			c.failOn = choice{value: "breaking", allowed: design.ChangeLevels()}
			flags.BoolVar(&c.asJSON, "json", false, "print one JSON object")
			flags.BoolVar(&c.asSARIF, "sarif", false, "print SARIF 2.1.0, which code hosts show beside a diff")
			flags.BoolVar(&c.asMarkdown, "markdown", false, "print Markdown, for a comment on a pull request")
			flags.BoolVar(&c.accepted, "accepted", false, "show accepted changes too")
			flags.BoolVar(&c.noRun, "no-run", false, "do not run the versions on each other's items")
			flags.Var(&c.accept, "accept", "accept changes with these `CODES`, such as E014,E045")
			flags.StringVar(&c.endpoint, "endpoint", "", "count items of dangerous changes in the tables of the DynamoDB at this `URL`, or on AWS with --endpoint aws")
			flags.StringVar(&c.region, "region", "", "the AWS `REGION`")
			flags.StringVar(&c.prefix, "table-prefix", "", "prefix every table name with this `TEXT`")
			flags.StringVar(&c.mostCost, "max-cost", "", "warn if a month costs more than this `AMOUNT`, such as $200, or more than 10% more")
			flags.StringVar(&c.policy, "policy", "", "read severities from this `FILE`")
			flags.StringVar(&c.prices, "prices", "", "read prices from this `FILE` instead of the built-in ones")
			flags.Var(&c.failOn, "fail-on", "exit 1 on changes of at least this `CLASS`, or severity: compatible, ordered, backfill, dual, breaking, error, warning or note")
			return c.run
		},
	}
}

type diffConfig struct {
	asJSON, asSARIF, asMarkdown, accepted, noRun bool
	endpoint, region, prefix                     string
	mostCost, policy, prices                     string
	accept                                       words
	failOn                                       choice
}

func (c *diffConfig) run(s streams, args []string) error {
	if len(args) != 1 && len(args) != 2 {
		return misuse(fmt.Sprintf("diff takes two versions of a design, got %s", arguments(len(args))),
			"For example: sortkey diff main:shop.design.yaml shop.design.yaml")
	}
	if more := c.formats(); more > 1 {
		return misuse("--json, --sarif and --markdown cannot be combined", "Give one of them.")
	}
	options, err := c.options()
	if err != nil {
		return err
	}
	before, after, err := openVersions(args)
	if err != nil {
		return err
	}
	ctx, stop := untilSignal()
	defer stop()
	if c.endpoint != "" {
		tell := newProgressLine(s.err)
		defer tell.clear()
		client, err := endpointClient(ctx, c.address(), c.region, tell)
		if err != nil {
			return err
		}
		options.Live, options.TableName = client, func(name string) string { return c.prefix + name }
	}
	changes, err := c.diff(ctx, before, after, options)
	if broken, ok := errors.AsType[*design.BrokenError](err); ok && c.asSARIF { // code hosts refuse an empty file
		return cmp.Or(broken.Findings.SARIF(s.out, thisBuild().Version), error(errPrinted))
	}
	if counting, ok := errors.AsType[*design.CountError](err); ok {
		return endpointFailure(c.address(), counting)
	}
	if err != nil {
		return usable(s, err, c.asJSON)
	}
	if err := c.print(s, changes); err != nil {
		return err
	}
	if failed, err := changes.Failed(c.failOn.value); err != nil || failed {
		return errPrinted
	}
	return nil
}

// diff compares the versions and runs them in memory, unless the user does not want that.
func (c *diffConfig) diff(ctx context.Context, before, after design.Version, o design.DiffOptions) (*design.Changes, error) {
	if c.noRun {
		return design.Diff(ctx, before, after, o)
	}
	db, err := engine.Open("", nil)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	o.Memory = db.API()
	return design.Diff(ctx, before, after, o)
}

// address returns the endpoint whose items are counted; "" is AWS.
func (c *diffConfig) address() string {
	if c.endpoint == atAWS {
		return ""
	}
	return c.endpoint
}

func (c *diffConfig) formats() int {
	n := 0
	for _, chosen := range []bool{c.asJSON, c.asSARIF, c.asMarkdown} {
		if chosen {
			n++
		}
	}
	return n
}

func (c *diffConfig) options() (design.DiffOptions, error) {
	o := design.DiffOptions{MostCost: c.mostCost, Accept: c.accept, ShowAccepted: c.accepted}
	var err error
	if c.policy != "" {
		if o.Policy, err = os.ReadFile(c.policy); err != nil {
			return o, misuse(fmt.Sprintf("cannot read the policy file: %v", err))
		}
	}
	if c.prices != "" {
		if o.Prices, err = os.ReadFile(c.prices); err != nil {
			return o, misuse(fmt.Sprintf("cannot read the price file: %v", err))
		}
	}
	return o, nil
}

func (c *diffConfig) print(s streams, changes *design.Changes) error {
	switch {
	case c.asSARIF:
		return changes.SARIF(s.out, thisBuild().Version)
	case c.asMarkdown:
		return changes.Markdown(s.out)
	}
	return printResult(s, changes, c.asJSON)
}
