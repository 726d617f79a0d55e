package access

import (
	"context"
	"math/rand/v2"
)

// A Shadowed is a read that was sent twice in PhaseWrite: as it is answered now, and as it will be from PhaseRead on.
type Shadowed struct {
	Pattern  string
	Old, New int // items
	// Same reports whether both have the same items in the same order. A read that differs was repeated, because items may change
	// in between; it differed each time.
	Same bool
	Err  error // of the second read
}

// WithShadow sends a share of the reads that a migration affects twice, once its new parts are verified and before anybody reads
// them, and reports whether both have the same answer. A share of 0.01 is one read in a hundred. Verification compares items with the
// templates of their keys, and cannot find a template that means something else than the old one; this can. Callers get
// the answer of the old version; they wait for the second one, which costs as much.
func WithShadow(share float64, report func(context.Context, Shadowed)) Option {
	return func(o *Options) { o.shadow, o.shadowed = share, report }
}

// Shadows reports whether some reads of the client are sent twice.
func (c *Client) Shadows() bool { return c.options.shadow > 0 }

// Shadow returns a client that reads as from PhaseRead on, and what to report to, if a read of this client is to be sent twice.
// It is for package call.
func (c *Client) Shadow() (*Client, func(context.Context, Shadowed), bool) {
	o := c.options
	if c.phase != PhaseWrite || c.lease != nil && !c.verified || rand.Float64() >= o.shadow {
		return nil, nil, false
	}
	next := *c
	next.phase = PhaseRead
	return &next, o.shadowed, true
}
