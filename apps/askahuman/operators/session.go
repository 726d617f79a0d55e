package operators

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman/askahumandb"
)

// EndSession records that an operator has signed out of a session, for as long as its token is
// valid. Ending it again is no error.
func (s *Service) EndSession(ctx context.Context, sessionHash string, valid time.Duration) error {
	now := s.env.Now()
	_, err := s.env.DB.EndSession(ctx, askahumandb.EndedSession{SessionHash: sessionHash, EndedAt: now, TTL: now.Add(valid)})
	if err != nil && !errors.Is(err, access.ErrExists) {
		return fmt.Errorf("end the session of an operator: %w", err)
	}
	return nil
}

// SessionEnded reports whether an operator has signed out of a session.
func (s *Service) SessionEnded(ctx context.Context, sessionHash string) (bool, error) {
	_, err := s.env.DB.GetEndedSession(ctx, sessionHash)
	if errors.Is(err, access.ErrNotFound) {
		return false, nil
	}
	return true, err
}
