// Package kvtest tests whether a store fulfils the kv.Store contract. Every implementation
// calls Run from its tests; a new store is complete when Run passes. It does not test
// what only one kind of store has, such as files.
package kvtest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/engine/internal/kv"
)

// Run tests the stores that open returns: new, empty stores that are closed when
// the test ends.
func Run(t *testing.T, open func(t *testing.T) kv.Store) {
	runCases(t, open, []contractCase{
		{"Get", testGet},
		{"ScanRange", testScanRange},
		{"ScanStopsWhenAsked", testScanStop},
		{"NestedReads", testNestedReads},
		{"KeysOutsideTheCallersSpace", testInvalidKeys},
		{"ReadsDoNotSeeOwnWrites", testOwnWrites},
		{"LastWriteWins", testLastWrite},
		{"WritesAreCopied", testCopies},
		{"FailedUpdateWritesNothing", testFailedUpdate},
		{"PanickingUpdateReleasesLatches", testPanic},
		{"ViewIsASnapshot", testSnapshot},
		{"DeleteSpan", testDeleteSpan},
		{"DeleteSpanSparesTheLog", testDeleteSpanAndLog},
		{"LargeCommit", testLargeCommit},
		{"LogRead", testLogRead},
		{"LogAmongOtherWrites", testLogAmongWrites},
		{"LogStamps", testLogStamps},
		{"LogStampsAreInOrder", testLogStampOrder},
		{"LogTrim", testLogTrim},
		{"LogOfFailedUpdate", testLogOfFailedUpdate},
		{"CanceledContext", testCanceled},
		{"Closed", testClosed},
		{"RandomAgainstMap", testRandom},
	})
	RunConcurrent(t, open)
}

// RunConcurrent runs the part of Run that calls a store from several goroutines: all that the race detector can judge.
func RunConcurrent(t *testing.T, open func(t *testing.T) kv.Store) {
	runCases(t, open, []contractCase{
		{"LongViewDoesNotBlockWriters", testViewDoesNotBlock},
		{"CommitIsAtomic", testAtomic},
		{"LatchesExclude", testLatchesExclude},
		{"ManyLatchesDoNotDeadlock", testNoDeadlock},
		{"LogOrder", testLogOrder},
		{"LogAndDataAgree", testLogAgrees},
	})
	t.Run("WaitLog", func(t *testing.T) { runWaits(t, open) })
}

type contractCase struct {
	name string
	test func(*testing.T, kv.Store)
}

func runCases(t *testing.T, open func(t *testing.T) kv.Store, cases []contractCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { c.test(t, open(t)) })
	}
}

// key returns a caller's key of some text.
func key(text string) []byte { return append([]byte{kv.FirstByteMin}, text...) }

func keys(texts ...string) [][]byte {
	all := make([][]byte, len(texts))
	for i, text := range texts {
		all[i] = key(text)
	}
	return all
}

// update runs fn and fails the test if it fails. The latch keys are made of texts.
func update(t *testing.T, s kv.Store, latch string, fn func(kv.Txn) error) {
	t.Helper()
	if err := s.Update(t.Context(), keys(latch), fn); err != nil {
		t.Fatalf("update: %v", err)
	}
}

// fill writes each text as a key, with a value derived from it.
func fill(t *testing.T, s kv.Store, texts ...string) {
	t.Helper()
	update(t, s, texts[0], func(tx kv.Txn) error {
		for _, text := range texts {
			tx.Set(key(text), []byte("value of "+text))
		}
		return nil
	})
}

// get returns the value of a key, and "absent" if there is none.
func get(t *testing.T, r interface {
	Get([]byte, func([]byte) error) (bool, error)
}, text string) string {
	t.Helper()
	value := "absent"
	found, err := r.Get(key(text), func(v []byte) error {
		value = string(v)
		return nil
	})
	if err != nil {
		t.Fatalf("get %q: %v", text, err)
	}
	if found != (value != "absent") {
		t.Errorf("get %q: found is %t, value %q", text, found, value)
	}
	return value
}

// storeGetter adapts a store's point read to that of a Reader.
type storeGetter struct {
	ctx context.Context
	s   kv.Store
	c   kv.Consistency
}

func (g storeGetter) Get(key []byte, fn func([]byte) error) (bool, error) {
	return g.s.Get(g.ctx, g.c, key, fn)
}

// scan returns the keys of a range as texts.
func scan(t *testing.T, r kv.Reader, lo, hi []byte, o kv.ScanOptions) []string {
	t.Helper()
	var texts []string
	err := r.Scan(lo, hi, o, func(k, v []byte) bool {
		if want := "value of " + string(k[1:]); string(v) != want {
			t.Errorf("scan: value of key %q is %q, want %q", k, v, want)
		}
		texts = append(texts, string(k[1:]))
		return true
	})
	if err != nil {
		t.Fatalf("scan: %v", err)
	}
	return texts
}

// all returns every key of the store.
func all(t *testing.T, s kv.Store) (texts []string) {
	t.Helper()
	err := s.View(t.Context(), kv.Durable, func(r kv.Reader) error {
		texts = scan(t, r, nil, nil, kv.ScanOptions{})
		return nil
	})
	if err != nil {
		t.Fatalf("view: %v", err)
	}
	return texts
}

