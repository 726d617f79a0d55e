// Package secret derives all keys from one secret: keys that sign or encrypt cookies and links,
// a pepper for hashes, and keys that encrypt stored data. Each key has a purpose, so that a token
// for one purpose is invalid for another. It stores nothing; the systems' fronts and the rooms of
// the platform call it.
package secret

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// MinLength is the minimum length of a secret in bytes.
const MinLength = 16

// ErrInvalid reports a token that was not issued here, not for this purpose, or has expired.
var ErrInvalid = errors.New("secret: no valid token")

// A Box derives keys from one secret.
type Box struct{ secret []byte }

// NewBox returns a box of a secret of at least MinLength bytes.
func NewBox(secret []byte) (*Box, error) {
	if len(secret) < MinLength {
		return nil, fmt.Errorf("secret: %d bytes are too few, at least %d are needed", len(secret), MinLength)
	}
	return &Box{secret: append([]byte(nil), secret...)}, nil
}

// Key derives a key of n bytes for a purpose.
func (b *Box) Key(purpose string, n int) []byte {
	key, err := hkdf.Key(sha256.New, b.secret, nil, "sortkey "+purpose, n)
	if err != nil { // only for n above 8160
		panic(fmt.Sprintf("secret: a key of %d bytes: %v", n, err))
	}
	return key
}

// Hash returns a keyed hash of parts, which cannot be reversed or guessed without the secret.
// Equal parts have equal hashes for the same purpose.
func (b *Box) Hash(purpose string, parts ...string) string {
	return hex.EncodeToString(b.mac("hash "+purpose, parts...)[:16])
}

// Sign returns a signed token that carries value, valid only for purpose. It is safe in URLs
// and cookies. It is valid until expires; for ever if that is zero.
func (b *Box) Sign(purpose, value string, expires time.Time) string {
	until := ""
	if !expires.IsZero() {
		until = strconv.FormatInt(expires.Unix(), 36)
	}
	return b.token(purpose, value, until)
}

func (b *Box) token(purpose, value, until string) string {
	mac := b.mac("sign "+purpose, value, until)
	return base64.RawURLEncoding.EncodeToString([]byte(value)) + "." + until + "." + base64.RawURLEncoding.EncodeToString(mac)
}

// Open verifies a token of Sign and returns its value. The error is ErrInvalid.
func (b *Box) Open(purpose, token string, now time.Time) (string, error) {
	encoded, rest, _ := strings.Cut(token, ".")
	until, _, _ := strings.Cut(rest, ".")
	value, err := base64.RawURLEncoding.DecodeString(encoded)
	// The texts are compared, not what they decode to: base64 has many spellings for the same
	// bytes, and a token has one.
	if err != nil || !hmac.Equal([]byte(token), []byte(b.token(purpose, string(value), until))) {
		return "", ErrInvalid
	}
	if until == "" {
		return string(value), nil
	}
	seconds, err := strconv.ParseInt(until, 36, 64)
	if err != nil || now.Unix() >= seconds {
		return "", ErrInvalid
	}
	return string(value), nil
}

// mac returns a keyed hash of parts, each with its length before it so that no two lists of
// parts look alike.
func (b *Box) mac(purpose string, parts ...string) []byte {
	h := hmac.New(sha256.New, b.Key(purpose, 32))
	for _, part := range parts {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return h.Sum(nil)
}

// NewID returns an unguessable text of 128 random bits, safe in URLs.
func NewID() string {
	var id [16]byte
	_, _ = rand.Read(id[:]) // never fails; crypto/rand ends the program instead
	return base64.RawURLEncoding.EncodeToString(id[:])
}
