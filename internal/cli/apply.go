package cli

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access"
	"sortkey.dev/access/migrate"
	"sortkey.dev/access/provision"
	"sortkey.dev/design"
	"sortkey.dev/internal/wait"
)

func applyCommand() command {
	return command{
		name:    "apply",
		summary: "create or update the tables of a design on an endpoint",
		args:    "FILE",
		about: `Missing tables and indexes are created, and what differs is changed: billing, capacity, stream,
time to live, point-in-time recovery, class, encryption, protection, tags. All tables are compared
first; if a change is impossible, such as another key, nothing is changed. The command waits until
all tables and indexes are active. If it is interrupted, it can be run again.

Nothing is removed without --prune, and tables are never deleted.

What the items of a table look like is stored in its tag sortkey:shape. A design that would
make them look otherwise is refused, with the names of what differs. A table without the tag is
adopted if 1,000 of its items fit the design, and refused if one does not.

A design with a history is applied only as its last version says. Tables and indexes that a step of a migration
makes or removes are left to "sortkey migrate apply".

Without --endpoint the tables are created in AWS. Credentials and the region come from AWS_ACCESS_KEY_ID,
AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN and AWS_REGION.`,
		setup: func(flags *flag.FlagSet) action {
			var c applyConfig
			flags.StringVar(&c.endpoint, "endpoint", "", "the DynamoDB at this `URL`, such as http://127.0.0.1:8000 (default AWS)")
			flags.StringVar(&c.region, "region", "", "the AWS `REGION`")
			flags.StringVar(&c.prefix, "table-prefix", "", "prefix every table name with this `TEXT`")
			flags.StringVar(&c.kmsKey, "kms-key", "", "id or `ARN` of the key for tables with encryption: customer")
			flags.StringVar(&c.alternative, "alternative", "", "use this `ALTERNATIVE` of the design instead of its main layout")
			flags.Var(&c.tags, "tags", "only tables and indexes of these `TAGS`, such as phase1,phase2")
			flags.BoolVar(&c.dryRun, "dry-run", false, "print what would change, without changing anything")
			flags.BoolVar(&c.prune, "prune", false, "remove indexes, streams, tags and other settings that the design does not have")
			flags.BoolVar(&c.replace, "replace", false, "rebuild an index if its keys or its projection differ; queries on it fail until it is rebuilt")
			flags.BoolVar(&c.accept, "accept-shape", false, "accept a table whose items the design would write otherwise: items that are not as it says are then lost to lists, read wrong or written twice")
			flags.BoolVar(&c.asJSON, "json", false, "print one JSON object")
			return func(s streams, args []string) error {
				ctx, stop := untilSignal()
				defer stop()
				return applyDesign(ctx, s, c, args)
			}
		},
	}
}

// applyConfig holds the flags of apply.
type applyConfig struct {
	endpoint, region, prefix, kmsKey string
	alternative                      string
	tags                             words
	dryRun, prune, replace, asJSON   bool
	accept                           bool
}

func applyDesign(ctx context.Context, s streams, c applyConfig, args []string) error {
	d, err := oneDesign("apply", args)
	if err != nil {
		return err
	}
	tell := newProgressLine(s.err)
	client, err := endpointClient(ctx, c.endpoint, c.region, tell)
	if err != nil {
		return err
	}
	work, err := c.standing(ctx, d, args[0], client, tell)
	if err != nil {
		return usable(s, err, c.asJSON)
	}
	tables, options := work.tables, c.options(tell)
	options.AcceptShape, options.KeepStreams = options.AcceptShape || work.accept, work.runs
	changes, err := provision.Apply(ctx, client, tables, options)
	if refused, ok := errors.AsType[*provision.RefusedError](err); ok {
		return cannotApply(refused)
	}
	r := applied{DryRun: c.dryRun}
	for _, change := range changes {
		if change.Unsupported != "" {
			r.Unsupported = append(r.Unsupported, change)
		} else {
			r.Changes = append(r.Changes, change)
		}
	}
	switch {
	case err == nil:
		r.Unchanged = untouched(tables, changes, options.TableNames)
		err = r.next(tell)
		if err == nil && !c.dryRun && work.last {
			err = c.noteVersion(ctx, d, client)
		}
	case errors.Is(err, context.Canceled):
		err = advise(errors.New("stopped"), "Run the same command again to continue.")
	default:
		err = endpointFailure(c.endpoint, err)
	}
	return r.print(s.out, c.asJSON, err)
}

// noteVersion makes the state row of a design with a history, if there is none: the tables have its last version.
func (c applyConfig) noteVersion(ctx context.Context, d *design.Design, client *dynamodb.Client) error {
	h, err := d.History()
	if errors.Is(err, design.ErrNoHistory) {
		return nil
	}
	if err != nil {
		return err
	}
	version, _ := h.Last()
	epochs, err := c.epochs(h, client)
	if err != nil {
		return err
	}
	lease := access.LeaseInPeace
	if onThisMachine(c.endpoint) {
		lease = access.LeaseOnMachine
	}
	if _, err = epochs.Create(ctx, version, lease); errors.Is(err, migrate.ErrChanged) {
		return nil // there is one
	}
	return err
}

