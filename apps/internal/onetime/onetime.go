// Package onetime issues tokens that work once, for a time and for one purpose, such as the token
// in a link that resets a password. Only a hash of a token is stored, so that a reader of the
// database cannot use it. It is not for sessions, which work many times. Packages such as accounts
// and the systems' domains call it.
package onetime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/platform"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/secret"
	"sortkey.dev/internal/lazyregexp"
)

// ErrUsed is the refusal of a token that was used, has expired, or was never issued for its
// purpose. It does not say which, because a stranger may ask.
var ErrUsed = refusal.New(refusal.Gone, "LINK_USED", "This link was used before, or it has expired. Ask for a new one.")

// Tokens issues and redeems tokens.
type Tokens struct{ p *platform.Platform }

// New returns the tokens of a platform.
func New(p *platform.Platform) *Tokens { return &Tokens{p: p} }

// A Token is an issued token without its text.
type Token struct {
	Purpose    string
	Subject    string          // for whom or what it was issued, such as an account
	Data       json.RawMessage // nil if it has none
	ValidUntil time.Time
}

// Into decodes the data of the token.
func (t Token) Into(data any) error {
	if err := json.Unmarshal(t.Data, data); err != nil {
		return fmt.Errorf("onetime: data of a token for %s: %w", t.Purpose, err)
	}
	return nil
}

// Issue returns a new token, safe in URLs. Data is stored as JSON, encrypted; it may be nil.
func (s *Tokens) Issue(ctx context.Context, purpose, subject string, data any, validFor time.Duration) (string, error) {
	text, row, err := s.row(purpose, subject, data, validFor)
	if err != nil {
		return "", err
	}
	if _, err := s.p.DB.IssueToken(ctx, row); err != nil {
		return "", fmt.Errorf("issue a token for %s: %w", purpose, err)
	}
	return text, nil
}

// IssueIn is Issue as a part of a transaction.
func (s *Tokens) IssueIn(tx access.Tx, purpose, subject string, data any, validFor time.Duration) (string, error) {
	text, row, err := s.row(purpose, subject, data, validFor)
	if err != nil {
		return "", err
	}
	s.p.DB.Join(tx).IssueToken(row)
	return text, nil
}

func (s *Tokens) row(purpose, subject string, data any, validFor time.Duration) (string, platformdb.OneTimeToken, error) {
	if purpose == "" || validFor <= 0 {
		return "", platformdb.OneTimeToken{}, errors.New("onetime: a token needs a purpose and a lifetime")
	}
	text, until := secret.NewID(), s.p.Now().Add(validFor)
	row := platformdb.OneTimeToken{
		TokenHash: s.hash(purpose, text), Purpose: purpose, Subject: subject, ValidUntil: until, TTL: until.Add(time.Hour),
	}
	if data != nil {
		encoded, err := json.Marshal(data)
		if err != nil {
			return "", row, fmt.Errorf("onetime: data of a token for %s: %w", purpose, err)
		}
		row.Data = encoded
	}
	return text, row, nil
}

// Look returns a valid token without using it, for a page that asks before it acts: mail servers
// follow links, too. The error is ErrUsed if the token is not valid.
func (s *Tokens) Look(ctx context.Context, purpose, token string) (Token, error) {
	if !wellFormed.MatchString(token) {
		return Token{}, ErrUsed
	}
	row, err := s.p.DB.GetToken(ctx, s.hash(purpose, token))
	switch {
	case errors.Is(err, access.ErrNotFound):
		return Token{}, ErrUsed
	case err != nil:
		return Token{}, fmt.Errorf("read a token for %s: %w", purpose, err)
	case row.Purpose != purpose || !row.ValidUntil.After(s.p.Now()):
		return Token{}, ErrUsed
	}
	return Token{Purpose: row.Purpose, Subject: row.Subject, Data: row.Data, ValidUntil: row.ValidUntil}, nil
}

// Use adds the use of a token to a transaction, which fails if the token is not valid. Of several
// transactions with one token, one succeeds; Refused tells the failure of the others.
func (s *Tokens) Use(tx access.Tx, purpose, token string) {
	s.p.DB.Join(tx).UseToken(s.key(purpose, token), s.params(purpose))
}

// UseAlone uses a token and returns it. The error is ErrUsed if the token is not valid. Of several
// callers with one token, one succeeds.
func (s *Tokens) UseAlone(ctx context.Context, purpose, token string) (Token, error) {
	found, err := s.Look(ctx, purpose, token)
	if err != nil {
		return Token{}, err
	}
	err = s.p.DB.UseToken(ctx, s.key(purpose, token), s.params(purpose))
	switch {
	case Refused(err):
		return Token{}, ErrUsed
	case err != nil:
		return Token{}, fmt.Errorf("use a token for %s: %w", purpose, err)
	}
	return found, nil
}

// Refused reports whether a transaction failed because a token in it is not valid.
func Refused(err error) bool {
	var refused *access.ConditionError[platformdb.OneTimeToken]
	return errors.As(err, &refused)
}

// wellFormed matches the tokens of secret.NewID.
var wellFormed = lazyregexp.New(`^[A-Za-z0-9_-]{22}$`)

func (s *Tokens) hash(purpose, token string) string {
	return s.p.Box.Hash("one-time token", purpose, token)
}

func (s *Tokens) key(purpose, token string) platformdb.OneTimeTokenKey {
	return platformdb.OneTimeTokenKey{TokenHash: s.hash(purpose, token)}
}

func (s *Tokens) params(purpose string) platformdb.UseTokenParams {
	return platformdb.UseTokenParams{Purpose: purpose, Now: s.p.Now()}
}
