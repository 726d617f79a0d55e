// Package send makes the calls of a program with arguments, through package access, as generated
// code makes them. The caller says what becomes of each item.
//
// It neither chooses arguments (package arrange) nor knows what a call must do (package judge).
// Packages verify and across use it.
package send

import (
	"context"
	"errors"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/verify/internal/bind"
)

// Read makes the call of a read and returns the items that decode does not skip. A collect ends
// at the limit of its pattern. A get that finds nothing returns access.ErrNotFound.
func Read[T any](ctx context.Context, client *access.Client, c *program.Call, request bind.ReadRequest, decode func(access.Item) (T, error)) ([]T, error) {
	switch {
	case request.Get != nil:
		return alone(call.GetOne(ctx, client, request.Get, decode))
	case request.Gets != nil:
		found, err := call.GetMany(ctx, client, request.Gets, decode)
		var all []T
		for _, one := range found {
			if one != nil {
				all = append(all, *one)
			}
		}
		return all, err
	case c.Pattern.Verb == model.Get:
		return alone(call.QueryOne(ctx, client, request.Query, decode))
	case c.Pattern.Verb == model.Collect:
		var all []T
		err := call.CollectAll(ctx, client, request.Query, func(item access.Item) error {
			one, err := decode(item)
			if err == nil {
				all = append(all, one)
			}
			return err
		})
		if errors.Is(err, access.ErrTruncated) {
			err = nil // there are more items than the limit
		}
		return all, err
	}
	return call.List(client, *request.Query, decode).Slice(ctx)
}

// alone returns the item of a get as a list.
func alone[T any](one T, err error) ([]T, error) {
	if err != nil {
		return nil, err
	}
	return []T{one}, nil
}

// Write makes the call of a write. The item that an update returns is decoded.
func Write(ctx context.Context, client *access.Client, c *program.Call, p *access.Pattern, writes []call.Action, decode func(access.Item) (access.Item, error)) error {
	if c.Transaction() {
		return call.Transact(ctx, client, p, writes)
	}
	w := &writes[0]
	switch w.Kind {
	case call.Put:
		return call.PutItem(ctx, client, p, w)
	case call.Delete:
		return call.DeleteItem(ctx, client, p, w)
	}
	_, err := call.UpdateItem(ctx, client, p, w, decode)
	return err
}

// Snapshot fills a snapshot with arguments as generated code does. Into stores the item of the
// part with a number.
func Snapshot(c *program.Call, units float64, a *bind.Arguments, into func(int, access.Item) error) (*call.Snapshot, []bind.ReadRequest, error) {
	s := &call.Snapshot{Pattern: &access.Pattern{Name: c.Pattern.Name, Table: c.Parts[0].Read.Entry.Path.Table.Name, Units: units}}
	var requests []bind.ReadRequest
	for i, part := range c.Parts {
		request, err := bind.ReadCall(part, s.Pattern, a)
		if err != nil {
			return nil, nil, err
		}
		requests = append(requests, request)
		s.Parts = append(s.Parts, call.Part{
			Name: part.Pattern.Part, Table: part.Read.Entry.Path.Table.Name,
			Key: request.Get.Key, Projection: request.Get.Projection, Names: request.Get.Names,
			Into: func(item access.Item) error { return into(i, item) },
		})
	}
	return s, requests, nil
}
