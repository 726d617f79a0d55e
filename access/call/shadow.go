package call

import (
	"context"
	"errors"
	"reflect"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/internal/wait"
)

// How often a read that differs is repeated, and after what time: items change between two reads, and indexes follow later.
const (
	shadowAttempts = 3
	shadowPause    = 100 * time.Millisecond
)

// shadow compares what a read returned with what it will return from PhaseRead on, if the client wants that. The read is
// repeated on both sides while they differ.
func shadow[T any](ctx context.Context, c *access.Client, pattern string, got []T, read func(*access.Client) ([]T, error)) {
	begun, err := c.Begin(ctx)
	if err != nil {
		return
	}
	next, report, wanted := begun.Shadow()
	if !wanted {
		return
	}
	s := access.Shadowed{Pattern: pattern}
	for attempt := 1; ; attempt++ {
		other, err := read(next)
		s.Old, s.New, s.Err = len(got), len(other), err
		if s.Same = err == nil && equalItems(got, other); s.Same || attempt == shadowAttempts || wait.For(ctx, shadowPause) != nil {
			break
		}
		if got, err = read(begun); err != nil {
			return
		}
	}
	if !access.Overtaken(s.Err) && ctx.Err() == nil {
		report(ctx, s)
	}
}

func equalItems[T any](a, b []T) bool {
	return len(a) == len(b) && (len(a) == 0 || reflect.DeepEqual(a, b))
}

// single returns the value of a read of one item as a list, which is empty if there is none.
func single[T any](value T, err error) ([]T, error) {
	if errors.Is(err, access.ErrNotFound) {
		return nil, nil
	}
	return []T{value}, err
}