func testGet(t *testing.T, s kv.Store) {
	fill(t, s, "a", "empty")
	update(t, s, "empty", func(tx kv.Txn) error {
		tx.Set(key("empty"), nil)
		return nil
	})
	for _, c := range []kv.Consistency{kv.Latest, kv.Durable} {
		for text, want := range map[string]string{"a": "value of a", "empty": "", "b": "absent", "": "absent", "aa": "absent"} {
			if got := get(t, storeGetter{t.Context(), s, c}, text); got != want {
				t.Errorf("Store.Get(%q) with consistency %d = %q, want %q", text, c, got, want)
			}
			err := s.View(t.Context(), c, func(r kv.Reader) error {
				if got := get(t, r, text); got != want {
					t.Errorf("Reader.Get(%q) = %q, want %q", text, got, want)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	wrong := errors.New("wrong")
	if _, err := s.Get(t.Context(), kv.Latest, key("a"), func([]byte) error { return wrong }); err != wrong {
		t.Errorf("error of the callback came back as %v", err)
	}
	if err := s.View(t.Context(), kv.Latest, func(kv.Reader) error { return wrong }); err != wrong {
		t.Errorf("error of the view came back as %v", err)
	}
}

func testScanRange(t *testing.T, s kv.Store) {
	// Bytes, not letters: 0xff sorts last, and a prefix sorts before its extensions.
	texts := []string{"", "\x00", "a", "a\x00", "ab", "b", "\xff", "\xff\xff"}
	fill(t, s, texts...)
	for _, c := range []struct {
		name   string
		lo, hi []byte
		want   []string
	}{
		{"everything", nil, nil, texts},
		{"from the first key", nil, key("a"), []string{"", "\x00"}},
		{"to the end", key("b"), nil, []string{"b", "\xff", "\xff\xff"}},
		{"lo is included, hi is not", key("a"), key("b"), []string{"a", "a\x00", "ab"}},
		{"bounds need not exist", key("aa"), key("bbb"), []string{"ab", "b"}},
		{"one key", key("a"), key("a\x00"), []string{"a"}},
		{"empty", key("c"), key("d"), nil},
		{"lo equals hi", key("a"), key("a"), nil},
		{"lo above hi", key("b"), key("a"), nil},
		{"empty hi is below everything", nil, []byte{}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			reversed := slices.Clone(c.want)
			slices.Reverse(reversed)
			check := func(where string, r kv.Reader) error {
				if diff := cmp.Diff(c.want, scan(t, r, c.lo, c.hi, kv.ScanOptions{})); diff != "" {
					t.Errorf("%s, ascending (-want +got):\n%s", where, diff)
				}
				if diff := cmp.Diff(reversed, scan(t, r, c.lo, c.hi, kv.ScanOptions{Reverse: true})); diff != "" {
					t.Errorf("%s, descending (-want +got):\n%s", where, diff)
				}
				return nil
			}
			if err := s.View(t.Context(), kv.Durable, func(r kv.Reader) error { return check("view", r) }); err != nil {
				t.Error(err)
			}
			update(t, s, "a", func(tx kv.Txn) error { return check("txn", tx) })
		})
	}
}

func testScanStop(t *testing.T, s kv.Store) {
	fill(t, s, "a", "b", "c")
	for _, o := range []kv.ScanOptions{{}, {Reverse: true}} {
		calls := 0
		err := s.View(t.Context(), kv.Latest, func(r kv.Reader) error {
			return r.Scan(nil, nil, o, func(_, _ []byte) bool {
				calls++
				return calls < 2
			})
		})
		if err != nil || calls != 2 {
			t.Errorf("with %+v: %d calls, error %v; want 2 calls", o, calls, err)
		}
	}
}

// testNestedReads reads inside the callbacks of other reads, like index queries.
func testNestedReads(t *testing.T, s kv.Store) {
	fill(t, s, "a", "b", "c")
	check := func(r kv.Reader) error {
		var got []string
		err := r.Scan(nil, nil, kv.ScanOptions{}, func(k, _ []byte) bool {
			inner := scan(t, r, nil, k, kv.ScanOptions{Reverse: true})
			got = append(got, fmt.Sprintf("%s: %s, below %v", k[1:], get(t, r, string(k[1:])), inner))
			return true
		})
		want := []string{"a: value of a, below []", "b: value of b, below [a]", "c: value of c, below [b a]"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("nested reads (-want +got):\n%s", diff)
		}
		return err
	}
	if err := s.View(t.Context(), kv.Durable, check); err != nil {
		t.Error(err)
	}
	update(t, s, "a", func(tx kv.Txn) error { return check(tx) })
}

func testInvalidKeys(t *testing.T, s kv.Store) {
	fill(t, s, "a")
	for _, bad := range [][]byte{nil, {}, {0x00}, {0xF0}, {0xFF, 1}} {
		for name, write := range map[string]func(kv.Txn){
			"set":    func(tx kv.Txn) { tx.Set(bad, nil) },
			"delete": func(tx kv.Txn) { tx.Delete(bad) },
		} {
			err := s.Update(t.Context(), nil, func(tx kv.Txn) error {
				write(tx)
				tx.Set(key("b"), []byte("value of b"))
				return nil
			})
			if !errors.Is(err, kv.ErrKey) {
				t.Errorf("%s of key %x: %v, want %v", name, bad, err, kv.ErrKey)
			}
		}
		if _, err := s.Get(t.Context(), kv.Durable, bad, nil); !errors.Is(err, kv.ErrKey) {
			t.Errorf("get of key %x: %v, want %v", bad, err, kv.ErrKey)
		}
	}
	if diff := cmp.Diff([]string{"a"}, all(t, s)); diff != "" {
		t.Errorf("updates with an invalid key left something behind (-want +got):\n%s", diff)
	}
}
