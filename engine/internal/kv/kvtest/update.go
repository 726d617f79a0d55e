package kvtest

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/engine/internal/kv"
)

func testOwnWrites(t *testing.T, s kv.Store) {
	fill(t, s, "a", "b")
	update(t, s, "a", func(tx kv.Txn) error {
		tx.Set(key("a"), []byte("new"))
		tx.Delete(key("b"))
		tx.Set(key("c"), []byte("new"))
		for text, want := range map[string]string{"a": "value of a", "b": "value of b", "c": "absent"} {
			if got := get(t, tx, text); got != want {
				t.Errorf("inside the update %q is %q, want %q", text, got, want)
			}
		}
		if diff := cmp.Diff([]string{"a", "b"}, scan(t, tx, nil, nil, kv.ScanOptions{})); diff != "" {
			t.Errorf("scan inside the update (-want +got):\n%s", diff)
		}
		return nil
	})
	for text, want := range map[string]string{"a": "new", "b": "absent", "c": "new"} {
		if got := get(t, storeGetter{t.Context(), s, kv.Latest}, text); got != want {
			t.Errorf("after the update %q is %q, want %q", text, got, want)
		}
	}
}

func testLastWrite(t *testing.T, s kv.Store) {
	fill(t, s, "a", "b", "c")
	update(t, s, "a", func(tx kv.Txn) error {
		tx.Set(key("a"), []byte("1"))
		tx.Set(key("a"), []byte("2"))
		tx.Set(key("b"), []byte("1"))
		tx.Delete(key("b"))
		tx.Delete(key("c"))
		tx.Set(key("c"), []byte("1"))
		tx.Delete(key("never there"))
		return nil
	})
	for text, want := range map[string]string{"a": "2", "b": "absent", "c": "1", "never there": "absent"} {
		if got := get(t, storeGetter{t.Context(), s, kv.Durable}, text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// testCopies reuses every buffer that it has passed in.
func testCopies(t *testing.T, s kv.Store) {
	k, v, rec := key("a"), []byte("value of a"), []byte("record")
	latch := [][]byte{k}
	err := s.Update(t.Context(), latch, func(tx kv.Txn) error {
		tx.Set(k, v)
		tx.Log(1, rec)
		clear(k[1:])
		clear(v)
		clear(rec)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a"}, all(t, s)); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"1 record"}, readLog(t, s, 1, 1)); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}
}

func testFailedUpdate(t *testing.T, s kv.Store) {
	fill(t, s, "a")
	failed := errors.New("condition failed")
	err := s.Update(t.Context(), keys("a"), func(tx kv.Txn) error {
		tx.Set(key("a"), []byte("new"))
		tx.Set(key("b"), []byte("new"))
		return failed
	})
	if err != failed {
		t.Errorf("update returned %v, want the error of fn itself", err)
	}
	if diff := cmp.Diff([]string{"a"}, all(t, s)); diff != "" {
		t.Errorf("a failed update wrote something (-want +got):\n%s", diff)
	}
	update(t, s, "a", func(kv.Txn) error { return nil }) // writing nothing succeeds
}

func testPanic(t *testing.T, s kv.Store) {
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic of fn was swallowed")
			}
		}()
		_ = s.Update(t.Context(), keys("a"), func(tx kv.Txn) error {
			tx.Set(key("a"), []byte("new"))
			panic("bug in fn")
		})
	}()
	fill(t, s, "b", "a") // would hang if the latch were still held
	if diff := cmp.Diff([]string{"a", "b"}, all(t, s)); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
}

func testSnapshot(t *testing.T, s kv.Store) {
	fill(t, s, "a", "b")
	err := s.View(t.Context(), kv.Durable, func(r kv.Reader) error {
		update(t, s, "a", func(tx kv.Txn) error {
			tx.Set(key("a"), []byte("new"))
			tx.Delete(key("b"))
			tx.Set(key("c"), []byte("value of c"))
			return nil
		})
		if err := s.DeleteSpan(t.Context(), nil, key("b")); err != nil {
			return err
		}
		if diff := cmp.Diff([]string{"a", "b"}, scan(t, r, nil, nil, kv.ScanOptions{})); diff != "" {
			t.Errorf("the view changed (-want +got):\n%s", diff)
		}
		if got := get(t, r, "a") + ", " + get(t, r, "c"); got != "value of a, absent" {
			t.Errorf("point reads of the view: %s", got)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"c"}, all(t, s)); diff != "" {
		t.Errorf("afterwards (-want +got):\n%s", diff)
	}
}

// testViewDoesNotBlock writes from inside the callback of a scan, from another goroutine.
func testViewDoesNotBlock(t *testing.T, s kv.Store) {
	fill(t, s, "a", "b", "c")
	err := s.View(t.Context(), kv.Latest, func(r kv.Reader) error {
		return r.Scan(nil, nil, kv.ScanOptions{}, func(k, _ []byte) bool {
			done := make(chan error)
			go func() {
				done <- s.Update(t.Context(), [][]byte{k}, func(tx kv.Txn) error {
					tx.Delete(k)
					return nil
				})
			}()
			if err := <-done; err != nil { // would hang if the scan held a lock
				t.Error(err)
			}
			return true
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := all(t, s); got != nil {
		t.Errorf("keys left: %q", got)
	}
}

// testAtomic has writers set ten keys to one value, and readers look for a mixture.
func testAtomic(t *testing.T, s kv.Store) {
	const parts = 10
	part := func(i int) []byte { return key(fmt.Sprint("part", i)) }
	write := func(n uint64) error {
		return s.Update(t.Context(), [][]byte{part(0)}, func(tx kv.Txn) error {
			for i := range parts {
				tx.Set(part(i), binary.BigEndian.AppendUint64(nil, n))
			}
			return nil
		})
	}
	if err := write(0); err != nil {
		t.Fatal(err)
	}
	read := func(c kv.Consistency) error {
		return s.View(t.Context(), c, func(r kv.Reader) error {
			var first []byte
			return r.Scan(nil, nil, kv.ScanOptions{}, func(k, v []byte) bool {
				if first == nil {
					first = bytes.Clone(v)
				}
				if !bytes.Equal(first, v) {
					t.Errorf("%q has %x, the first one %x", k, v, first)
				}
				return true
			})
		})
	}
	var wg sync.WaitGroup
	for worker := range 6 {
		wg.Go(func() {
			for n := range 100 {
				err := read(kv.Consistency(n % 2))
				if worker%2 == 0 {
					err = write(rand.Uint64())
				}
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
}

// testLatchesExclude counts with many goroutines and checks the sum for lost updates.
func testLatchesExclude(t *testing.T, s kv.Store) {
	const workers, rounds, counters = 16, 100, 3
	var wg sync.WaitGroup
	for worker := range workers {
		wg.Go(func() {
			for n := range rounds {
				if err := increment(t.Context(), s, key(fmt.Sprint("counter", (worker+n)%counters))); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	var sum uint64
	err := s.View(t.Context(), kv.Durable, func(r kv.Reader) error {
		return r.Scan(nil, nil, kv.ScanOptions{}, func(_, v []byte) bool {
			sum += binary.BigEndian.Uint64(v)
			return true
		})
	})
	if err != nil || sum != workers*rounds {
		t.Errorf("counted to %d (error %v), want %d", sum, err, workers*rounds)
	}
}

// increment adds one to the number under k.
func increment(ctx context.Context, s kv.Store, k []byte) error {
	return s.Update(ctx, [][]byte{k}, func(tx kv.Txn) error {
		var n uint64
		if _, err := tx.Get(k, func(v []byte) error {
			n = binary.BigEndian.Uint64(v)
			return nil
		}); err != nil {
			return err
		}
		tx.Set(k, binary.BigEndian.AppendUint64(nil, n+1))
		return nil
	})
}

// testNoDeadlock moves amounts between accounts with latches in random order, some repeated.
func testNoDeadlock(t *testing.T, s kv.Store) {
	const accounts, start = 20, 1000
	account := func(i int) []byte { return key(fmt.Sprint("account", i)) }
	for i := range accounts {
		update(t, s, "setup", func(tx kv.Txn) error {
			tx.Set(account(i), binary.BigEndian.AppendUint64(nil, start))
			return nil
		})
	}
	transfer := func(from, to []byte, amount uint64) error {
		return s.Update(t.Context(), [][]byte{from, to, from}, func(tx kv.Txn) error {
			var balance [2]uint64
			for i, k := range [][]byte{from, to} {
				if _, err := tx.Get(k, func(v []byte) error {
					balance[i] = binary.BigEndian.Uint64(v)
					return nil
				}); err != nil {
					return err
				}
			}
			tx.Set(from, binary.BigEndian.AppendUint64(nil, balance[0]-amount))
			tx.Set(to, binary.BigEndian.AppendUint64(nil, balance[1]+amount))
			return nil
		})
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				from := rand.IntN(accounts)
				to := (from + 1 + rand.IntN(accounts-1)) % accounts
				if err := transfer(account(from), account(to), 1); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	var sum atomic.Uint64
	err := s.View(t.Context(), kv.Durable, func(r kv.Reader) error {
		return r.Scan(nil, nil, kv.ScanOptions{}, func(_, v []byte) bool {
			sum.Add(binary.BigEndian.Uint64(v))
			return true
		})
	})
	if err != nil || sum.Load() != accounts*start {
		t.Errorf("the accounts hold %d together (error %v), want %d", sum.Load(), err, accounts*start)
	}
}

func testDeleteSpan(t *testing.T, s kv.Store) {
	fill(t, s, "a", "b", "b1", "b2", "c", "d")
	for _, c := range []struct {
		lo, hi []byte
		want   []string
	}{
		{key("x"), key("a"), []string{"a", "b", "b1", "b2", "c", "d"}},
		{key("b"), key("c"), []string{"a", "c", "d"}},
		{key("b"), key("c"), []string{"a", "c", "d"}},
		{key("d"), nil, []string{"a", "c"}},
		{nil, key("b"), []string{"c"}},
		{nil, nil, nil},
	} {
		if err := s.DeleteSpan(t.Context(), c.lo, c.hi); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, all(t, s)); diff != "" {
			t.Errorf("after deleting [%q, %q) (-want +got):\n%s", c.lo, c.hi, diff)
		}
	}
	fill(t, s, "b") // a deleted span can be written again
	if diff := cmp.Diff([]string{"b"}, all(t, s)); diff != "" {
		t.Errorf("after writing into the span (-want +got):\n%s", diff)
	}
	if got := get(t, storeGetter{t.Context(), s, kv.Durable}, "b"); got != "value of b" {
		t.Errorf("b is %q", got)
	}
}

// testLargeCommit writes more than a memtable, which stores may treat specially.
func testLargeCommit(t *testing.T, s kv.Store) {
	value := make([]byte, 1<<20)
	rand.NewChaCha8([32]byte{}).Read(value)
	const parts = 18 // more than a memtable of Pebble holds
	update(t, s, "part", func(tx kv.Txn) error {
		for i := range parts {
			tx.Set(key(fmt.Sprintf("part%02d", i)), value)
		}
		tx.Log(7, []byte("large"))
		return nil
	})
	n := 0
	err := s.View(t.Context(), kv.Durable, func(r kv.Reader) error {
		return r.Scan(nil, nil, kv.ScanOptions{}, func(_, v []byte) bool {
			if bytes.Equal(v, value) {
				n++
			}
			return true
		})
	})
	if err != nil || n != parts {
		t.Errorf("%d of %d values came back, error %v", n, parts, err)
	}
	if diff := cmp.Diff([]string{"1 large"}, readLog(t, s, 7, 1)); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}
	fill(t, s, "part") // the latch is free again
}
