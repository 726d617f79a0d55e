package cli

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"strings"

	"github.com/aws/smithy-go"

	"sortkey.dev/access/migrate"
	"sortkey.dev/design"
	"sortkey.dev/engine"
)

func planCommand() command {
	return command{
		name:    "plan",
		summary: "plan how tables get from one version of a design to the next",
		args:    "FILE",
		about: `The folder migrations beside the design holds its versions: what each was, whole, and a file of chained
checksums, sortkey.sum. Commit the folder with the design.
--baseline begins the history with the design as it is. Later, plan --name adds the design as it is now:
the version, and the migration to it, with its steps, their price, how long they take and how each
is taken back. "sortkey migrate apply" carries it out. Changes that cannot be planned are refused.
With --endpoint, numbers and sizes are those of the items there: up to 1,000 of each table are read and get their
new part in memory, and those that do not convert are listed. Nothing is written. --explain prints what a step sends.

Until "plan --settled" says that all tables, everywhere, have the last version, infra, iam, cost, report and check
are about the versions before and after the migration, so that nothing is removed that is still used.

In the file of the migration, what is marked "yours" may be changed; --edited accepts that. Two branches
that both add a version conflict in sortkey.sum when they are merged: --rebase gives one the next number.`,
		setup: func(flags *flag.FlagSet) action {
			var o planFlags
			flags.BoolVar(&o.baseline, "baseline", false, "begin a history: the design as it is becomes version 1")
			flags.StringVar(&o.name, "name", "", "the `NAME` of the version, such as task-titles")
			flags.Var(&o.tags, "tags", "the version is only the part of the design with these `TAGS`, such as phase1,phase2")
			flags.Var(&o.accept, "accept", "accept dangerous changes with these `CODES`, such as E045")
			flags.BoolVar(&o.dryRun, "dry-run", false, "print the plan without writing it")
			flags.BoolVar(&o.edited, "edited", false, "accept changes of what is yours in the last migration")
			flags.BoolVar(&o.settled, "settled", false, "note in the history that all tables, everywhere, have its last version")
			flags.StringVar(&o.rebase, "rebase", "", "give this `VERSION`, such as 0007-task-titles, the next number, and plan it again")
			flags.StringVar(&o.explain, "explain", "", "print the requests of this `STEP` of the last migration, by name or number")
			flags.StringVar(&o.endpoint, "endpoint", "", "read numbers and sizes of items from the DynamoDB at this `URL`, and convert 1,000 of each table")
			flags.StringVar(&o.region, "region", "", "the AWS `REGION`; alone, items are read from AWS")
			flags.StringVar(&o.prefix, "table-prefix", "", "prefix every table name with this `TEXT`")
			flags.BoolVar(&o.asJSON, "json", false, "print one JSON object")
			return func(s streams, args []string) error {
				d, err := oneDesign("plan", args)
				if err != nil {
					return err
				}
				ctx, stop := untilSignal()
				defer stop()
				return o.run(ctx, s, d, args[0])
			}
		},
	}
}

type planFlags struct {
	baseline, dryRun, edited, settled, asJSON bool
	name, rebase, explain                     string
	endpoint, region, prefix                  string
	tags, accept                              words
}

func (o *planFlags) run(ctx context.Context, s streams, d *design.Design, path string) error {
	var files []design.HistoryFile
	var err error
	switch {
	case o.explain != "":
		return o.steps(ctx, s, d, path)
	case o.edited:
		files, err = d.AcceptEdits()
	case o.settled:
		files, err = d.Settle()
	case o.baseline:
		files, err = d.Baseline(cmp.Or(o.name, "baseline"), o.tags)
	case o.name == "" && o.rebase == "":
		return misuse("plan needs the name of the new version", "For example: sortkey plan "+path+" --name task-titles", "To begin a history: sortkey plan --baseline "+path)
	default:
		return o.plan(ctx, s, d, path)
	}
	if err != nil {
		return o.failed(s, err, path)
	}
	return o.write(s, files)
}

