package telegram

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"
)

// SecretHeader is the header that carries the secret of a webhook.
const SecretHeader = "X-Telegram-Bot-Api-Secret-Token"

// CheckSecret reports whether a request carries the secret of the webhook. The comparison takes
// the same time for every wrong value. An empty secret matches nothing.
func CheckSecret(r *http.Request, secret string) bool {
	values := r.Header.Values(SecretHeader)
	if secret == "" || len(values) != 1 {
		return false
	}
	got, want := sha256.Sum256([]byte(values[0])), sha256.Sum256([]byte(secret))
	return subtle.ConstantTimeCompare(got[:], want[:]) == 1
}

// ValidSecret reports whether Telegram accepts a secret: 1 to 256 letters, digits, _ and -.
func ValidSecret(secret string) bool {
	return len(secret) >= 1 && len(secret) <= MaxSecret && !strings.ContainsFunc(secret, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-')
	})
}
