// Package across runs the code of two versions of a design on each other's items: new code on old
// items, and old code on new items. It makes items as one version stores them, makes the calls of the
// other, and compares each answer with what that version's design says about the same items. It
// compares what is left after a write with what both designs say. Each difference is evidence that
// the two versions cannot run together.
//
// It fills the calls of package program with the rooms of package verify. Explain gives each change what running
// shows of it. Package design calls it for sortkey diff.
package across

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"sortkey.dev/access"
	"sortkey.dev/access/provision"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/verify/internal/state"
)

// API lists the operations of DynamoDB that a run uses.
type API interface {
	access.API
	provision.API
}

// Options configure a run.
type Options struct {
	Seed     uint64
	Roots    int    // items of an entity that refers to no other; 0 means 4
	Children int    // most items of an entity for one it refers to; 0 means 6
	Reads    int    // calls of each read; 0 means 6
	Writes   int    // calls of each write; 0 means 6
	Prefix   string // in front of the names of tables
	// Cursors returns a text that is part of the cursors of a design; nil: cursors are not compared.
	Cursors func(*model.Design) string
	// Everything calls patterns of tables, too, that do not differ.
	Everything bool
}

func (o Options) withDefaults() Options {
	defaults := func(n *int, value int) {
		if *n <= 0 {
			*n = value
		}
	}
	defaults(&o.Roots, 4)
	defaults(&o.Children, 6)
	defaults(&o.Reads, 6)
	defaults(&o.Writes, 6)
	return o
}

// Run runs the code of two versions on each other's items, in tables that it creates on a database
// and leaves there, and returns what went wrong: the smallest call of each kind about each thing.
func Run(ctx context.Context, before, after *resolve.Layout, same *Pairs, api API, o Options) ([]*Evidence, error) {
	o = o.withDefaults()
	found := &finder{best: map[string]*Evidence{}}
	for _, maker := range []Version{Old, New} {
		made, called := before, after
		if maker == New {
			made, called = after, before
		}
		w := newWorld(maker, made, called, same, api, o)
		w.found = found
		if err := w.run(ctx); err != nil {
			return nil, err
		}
	}
	return found.all(), nil
}

// newWorld returns a world without tables.
func newWorld(maker Version, made, called *resolve.Layout, same *Pairs, api API, o Options) *world {
	caller := Old
	if maker == Old {
		caller = New
	}
	w := &world{
		o: o, api: api, same: same, maker: newParty(maker, made, o.Seed), caller: newParty(caller, called, o.Seed),
		oracle: state.New(called), mirrors: map[string]string{}, sources: map[string]string{}, stored: map[string]access.Item{},
	}
	w.client = w.clientOf(w.caller)
	w.maker.decoder = decoder{made, w.client}
	w.caller.decoder = decoder{called, w.client}
	return w
}

// clientOf returns a client of the code of a party, for the tables of the world.
func (w *world) clientOf(p *party) *access.Client {
	design := access.Design{Name: p.layout.Design().Name}
	if w.o.Cursors != nil {
		design.Hash = w.o.Cursors(p.layout.Design())
	}
	return access.NewClient(w.api, design,
		access.WithTablePrefix(w.o.Prefix+string(w.maker.version)+"-"), access.WithSealer(sealer{}), access.WithRetries(1, 0, 0))
}

// run makes the calls of the caller that find items of another shape.
func (w *world) run(ctx context.Context) error {
	tables := differing(w.maker.layout.Design(), w.caller.layout.Design(), w.same)
	calls := slices.DeleteFunc(slices.Clone(w.caller.program.Calls), func(c *program.Call) bool { return !w.o.Everything && !touches(c, tables) })
	if len(calls) == 0 {
		return nil
	}
	if err := w.open(ctx); err != nil {
		return err
	}
	for _, c := range calls {
		try := w.write
		if c.Pattern.Verb.Reads() {
			try = w.read
		}
		if err := try(ctx, c); err != nil {
			return fmt.Errorf("%s: %w", c.Pattern.Name, err)
		}
	}
	return w.cursors(ctx)
}

// sealer seals values so that they can be told from others, and encrypts nothing: the items are
// sample items.
type sealer struct{}

func (sealer) Seal(plain []byte, context string) ([]byte, error) {
	return append([]byte(context+"|"), plain...), nil
}

func (sealer) Open(sealed []byte, context string) ([]byte, error) {
	plain, ok := bytes.CutPrefix(sealed, []byte(context+"|"))
	if !ok {
		return nil, access.ErrNotOpened
	}
	return plain, nil
}
