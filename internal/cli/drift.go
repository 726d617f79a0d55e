package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/drift"
	"sortkey.dev/access/migrate"
	"sortkey.dev/design"
)

func driftCommand() command {
	return command{
		name:    "drift",
		summary: "compare live tables and their items with a design",
		args:    "FILE",
		about: `The tables are compared first, as apply would do it. Then items are read, 1,000 of each table:
every item must belong to one entity, decode, and have the keys that its attributes give, and the
rows of its unique values must exist. With --full all items are read, and counters are compared
with what they count; writes meanwhile may make one look wrong, so run it again.

Findings have the codes E081 to E086 and list up to five keys each, but no other values. The exit
status is 1 if there are any. Nothing is written. What will be read is estimated first.

Without --endpoint the tables are those in AWS. Credentials and the region come from AWS_ACCESS_KEY_ID,
AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN and AWS_REGION.`,
		setup: func(flags *flag.FlagSet) action {
			var c driftConfig
			flags.StringVar(&c.endpoint, "endpoint", "", "the DynamoDB at this `URL`, such as http://127.0.0.1:8000 (default AWS)")
			flags.StringVar(&c.region, "region", "", "the AWS `REGION`")
			flags.StringVar(&c.prefix, "table-prefix", "", "prefix every table name with this `TEXT`")
			flags.StringVar(&c.kmsKey, "kms-key", "", "id or `ARN` of the key for tables with encryption: customer")
			flags.StringVar(&c.alternative, "alternative", "", "use this `ALTERNATIVE` of the design instead of its main layout")
			flags.Var(&c.tags, "tags", "only tables and indexes of these `TAGS`, such as phase1,phase2")
			flags.IntVar(&c.sample, "sample", 0, "read this `NUMBER` of items of each table (default 1000)")
			flags.BoolVar(&c.full, "full", false, "read all items, and compare counters")
			flags.Float64Var(&c.most, "most", 0, "consume at most so many read `UNITS` (default any number)")
			flags.BoolVar(&c.asJSON, "json", false, "print one JSON object")
			return func(s streams, args []string) error {
				ctx, stop := untilSignal()
				defer stop()
				return c.run(ctx, s, args)
			}
		},
	}
}

// driftConfig holds the flags of drift.
type driftConfig struct {
	applyConfig
	sample int
	full   bool
	most   float64
}

func (c *driftConfig) run(ctx context.Context, s streams, args []string) error {
	switch {
	case c.full && c.sample != 0:
		return misuse("--full and --sample cannot be combined", "Give one of them.")
	case c.sample < 0:
		return misuse("--sample must be above 0")
	case c.most != 0 && !(c.most >= drift.LeastMost):
		return misuse(fmt.Sprintf("--most must be at least %.0f: one item may take so many read units", float64(drift.LeastMost)))
	}
	d, err := oneDesign("drift", args)
	if err != nil {
		return err
	}
	tables, err := d.Tables(c.alternative, c.tags...)
	if err != nil {
		return usable(s, err, c.asJSON)
	}
	tell := newProgressLine(s.err)
	defer tell.clear()
	client, err := endpointClient(ctx, c.endpoint, c.region, tell)
	if err != nil {
		return err
	}
	o := c.options(tell)
	if o.State, err = c.state(ctx, d, client); err != nil {
		return err
	}
	report, err := drift.Check(ctx, client, tables, o)
	tell.clear()
	most, isMost := errors.AsType[*drift.MostError](err)
	switch {
	case isMost && c.full:
		return advise(most, "Raise --most, or read a sample: leave --full out.")
	case isMost:
		return advise(most, "Raise --most, or read less with --sample.")
	case errors.Is(err, context.Canceled):
		return advise(errors.New("stopped"), "Nothing was changed.")
	case err != nil:
		return endpointFailure(c.endpoint, err)
	}
	return c.print(s, report)
}

func (c *driftConfig) options(tell *progressLine) drift.Options {
	return drift.Options{
		Sample: c.sample, Full: c.full, Most: c.most, Tables: c.applyConfig.options(tell),
		Expected: func(e drift.Estimate) {
			tell.say("reading about %d items: about %.0f read units", e.Items, math.Ceil(e.Units))
		},
		Progress: func(p drift.Progress) {
			tell.show(fmt.Sprintf("%s: %d items, %.0f read units", p.Table, p.Items, p.Units))
		},
	}
}

