package kvtest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"sortkey.dev/engine/internal/kv"
)

// runWaits tests WaitLog. To see that a call waits, each test runs in a synctest bubble, in
// which all goroutines can be run until they block.
func runWaits(t *testing.T, open func(t *testing.T) kv.Store) {
	for _, c := range []struct {
		name string
		test func(*testing.T, kv.Store)
	}{
		{"OnlyWithoutNews", testWaitOnlyWithoutNews},
		{"WakesTheRightOnes", testWaitWakes},
		{"NothingElseWakes", testWaitNothingElse},
		{"OverManyShards", testWaitManyShards},
		{"EndsWithItsContext", testWaitContext},
		{"EndsWithTheStore", testWaitClose},
		{"InsideAnUpdateEndsWithTheStore", testWaitCloseInside},
		{"LeavesNothingBehind", testWaitForgets},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := open(t)
				c.test(t, s)
				_ = s.Close() // in the bubble, where it was opened
			})
		})
	}
	t.Run("LosesNoWakeUp", func(t *testing.T) { testWaitHammer(t, open(t)) })
}

// logWait is a running call of WaitLog.
type logWait struct {
	cancel context.CancelFunc
	done   atomic.Bool
	err    error // of the call, once it has returned
	ended  chan struct{}
}

func startWait(ctx context.Context, s kv.Store, after ...kv.LogPosition) *logWait {
	ctx, cancel := context.WithCancel(ctx)
	w := &logWait{cancel: cancel, ended: make(chan struct{})}
	go func() {
		w.err = s.WaitLog(ctx, after)
		w.done.Store(true)
		close(w.ended)
	}()
	return w
}

// waits reports whether the call still waits when all goroutines are blocked.
func (w *logWait) waits() bool {
	synctest.Wait()
	return !w.done.Load()
}

// end waits for the call and returns its error.
func (w *logWait) end() error {
	<-w.ended
	w.cancel()
	return w.err
}

func testWaitOnlyWithoutNews(t *testing.T, s kv.Store) {
	appendLog(t, s, 1, "a", "b", "c")
	appendLog(t, s, 2, "trimmed", "trimmed", "kept")
	appendLog(t, s, 3, "trimmed")
	for shard, below := range map[uint32]uint64{2: 3, 3: 2} {
		if err := s.TrimLog(t.Context(), shard, below); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name  string
		after []kv.LogPosition
		waits bool
	}{
		{"from the start", []kv.LogPosition{{Shard: 1}}, false},
		{"behind", []kv.LogPosition{{Shard: 1, Sequence: 2}}, false},
		{"at the end", []kv.LogPosition{{Shard: 1, Sequence: 3}}, true},
		{"beyond the end", []kv.LogPosition{{Shard: 1, Sequence: 9}}, true},
		{"partly trimmed", []kv.LogPosition{{Shard: 2}}, false},
		{"nothing left", []kv.LogPosition{{Shard: 3}}, true},
		{"never written", []kv.LogPosition{{Shard: 4}}, true},
		{"no shard", nil, true},
		{"only the last has news", []kv.LogPosition{{Shard: 4}, {Shard: 3}, {Shard: 1, Sequence: 3}, {Shard: 2}}, false},
		{"none has news", []kv.LogPosition{{Shard: 4}, {Shard: 3}, {Shard: 1, Sequence: 3}}, true},
		{"one shard twice", []kv.LogPosition{{Shard: 1, Sequence: 3}, {Shard: 1, Sequence: 2}}, false},
	} {
		w := startWait(t.Context(), s, c.after...)
		if got := w.waits(); got != c.waits {
			t.Errorf("%s: waits is %t, want %t", c.name, got, c.waits)
		}
		w.cancel()
		if err := w.end(); c.waits && !errors.Is(err, context.Canceled) || !c.waits && err != nil {
			t.Errorf("%s: returned %v", c.name, err)
		}
	}
}

