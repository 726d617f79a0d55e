package call

import (
	"context"
	"fmt"
	"iter"

	"sortkey.dev/access"
)

// scanInPhase returns the scan of an entity that a migration affects, given the scans in the old and in the new version. Before
// PhaseRead it decodes the items as the old one does, and then as the new one does. A scan goes on as it began; when the part of the
// items that it reads is no longer kept right, the error is access.ErrBadCursor.
func scanInPhase[T any](old, new access.Scan[T]) access.Scan[T] {
	return &phasedScan[T]{old.(*scan[T]), new.(*scan[T])}
}

type phasedScan[T any] struct{ old, new *scan[T] }

// begin returns the scan that is made now.
func (s *phasedScan[T]) begin(ctx context.Context) (*scan[T], error) {
	base, pattern := s.new.sweeping.c, s.new.sweeping.sweep.Pattern
	c, err := base.Begin(ctx)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", pattern.Name, err)
	}
	served := pathsOf(base, c)
	if len(served) == 0 {
		return nil, notYet(pattern)
	}
	one := *s.new
	if !served[0].isNew() {
		one = *s.old
	}
	one.sweeping.path = served[0]
	return &one, nil
}

// Workers implements access.Scan.
func (s *phasedScan[T]) Workers(n int) access.Scan[T] {
	return scanInPhase(s.old.Workers(n), s.new.Workers(n))
}

// PageSize implements access.Scan.
func (s *phasedScan[T]) PageSize(n int) access.Scan[T] {
	return scanInPhase(s.old.PageSize(n), s.new.PageSize(n))
}

// All implements access.Scan.
func (s *phasedScan[T]) All(ctx context.Context) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		one, err := s.begin(ctx)
		if err != nil {
			var none T
			yield(none, err)
			return
		}
		one.All(ctx)(yield)
	}
}

// Each implements access.Scan.
func (s *phasedScan[T]) Each(ctx context.Context, handle func(context.Context, T) error) error {
	one, err := s.begin(ctx)
	if err != nil {
		return err
	}
	return one.Each(ctx, handle)
}
