package apiclient

import (
	"context"
	"errors"
	"net/http"
	"sync"

	"sortkey.dev/apps/internal/operation"
)

// Tokens are the tokens of a session.
type Tokens = operation.Tokens

// A Session sends requests as one person. It gets new tokens when the access token has expired. It is
// safe for concurrent use. A session without tokens sends requests without credentials.
type Session struct {
	Transport *Transport

	mu     sync.Mutex
	tokens Tokens
}

// Tokens returns the tokens of the session, to continue it later.
func (s *Session) Tokens() Tokens {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tokens
}

// Continue continues a session with its tokens.
func (s *Session) Continue(tokens Tokens) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tokens = tokens
}

// Send sends a request; again with new tokens if the access token has expired.
func (s *Session) Send(ctx context.Context, r Request) error {
	tokens := s.Tokens()
	err := s.once(ctx, r, tokens.AccessToken)
	if errors.Is(err, ErrUnauthorized) && tokens.RefreshToken != "" {
		if err := s.refresh(ctx, tokens.AccessToken); err != nil {
			return err
		}
		return s.once(ctx, r, s.Tokens().AccessToken)
	}
	return err
}

// once sends a request with an access token.
func (s *Session) once(ctx context.Context, r Request, token string) error {
	if token != "" {
		r.Header = r.Header.Clone()
		if r.Header == nil {
			r.Header = http.Header{}
		}
		r.Header.Set("Authorization", "Bearer "+token)
	}
	return s.Transport.Send(ctx, r)
}

// refresh gets the next pair of tokens, unless another goroutine has got it.
func (s *Session) refresh(ctx context.Context, used string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tokens.AccessToken != used {
		return nil
	}
	tokens, err := Call(ctx, s.Transport, operation.Renew, operation.With[operation.Refresh]{Body: operation.Refresh{RefreshToken: s.tokens.RefreshToken}})
	if err != nil {
		return err
	}
	tokens.UserID = s.tokens.UserID
	s.tokens = tokens
	return nil
}

// Login signs in.
func (s *Session) Login(ctx context.Context, email, password string) error {
	tokens, err := Call(ctx, s.Transport, operation.SignIn, operation.With[operation.Login]{Body: operation.Login{Email: email, Password: password}})
	if err != nil {
		return err
	}
	s.Continue(tokens)
	return nil
}

// Logout ends the session. The tokens are forgotten even if the server cannot be reached.
func (s *Session) Logout(ctx context.Context) error {
	err := Do(ctx, s.Transport, operation.SignOut, operation.With[operation.Refresh]{Body: operation.Refresh{RefreshToken: s.Tokens().RefreshToken}})
	s.Continue(Tokens{})
	return err
}
