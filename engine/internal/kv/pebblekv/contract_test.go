package pebblekv_test

import (
	"log/slog"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/kv/kvtest"
	"sortkey.dev/engine/internal/kv/pebblekv"
	"sortkey.dev/internal/effort"
)

func TestContract(t *testing.T) {
	run := kvtest.Run
	if effort.UnderRace { // the other cases run without it
		run = kvtest.RunConcurrent
	}
	for name, policy := range map[string]pebblekv.SyncPolicy{"SyncEveryCommit": pebblekv.SyncEveryCommit, "Relaxed": pebblekv.Relaxed} {
		t.Run(name, func(t *testing.T) {
			run(t, func(t *testing.T) kv.Store {
				return open(t, "/db", &pebblekv.Options{FS: vfs.NewMem(), Sync: policy})
			})
		})
	}
	t.Run("OnRealDisk", func(t *testing.T) {
		run(t, func(t *testing.T) kv.Store { return open(t, t.TempDir(), nil) })
	})
}

// open opens a store that is closed when the test ends.
func open(t testing.TB, dir string, o *pebblekv.Options) *pebblekv.Store {
	t.Helper()
	if o == nil {
		o = &pebblekv.Options{}
	}
	o.Logger = quiet
	s, err := pebblekv.Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// quiet discards all messages: tests break disks on purpose.
var quiet = slog.New(slog.DiscardHandler)
