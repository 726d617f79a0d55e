package askahuman

import (
	"context"
	"fmt"
	"sync"
	"time"

	"sortkey.dev/apps/askahuman/askahumandb"
)

const (
	// heartbeatInterval is the time for which the result of a heartbeat is reused, so that
	// frequent checks cost little.
	heartbeatInterval = 10 * time.Second
	// heartbeatTimeout is the maximum duration of the write. A slower database is unusable.
	heartbeatTimeout = 5 * time.Second
	heartbeatName    = "health"
)

// heartbeat holds the result of the last write of Writable.
type heartbeat struct {
	mu  sync.Mutex
	at  time.Time
	err error
}

// Writable returns nil if the database accepts writes, and otherwise the reason. It writes one
// fixed row and reuses the result for heartbeatInterval. A call during another call's write gets
// the previous result.
func (e *Env) Writable(ctx context.Context) error {
	now := e.Now()
	if err, known := e.heartbeat.known(now); known {
		return err
	}
	// A cancelled caller says nothing about the database.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), heartbeatTimeout)
	defer cancel()
	_, err := e.DB.PutSign(ctx, askahumandb.Sign{Name: heartbeatName, At: now})
	if err != nil {
		err = fmt.Errorf("write a heartbeat: %w", err)
	}
	e.heartbeat.mu.Lock()
	defer e.heartbeat.mu.Unlock()
	e.heartbeat.err = err
	return err
}

// known returns the recent result. If there is none, the caller must write the heartbeat.
func (h *heartbeat) known(now time.Time) (err error, known bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if age := now.Sub(h.at); age >= 0 && age < heartbeatInterval {
		return h.err, true
	}
	h.at = now
	return nil, false
}
