// Package staff knows the operators of a system: their names, their secrets and their sessions.
// Every operator has a secret of their own, so that the audit trail names who did what. The first
// operator's secret comes from a setting; operators add each other.
//
// It serves no pages and does not know what operators do. Package operator asks it who is signed
// in, and package host opens it.
package staff

import (
	"crypto/subtle"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"sortkey.dev/apps/internal/audit"
	"sortkey.dev/apps/internal/limits"
	"sortkey.dev/apps/internal/platform"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/refusal"
)

const (
	// First is the name of the operator whose secret is a setting.
	First = "operator"
	// SessionTime is the time after which an operator signs in again.
	SessionTime = 12 * time.Hour
	// MaxName is the maximum length of a name, in characters.
	MaxName = 40
	// MinSecret and MaxSecret bound the length of the first secret, in characters.
	MinSecret, MaxSecret = 12, 200
)

// SignInLimit is the limit of attempts to sign in with a name from a network or a known browser.
// Attempts with the right secret count too, or else parallel guesses could pass it.
var SignInLimit = limits.Limit{Name: "operator sign-in", Most: 10, Window: 5 * time.Minute}

// TokenLimit is the limit of wrong tokens of programs from a network. It is not that of sign-ins:
// a scraper with an old token locks no operator out.
var TokenLimit = limits.Limit{Name: "operator token", Most: 60, Window: 5 * time.Minute}

// Options configures the staff. FirstSecret is required.
type Options struct {
	FirstSecret string
	// Trail takes the records of what operators do; that of the platform by default.
	Trail *audit.Trail
}

// An Operator is a person who runs the system.
type Operator struct {
	ID     string // the folded name
	Name   string // as the audit trail has it
	Active bool
	First  bool      // the secret is a setting
	Added  time.Time // zero for the first operator

	epoch  int64
	secret string // its hash
}

// Staff holds the operators of one system. It is safe for concurrent use.
type Staff struct {
	p       *platform.Platform
	trail   *audit.Trail
	limiter *limits.Limiter
	first   string // hash of the first secret
	token   string
}

// New returns the operators of a platform.
func New(p *platform.Platform, options Options) (*Staff, error) {
	if p == nil {
		return nil, errors.New("staff: a platform is needed")
	}
	if n := utf8.RuneCountInString(options.FirstSecret); n < MinSecret || n > MaxSecret {
		return nil, fmt.Errorf("staff: the first secret has %d characters, not %d to %d", n, MinSecret, MaxSecret)
	}
	if options.Trail == nil {
		options.Trail = audit.New(p, audit.Options{})
	}
	s := &Staff{p: p, trail: options.Trail, limiter: limits.New(p)}
	s.first = s.hash(First, options.FirstSecret)
	s.token = fmt.Sprintf("%x", p.Box.Key("operator token", 20))
	return s, nil
}

// hash returns the stored form of a secret. It depends on the operator, so that equal secrets
// look different.
func (s *Staff) hash(id, secret string) string {
	return s.p.Box.Hash("operator secret", id, secret)
}

// same compares two hashes in constant time.
func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// ID returns the id of an operator, by the name as it was typed.
func ID(name string) string { return strings.ToLower(strings.Join(strings.Fields(name), " ")) }

// checkName refuses names that cannot be told apart in the audit trail.
func checkName(name string) (string, error) {
	name = strings.Join(strings.Fields(name), " ")
	field := refusal.Field{Name: "name", Constraint: "format"}
	switch n := utf8.RuneCountInString(name); {
	case n == 0:
		return "", refusal.OfField(refusal.Field{Name: "name", Constraint: "required"}, "The name is missing.")
	case n > MaxName:
		return "", refusal.OfField(field, "A name has at most %d characters.", MaxName)
	case strings.ContainsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" .'-_", r)
	}):
		return "", refusal.OfField(field, "A name has letters, digits, spaces and . ' - _ only.")
	}
	return name, nil
}

// firstOperator returns the first operator, by its stored record if there is one. A secret other
// than the one that was disabled enables it again: that is the way back for operators who have
// locked themselves out.
func (s *Staff) firstOperator(stored *platformdb.Operator) Operator {
	operator := Operator{ID: First, Name: First, Active: true, First: true, secret: s.first}
	if stored != nil && same(stored.SecretHash, s.first) {
		operator.Active, operator.epoch = stored.Standing == platformdb.OperatorStandingActive, stored.Epoch
	}
	return operator
}

func (s *Staff) view(stored platformdb.Operator) Operator {
	if stored.OperatorID == First {
		return s.firstOperator(&stored)
	}
	return Operator{
		ID: stored.OperatorID, Name: stored.Name, Active: stored.Standing == platformdb.OperatorStandingActive,
		Added: stored.CreatedAt, epoch: stored.Epoch, secret: stored.SecretHash,
	}
}
