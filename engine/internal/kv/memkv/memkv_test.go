package memkv_test

import (
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
