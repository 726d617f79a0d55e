package staff

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/audit"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/secret"
)

// ErrSignedOut reports that a session does not exist or is over.
var ErrSignedOut = errors.New("staff: signed out")

var (
	errWrong    = refusal.New(refusal.Unauthenticated, "", "The name or the secret is wrong.")
	errDisabled = refusal.New(refusal.Forbidden, "", "This operator is disabled. Another operator can enable the name.")
)

// Credentials is an attempt to sign in.
type Credentials struct {
	Name, Secret string
	Network      netip.Addr // of the caller; see serve.Network
	// Browser identifies a browser in which this operator signed in before; "" if there is none.
	// Attempts of others in the same network do not count against it.
	Browser string
	Device  string // what the browser says it is
}

// SignIn opens a session and returns its token for the browser. Wrong names, wrong secrets and
// too many attempts are refused.
func (s *Staff) SignIn(ctx context.Context, c Credentials) (token string, operator Operator, err error) {
	id := ID(c.Name)
	subject := "network " + c.Network.String()
	if c.Browser != "" {
		subject = "browser " + c.Browser
	}
	if _, err := s.limiter.Allow(ctx, SignInLimit, id+" from "+subject); err != nil {
		return "", Operator{}, err
	}
	operator, err = s.get(ctx, id)
	given := s.hash(id, strings.TrimSpace(c.Secret))
	switch _, refused := refusal.As(err, refusal.NotFound); {
	case refused, err == nil && !same(given, operator.secret):
		return "", Operator{}, errWrong
	case err != nil:
		return "", Operator{}, err
	case !operator.Active:
		return "", Operator{}, errDisabled
	}
	random := secret.NewID()
	now := s.p.Now()
	tx := s.p.DB.Tx()
	tx.OpenSession(platformdb.Session{
		SessionHash: s.sessionHash(operator, random), AccountID: "operator " + id, Epoch: operator.epoch, Device: c.Device,
		CreatedAt: now, SeenAt: now, ValidUntil: now.Add(SessionTime), TTL: now.Add(SessionTime),
	})
	// A sign-in must be in the audit trail.
	s.trail.Record(tx, audit.Event{Actor: operator.Name, Action: "sign in"})
	if err := tx.Commit(ctx); err != nil {
		return "", Operator{}, fmt.Errorf("open a session of an operator: %w", err)
	}
	return id + "/" + random, operator, nil
}

// sessionHash depends on the secret, so that another secret ends all sessions.
func (s *Staff) sessionHash(operator Operator, random string) string {
	return s.p.Box.Hash("operator session", operator.ID, operator.secret, random)
}

// Resolve returns the operator of a session. The error is ErrSignedOut if there is none.
func (s *Staff) Resolve(ctx context.Context, token string) (Operator, error) {
	operator, random, err := s.ofToken(ctx, token)
	if err != nil {
		return Operator{}, err
	}
	session, err := s.p.DB.GetSession(ctx, s.sessionHash(operator, random))
	switch {
	case errors.Is(err, access.ErrNotFound):
		return Operator{}, ErrSignedOut
	case err != nil:
		return Operator{}, fmt.Errorf("read the session of an operator: %w", err)
	case !operator.Active || session.Epoch != operator.epoch || !session.ValidUntil.After(s.p.Now()):
		return Operator{}, ErrSignedOut
	}
	return operator, nil
}

func (s *Staff) ofToken(ctx context.Context, token string) (operator Operator, random string, err error) {
	id, random, _ := strings.Cut(token, "/")
	if id == "" || random == "" {
		return Operator{}, "", ErrSignedOut
	}
	operator, err = s.get(ctx, id)
	if _, missing := refusal.As(err, refusal.NotFound); missing {
		err = ErrSignedOut
	}
	return operator, random, err
}

// SignOut ends a session, for all copies of its token.
func (s *Staff) SignOut(ctx context.Context, token string) error {
	operator, random, err := s.ofToken(ctx, token)
	if err == nil {
		err = s.p.DB.EndSession(ctx, platformdb.SessionKey{SessionHash: s.sessionHash(operator, random)})
	}
	if err == nil || errors.Is(err, ErrSignedOut) || errors.Is(err, access.ErrNotFound) {
		return nil
	}
	return fmt.Errorf("end the session of an operator: %w", err)
}

// Token returns the token with which programs read metrics. It opens no pages.
func (s *Staff) Token() string { return s.token }

// CheckToken verifies the token of a program: that of Token, or the first operator's secret.
// Wrong tokens are limited by network.
func (s *Staff) CheckToken(ctx context.Context, token string, network netip.Addr) error {
	right := same(s.hash("token", token), s.hash("token", s.token))
	if !right && same(s.hash(First, token), s.first) {
		first, err := s.get(ctx, First)
		if err != nil && !access.Contended(err) && !access.Unavailable(err) {
			return err
		}
		right = err != nil || first.Active
	}
	if right {
		_, err := s.limiter.Allows(ctx, TokenLimit, network.String())
		if access.Contended(err) || access.Unavailable(err) {
			return nil // metrics matter most when the database is unavailable
		}
		return err
	}
	if _, err := s.limiter.Allow(ctx, TokenLimit, network.String()); err != nil {
		return err
	}
	return refusal.New(refusal.Unauthenticated, "", "This needs the token for metrics, as Authorization: Bearer. Operators find it under Settings.")
}
