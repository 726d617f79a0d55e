package call

import (
	"context"
	"errors"
	"slices"
	"strings"

	"sortkey.dev/access"
)

// A Tx collects the writes of several patterns and does all of them or none. It is not safe
// for concurrent use, and is committed once.
type Tx struct {
	c *access.Client // names the tables of what is added here
	*collected
}

// collected holds the writes of a transaction, which several Tx may add to.
type collected struct {
	first    *access.Client // sends the transaction
	patterns []string       // each once
	table    string
	units    float64
	writes   []Action
	err      error
	used     bool
}

// NewTx returns an empty transaction.
func NewTx(c *access.Client) *Tx { return &Tx{c: c, collected: &collected{first: c}} }

// errNotJoined is the error of a transaction that is not of a generated package.
var errNotJoined = errors.New("access: only a transaction of a generated package can be joined")

// Join returns a transaction that adds to another one, of the same or of another generated
// package. Commit of either sends the writes of both, with the client of the first.
func Join(c *access.Client, other access.Tx) *Tx {
	shared, ok := other.(interface{ Shared() *Tx })
	if !ok {
		return &Tx{c: c, collected: &collected{first: c, err: errNotJoined}}
	}
	return &Tx{c: c, collected: shared.Shared().collected}
}

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
	from := len(t.writes)
	t.writes = append(t.writes, writes...)
	if t.c != t.first {
		for i := range t.writes[from:] {
			t.writes[from+i].client = t.c
		}
	}
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
		begin(ctx, t.first, p, "TransactWriteItems").end(err)
		return err
	}
	t.used = true
	return Transact(ctx, t.first, p, t.writes, options...)
}

func (t *collected) fail(err error) {
	if t.err == nil {
		t.err = err
	}
}
