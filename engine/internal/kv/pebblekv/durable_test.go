package pebblekv_test

import (
	"context"
	"errors"
	"fmt"
	"path"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/kv/pebblekv"
)

// slowSync is a disk whose log syncs hang while it is held, and then end with err.
type slowSync struct {
	held atomic.Pointer[chan struct{}]
	err  error
}

func (s *slowSync) MaybeError(op errorfs.Op) error {
	isSync := op.Kind == errorfs.OpFileSync || op.Kind == errorfs.OpFileSyncData
	gate := s.held.Load()
	if gate == nil || !isSync || path.Ext(op.Path) != ".log" {
		return nil
	}
	<-*gate
	return s.err
}

func (s *slowSync) String() string { return "slow sync" }

// hold makes syncs hang until the returned function is called.
func (s *slowSync) hold() (release func()) {
	gate := make(chan struct{})
	s.held.Store(&gate)
	return func() {
		s.held.Store(nil)
		close(gate)
	}
}

// pendingCommit is a store with one commit that is visible and not yet durable: it has
// changed the row "hot", and logged to shard 1. The row "cold" is older and durable, and so
// is a record in shard 2.
type pendingCommit struct {
	s       *pebblekv.Store
	disk    *slowSync
	release func()
	result  func() error // of the pending commit; waits for it
}

func newPendingCommit(t *testing.T) *pendingCommit {
	p := &pendingCommit{disk: &slowSync{}}
	p.s = open(t, "/db", &pebblekv.Options{FS: newFaultyDisk(vfs.NewMem(), p.disk)})
	mustWrite(t, p.s, "hot")
	mustWrite(t, p.s, "cold")
	mustLog(t, p.s, 2, "old")
	p.release = p.disk.hold()
	p.result = start(func() error {
		return p.s.Update(t.Context(), [][]byte{rowKey("hot")}, func(tx kv.Txn) error {
			tx.Set(rowKey("hot"), []byte("pending"))
			tx.Log(1, []byte("pending"))
			return nil
		})
	}).wait
	synctest.Wait()
	return p
}

// call is a call that runs in its own goroutine.
type call struct {
	done atomic.Bool
	ch   chan error
}

func start(fn func() error) *call {
	c := &call{ch: make(chan error, 1)}
	go func() {
		err := fn()
		c.done.Store(true)
		c.ch <- err
	}()
	return c
}

func (c *call) wait() error { return <-c.ch }

// returned reports whether the call has returned when all goroutines are blocked.
func (c *call) returned() bool {
	synctest.Wait()
	return c.done.Load()
}

var errCondition = errors.New("condition failed")

// callsOn returns calls that see the pending commit or do not, and whether they wait for it.
func (p *pendingCommit) callsOn(ctx context.Context) map[string]struct {
	waits bool
	fn    func() error
} {
	expect := func(want string) func([]byte) error {
		return func(v []byte) error {
			if string(v) != want {
				return fmt.Errorf("value is %q, want %q", v, want)
			}
			return nil
		}
	}
	get := func(c kv.Consistency, row, want string) func() error {
		return func() error { _, err := p.s.Get(ctx, c, rowKey(row), expect(want)); return err }
	}
	view := func(c kv.Consistency, row, want string) func() error {
		return func() error {
			return p.s.View(ctx, c, func(r kv.Reader) error {
				_, err := r.Get(rowKey(row), expect(want))
				return err
			})
		}
	}
	readOnly := func(row string, verdict error) func() error {
		return func() error {
			err := p.s.Update(ctx, [][]byte{rowKey(row)}, func(kv.Txn) error { return verdict })
			if verdict != nil && err == verdict {
				return nil
			}
			return err
		}
	}
	return map[string]struct {
		waits bool
		fn    func() error
	}{
		"latest get":                   {false, get(kv.Latest, "hot", "pending")},
		"durable get":                  {true, get(kv.Durable, "hot", "pending")},
		"durable get of another row":   {false, get(kv.Durable, "cold", "value of cold")},
		"latest view":                  {false, view(kv.Latest, "hot", "pending")},
		"durable view":                 {true, view(kv.Durable, "hot", "pending")},
		"failed condition":             {true, readOnly("hot", errCondition)},
		"failed condition elsewhere":   {false, readOnly("cold", errCondition)},
		"update that writes nothing":   {true, readOnly("hot", nil)},
		"horizon of the log":           {false, func() error { return p.checkLog(ctx, 0) }},
		"wait for the log":             {true, func() error { return p.s.WaitLog(ctx, []kv.LogPosition{{Shard: 2, Sequence: 1}, {Shard: 1}}) }},
		"wait for old records":         {false, func() error { return p.s.WaitLog(ctx, []kv.LogPosition{{Shard: 1}, {Shard: 2}}) }},
		"update of the same row":       {true, func() error { return write(ctx, p.s, "hot", []byte("next")) }},
		"span delete somewhere else":   {true, func() error { return p.s.DeleteSpan(ctx, rowKey("x"), rowKey("y")) }},
		"trim of an undurable log":     {false, func() error { return p.s.TrimLog(ctx, 1, 100) }},
		"durable get of an absent row": {false, func() error { _, err := p.s.Get(ctx, kv.Durable, rowKey("absent"), nil); return err }},
	}
}