// state returns where the state row of a design with a history is. Items have parts of two versions while a
// migration is under way, so they cannot be compared then.
func (c *driftConfig) state(ctx context.Context, d *design.Design, client *dynamodb.Client) (*access.StateRow, error) {
	h, err := d.History()
	if errors.Is(err, design.ErrNoHistory) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	named, err := h.State()
	if err != nil {
		return nil, err
	}
	epochs := migrate.Epochs{API: client, Design: named, TableName: func(name string) string { return c.prefix + name }}
	state, err := epochs.Read(ctx)
	if err == nil && state.Migration != "" {
		return nil, advise(fmt.Errorf("migration %s is under way: items have parts of two versions", state.Migration), "Carry it out first: sortkey migrate apply, or take it back: sortkey migrate rollback.")
	}
	if _, missing := errors.AsType[*types.ResourceNotFoundException](err); err != nil && !missing && !errors.Is(err, migrate.ErrNoState) {
		return nil, endpointFailure(c.endpoint, err)
	}
	return &named.State, nil
}

// A drifted is the result as it is printed.
type drifted struct {
	Findings []driftFinding `json:"findings"`
	Tables   []driftTable   `json:"tables"`
	LeftOut  []string       `json:"leftOut"` // what could not be compared, and why
	Units    float64        `json:"readUnits"`
}

type driftFinding struct {
	Code     string   `json:"code"`
	Name     string   `json:"name"`
	Severity string   `json:"severity"`
	Table    string   `json:"table"`
	Message  string   `json:"message"`
	Items    int64    `json:"items,omitempty"`
	Keys     []string `json:"keys,omitempty"`
}

type driftTable struct {
	Table   string `json:"table"`
	Items   int64  `json:"items"`
	All     bool   `json:"all"`
	Stopped bool   `json:"stopped,omitempty"` // by --most
}

func (c *driftConfig) print(s streams, report *drift.Report) error {
	out := drifted{Findings: []driftFinding{}, Tables: []driftTable{}, LeftOut: append([]string{}, report.LeftOut...), Units: report.Units}
	for _, f := range report.Findings {
		out.Findings = append(out.Findings, driftFindingOf(f))
	}
	stopped := false
	for _, t := range report.Tables {
		out.Tables = append(out.Tables, driftTable(t))
		stopped = stopped || t.Stopped
	}
	if c.asJSON {
		encoder := json.NewEncoder(s.out)
		encoder.SetIndent("", "  ")
		if err := encoder.Encode(out); err != nil {
			return err
		}
	} else if err := out.text(s); err != nil {
		return err
	}
	switch {
	case stopped && c.full:
		return advise(errors.New("--most ended the reading before all items were read"), "Raise --most.")
	case len(out.Findings) > 0:
		return errPrinted
	}
	return nil
}

func driftFindingOf(f drift.Finding) driftFinding {
	rules := design.Rules()
	rule := rules[slices.IndexFunc(rules, func(r design.Rule) bool { return r.Name == string(f.Kind) })]
	of := driftFinding{Code: string(rule.Code), Name: rule.Name, Severity: rule.Severity.String(), Table: f.Table, Message: f.Text, Items: f.Items}
	for _, key := range f.Keys {
		of.Keys = append(of.Keys, migrate.KeyText(key))
	}
	return of
}

// text prints the findings with their keys, then what was compared.
func (d *drifted) text(s streams) error {
	for _, f := range d.Findings {
		items := ""
		if f.Items > 0 {
			items = " (" + itemsText(f.Items) + ")"
		}
		fmt.Fprintf(s.out, "%s %s %s: %s%s\n", f.Severity, f.Code, f.Table, f.Message, items)
		for _, key := range f.Keys {
			fmt.Fprintln(s.out, "    "+key)
		}
		if more := f.Items - int64(len(f.Keys)); more > 0 {
			fmt.Fprintf(s.out, "    and %d more\n", more)
		}
	}
	for _, text := range d.LeftOut {
		fmt.Fprintln(s.out, "not compared: "+text)
	}
	for _, t := range d.Tables {
		of := "a sample"
		switch {
		case t.All:
			of = "all"
		case t.Stopped:
			of = "stopped by --most"
		}
		fmt.Fprintf(s.out, "%s: %s compared (%s)\n", t.Table, itemsText(t.Items), of)
	}
	n := len(d.Findings)
	_, err := fmt.Fprintf(s.out, "%s, %.1f read units\n", cmp.Or(map[int]string{0: "no findings", 1: "1 finding"}[n], fmt.Sprintf("%d findings", n)), d.Units)
	return err
}

func itemsText(n int64) string {
	if n == 1 {
		return "1 item"
	}
	return fmt.Sprintf("%d items", n)
}
