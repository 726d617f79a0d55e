package call

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

// A Snapshot is the request of a pattern that reads several items in one transaction.
type Snapshot struct {
	Pattern *access.Pattern
	Parts   []Part
	Err     error // of making the keys; the call returns it
}

// A Part is one item of a snapshot.
type Part struct {
	Name       string // of the part, in error messages
	Part       string // the part of the item in which the versions of the design differ, as of an Action
	Table      string
	Key        access.Item
	Known      access.Item // attributes of the item that the call knows, as of an Action
	Projection string
	Names      map[string]string
	Into       func(access.Item) error // stores the item; it is not called if there is none
}

// Into returns a function that decodes an item into a pointer. The pointer stays nil if decode
// skips the item.
func Into[T any](at **T, decode func(access.Item) (T, error)) func(access.Item) error {
	return func(item access.Item) error {
		value, err := decode(item)
		switch {
		case errors.Is(err, marshal.Skip):
			return nil
		case err != nil:
			return err
		}
		*at = &value
		return nil
	}
}

// ReadSnapshot reads all items of a snapshot as they are at one moment. It is retried while it
// conflicts with writes or DynamoDB is busy. No item may be named twice: the error is then
// access.ErrTwice.
func ReadSnapshot(ctx context.Context, c *access.Client, s *Snapshot) error {
	if affected(c, s.Pattern) {
		_, err := readInPhase(ctx, c, func(c *access.Client) (struct{}, error) { return struct{}{}, snapshot(ctx, c, s.inPhaseOf(c)) })
		return err
	}
	return snapshot(ctx, c, s)
}

// inPhaseOf returns the snapshot as it is read in the phase of a client that Begin returned.
func (s *Snapshot) inPhaseOf(c *access.Client) *Snapshot {
	in := *s
	in.Parts = slices.Clone(s.Parts)
	for i := range in.Parts {
		p := &in.Parts[i]
		store := p.Into
		decode := decoderIn(c, s.Pattern, func(item access.Item) (struct{}, error) { return struct{}{}, store(item) })
		p.Names = namesOf(c, s.Pattern, p.Names)
		if p.Part != "" && c.Phase() < access.PhaseRead {
			if places := c.Design().Change.Places(p.Part); places != nil {
				of, names := inOld(&access.Pattern{}, places, p.Names)
				p.Table, p.Names = of.Table, names
				if key, err := oldKey(places, p.Key, p.Known); err == nil {
					p.Key = key
				} else if in.Err == nil {
					in.Err = err
				}
			}
		}
		p.Into = func(item access.Item) error {
			_, err := decode(item)
			return err
		}
	}
	return &in
}

func snapshot(ctx context.Context, c *access.Client, s *Snapshot) error {
	k := begin(ctx, c, s.Pattern, "TransactGetItems")
	err := readSnapshot(ctx, c, k, s)
	if err != nil {
		err = fmt.Errorf("%s: %w", s.Pattern.Name, err)
	}
	k.end(err)
	return err
}

func readSnapshot(ctx context.Context, c *access.Client, k *recorder, s *Snapshot) error {
	if s.Err != nil {
		return s.Err
	}
	if err := distinctParts(c, s.Parts); err != nil {
		return err
	}
	in := &dynamodb.TransactGetItemsInput{
		ReturnConsumedCapacity: capacity(c),
		TransactItems:          make([]types.TransactGetItem, len(s.Parts)),
	}
	for i := range s.Parts {
		in.TransactItems[i].Get = snapshotGet(c, &s.Parts[i])
	}
	out, err := sendWhile(ctx, c, k, transactionBusy, access.API.TransactGetItems, in)
	if err != nil {
		return err
	}
	found := 0
	for i := range out.Responses {
		if out.Responses[i].Item != nil {
			found++
		}
	}
	k.addAll(out.ConsumedCapacity, found)
	return storeParts(s.Parts, out.Responses)
}

// distinctParts returns an error if two parts name one item, which DynamoDB refuses without
// saying which.
func distinctParts(c *access.Client, parts []Part) error {
	seen := make(map[string]int, len(parts))
	for i := range parts {
		p := &parts[i]
		id, err := identity(c.Table(p.Table), slices.Sorted(maps.Keys(p.Key)), p.Key)
		if err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
		if first, twice := seen[id]; twice {
			return fmt.Errorf("%w: %s and %s", access.ErrTwice, parts[first].Name, p.Name)
		}
		seen[id] = i
	}
	return nil
}

func snapshotGet(c *access.Client, p *Part) *types.Get {
	table := c.Table(p.Table)
	get := &types.Get{TableName: &table, Key: p.Key}
	if p.Projection != "" {
		get.ProjectionExpression, get.ExpressionAttributeNames = &p.Projection, p.Names
	}
	return get
}

// storeParts stores the items of an answer, which are in the order of the parts.
func storeParts(parts []Part, answers []types.ItemResponse) error {
	if len(answers) != len(parts) {
		return fmt.Errorf("access: %d items were asked for and %d answered", len(parts), len(answers))
	}
	for i := range parts {
		item := answers[i].Item
		if item == nil {
			continue
		}
		if err := parts[i].Into(item); err != nil {
			return ofItem(err, parts[i].Key, slices.Sorted(maps.Keys(parts[i].Key)))
		}
	}
	return nil
}