// checkLog checks that readers of the log see n records.
func (p *pendingCommit) checkLog(ctx context.Context, n uint64) error {
	horizon, err := p.s.LogHorizon(ctx, 1)
	if err != nil || horizon != n {
		return fmt.Errorf("horizon is %d (error %w), want %d", horizon, err, n)
	}
	var records uint64
	err = p.s.ReadLog(ctx, 1, 1, func(uint64, []byte) bool { records++; return true })
	if err != nil || records != n {
		return fmt.Errorf("the log shows %d records (error %w), want %d", records, err, n)
	}
	return nil
}

// callNames returns the names of the calls in callsOn.
func callNames() (names []string) {
	for name := range new(pendingCommit).callsOn(context.Background()) {
		names = append(names, name)
	}
	return names
}

// TestCallsThatWaitForAPendingCommit delays the sync of a commit and checks for each call
// whether it returns before the commit is durable.
func TestCallsThatWaitForAPendingCommit(t *testing.T) {
	for _, name := range callNames() {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPendingCommit(t)
				want := p.callsOn(t.Context())[name]
				c := start(want.fn)
				if got := c.returned(); got == want.waits {
					t.Errorf("returned while the commit was pending: %t, want %t", got, !want.waits)
				}
				p.release()
				if err := c.wait(); err != nil {
					t.Error(err)
				}
				if err := p.result(); err != nil {
					t.Error(err)
				}
				if err := p.checkLog(t.Context(), 1); err != nil {
					t.Error(err)
				}
				if err := p.s.Close(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// TestCallsThatFailWithAPendingCommit makes that sync fail: calls that would have waited must
// fail, the others succeed.
func TestCallsThatFailWithAPendingCommit(t *testing.T) {
	for _, name := range callNames() {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPendingCommit(t)
				want := p.callsOn(t.Context())[name]
				before := start(want.fn)
				synctest.Wait()
				p.disk.err = errBroken
				p.release()
				if err := before.wait(); errors.Is(err, errBroken) != want.waits {
					t.Errorf("the call that ran during the failure: %v", err)
				}
				if err := p.result(); !errors.Is(err, kv.ErrFailed) || !errors.Is(err, errBroken) {
					t.Errorf("the commit itself: %v", err)
				}
				if err := p.s.Close(); !errors.Is(err, errBroken) {
					t.Errorf("close: %v", err)
				}
			})
		})
	}
}

// TestDurableReadGivesUpWithItsContext cancels a waiting read.
func TestDurableReadGivesUpWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPendingCommit(t)
		ctx, cancel := context.WithCancel(t.Context())
		c := start(func() error { _, err := read(ctx, p.s, kv.Durable, "hot"); return err })
		if c.returned() {
			t.Error("the read did not wait")
		}
		cancel()
		if err := c.wait(); !errors.Is(err, context.Canceled) {
			t.Errorf("canceled read: %v", err)
		}
		p.release()
		if err := p.result(); err != nil {
			t.Error(err)
		}
		_ = p.s.Close()
	})
}

// TestHotKeyDoesNotWaitForSyncs lets many updates of one row become visible during one sync.
func TestHotKeyDoesNotWaitForSyncs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPendingCommit(t)
		var calls []*call
		for n := range 64 {
			calls = append(calls, start(func() error { return write(t.Context(), p.s, "hot", fmt.Append(nil, n)) }))
		}
		synctest.Wait()
		inside := start(func() error { return p.checkInside(t.Context()) })
		if !inside.returned() {
			t.Error("a latest read of the hot row waits for its sync")
		}
		p.release()
		for _, c := range append(calls, inside) {
			if err := c.wait(); err != nil {
				t.Error(err)
			}
		}
		if err := p.result(); err != nil {
			t.Error(err)
		}
		_ = p.s.Close()
	})
}

// checkInside checks that the hot row has changed since the first pending commit.
func (p *pendingCommit) checkInside(ctx context.Context) error {
	if got, err := read(ctx, p.s, kv.Latest, "hot"); err != nil || got == "pending" {
		return fmt.Errorf("the hot row is still %q, error %w", got, err)
	}
	return nil
}

// TestDurableGetWaitsForASpanDelete checks that the absence of a row must be durable, too.
func TestDurableGetWaitsForASpanDelete(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPendingCommit(t)
		p.release()
		if err := p.result(); err != nil {
			t.Error(err)
		}
		release := p.disk.hold()
		span := start(func() error { return p.s.DeleteSpan(t.Context(), rowKey("cold"), rowKey("cold2")) })
		synctest.Wait()
		if got, err := read(t.Context(), p.s, kv.Latest, "cold"); err != nil || got != "absent" {
			t.Errorf("latest read during the span delete: %q, error %v", got, err)
		}
		durable := start(func() error {
			got, err := read(t.Context(), p.s, kv.Durable, "cold")
			if got != "absent" {
				return fmt.Errorf("durable read during the span delete: %q, error %w", got, err)
			}
			return err
		})
		if durable.returned() {
			t.Error("a durable read returned a span delete that can still be lost")
		}
		release()
		for _, c := range []*call{span, durable} {
			if err := c.wait(); err != nil {
				t.Error(err)
			}
		}
		_ = p.s.Close()
	})
}