func testWaitWakes(t *testing.T, s kv.Store) {
	appendLog(t, s, 1, "old")
	waits := map[string]*logWait{
		"shard 1":          startWait(t.Context(), s, kv.LogPosition{Shard: 1, Sequence: 1}),
		"shard 1 too":      startWait(t.Context(), s, kv.LogPosition{Shard: 1, Sequence: 1}),
		"shard 1 behind 3": startWait(t.Context(), s, kv.LogPosition{Shard: 1, Sequence: 3}),
		"shard 2":          startWait(t.Context(), s, kv.LogPosition{Shard: 2}),
		"shards 2 and 1":   startWait(t.Context(), s, kv.LogPosition{Shard: 2}, kv.LogPosition{Shard: 1, Sequence: 1}),
		"shard 2 twice":    startWait(t.Context(), s, kv.LogPosition{Shard: 2}, kv.LogPosition{Shard: 2, Sequence: 1}),
	}
	expect := func(when string, woken ...string) {
		t.Helper()
		for _, name := range woken {
			if waits[name].waits() {
				t.Errorf("%s: %s still waits", when, name)
			} else if err := waits[name].end(); err != nil {
				t.Errorf("%s: %s returned %v", when, name, err)
			}
			delete(waits, name)
		}
		for name, w := range waits {
			if !w.waits() {
				t.Errorf("%s: %s was woken, and returned %v", when, name, w.end())
			}
		}
	}
	expect("at first")
	appendLog(t, s, 1, "second", "third")
	expect("after two records in shard 1", "shard 1", "shard 1 too", "shards 2 and 1")
	appendLog(t, s, 3, "elsewhere")
	expect("after a record in shard 3")
	update(t, s, "a", func(tx kv.Txn) error {
		tx.Log(1, []byte("fourth"))
		tx.Log(2, []byte("first"))
		return nil
	})
	expect("after a record in both", "shard 1 behind 3", "shard 2", "shard 2 twice")
}

// testWaitNothingElse does everything that adds no record.
func testWaitNothingElse(t *testing.T, s kv.Store) {
	appendLog(t, s, 1, "a", "b")
	w := startWait(t.Context(), s, kv.LogPosition{Shard: 1, Sequence: 2})
	fill(t, s, "a", "b")
	failed := errors.New("condition failed")
	err := s.Update(t.Context(), keys("a"), func(tx kv.Txn) error {
		tx.Log(1, []byte("never happened"))
		return failed
	})
	if err != failed {
		t.Errorf("update returned %v", err)
	}
	if err := s.DeleteSpan(t.Context(), nil, nil); err != nil {
		t.Error(err)
	}
	if err := s.TrimLog(t.Context(), 1, 2); err != nil {
		t.Error(err)
	}
	if !w.waits() {
		t.Errorf("it was woken, and returned %v", w.end())
	}
	appendLog(t, s, 1, "c")
	if err := w.end(); err != nil {
		t.Error(err)
	}
}

// testWaitManyShards waits for hundreds of shards at once, and adds records to some of them.
func testWaitManyShards(t *testing.T, s kv.Store) {
	after := make([]kv.LogPosition, 300)
	for i := range after {
		after[i].Shard = uint32(i * 7)
	}
	for i := 0; i < len(after); i += 13 {
		w := startWait(t.Context(), s, after...)
		if !w.waits() {
			t.Fatalf("did not wait for shard %d, and returned %v", after[i].Shard, w.end())
		}
		appendLog(t, s, after[i].Shard, "news")
		if err := w.end(); err != nil {
			t.Fatalf("shard %d: %v", after[i].Shard, err)
		}
		after[i].Sequence = horizon(t, s, after[i].Shard)
	}
}

func testWaitContext(t *testing.T, s kv.Store) {
	ctx, stop := context.WithTimeout(t.Context(), time.Hour)
	defer stop()
	late := startWait(ctx, s, kv.LogPosition{Shard: 1})
	canceled := startWait(t.Context(), s, kv.LogPosition{Shard: 1})
	woken := startWait(t.Context(), s, kv.LogPosition{Shard: 1})
	canceled.cancel()
	if err := canceled.end(); !errors.Is(err, context.Canceled) {
		t.Errorf("after its context was canceled: %v", err)
	}
	if err := late.end(); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("after its deadline: %v", err)
	}
	appendLog(t, s, 1, "news")
	if err := woken.end(); err != nil {
		t.Errorf("the call that continued: %v", err)
	}
}

func testWaitClose(t *testing.T, s kv.Store) {
	waits := make([]*logWait, 100)
	for i := range waits {
		waits[i] = startWait(t.Context(), s, kv.LogPosition{Shard: uint32(i % 10)}, kv.LogPosition{Shard: 20})
	}
	if !waits[0].waits() {
		t.Errorf("did not wait, and returned %v", waits[0].end())
	}
	if err := s.Close(); err != nil { // would hang if it waited for the waiters
		t.Error(err)
	}
	for i, w := range waits {
		if err := w.end(); !errors.Is(err, kv.ErrClosed) {
			t.Fatalf("waiter %d after close: %v", i, err)
		}
	}
}

// testWaitCloseInside closes the store while an update, which Close waits for, waits for the
// log.
func testWaitCloseInside(t *testing.T, s kv.Store) {
	inside := make(chan error, 1)
	go func() {
		inside <- s.Update(t.Context(), keys("a"), func(kv.Txn) error {
			return s.WaitLog(t.Context(), []kv.LogPosition{{Shard: 1}})
		})
	}()
	synctest.Wait()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := <-inside; !errors.Is(err, kv.ErrClosed) {
		t.Errorf("the update: %v", err)
	}
}

