package operators

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sortkey.dev/apps/internal/onetime"
)

// sessionPurpose begins the purpose of tokens of sessions. The realm is part of it: with another
// operator secret there is another realm, and all sessions of the former are over.
const sessionPurpose = "session of an operator "

// BeginSession signs an operator in and returns the token of the session. The session ends when
// the operator signs out, which uses the token up in every process.
func (s *Service) BeginSession(ctx context.Context, realm, operator string, valid time.Duration) (string, error) {
	token, err := s.sessions.Issue(ctx, sessionPurpose+realm, operator, nil, valid)
	if err != nil {
		return "", fmt.Errorf("begin the session of an operator: %w", err)
	}
	return token, nil
}

// Session returns the operator of a session; "" if it is over.
func (s *Service) Session(ctx context.Context, realm, token string) (operator string, err error) {
	session, err := s.sessions.Look(ctx, sessionPurpose+realm, token)
	if errors.Is(err, onetime.ErrUsed) {
		return "", nil
	}
	return session.Subject, err
}

// EndSession signs an operator out. Ending a session again is no error.
func (s *Service) EndSession(ctx context.Context, realm, token string) error {
	_, err := s.sessions.UseAlone(ctx, sessionPurpose+realm, token)
	if err != nil && !errors.Is(err, onetime.ErrUsed) {
		return fmt.Errorf("end the session of an operator: %w", err)
	}
	return nil
}
