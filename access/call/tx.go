package call

import (
	"context"
	"slices"
	"strings"

	"sortkey.dev/access"
)

// A Tx collects the writes of several patterns and does all of them or none. It is not safe
// for concurrent use, and is committed once.
type Tx struct {
	c        *access.Client
	patterns []string // each once
	table    string
	units    float64
	writes   []Action
	err      error
	used     bool
}

// NewTx returns an empty transaction.
func NewTx(c *access.Client) *Tx { return &Tx{c: c} }

// Add adds the writes of a pattern. Commit returns their errors.
func (t *Tx) Add(p *access.Pattern, writes ...Action) {
	if t.used {
		t.fail(named(p.Name, "", access.ErrUsed))
	}
	if !slices.Contains(t.patterns, p.Name) {
		t.patterns = append(t.patterns, p.Name)
	}
	if t.table == "" {
		t.table = p.Table
	}
	t.units += p.Units
	for i := range writes {
		if err := writes[i].Err; err != nil {
			t.fail(named(p.Name, writes[i].Name, err))
		}
	}
	t.writes = append(t.writes, writes...)
}

// Len returns the number of actions. DynamoDB accepts 100.
func (t *Tx) Len() int { return len(t.writes) }

// Commit does all writes or none. It returns the errors of Transact, which name the patterns
// joined by " + ".
func (t *Tx) Commit(ctx context.Context, options ...access.WriteOption) error {
	p := &access.Pattern{Name: strings.Join(t.patterns, " + "), Table: t.table, Units: t.units}
	if p.Name == "" {
		p.Name = "Tx"
	}
	err := t.err
	if t.used {
		err = named(p.Name, "", access.ErrUsed)
	}
	if err != nil {
		begin(ctx, t.c, p, "TransactWriteItems").end(err)
		return err
	}
	t.used = true
	return Transact(ctx, t.c, p, t.writes, options...)
}

func (t *Tx) fail(err error) {
	if t.err == nil {
		t.err = err
	}
}