// testWaitForgets ends many waits for many shards: none of them may stay in a list.
func testWaitForgets(t *testing.T, s kv.Store) {
	after := make([]kv.LogPosition, 300)
	for i := range after {
		after[i].Shard = uint32(i)
	}
	wait := func() {
		w := startWait(t.Context(), s, after...)
		synctest.Wait()
		w.cancel()
		_ = w.end()
	}
	wait()
	before := heapInUse()
	const waits, leak = 1000, 1000 * 300 * 32 // an entry of a list takes more than 32 bytes
	for range waits {
		wait()
	}
	if after := heapInUse(); after > before+leak/2 {
		t.Errorf("%d bytes more than before", after-before)
	}
}

func heapInUse() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// testWaitHammer adds records at the very moment at which a waiter begins to wait for
// them. No other record follows, so a single lost wake-up hangs the
// test. Meanwhile other goroutines write elsewhere, and give up waiting for the same shards.
func testWaitHammer(t *testing.T, s kv.Store) {
	const pairs, rounds = 4, 1000
	ctx, stop := context.WithCancel(t.Context())
	var noise, players sync.WaitGroup
	noise.Go(func() { check(t, "noise", writeUntil(ctx, s, 100)) })
	noise.Go(func() { check(t, "impatient waiter", giveUpUntil(ctx, s, pairs)) })
	for shard := range uint32(pairs) {
		p := pair{s: s, shard: shard, turn: make(chan struct{})}
		players.Go(func() { check(t, "writer", p.write(t.Context(), rounds)) })
		players.Go(func() { check(t, "waiter", p.wait(t.Context(), rounds)) })
	}
	players.Wait()
	stop()
	noise.Wait()
}

func check(t *testing.T, who string, err error) {
	if err != nil {
		t.Errorf("%s: %v", who, err)
	}
}

// pair is a writer that writes one record to a shard per round, and a goroutine that waits
// for it.
type pair struct {
	s     kv.Store
	shard uint32
	turn  chan struct{}
	took  atomic.Int64 // duration of the last write
}

func (p *pair) write(ctx context.Context, rounds uint64) error {
	for range rounds {
		<-p.turn
		began := time.Now()
		if err := logTo(ctx, p.s, p.shard); err != nil {
			return err
		}
		p.took.Store(int64(time.Since(began)))
	}
	return nil
}

func (p *pair) wait(ctx context.Context, rounds uint64) error {
	for n := range rounds {
		p.turn <- struct{}{}
		// Begin at any moment of the write, or a little later. It is a busy wait, to be
		// precise, and therefore short.
		longest := min(p.took.Load()*3/2, int64(20*time.Microsecond))
		began, delay := time.Now(), time.Duration(rand.Int64N(longest+1))
		for time.Since(began) < delay {
		}
		err := p.s.WaitLog(ctx, []kv.LogPosition{{Shard: 1000}, {Shard: p.shard, Sequence: n}})
		if err != nil {
			return err
		}
		var seen uint64
		err = p.s.ReadLog(ctx, p.shard, n+1, func(seq uint64, _ []byte) bool { seen = seq; return true })
		if err != nil || seen != n+1 {
			return fmt.Errorf("notified of record %d of shard %d, read %d, error %w", n+1, p.shard, seen, err)
		}
	}
	return nil
}

func logTo(ctx context.Context, s kv.Store, shard uint32) error {
	return s.Update(ctx, keys(fmt.Sprint("writer", shard)), func(tx kv.Txn) error {
		tx.Log(shard, []byte("news"))
		return nil
	})
}

func writeUntil(ctx context.Context, s kv.Store, shard uint32) error {
	for ctx.Err() == nil {
		if err := logTo(context.Background(), s, shard); err != nil {
			return err
		}
	}
	return nil
}

// giveUpUntil waits for a record far ahead in each shard and gives up after an unrelated
// record.
func giveUpUntil(ctx context.Context, s kv.Store, shards uint32) error {
	for n := uint64(0); ctx.Err() == nil; n++ {
		far := startWait(context.Background(), s, kv.LogPosition{Shard: uint32(n) % shards, Sequence: 1 << 40})
		err := s.WaitLog(ctx, []kv.LogPosition{{Shard: 100, Sequence: n}})
		far.cancel()
		if farErr := far.end(); !errors.Is(farErr, context.Canceled) {
			return fmt.Errorf("wait for a record far ahead: %w", farErr)
		}
		if err != nil && !errors.Is(err, context.Canceled) {
			return err
		}
	}
	return nil
}
