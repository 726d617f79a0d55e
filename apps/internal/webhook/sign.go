package webhook

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The headers of the specification.
const (
	HeaderID        = "webhook-id"
	HeaderTimestamp = "webhook-timestamp"
	HeaderSignature = "webhook-signature"
)

// secretPrefix begins every secret, so that people and scanners recognize one.
const secretPrefix = "whsec_"

// Tolerance is the maximum difference between the clocks of sender and receiver that Verify
// accepts. It bounds the time in which a recorded request can be replayed.
const Tolerance = 5 * time.Minute

// Errors of Verify.
var (
	ErrSignature = errors.New("webhook: no signature matches")
	ErrTimestamp = errors.New("webhook: the timestamp is too far from now")
)

// NewSecret returns a new random secret: whsec_ and 32 bytes in base64.
func NewSecret() string {
	var key [32]byte
	_, _ = rand.Read(key[:]) // never fails
	return secretPrefix + base64.StdEncoding.EncodeToString(key[:])
}

// keyOf decodes a secret.
func keyOf(secret string) ([]byte, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, secretPrefix))
	if err != nil || len(key) == 0 {
		return nil, errors.New("webhook: a secret is whsec_ and base64")
	}
	return key, nil
}

// Sign returns the webhook-signature of a message: one signature for each secret, separated by
// spaces, so that receivers can verify with any of them while a secret is replaced.
func Sign(id string, at time.Time, body []byte, secrets ...string) (string, error) {
	signatures := make([]string, len(secrets))
	for i, secret := range secrets {
		key, err := keyOf(secret)
		if err != nil {
			return "", err
		}
		signatures[i] = "v1," + base64.StdEncoding.EncodeToString(mac(key, id, at.Unix(), body))
	}
	return strings.Join(signatures, " "), nil
}

func mac(key []byte, id string, seconds int64, body []byte) []byte {
	h := hmac.New(sha256.New, key)
	fmt.Fprintf(h, "%s.%d.", id, seconds)
	h.Write(body)
	return h.Sum(nil)
}

// Verify checks a request as its receiver does, and returns the id of the message. now is the
// receiver's time. The errors are ErrSignature and ErrTimestamp.
func Verify(header http.Header, body []byte, now time.Time, secrets ...string) (id string, err error) {
	id = header.Get(HeaderID)
	seconds, err := strconv.ParseInt(header.Get(HeaderTimestamp), 10, 64)
	if err != nil || id == "" {
		return "", ErrSignature
	}
	if !signed(header.Get(HeaderSignature), id, seconds, body, secrets) {
		return "", ErrSignature
	}
	if now.Sub(time.Unix(seconds, 0)).Abs() > Tolerance {
		return "", ErrTimestamp
	}
	return id, nil
}

// signed reports whether one of the signatures of a header was made with one of the secrets.
func signed(header, id string, seconds int64, body []byte, secrets []string) bool {
	for _, secret := range secrets {
		key, err := keyOf(secret)
		if err != nil {
			continue
		}
		want := mac(key, id, seconds, body)
		for signature := range strings.FieldsSeq(header) {
			encoded, v1 := strings.CutPrefix(signature, "v1,")
			got, err := base64.StdEncoding.DecodeString(encoded)
			if v1 && err == nil && hmac.Equal(got, want) {
				return true
			}
		}
	}
	return false
}
