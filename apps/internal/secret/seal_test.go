package secret_test

import (
	"encoding/base64"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/internal/secret"
)

func TestASealedTokenCarriesItsValue(t *testing.T) {
	b := box(t, "the first secret")
	for _, value := range []string{"", "person", "a.b.c", "\x00\xff", strings.Repeat("long", 1000)} {
		for name, expires := range map[string]time.Time{"for ever": {}, "for an hour": noon.Add(time.Hour)} {
			token := b.Seal("p", value, expires)
			if !regexp.MustCompile(`^[A-Za-z0-9_-]+$`).MatchString(token) {
				t.Errorf("token %q is not safe in a URL", token)
			}
			if got, err := b.Unseal("p", token, noon); err != nil || got != value {
				t.Errorf("%q %s: %q (%v)", value, name, got, err)
			}
		}
	}
}

func TestASealedTokenShowsNothing(t *testing.T) {
	b := box(t, "the first secret")
	first, second := b.Seal("p", "ada@example.org", noon), b.Seal("p", "ada@example.org", noon)
	if first == second {
		t.Error("equal values have equal tokens")
	}
	raw, err := base64.RawURLEncoding.DecodeString(first)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(raw), "ada") || strings.Contains(string(raw), "example") {
		t.Error("the value can be read in the token")
	}
}

func TestSealedTokensThatAreNotValid(t *testing.T) {
	b := box(t, "the first secret")
	token := b.Seal("p", "person", noon)
	before := noon.Add(-time.Second)
	if _, err := b.Unseal("p", token, before); err != nil {
		t.Errorf("just before its end: %v", err)
	}
	for name, test := range map[string]struct {
		box     *secret.Box
		purpose string
		token   string
		now     time.Time
	}{
		"at its end":           {b, "p", token, noon},
		"after its end":        {b, "p", token, noon.Add(time.Hour)},
		"sealed as expired":    {b, "p", b.Seal("p", "person", time.Unix(-5, 0)), before},
		"for another purpose":  {b, "q", token, before},
		"of another secret":    {box(t, "the other secret"), "p", token, before},
		"of Sign":              {b, "p", b.Sign("p", "person", noon), before},
		"nothing":              {b, "p", "", before},
		"only a version":       {b, "p", "AQ", before},
		"no base64":            {b, "p", token + "!", before},
		"with padding":         {b, "p", token + "=", before},
		"with a line end":      {b, "p", token + "\n", before},
		"cut off":              {b, "p", token[:len(token)-4], before},
		"with its end missing": {b, "p", token[:20], before},
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := test.box.Unseal(test.purpose, test.token, test.now); !errors.Is(err, secret.ErrInvalid) || got != "" {
				t.Errorf("%q (%v), want %v", got, err, secret.ErrInvalid)
			}
		})
	}
}

// TestASealedTokenWithAnyBitChangedIsInvalid covers version, nonce, expiry, value and tag.
func TestASealedTokenWithAnyBitChangedIsInvalid(t *testing.T) {
	b := box(t, "the first secret")
	raw, err := base64.RawURLEncoding.DecodeString(b.Seal("p", "person", noon))
	if err != nil {
		t.Fatal(err)
	}
	for i := range raw {
		for bit := range 8 {
			changed := append([]byte(nil), raw...)
			changed[i] ^= 1 << bit
			if got, err := b.Unseal("p", base64.RawURLEncoding.EncodeToString(changed), noon.Add(-time.Hour)); !errors.Is(err, secret.ErrInvalid) {
				t.Fatalf("bit %d of byte %d changed: %q (%v)", bit, i, got, err)
			}
		}
	}
}

// FuzzUnseal changes tokens in every way: none may open to anything but what was sealed, and no
// token has a second spelling. Tokens are random, so that a worker of the fuzzer does not know the
// tokens of another.
func FuzzUnseal(f *testing.F) {
	b := box(f, "the first secret")
	const value = "person"
	whole := regexp.MustCompile(`^[A-Za-z0-9_-]{` + strconv.Itoa(len(b.Seal("p", value, noon))) + `}$`)
	for _, expires := range []time.Time{{}, noon.Add(time.Hour)} {
		token := b.Seal("p", value, expires)
		f.Add(token)
		f.Add(token + "A")
		f.Add(token[1:])
		f.Add(strings.ToUpper(token))
		f.Add(token + "\n")
	}
	f.Add(b.Seal("q", "of another purpose", time.Time{}))
	f.Add(b.Seal("p", "expired", noon.Add(-time.Hour)))
	f.Add("")
	f.Fuzz(func(t *testing.T, token string) {
		got, err := b.Unseal("p", token, noon)
		switch {
		case err == nil && (got != value || !whole.MatchString(token)):
			t.Errorf("token %q opens to %q", token, got)
		case err != nil && (got != "" || !errors.Is(err, secret.ErrInvalid)):
			t.Errorf("token %q: %q (%v)", token, got, err)
		}
	})
}
