package accounts

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/secret"
)

// Tokens gives programs bearer tokens: an access token for requests, and a refresh token that gets the
// next pair, once. A refresh token that is used twice was stolen, so that its session ends.
type Tokens struct{ *desk }

// A Pair is an access token and the refresh token for the next pair.
type Pair struct {
	Access  string
	Refresh string
	Expires time.Time // of the access token
}

const accessPurpose = "access token"

// Issue begins a session of a program.
func (t *Tokens) Issue(ctx context.Context, account platformdb.Account, device string) (Pair, error) {
	id, next := secret.NewID(), secret.NewID()
	hash, refresh := t.sessionHash("program", id), t.p.Box.Hash("refresh token", next)
	if err := t.openSession(ctx, account, device, hash, &refresh, min(t.o.RefreshFor, t.o.ProgramAbsolute)); err != nil {
		return Pair{}, err
	}
	return t.pair(hash, id, next), nil
}

func (t *Tokens) pair(hash, id, next string) Pair {
	expires := t.p.Now().Add(t.o.AccessFor)
	return Pair{Access: t.p.Box.Sign(accessPurpose, hash, expires), Refresh: id + "." + next, Expires: expires}
}

// Verify returns the account of an access token. The error is ErrSignedOut if the token has expired, or
// if its session is over.
func (t *Tokens) Verify(ctx context.Context, token string) (Signed, error) {
	hash, err := t.p.Box.Open(accessPurpose, token, t.p.Now())
	if err != nil {
		return Signed{}, ErrSignedOut
	}
	signed, _, err := t.resolve(ctx, hash)
	return signed, err
}

// Refresh returns the next pair of tokens. The errors are ErrSignedOut, and ErrTokenReused if the token
// was used before.
func (t *Tokens) Refresh(ctx context.Context, token string) (Pair, error) {
	id, used, _ := strings.Cut(token, ".")
	if id == "" || used == "" {
		return Pair{}, ErrSignedOut
	}
	hash := t.sessionHash("program", id)
	_, row, err := t.resolve(ctx, hash)
	if err != nil {
		return Pair{}, err
	}
	next := secret.NewID()
	nextHash, now := t.p.Box.Hash("refresh token", next), t.p.Now()
	until := earlier(now.Add(t.o.RefreshFor), row.CreatedAt.Add(t.o.ProgramAbsolute))
	_, err = t.db.RotateSession(ctx, row.Key(), platformdb.RotateSessionParams{
		RefreshHash: &nextHash, SeenAt: now, ValidUntil: until, TTL: until, OldRefreshHash: t.p.Box.Hash("refresh token", used),
	})
	switch {
	case errors.Is(err, access.ErrNotFound):
		return Pair{}, ErrSignedOut
	case access.Refused(err):
		if err := t.endSession(ctx, hash); err != nil {
			return Pair{}, err
		}
		return Pair{}, ErrTokenReused
	case err != nil:
		return Pair{}, fmt.Errorf("rotate a refresh token: %w", err)
	}
	return t.pair(hash, id, next), nil
}

// End ends the session of an access token or a refresh token. It is no error if the session is over.
func (t *Tokens) End(ctx context.Context, token string) error {
	if hash, err := t.p.Box.Open(accessPurpose, token, t.p.Now()); err == nil {
		return t.endSession(ctx, hash)
	}
	id, _, _ := strings.Cut(token, ".")
	if id == "" {
		return nil
	}
	return t.endSession(ctx, t.sessionHash("program", id))
}
