package verify

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
	"sortkey.dev/access/marshal"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/verify/internal/bind"
	"sortkey.dev/design/internal/verify/internal/judge"
	"sortkey.dev/design/internal/verify/internal/state"
)

// read calls a read many times and compares each answer.
func (v *verifier) read(ctx context.Context, c *program.Call, r *PatternReport, runs int) error {
	if len(c.Parts) > 0 {
		return v.readSnapshots(ctx, c, r, runs)
	}
	p := bind.ReadPattern(c, r.Design)
	for n := range runs {
		if err := ctx.Err(); err != nil {
			return err
		}
		v.readOnce(ctx, c, p, r, v.arranger.ReadArguments(c, n), n)
		if err := v.meter.unanswered(); err != nil {
			return err
		}
	}
	if !r.HasTypical {
		v.readTypical(ctx, c, p, r)
	}
	return nil
}

// readOnce makes one call and compares the answer. An eventually consistent read that differs is
// retried until it may lag no longer.
func (v *verifier) readOnce(ctx context.Context, c *program.Call, p *access.Pattern, r *PatternReport, a *bind.Arguments, n int) {
	deadline := time.Now().Add(v.o.Lag)
	for pause := 50 * time.Millisecond; ; pause *= 2 {
		once := v.compareRead(ctx, c, p, a, n)
		if len(once.Differences) == 0 || !c.Read.Eventual || time.Now().Add(pause).After(deadline) || ctx.Err() != nil || v.meter.unanswered() != nil {
			r.join(once)
			return
		}
		time.Sleep(pause)
	}
}

// compareRead makes one call and compares content, order, pages and units.
func (v *verifier) compareRead(ctx context.Context, c *program.Call, p *access.Pattern, a *bind.Arguments, n int) *judge.Result {
	r := judge.NewResult(c, a)
	j := &judge.Read{Tables: v.tables, Call: c, Arguments: a}
	request, err := bind.ReadCall(c, p, a)
	if err != nil {
		j.JudgeError(r, err)
		return r
	}
	want := j.Matching()
	if request.Empty || j.TooWide() {
		j.JudgeEmpty(r, want)
		return r
	}
	got, err := v.answer(ctx, j, request)
	if err != nil {
		r.Differ("error", err.Error())
		return r
	}
	r.Measured = v.meter.units()
	j.Judge(r, request, want, got)
	if request.Query != nil && pages(c) && n%3 == 0 {
		v.readPages(ctx, j, r, *request.Query, got, n)
	}
	if c.Read.Operation != resolve.Scan { // which reads all partitions
		v.heat.read(c, request, r.Measured)
	}
	return r
}

// pages reports whether pages of a read hold the same items in the same order as all at once.
func pages(c *program.Call) bool {
	switch c.Pattern.Verb {
	case model.List:
		return true
	case model.Scan: // segments are read at the same time, and how far each of them is depends on the size of a page
		return c.Pattern.Segments <= 1
	}
	return false
}

// kept returns a function that skips the items that generated code leaves out.
func kept(j *judge.Read) func(access.Item) (access.Item, error) {
	return func(item access.Item) (access.Item, error) {
		if !j.Passes(item) || j.IsShard(item) || j.Foreign(item) {
			return nil, marshal.Skip
		}
		return item, nil
	}
}

// answer returns the items that the call returns.
func (v *verifier) answer(ctx context.Context, j *judge.Read, request bind.ReadRequest) ([]access.Item, error) {
	keep := kept(j)
	switch {
	case request.Get != nil:
		item, err := call.GetOne(ctx, v.client, request.Get, func(item access.Item) (access.Item, error) {
			maps.Copy(item, request.Get.Key) // the projection may lack it, and the caller knows it
			return keep(item)
		})
		return alone(item, err)
	case request.Gets != nil:
		return v.getMany(ctx, request.Gets, keep)
	case j.Call.Pattern.Verb == model.Get:
		item, err := call.QueryOne(ctx, v.client, request.Query, keep)
		return alone(item, err)
	case j.Call.Pattern.Verb == model.Collect:
		return v.collect(ctx, j, request)
	}
	return call.List(v.client, *request.Query, keep).Slice(ctx)
}

// getMany returns the items of a batch, each once. Every item must stand where its key stands.
func (v *verifier) getMany(ctx context.Context, g *call.Gets, keep func(access.Item) (access.Item, error)) ([]access.Item, error) {
	found, err := call.GetMany(ctx, v.client, g, keep)
	if err != nil {
		return nil, err
	}
	if len(found) != len(g.Keys) {
		return nil, fmt.Errorf("%d keys have %d answers", len(g.Keys), len(found))
	}
	var all []access.Item
	seen := map[string]bool{}
	for i, item := range found {
		if item == nil {
			continue
		}
		key := state.DescribeItem(g.Keys[i])
		own := access.Item{}
		for name := range g.Keys[i] {
			own[name] = (*item)[name]
		}
		if state.DescribeItem(own) != key {
			return nil, fmt.Errorf("the item of %s stands at %s", state.DescribeItem(own), key)
		}
		if !seen[key] {
			seen[key] = true
			all = append(all, *item)
		}
	}
	return all, nil
}

// collect returns the items that a collect returns.
func (v *verifier) collect(ctx context.Context, j *judge.Read, request bind.ReadRequest) ([]access.Item, error) {
	var all []access.Item
	err := call.CollectAll(ctx, v.client, request.Query, func(item access.Item) error {
		if r := v.tables.At(j.Call.Read.Entry.Path.Table, item); r != nil && r.Entity == nil {
			return nil // a shard of a counter, which generated code leaves out
		}
		all = append(all, item)
		return nil
	})
	if errors.Is(err, access.ErrTruncated) {
		err = nil // there are more items than the limit
	}
	return all, err
}

// alone returns the item of a get as a list.
func alone(item access.Item, err error) ([]access.Item, error) {
	switch {
	case errors.Is(err, access.ErrNotFound):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return []access.Item{item}, nil
}

// readPages makes the call in pages: together they must hold the items that the call returned at
// once.
func (v *verifier) readPages(ctx context.Context, j *judge.Read, r *judge.Result, q call.Query, all []access.Item, n int) {
	size := 1 + n%4
	list := call.List(v.client, q, func(item access.Item) (access.Item, error) {
		if j.IsShard(item) || j.Foreign(item) {
			return nil, marshal.Skip
		}
		return item, nil
	}).PageSize(size)
	table := j.Call.Read.Entry.Path.Table
	var keys, want []string
	for _, item := range all {
		want = append(want, state.Address(table, item))
	}
	for cursor := ""; len(keys) < len(want)+size; {
		page, err := list.Page(ctx, cursor)
		if err != nil {
			r.Differ("page", err.Error())
			return
		}
		for _, item := range page.Items {
			keys = append(keys, state.Address(table, item))
		}
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	judge.ComparePages(r, size, keys, want)
}
