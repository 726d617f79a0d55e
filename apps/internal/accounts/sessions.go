package accounts

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/secret"
)

// Sessions remembers signed-in browsers. The value of a browser's cookie is an id, of which only a hash
// is stored.
type Sessions struct{ *desk }

// A Signed is a signed-in account with the session that says so.
type Signed struct {
	Account platformdb.Account
	Session Session
}

// A Session is a signed-in browser or program.
type Session struct {
	Handle     string // names it, for EndOne; it does not open it
	Device     string
	Program    bool
	CreatedAt  time.Time
	SeenAt     time.Time
	ValidUntil time.Time
}

const maxDevice = 200 // bytes

func (d *desk) sessionHash(kind, id string) string { return d.p.Box.Hash("session "+kind, id) }

// Open begins a session of an account and returns the value of the browser's cookie. Device says which
// browser it is, for the person to recognise it.
func (s *Sessions) Open(ctx context.Context, account platformdb.Account, device string) (string, error) {
	id := secret.NewID()
	err := s.openSession(ctx, account, device, s.sessionHash("browser", id), nil, min(s.o.Idle, s.o.Absolute))
	return id, err
}

// openSession stores a new session. It belongs to the epoch of the account as it was read: if the
// password was changed since, the session is over before it began.
func (d *desk) openSession(ctx context.Context, account platformdb.Account, device, hash string, refresh *string, lives time.Duration) error {
	if len(device) > maxDevice {
		device = strings.ToValidUTF8(device[:maxDevice], "")
	}
	now := d.p.Now()
	_, err := d.db.OpenSession(ctx, platformdb.Session{
		SessionHash: hash, AccountID: account.AccountID, Epoch: account.Epoch, Device: device, RefreshHash: refresh,
		CreatedAt: now, SeenAt: now, ValidUntil: now.Add(lives), TTL: now.Add(lives),
	})
	if err != nil {
		return fmt.Errorf("open a session: %w", err)
	}
	return nil
}

// Resolve returns the account of a cookie's value, and records from time to time that the session is in
// use. The error is ErrSignedOut if the session is over.
func (s *Sessions) Resolve(ctx context.Context, id string) (Signed, error) {
	if id == "" {
		return Signed{}, ErrSignedOut
	}
	signed, row, err := s.resolve(ctx, s.sessionHash("browser", id))
	if err != nil {
		return Signed{}, err
	}
	now := s.p.Now()
	if now.Sub(row.SeenAt) < s.o.TouchEvery {
		return signed, nil
	}
	until := earlier(now.Add(s.o.Idle), row.CreatedAt.Add(s.o.Absolute))
	touched, err := s.db.TouchSession(ctx, row.Key(), platformdb.TouchSessionParams{SeenAt: now, ValidUntil: until, TTL: until})
	if errors.Is(err, access.ErrNotFound) { // ended just now
		return Signed{}, ErrSignedOut
	}
	if err != nil {
		return Signed{}, fmt.Errorf("record that a session is in use: %w", err)
	}
	signed.Session = sessionOf(touched)
	return signed, nil
}

// resolve returns a session that is not over, with its account.
func (d *desk) resolve(ctx context.Context, hash string) (Signed, platformdb.Session, error) {
	row, err := d.db.GetSession(ctx, hash)
	if errors.Is(err, access.ErrNotFound) {
		return Signed{}, row, ErrSignedOut
	}
	if err != nil {
		return Signed{}, row, fmt.Errorf("read a session: %w", err)
	}
	if !row.ValidUntil.After(d.p.Now()) {
		return Signed{}, row, ErrSignedOut
	}
	account, err := d.account(ctx, row.AccountID)
	switch {
	case errors.Is(err, ErrNoAccount):
		return Signed{}, row, ErrSignedOut
	case err != nil:
		return Signed{}, row, err
	case account.Epoch != row.Epoch || account.Standing == platformdb.AccountStandingDisabled:
		return Signed{}, row, ErrSignedOut
	}
	return Signed{Account: account, Session: sessionOf(row)}, row, nil
}

func sessionOf(row platformdb.Session) Session {
	return Session{
		Handle: row.SessionHash, Device: row.Device, Program: row.RefreshHash != nil,
		CreatedAt: row.CreatedAt, SeenAt: row.SeenAt, ValidUntil: row.ValidUntil,
	}
}

// End ends the session of a cookie's value. It is no error if the session is over.
func (s *Sessions) End(ctx context.Context, id string) error {
	if id == "" {
		return nil
	}
	return s.endSession(ctx, s.sessionHash("browser", id))
}

func (d *desk) endSession(ctx context.Context, hash string) error {
	if err := d.db.EndSession(ctx, platformdb.SessionKey{SessionHash: hash}); err != nil {
		return fmt.Errorf("end a session: %w", err)
	}
	return nil
}

// List returns the sessions of an account that are not over, newest first. One that began a moment ago
// may be missing.
func (s *Sessions) List(ctx context.Context, account platformdb.Account) ([]Session, error) {
	rows, err := s.db.ListSessions(account.AccountID).Limit(0).Slice(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the sessions of an account: %w", err)
	}
	var sessions []Session
	for _, row := range rows {
		if row.ValidUntil.After(s.p.Now()) && row.Epoch == account.Epoch {
			sessions = append(sessions, sessionOf(row))
		}
	}
	return sessions, nil
}

// EndOne ends another session of an account, by its handle. It is no error if the session is over.
func (s *Sessions) EndOne(ctx context.Context, account platformdb.Account, handle string) error {
	sessions, err := s.List(ctx, account)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(sessions, func(one Session) bool { return one.Handle == handle }) {
		return nil // over, or of another account
	}
	return s.endSession(ctx, handle)
}

// EndAll ends all sessions of an account, those of programs too, at once. It returns the account, with
// which a new session can begin.
func (s *Sessions) EndAll(ctx context.Context, accountID string) (platformdb.Account, error) {
	var account platformdb.Account
	err := access.RetryOnConflict(ctx, func() (bool, error) {
		current, err := s.account(ctx, accountID)
		if err != nil {
			return false, err
		}
		account, err = s.db.EndSessions(ctx, current.Key(), platformdb.EndSessionsParams{
			VerifiedAt: current.VerifiedAt, UpdatedAt: s.p.Now(), Version: current.Version,
		})
		return false, err
	})
	if err != nil {
		return account, fmt.Errorf("end all sessions: %w", err)
	}
	return account, nil
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
