package examples

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"sortkey.dev/engine"
)

// openOrWait opens the database, waiting as long as another process has it open.
func openOrWait(ctx context.Context, dir string, wait time.Duration) (*engine.DB, error) {
	for {
		db, err := engine.Open(dir, nil)
		switch {
		case errors.Is(err, engine.ErrFormat):
			return nil, fmt.Errorf("%s needs a newer version of this program: %w", dir, err)
		case !errors.Is(err, engine.ErrLocked):
			return db, err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func TestOpenOrWait(t *testing.T) {
	dir := t.TempDir()
	first, err := engine.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := openOrWait(ctx, dir, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("while it is open: %v", err)
	}
	opened := make(chan error)
	go func() {
		second, err := openOrWait(t.Context(), dir, time.Millisecond)
		if err == nil {
			err = second.Close()
		}
		opened <- err
	}()
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-opened; err != nil {
		t.Errorf("after it was closed: %v", err)
	}
	if _, err := first.API().ListTables(t.Context(), nil); !errors.Is(err, engine.ErrClosed) {
		t.Errorf("an operation after Close: %v", err)
	}
}
