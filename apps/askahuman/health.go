package askahuman

import (
	"context"
	"fmt"
	"sync"
	"time"

	"sortkey.dev/apps/askahuman/askahumandb"
)

const (
	// signEvery is how long a write proves that others succeed, so that looking often costs
	// little.
	signEvery = 10 * time.Second
	// signPatience is how long the write may take: nobody could use a database that is slower.
	signPatience = 5 * time.Second
	signName     = "health"
)

// sign is what the last write of Writable has shown.
type sign struct {
	mu  sync.Mutex
	at  time.Time
	err error
}

// Writable says why nothing can be written; nil if something can. It writes one row, always
// the same, and remembers for a while what came of it. Who asks while another writes hears
// what was known before.
func (s *Service) Writable(ctx context.Context) error {
	now := s.Now()
	if err, known := s.sign.known(now); known {
		return err
	}
	// That a caller leaves says nothing of the database.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), signPatience)
	defer cancel()
	_, err := s.db.PutSign(ctx, askahumandb.Sign{Name: signName, At: now})
	if err != nil {
		err = fmt.Errorf("write a sign of life: %w", err)
	}
	s.sign.mu.Lock()
	defer s.sign.mu.Unlock()
	s.sign.err = err
	return err
}

// known is what was found out lately. If it is not known, the caller is the one to find out.
func (s *sign) known(now time.Time) (err error, known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if age := now.Sub(s.at); age >= 0 && age < signEvery {
		return s.err, true
	}
	s.at = now
	return nil, false
}
