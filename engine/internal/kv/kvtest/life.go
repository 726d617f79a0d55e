package kvtest

import (
	"context"
	"errors"
	"testing"

	"sortkey.dev/engine/internal/kv"
)

// calls returns every method of a store except Close.
func calls(ctx context.Context, s kv.Store, dir string) map[string]func() error {
	return map[string]func() error{
		"Update": func() error {
			return s.Update(ctx, keys("a"), func(tx kv.Txn) error { tx.Set(key("a"), nil); return nil })
		},
		"View": func() error { return s.View(ctx, kv.Durable, func(kv.Reader) error { return nil }) },
		"Get": func() error {
			_, err := s.Get(ctx, kv.Durable, key("a"), func([]byte) error { return nil })
			return err
		},
		"DeleteSpan": func() error { return s.DeleteSpan(ctx, key("a"), key("b")) },
		"ReadLog":    func() error { return s.ReadLog(ctx, 1, 1, func(uint64, []byte) bool { return true }) },
		"LogHorizon": func() error { _, err := s.LogHorizon(ctx, 1); return err },
		"WaitLog":    func() error { return s.WaitLog(ctx, []kv.LogPosition{{Shard: 1}}) },
		"TrimLog":    func() error { return s.TrimLog(ctx, 1, 10) },
		"Checkpoint": func() error { return s.Checkpoint(ctx, dir) },
	}
}

func testCanceled(t *testing.T, s kv.Store) {
	fill(t, s, "a")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, call := range calls(ctx, s, t.TempDir()+"/copy") {
		if err := call(); !errors.Is(err, context.Canceled) && !errors.Is(err, kv.ErrUnsupported) {
			t.Errorf("%s with a canceled context: %v", name, err)
		}
	}
	if got := get(t, storeGetter{t.Context(), s, kv.Latest}, "a"); got != "value of a" {
		t.Errorf("a canceled call changed the value to %q", got)
	}
}

func testClosed(t *testing.T, s kv.Store) {
	fill(t, s, "a")
	for range 2 {
		if err := s.Close(); err != nil {
			t.Fatalf("close: %v", err)
		}
	}
	for name, call := range calls(t.Context(), s, t.TempDir()+"/copy") {
		if err := call(); !errors.Is(err, kv.ErrClosed) && !errors.Is(err, kv.ErrUnsupported) {
			t.Errorf("%s of a closed store: %v", name, err)
		}
	}
}
