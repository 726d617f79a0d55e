// Package drift compares a live DynamoDB with the design of its tables: the tables themselves, then their
// items, a sample or all. It finds what something else than the generated package has changed: settings,
// items of no entity, attributes that do not decode, keys that attributes do not give, missing rows of
// unique values, and counters that are off.
//
// The package only reads, and nothing of an item but its key is in its findings. It repairs nothing, and it
// knows nothing of design files: generated packages have their tables as a list of [provision.Table], which
// programs hand to [Check]. The command sortkey drift does the same.
package drift

import (
	"context"
	"fmt"
	"slices"

	"sortkey.dev/access"
	"sortkey.dev/access/provision"
	"sortkey.dev/access/shape"
)

// API holds the operations of DynamoDB that Check calls; those that write are not called.
type API = provision.API

// defaultSample limits the items that are read of a table.
const defaultSample = 1000

// Options choose what is read. The zero Options read a sample of every table.
type Options struct {
	// Sample limits the items that are read of each table. Default: 1,000.
	Sample int

	// Full reads all items. Only then counters are compared with what they count.
	Full bool

	// Most limits the read units that are consumed; 0: any number. Check reads nothing if it expects more, and
	// stops before a request that could go beyond. It is at least LeastMost.
	Most float64

	// Workers limits the pages that are read at the same time with Full. Default: 4.
	Workers int

	// State says where the state row of a design with a history is; nil if there is none. The row is skipped.
	State *access.StateRow

	// Tables chooses how tables are compared: their real names, and the key of encrypted ones. Nothing is
	// changed, whatever it says.
	Tables provision.Options

	// Expected hears what will be read, before it is.
	Expected func(Estimate)

	// Progress hears how far reading is, after every page, one call at a time.
	Progress func(Progress)
}

func (o Options) withDefaults() Options {
	if o.Sample <= 0 {
		o.Sample = defaultSample
	}
	if o.Workers <= 0 {
		o.Workers = 4
	}
	if !o.Full {
		o.Workers = 1 // so that the items of the sample are the same each time
	}
	if o.Tables.TableNames == nil {
		o.Tables.TableNames = func(name string) string { return name }
	}
	if o.Expected == nil {
		o.Expected = func(Estimate) {}
	}
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	o.Tables.DryRun, o.Tables.Prune, o.Tables.Replace = true, false, false
	return o
}

// An Estimate says how much will be read. It is computed from what DescribeTable says, which AWS brings up to
// date every six hours.
type Estimate struct {
	Items int64
	Units float64
}

// Progress says how much has been read.
type Progress struct {
	Table string
	Items int64 // of the table
	Units float64
}

// A MostError says that reading is expected to consume more than Options.Most.
type MostError struct{ Expected, Most float64 }

func (e *MostError) Error() string {
	return fmt.Sprintf("reading is expected to take %.0f read units, and at most %.0f are allowed", e.Expected, e.Most)
}

// A Report says what was compared and what differs.
type Report struct {
	Findings []Finding
	Tables   []Read
	LeftOut  []string // what could not be compared, and why, a sentence each
	Units    float64  // read units consumed
}

// Read says how much of a table was read.
type Read struct {
	Table string // its real name
	Items int64
	// All says that all items were read.
	All bool
	// Stopped says that Options.Most ended the reading before the sample, or the table, was complete.
	Stopped bool
}

// Check compares tables and their items with their definitions. Items of a table whose definition has no
// shape are not read.
func Check(ctx context.Context, api API, tables []provision.Table, options Options) (*Report, error) {
	if options.Most > 0 && options.Most < LeastMost {
		return nil, fmt.Errorf("drift: at most %.0f read units is too little: one item may take %.0f", options.Most, float64(LeastMost))
	}
	c := &checker{api: api, Options: options.withDefaults(), report: &Report{}, found: map[finding]*Finding{}}
	c.budget = newBudget(c.Most)
	for _, t := range tables {
		one, err := c.table(ctx, t)
		if err != nil {
			return nil, err
		}
		if one != nil {
			c.tables = append(c.tables, one)
		}
	}
	expected := c.estimate()
	if c.Most > 0 && expected.Units > c.Most {
		return nil, &MostError{expected.Units, c.Most}
	}
	c.Expected(expected)
	if c.Full {
		c.counters()
	}
	for _, t := range c.tables {
		if err := c.read(ctx, t); err != nil {
			return nil, fmt.Errorf("read items of table %s: %w", t.name, err)
		}
	}
	c.compareCounters()
	c.report.Units = c.budget.used()
	c.report.Findings = c.sorted()
	return c.report, nil
}

// A checker is one call of Check.
type checker struct {
	Options
	api    API
	budget *budget
	tables []*table // those whose items are read
	tally  []*tally
	report *Report
	found  map[finding]*Finding
}

// A table is a table whose items are compared.
type table struct {
	name         string
	of           *shape.Table
	keys         []string
	items, bytes int64 // as DescribeTable says
	reader       *shape.Reader
	state        access.Item // the key of the state row, if it is in the table
	read         Read
}

// entity returns the description of an entity of the table; nil if it has none of the name.
func (t *table) entity(name string) *shape.Entity {
	i := slices.IndexFunc(t.of.Entities, func(e shape.Entity) bool { return e.Name == name })
	if i < 0 {
		return nil
	}
	return &t.of.Entities[i]
}

// leaveOut notes something that is not compared.
func (c *checker) leaveOut(format string, args ...any) {
	c.report.LeftOut = append(c.report.LeftOut, fmt.Sprintf(format, args...))
}
