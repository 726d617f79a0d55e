// Package fanout calls a function many times, several calls at once. Packages call and migrate use it.
package fanout

import (
	"context"
	"sync"
	"sync/atomic"
)

// Do calls do for 0 to n-1, at most workers at once, and returns when all have come
// back. The first error stops the others through their context and is returned. One
// worker is the caller itself.
func Do(ctx context.Context, workers, n int, do func(ctx context.Context, i int) error) error {
	workers = min(workers, n)
	if workers <= 1 {
		for i := range n {
			if err := do(ctx, i); err != nil {
				return err
			}
		}
		return nil
	}
	all, cancel := context.WithCancel(ctx)
	defer cancel()
	var next atomic.Int64
	var group sync.WaitGroup
	var once sync.Once
	var first error
	for range workers {
		group.Go(func() {
			for all.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if err := do(all, i); err != nil {
					once.Do(func() { first = err })
					cancel()
				}
			}
		})
	}
	group.Wait()
	if first == nil && int(next.Load()) < n {
		return ctx.Err() // it ended before everything was begun
	}
	return first
}
