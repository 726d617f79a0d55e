package askahuman

import (
	"context"
	"fmt"
	"sync"
	"time"

	"sortkey.dev/apps/askahuman/askahumandb"
)

const (
	// heartbeatInterval is how long a write proves that others succeed, so that looking often costs
	// little.
	heartbeatInterval = 10 * time.Second
	// heartbeatTimeout is how long the write may take: nobody could use a database that is slower.
	heartbeatTimeout = 5 * time.Second
	heartbeatName    = "health"
)

// heartbeat is what the last write of Writable has shown.
type heartbeat struct {
	mu  sync.Mutex
	at  time.Time
	err error
}

// Writable says why nothing can be written; nil if something can. It writes one row, always
// the same, and remembers for a while what came of it. Who asks while another writes hears
// what was known before.
func (s *Service) Writable(ctx context.Context) error {
	now := s.Now()
	if err, known := s.heartbeat.known(now); known {
		return err
	}
	// That a caller leaves says nothing of the database.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), heartbeatTimeout)
	defer cancel()
	_, err := s.db.PutSign(ctx, askahumandb.Sign{Name: heartbeatName, At: now})
	if err != nil {
		err = fmt.Errorf("write a sign of life: %w", err)
	}
	s.heartbeat.mu.Lock()
	defer s.heartbeat.mu.Unlock()
	s.heartbeat.err = err
	return err
}

// known is what was found out lately. If it is not known, the caller is the one to find out.
func (h *heartbeat) known(now time.Time) (err error, known bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if age := now.Sub(h.at); age >= 0 && age < heartbeatInterval {
		return h.err, true
	}
	h.at = now
	return nil, false
}