// options returns the options of the flags. Long waits are reported to tell.
func (c applyConfig) options(tell *progressLine) provision.Options {
	o := provision.Options{
		DryRun: c.dryRun, Prune: c.prune, Replace: c.replace, AcceptShape: c.accept, KMSKey: c.kmsKey,
		TableNames: func(name string) string { return c.prefix + name },
	}
	if o.KMSKey == "" && onThisMachine(c.endpoint) {
		o.KMSKey = "none" // nothing is encrypted here, so any key will do
	}
	current, slept, told := "wait for a table", time.Duration(0), time.Duration(0)
	o.Progress = func(change provision.Change) { current, slept, told = change.Text, 0, 0 }
	o.Sleep = func(ctx context.Context, pause time.Duration) error {
		if err := wait.For(ctx, pause); err != nil {
			return err
		}
		slept += pause
		if slept-told >= 10*time.Second || told == 0 && slept >= 2*time.Second {
			told = slept
			tell.say("%s: not finished after %s", current, slept.Round(time.Second))
		}
		return nil
	}
	return o
}

// cannotApply returns the error for changes that are not possible, with the next step for each.
func cannotApply(refused *provision.RefusedError) error {
	var next []string
	text := "nothing was changed"
	for _, r := range refused.Reasons {
		text += fmt.Sprintf("\n  table %s: %s", r.Table, r.Text)
		hint := r.Next
		if r.Replace {
			hint += " (--replace)"
		}
		if r.Shape {
			hint = "plan the change with sortkey plan, or " + hint + " (--accept-shape)"
		}
		if hint != "" && !slices.Contains(next, hint) {
			next = append(next, hint)
		}
	}
	for i, hint := range next {
		next[i] = "To do: " + hint + "."
	}
	return advise(errors.New(text), next...)
}

// applied is the result of apply.
type applied struct {
	DryRun      bool               `json:"dryRun"`
	Changes     []provision.Change `json:"changes"`
	Unsupported []provision.Change `json:"unsupported,omitempty"` // left out each time: the endpoint does not have it
	Unchanged   []string           `json:"unchanged"`             // tables
	Error       *failure           `json:"error,omitempty"`
}

// untouched returns the tables without changes.
func untouched(tables []provision.Table, changes []provision.Change, name func(string) string) []string {
	all := []string{}
	for _, t := range tables {
		changed := slices.ContainsFunc(changes, func(c provision.Change) bool { return c.Table == name(t.Name) && c.Skipped == "" })
		if !changed {
			all = append(all, name(t.Name))
		}
	}
	return all
}

// print writes the result of a run that ended with an error or nil, and returns that
// error.
func (r applied) print(w io.Writer, asJSON bool, ended error) error {
	if asJSON {
		return r.printJSON(w, ended)
	}
	for _, c := range r.Changes {
		text := c.String()
		if r.DryRun && c.Skipped == "" {
			text = "would " + text
		}
		if _, err := fmt.Fprintln(w, text); err != nil {
			return err
		}
	}
	for _, table := range r.Unchanged {
		if _, err := fmt.Fprintln(w, "unchanged "+table); err != nil {
			return err
		}
	}
	for _, line := range r.leftOut() {
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return ended
}

// leftOut returns a line for each feature that the endpoint does not have, with the tables that ask for it.
func (r applied) leftOut() []string {
	var features []string
	tables := map[string][]string{}
	for _, c := range r.Unsupported {
		if tables[c.Unsupported] == nil {
			features = append(features, c.Unsupported)
		}
		if !slices.Contains(tables[c.Unsupported], c.Table) {
			tables[c.Unsupported] = append(tables[c.Unsupported], c.Table)
		}
	}
	for i, feature := range features {
		features[i] = fmt.Sprintf("left out %s of %s: this endpoint does not support it", feature, strings.Join(tables[feature], ", "))
	}
	return features
}

func (r applied) printJSON(w io.Writer, ended error) error {
	r.Changes = append([]provision.Change{}, r.Changes...) // [] rather than null
	r.Unchanged = append([]string{}, r.Unchanged...)
	if ended != nil {
		f := failureOf(ended)
		r.Error, ended = &f, &reportedError{ended}
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(r); err != nil {
		return err
	}
	return ended
}

// next prints the next steps. Changes that DynamoDB postponed are an error.
func (r applied) next(tell *progressLine) error {
	surplus := func(c provision.Change) bool { return c.Surplus }
	if slices.ContainsFunc(r.Changes, surplus) {
		tell.say("To remove what the design does not have, run again with --prune.")
	}
	if slices.ContainsFunc(r.Changes, func(c provision.Change) bool { return c.Later }) {
		return advise(errors.New("not everything could be changed now"), "Run the same command again in an hour.")
	}
	return nil
}
