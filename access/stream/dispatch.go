package stream

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

// ErrNoImage says that a record lacks the item before or after the change. The stream has
// to keep both: its view has to be NEW_AND_OLD_IMAGES.
var ErrNoImage = errors.New("the record does not hold the item: the view of the stream has to be NEW_AND_OLD_IMAGES")

// On holds the functions to call when items of one entity change. Nil functions are skipped.
type On[T any] struct {
	Insert func(ctx context.Context, new T) error
	Modify func(ctx context.Context, old, new T) error
	Remove func(ctx context.Context, old T) error
	// Expired is called instead of Remove for an item that was removed because its time to
	// live was over. If it is nil, Remove is called for such items too.
	Expired func(ctx context.Context, old T) error
}

// Dispatch calls the function for a record; generated code calls it. Images that no function
// needs are not decoded. A record for which decode returns marshal.Skip is of another entity
// and counts as handled. An item never turns into one of another entity.
func Dispatch[T any](ctx context.Context, r Record, on On[T], decode func(access.Item) (T, error)) error {
	switch r.Kind {
	case Insert:
		return callWith(ctx, on.Insert, r, "new", r.New, decode)
	case Modify:
		return callModify(ctx, on.Modify, r, decode)
	case Remove:
		if r.Expired && on.Expired != nil {
			return callWith(ctx, on.Expired, r, "old", r.Old, decode)
		}
		return callWith(ctx, on.Remove, r, "old", r.Old, decode)
	}
	return fmt.Errorf("stream: record %s is of the unknown kind %q", r.SequenceNumber, r.Kind)
}

// DispatchChanged is Dispatch for an entity whose items differ in the two versions of the design that a generated package holds. Handlers
// do not hear of changes in which only the stored form of an item changed, as a migration makes them.
func DispatchChanged[T any](ctx context.Context, c *access.Client, part string, r Record, on On[T], decode func(access.Item) (T, error)) error {
	change := c.Design().Change
	for _, image := range []*access.Item{&r.Old, &r.New} {
		var err error
		if *image, err = change.Image(part, *image); err != nil {
			return fmt.Errorf("stream: record %s: %w", r.SequenceNumber, err)
		}
	}
	if r.Kind == Modify && r.Old != nil && reflect.DeepEqual(r.Old, r.New) {
		return nil
	}
	return Dispatch(ctx, r, on, decode)
}

func callWith[T any](ctx context.Context, f func(context.Context, T) error, r Record, which string, image access.Item, decode func(access.Item) (T, error)) error {
	if f == nil {
		return nil
	}
	item, err := decodeImage(r, which, image, decode)
	if err != nil {
		return unlessSkipped(err)
	}
	return f(ctx, item)
}

func callModify[T any](ctx context.Context, f func(context.Context, T, T) error, r Record, decode func(access.Item) (T, error)) error {
	if f == nil {
		return nil
	}
	old, err := decodeImage(r, "old", r.Old, decode)
	if err != nil {
		return unlessSkipped(err)
	}
	changed, err := decodeImage(r, "new", r.New, decode)
	if err != nil {
		return unlessSkipped(err)
	}
	return f(ctx, old, changed)
}

func decodeImage[T any](r Record, which string, image access.Item, decode func(access.Item) (T, error)) (item T, err error) {
	if image == nil {
		err = ErrNoImage
	} else {
		item, err = decode(image)
	}
	if err != nil {
		err = fmt.Errorf("stream: decode the %s image of record %s of table %s: %w", which, r.SequenceNumber, r.Table, err)
	}
	return item, err
}

func unlessSkipped(err error) error {
	if errors.Is(err, marshal.Skip) {
		return nil
	}
	return err
}
