package pebblekv

import (
	"errors"
	"log/slog"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"sortkey.dev/engine/internal/kv"
)

// TestFuseBlowsForAllAtOnce makes several files fail together. The error and the closed
// channel must always be seen together.
func TestFuseBlowsForAllAtOnce(t *testing.T) {
	broken := errors.New("the disk is broken")
	for range 1000 {
		var f *fuse
		told := func(who string) {
			select {
			case <-f.failed:
			default:
				t.Errorf("%s: the channel is open", who)
			}
			if err := f.err(); !errors.Is(err, kv.ErrFailed) || !errors.Is(err, broken) {
				t.Errorf("%s: err() = %v", who, err)
			}
		}
		f = newFuse(vfs.NewMem(), "dir", slog.New(slog.DiscardHandler), func() { told("a waiting caller") })
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				f.blow("sync 000001.log", broken)
				told("a failing file")
			})
		}
		wg.Go(func() {
			for f.err() == nil {
			}
			told("a writer")
		})
		wg.Wait()
	}
}
