package memkv_test

import (
	"bytes"
	"fmt"
	"runtime"
	"testing"

	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/kv/kvtest"
	"sortkey.dev/engine/internal/kv/memkv"
)

func TestContract(t *testing.T) {
	kvtest.Run(t, func(t *testing.T) kv.Store {
		s := memkv.Open()
		t.Cleanup(func() { _ = s.Close() })
		return s
	})
}

// TestManyStores keeps a thousand stores open, as test suites do.
func TestManyStores(t *testing.T) {
	before := runtime.NumGoroutine()
	stores := make([]*memkv.Store, 1000)
	for i := range stores {
		stores[i] = memkv.Open()
		set(t, stores[i], "a", fmt.Sprint(i))
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines more than before", n-before)
	}
	for i, s := range stores {
		if got := string(get(t, s, "a")); got != fmt.Sprint(i) {
			t.Errorf("store %d has the value %s", i, got)
		}
	}
	if n := testing.AllocsPerRun(100, func() { _ = memkv.Open() }); n > 3 {
		t.Errorf("opening takes %v allocations, want at most 3", n)
	}
}

// TestValuesNeverChange keeps a value longer than the contract allows: later writes must not
// change it, because a reader on another goroutine may still be in its callback.
func TestValuesNeverChange(t *testing.T) {
	s := memkv.Open()
	set(t, s, "a", "old value")
	value := get(t, s, "a")
	kept := bytes.Clone(value)
	for n := range 100 {
		set(t, s, "a", fmt.Sprintf("new value %d", n))
	}
	if err := s.DeleteSpan(t.Context(), nil, nil); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(value, kept) {
		t.Errorf("the value became %q", value)
	}
}

func set(t *testing.T, s kv.Store, name, value string) {
	t.Helper()
	err := s.Update(t.Context(), nil, func(tx kv.Txn) error {
		tx.Set([]byte("\x01"+name), []byte(value))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, s kv.Store, name string) (value []byte) {
	t.Helper()
	_, err := s.Get(t.Context(), kv.Latest, []byte("\x01"+name), func(v []byte) error {
		value = v
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return value
}
