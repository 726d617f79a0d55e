package access

import (
	"context"
	"time"
)

// Options holds the settings of a client. The With functions change them.
type Options struct {
	CursorKey   []byte                   // seals cursors; nil: cursors are readable
	Observer    Observer                 // is told about every call; nil: none
	Sealer      Sealer                   // seals the attributes that a design lists under encrypt; nil: none
	TableName   func(name string) string // maps the name of a table in the design to its name in DynamoDB
	Concurrency int                      // requests that one call sends at the same time
	Attempts    int                      // requests that are sent while DynamoDB is busy, with the first
	// FirstWait is the longest wait before the second attempt, LongestWait before any other.
	FirstWait, LongestWait time.Duration

	shadow   float64 // the share of reads that are sent twice
	shadowed func(context.Context, Shadowed)

	stateless bool  // no state row is read
	phase     Phase // of a stateless client
}

// An Option changes the settings of a client.
type Option func(*Options)

// newOptions returns the defaults, changed by options. Ten attempts wait for seven seconds
// at most: enough for contention on an item to end, and not so long that the caller has
// given up.
func newOptions(options []Option) Options {
	o := Options{
		phase:       PhaseAfter,
		TableName:   func(name string) string { return name },
		Concurrency: 16,
		Attempts:    10, FirstWait: 25 * time.Millisecond, LongestWait: 2 * time.Second,
	}
	for _, option := range options {
		option(&o)
	}
	return o
}

// WithCursorKey seals cursors with a key of 16, 24 or 32 bytes. Keys of items often hold
// ids of users or tenants; a sealed cursor shows nothing and cannot be forged. With a key
// of another length, or an empty one, every page is an error: cursors are never readable by
// mistake.
func WithCursorKey(key []byte) Option {
	own := append([]byte{}, key...) // not nil, and not shared with the caller
	return func(o *Options) { o.CursorKey = own }
}

// WithObserver reports every call to an observer.
func WithObserver(observer Observer) Option { return func(o *Options) { o.Observer = observer } }

// WithSealer seals the attributes that a design lists under encrypt. Without a sealer,
// writing or reading such an attribute is an error.
func WithSealer(s Sealer) Option { return func(o *Options) { o.Sealer = s } }

// WithTableNames maps the names of the tables in the design to their names in DynamoDB.
func WithTableNames(name func(design string) string) Option {
	return func(o *Options) { o.TableName = name }
}

// WithTablePrefix adds a prefix to the name of every table, for example one for each stage.
func WithTablePrefix(prefix string) Option {
	return WithTableNames(func(name string) string { return prefix + name })
}

// WithoutState sends requests without reading the state row of the design. The process then writes and reads as the newest version
// that its code holds, in every phase: a migration cannot wait for it, and has to be told that strangers write.
func WithoutState() Option { return InPhase(PhaseAfter) }

// InPhase sends requests as in one phase of the migration that the generated package holds, without reading the state row: for tests.
func InPhase(phase Phase) Option {
	return func(o *Options) { o.stateless, o.phase = true, phase }
}

// WithConcurrency sets how many requests one call sends at the same time, at most. The
// default is 16.
func WithConcurrency(n int) Option { return func(o *Options) { o.Concurrency = max(n, 1) } }

// WithRetries sets how many times a request is sent while DynamoDB is busy, with the first,
// and the longest wait before the second attempt and before any other. Waits are random, and
// their bound doubles. The default is 10 attempts, 25 ms and 2 s. A request that the SDK's
// client has retried itself is not retried again.
func WithRetries(attempts int, first, longest time.Duration) Option {
	return func(o *Options) {
		o.Attempts, o.FirstWait, o.LongestWait = max(attempts, 1), max(first, 0), max(longest, 0)
	}
}
