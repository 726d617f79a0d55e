package call

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access"
)

// ListInPhase returns the list of a pattern that a migration affects, given its lists on the layouts of the old and of the new
// version. Before PhaseRead it reads the old one, and then the new one. A loop and the pages behind a cursor stay on the layout on which
// they began; when that is no longer kept right, the error is access.ErrBadCursor. Without an old list the error before PhaseRead
// is access.ErrNotYet.
func ListInPhase[T any](old, new access.List[T]) access.List[T] {
	l := &phasedList[T]{new: new.(*list[T])}
	if old != nil {
		l.old = old.(*list[T])
	}
	return l
}

type phasedList[T any] struct{ old, new *list[T] } // old is nil if only the new version serves the pattern

// on returns the list that is read on a path, and nil if the path has none.
func (l *phasedList[T]) on(p *path) *list[T] {
	one := l.new
	if !p.isNew() {
		one = l.old
	}
	if one == nil {
		return nil
	}
	placed := *one
	placed.listing.path = p
	return &placed
}

// begin returns the list that is read now.
func (l *phasedList[T]) begin(ctx context.Context) (*list[T], error) {
	all, err := l.served(ctx)
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// served returns the lists whose layouts are kept right, first the one that is read now.
func (l *phasedList[T]) served(ctx context.Context) ([]*list[T], error) {
	base := l.new.listing.c
	c, err := base.Begin(ctx)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", l.new.listing.q.Pattern.Name, err)
	}
	if l.old == nil && c.Phase() < access.PhaseRead {
		return nil, notYet(l.new.listing.q.Pattern)
	}
	var all []*list[T]
	for _, p := range pathsOf(base, c) {
		if one := l.on(p); one != nil {
			all = append(all, one)
		}
	}
	if len(all) == 0 { // the state row names paths, and not this one
		return nil, notYet(l.new.listing.q.Pattern)
	}
	return all, nil
}

func notYet(p *access.Pattern) error { return fmt.Errorf("%s: %w", p.Name, access.ErrNotYet) }

func (l *phasedList[T]) changed(change func(access.List[T]) access.List[T]) access.List[T] {
	to := &phasedList[T]{new: change(l.new).(*list[T])}
	if l.old != nil {
		to.old = change(l.old).(*list[T])
	}
	return to
}

// Limit implements access.List.
func (l *phasedList[T]) Limit(n int) access.List[T] {
	return l.changed(func(one access.List[T]) access.List[T] { return one.Limit(n) })
}

// PageSize implements access.List.
func (l *phasedList[T]) PageSize(n int) access.List[T] {
	return l.changed(func(one access.List[T]) access.List[T] { return one.PageSize(n) })
}

// All implements access.List.
func (l *phasedList[T]) All(ctx context.Context) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for ended, yielded := true, false; ended && !yielded; {
			one, err := l.begin(ctx)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			ended = false
			for item, err := range one.All(ctx) {
				if ended = !yielded && pathEnded(ctx, err); ended {
					break
				}
				yielded = true
				if !yield(item, err) {
					return
				}
			}
		}
	}
}

// pathEnded reports whether a list has to begin again, because the layout on which it began is no longer kept right.
func pathEnded(ctx context.Context, err error) bool {
	return errors.Is(err, access.ErrBadCursor) && ctx.Err() == nil
}

// whole calls read for the list that is read now, and again if its layout ends before all is read.
func whole[T, V any](ctx context.Context, l *phasedList[T], read func(*list[T]) (V, error)) (V, error) {
	for {
		one, err := l.begin(ctx)
		if err != nil {
			var none V
			return none, err
		}
		if value, err := read(one); !pathEnded(ctx, err) {
			return value, err
		}
	}
}

// Slice implements access.List.
func (l *phasedList[T]) Slice(ctx context.Context) ([]T, error) {
	items, err := whole(ctx, l, func(one *list[T]) ([]T, error) { return one.Slice(ctx) })
	if err == nil {
		l.shadow(ctx, items, func(one *list[T]) ([]T, error) { return one.Slice(ctx) })
	}
	return items, err
}

// shadow compares what the old list returned with what the new one returns, if the client wants that.
func (l *phasedList[T]) shadow(ctx context.Context, items []T, read func(*list[T]) ([]T, error)) {
	if l.old == nil || !l.new.listing.c.Shadows() {
		return
	}
	shadow(ctx, l.new.listing.c, l.new.listing.q.Pattern.Name, items, func(c *access.Client) ([]T, error) {
		one := *l.old
		if c.Phase() >= access.PhaseRead {
			one = *l.new
		}
		one.listing.c = c
		return read(&one)
	})
}

// First implements access.List.
func (l *phasedList[T]) First(ctx context.Context) (T, error) {
	first, err := whole(ctx, l, func(one *list[T]) (T, error) { return one.First(ctx) })
	if !l.new.listing.c.Shadows() {
		return first, err
	}
	if items, failed := single(first, err); failed == nil {
		l.shadow(ctx, items, func(one *list[T]) ([]T, error) { return single(one.First(ctx)) })
	}
	return first, err
}

// Count implements access.List.
func (l *phasedList[T]) Count(ctx context.Context) (int64, error) {
	return whole(ctx, l, func(one *list[T]) (int64, error) { return one.countAll(ctx) })
}

// countAll returns the number of items.
func (l *list[T]) countAll(ctx context.Context) (int64, error) {
	if !areBeside(l.listing.c, l.listing.q.Pattern) {
		return l.Count(ctx)
	}
	var n int64
	for _, err := range l.All(ctx) { // only the items tell whether they are copies
		if err != nil {
			return 0, err
		}
		n++
	}
	return n, nil
}

// Page implements access.List.
func (l *phasedList[T]) Page(ctx context.Context, cursor string) (access.Page[T], error) {
	all, err := l.served(ctx)
	if err != nil {
		return access.Page[T]{}, err
	}
	for _, one := range all {
		if one.listing.takes(cursor) {
			page, err := one.Page(ctx, cursor)
			if err == nil && cursor == "" {
				l.shadow(ctx, page.Items, func(one *list[T]) ([]T, error) {
					page, err := one.Page(ctx, "")
					return page.Items, err
				})
			}
			return page, err
		}
	}
	return all[0].Page(ctx, cursor) // which says what is wrong with the cursor
}

// Request implements access.List. The query is that of the phase of the client, which is PhaseAfter unless a test chose another one.
func (l *phasedList[T]) Request() *dynamodb.QueryInput { return l.peek().Request() }

// Requests implements access.List, as Request does.
func (l *phasedList[T]) Requests() []*dynamodb.QueryInput { return l.peek().Requests() }

func (l *phasedList[T]) peek() *list[T] {
	if l.old != nil && l.new.listing.c.Phase() < access.PhaseRead {
		return l.old
	}
	return l.new
}
