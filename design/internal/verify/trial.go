package verify

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
	"sortkey.dev/access/marshal"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/bind"
	"sortkey.dev/design/internal/verify/internal/send"
)

// A Trial is one call with arguments. Tests of generated code make the same call and compare
// the requests with those of this package. Nothing else uses trials.
type Trial struct {
	Call *program.Call
	Name string // what is special about the arguments
	a    *bind.Arguments
}

// Trials returns calls of every pattern of a program: with arguments as Run would choose them,
// and with one thing of those changed at a time. The API receives the items that are loaded; it
// need not store them.
func Trials(ctx context.Context, p *program.Program, api access.API, seed uint64) ([]*Trial, error) {
	v := newVerifier(p, Options{Seed: seed}.withDefaults())
	v.client = access.NewClient(api, access.Design{Name: p.Layout.Design().Name, Hash: "verify"}, access.WithObserver(v.meter))
	if err := v.load(ctx); err != nil {
		return nil, fmt.Errorf("loading items: %w", err)
	}
	var all []*Trial
	for _, c := range p.Calls {
		variants, err := v.arranger.Variants(c)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Pattern.Name, err)
		}
		for _, one := range variants {
			all = append(all, &Trial{Call: c, Name: one.Name, a: one.Arguments})
		}
	}
	return all, nil
}

// Value returns the argument for a single value, and whether there is one.
func (t *Trial) Value(input *program.Input) (sample.Value, bool) {
	v, ok := t.a.Values[input]
	return v, ok
}

// List returns the arguments for a list.
func (t *Trial) List(input *program.Input) []sample.Value { return t.a.Lists[input] }

// Items returns the items or keys that are arguments for an input.
func (t *Trial) Items(input *program.Input) []sample.Values { return t.a.Items[input] }

// Groups returns the groups of values that are arguments for an input.
func (t *Trial) Groups(input *program.Input) []map[*program.Input]sample.Value {
	return t.a.Groups[input]
}

// Send makes the call. With inTx a write is sent as part of a transaction of several patterns.
func (t *Trial) Send(ctx context.Context, client *access.Client, inTx bool) error {
	c := t.Call
	t.a.Seal = sealWith(client)
	switch {
	case c.Read != nil:
		return t.sendRead(ctx, client)
	case len(c.Parts) > 0:
		return t.sendSnapshot(ctx, client)
	}
	p := bind.WritePattern(c, 0)
	writes, err := bind.WriteCall(c, t.a)
	switch {
	case err != nil:
		return err
	case inTx:
		tx := call.NewTx(client)
		tx.Add(p, writes...)
		return tx.Commit(ctx)
	}
	return send.Write(ctx, client, c, p, writes, asIs)
}

// sendRead makes the call of a read.
func (t *Trial) sendRead(ctx context.Context, client *access.Client) error {
	request, err := bind.ReadCall(t.Call, bind.ReadPattern(t.Call, 0), t.a)
	if err != nil {
		return err
	}
	_, err = send.Read(ctx, client, t.Call, request, asIs)
	return err
}

// asIs decodes an item as it is.
func asIs(item access.Item) (access.Item, error) { return item, nil }

// sealWith returns a function that seals values that the design encrypts, as generated code
// does. Run stores the plain values, to compare them.
func sealWith(client *access.Client) func(*model.Entity, *model.Attribute, sample.Value) (types.AttributeValue, error) {
	return func(e *model.Entity, a *model.Attribute, v sample.Value) (types.AttributeValue, error) {
		plain := v.Text
		if v.Kind == sample.Truth {
			plain = marshal.FormatBool(v.Truth)
		}
		return marshal.Seal(client, e.Name, a.Stored, []byte(plain))
	}
}