// plan plans a version, or plans one again that comes after another branch's.
func (o *planFlags) plan(ctx context.Context, s streams, d *design.Design, path string) error {
	options := design.PlanOptions{Name: o.name, Tags: o.tags, Rebase: o.rebase, Accept: map[string]string{}}
	for _, text := range o.accept {
		code, reason, _ := strings.Cut(text, "=")
		options.Accept[code] = cmp.Or(reason, "accepted with --accept")
	}
	plan, err := o.measured(ctx, s, d, options)
	if err != nil {
		return o.failed(s, err, path)
	}
	if err := printResult(s, plan, o.asJSON); err != nil {
		return err
	}
	o.refused(s, plan)
	if o.dryRun {
		return nil
	}
	if o.asJSON {
		return writeHistory(plan.Files())
	}
	fmt.Fprintln(s.out)
	return o.write(s, plan.Files())
}

// measured plans with the numbers of the design, or with those of an endpoint.
func (o *planFlags) measured(ctx context.Context, s streams, d *design.Design, options design.PlanOptions) (*design.Plan, error) {
	if o.endpoint == "" && o.region == "" {
		return d.Plan(options)
	}
	client, err := endpointClient(ctx, o.endpoint, o.region, newProgressLine(s.err))
	if err != nil {
		return nil, err
	}
	db, err := engine.Open("", nil)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	plan, err := d.PlanFor(ctx, options, &design.PlanEndpoint{API: client, Memory: db.API(), TableName: func(name string) string { return o.prefix + name }})
	if _, refused := errors.AsType[smithy.APIError](err); refused || errors.Is(err, context.Canceled) {
		return nil, endpointFailure(o.endpoint, err)
	}
	if _, unreachable := errors.AsType[*net.OpError](err); unreachable {
		return nil, endpointFailure(o.endpoint, err)
	}
	return plan, err
}

// refused lists items that were read and would not get their new part.
func (o *planFlags) refused(s streams, plan *design.Plan) {
	all := plan.Refused()
	if len(all) == 0 {
		return
	}
	fmt.Fprintf(s.err, "note  %d of the items that were read would be conflicts:\n", len(all))
	for i, c := range all {
		if i == mostShown {
			fmt.Fprintf(s.err, "      and %d more\n", len(all)-i)
			break
		}
		fmt.Fprintf(s.err, "      %s  %s: %s\n", o.prefix+c.Table, migrate.KeyText(c.Key), c.Reason)
	}
}

// mostShown is the number of items that a note lists.
const mostShown = 10

// steps explains steps of the last migration.
func (o *planFlags) steps(ctx context.Context, s streams, d *design.Design, path string) error {
	var open []*engine.DB
	defer func() {
		for _, db := range open {
			db.Close()
		}
	}()
	steps, err := d.ExplainSteps(ctx, o.explain, func() (design.PlanDatabase, error) {
		db, err := engine.Open("", nil)
		if err != nil {
			return nil, err
		}
		open = append(open, db)
		return db.API(), nil
	})
	if _, wrong := errors.AsType[*design.OptionError](err); wrong {
		return misuse(err.Error())
	}
	if err != nil {
		return o.failed(s, err, path)
	}
	return printResult(s, steps, o.asJSON)
}

func (o *planFlags) failed(s streams, err error, path string) error {
	_, advised := errors.AsType[*problem](err)
	switch _, broken := errors.AsType[*design.BrokenError](err); {
	case advised:
		return err
	case broken:
		return usable(s, err, o.asJSON)
	case errors.Is(err, design.ErrNoHistory):
		return misuse(path+": the design has no history", "Begin one: sortkey plan --baseline "+path)
	case errors.Is(err, design.ErrNothingToPlan):
		return advise(err, "Change the design first; sortkey diff "+path+" shows what differs.")
	}
	return advise(err, "sortkey diff "+path+" shows the changes with what goes wrong; sortkey explain, with a code, its page.")
}

func (o *planFlags) write(s streams, files []design.HistoryFile) error {
	if err := writeHistory(files); err != nil {
		return err
	}
	for _, f := range files {
		done := "wrote"
		if f.Text == nil {
			done = "removed"
		}
		fmt.Fprintf(s.out, "%s %s\n", done, f.Path)
	}
	return nil
}

// writeHistory writes and removes the files of a version.
func writeHistory(files []design.HistoryFile) error {
	var texts []newText
	var gone []string
	for _, f := range files {
		if f.Text == nil {
			gone = append(gone, f.Path)
			continue
		}
		texts = append(texts, newText{f.Path, f.Text})
	}
	return replaceFiles(texts, gone)
}
