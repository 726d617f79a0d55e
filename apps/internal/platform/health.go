package platform

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"sortkey.dev/apps/internal/platform/platformdb"
)

const (
	// heartbeatInterval is the time for which the result of a heartbeat is reused, so that
	// frequent checks cost little.
	heartbeatInterval = 10 * time.Second
	// heartbeatWait is the time after which a database that has not answered is unusable.
	heartbeatWait = 2 * time.Second
	// heartbeatTimeout bounds the write, which goes on after callers were answered.
	heartbeatTimeout = 30 * time.Second
	heartbeatName    = "health"
)

// ErrNoAnswer reports that the database does not answer in time.
var ErrNoAnswer = errors.New("platform: the database does not answer")

// A heartbeat checks that the database accepts writes. There is one write at a time.
type heartbeat struct {
	mu      sync.Mutex
	current *beat     // the write in progress; nil if there is none
	at      time.Time // when the last write ended; zero if there was none
	err     error     // its result
}

// A beat is a write in progress.
type beat struct {
	ended chan struct{}   // is closed when the write has ended
	late  <-chan struct{} // is closed after heartbeatWait, and not before ended if the write ends sooner
	err   error           // set before ended is closed
}

// Writable returns nil if the database accepts writes, and otherwise the reason. It writes one
// fixed item and reuses the result for a few seconds. It returns within two seconds, also if the
// database hangs: the error is ErrNoAnswer then, without a wait for as long as the write hangs.
func (p *Platform) Writable(ctx context.Context) error {
	b, err := p.heartbeat(ctx)
	if b == nil {
		return err
	}
	select {
	case <-b.ended:
		return b.err
	case <-ctx.Done():
		return ctx.Err()
	case <-b.late:
	}
	select {
	case <-b.ended: // it ended meanwhile
		return b.err
	default:
		return ErrNoAnswer
	}
}

// heartbeat returns the write in progress, which it begins if there is no recent result. If
// there is one, the beat is nil.
func (p *Platform) heartbeat(ctx context.Context) (*beat, error) {
	h := &p.health
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.current != nil {
		return h.current, nil
	}
	if age := p.Now().Sub(h.at); !h.at.IsZero() && age >= 0 && age < heartbeatInterval {
		return nil, h.err
	}
	// A caller that leaves says nothing about the database.
	ctx = context.WithoutCancel(ctx)
	late, stop := context.WithTimeout(ctx, heartbeatWait)
	b := &beat{ended: make(chan struct{}), late: late.Done()}
	h.current = b
	go func() {
		defer stop()
		b.err = p.beat(ctx)
		h.mu.Lock()
		h.current, h.at, h.err = nil, p.Now(), b.err
		h.mu.Unlock()
		close(b.ended)
	}()
	return b, nil
}

// beat writes a heartbeat.
func (p *Platform) beat(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeout(ctx, heartbeatTimeout)
	defer cancel()
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("write a heartbeat: panic: %v", r)
		}
	}()
	if _, err := p.DB.PutHeartbeat(ctx, platformdb.Heartbeat{Name: heartbeatName, At: p.Now()}); err != nil {
		return fmt.Errorf("write a heartbeat: %w", err)
	}
	return nil
}
