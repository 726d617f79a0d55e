package secret_test

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/internal/secret"
)

var noon = time.Date(2026, time.February, 2, 12, 0, 0, 0, time.UTC)

func box(t testing.TB, text string) *secret.Box {
	t.Helper()
	b, err := secret.NewBox([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestASecretHasALength(t *testing.T) {
	if _, err := secret.NewBox([]byte("fifteen letters")); err == nil {
		t.Error("a secret of 15 bytes is taken")
	}
	if _, err := secret.NewBox([]byte("sixteen letters.")); err != nil {
		t.Errorf("a secret of 16 bytes: %v", err)
	}
}

func TestABoxKeepsItsSecret(t *testing.T) {
	given := []byte("sixteen letters.")
	b, err := secret.NewBox(given)
	if err != nil {
		t.Fatal(err)
	}
	before := b.Hash("p", "x")
	clear(given)
	if b.Hash("p", "x") != before {
		t.Error("the box changed with the bytes it was made of")
	}
}

func TestKeysAreForAPurpose(t *testing.T) {
	a, b := box(t, "the first secret"), box(t, "the other secret")
	keys := map[string]string{}
	for name, key := range map[string][]byte{
		"a sign": a.Key("sign", 32), "a seal": a.Key("seal", 32), "b sign": b.Key("sign", 32),
	} {
		if len(key) != 32 {
			t.Errorf("%s has %d bytes", name, len(key))
		}
		if other, taken := keys[string(key)]; taken {
			t.Errorf("%s and %s are the same", name, other)
		}
		keys[string(key)] = name
	}
	if first, second := a.Key("sign", 32), a.Key("sign", 32); !bytes.Equal(first, second) {
		t.Error("a key is another one the second time")
	}
}

func TestHashesTellPartsApart(t *testing.T) {
	a, b := box(t, "the first secret"), box(t, "the other secret")
	hashes := map[string]string{}
	for name, hash := range map[string]string{
		"ab":         a.Hash("p", "ab"),
		"a b":        a.Hash("p", "a", "b"),
		"ab nothing": a.Hash("p", "ab", ""),
		"nothing ab": a.Hash("p", "", "ab"),
		"1:a":        a.Hash("p", "1:a"),
		"nothing":    a.Hash("p"),
		"purpose":    a.Hash("q", "ab"),
		"secret":     b.Hash("p", "ab"),
	} {
		if !regexp.MustCompile(`^[0-9a-f]{32}$`).MatchString(hash) {
			t.Errorf("the hash of %s is %q", name, hash)
		}
		if other, taken := hashes[hash]; taken {
			t.Errorf("%s and %s have one hash", name, other)
		}
		hashes[hash] = name
	}
	if first, second := a.Hash("p", "a", "b"), a.Hash("p", "a", "b"); first != second {
		t.Error("a hash is another one the second time")
	}
}

func TestATokenCarriesItsValue(t *testing.T) {
	b := box(t, "the first secret")
	for _, value := range []string{"", "person", "a.b.c", "\x00\xff", strings.Repeat("long", 100)} {
		for name, expires := range map[string]time.Time{"for ever": {}, "for an hour": noon.Add(time.Hour)} {
			token := b.Sign("p", value, expires)
			if !regexp.MustCompile(`^[A-Za-z0-9_.-]+$`).MatchString(token) {
				t.Errorf("token %q is not safe in a URL", token)
			}
			if got, err := b.Open("p", token, noon); err != nil || got != value {
				t.Errorf("%q %s: %q (%v)", value, name, got, err)
			}
		}
	}
}

func TestTokensThatAreNotValid(t *testing.T) {
	b := box(t, "the first secret")
	token := b.Sign("p", "person", noon)
	value, rest, _ := strings.Cut(token, ".")
	_, mac, _ := strings.Cut(rest, ".")
	for name, test := range map[string]struct {
		box     *secret.Box
		purpose string
		token   string
		now     time.Time
	}{
		"at its end":          {b, "p", token, noon},
		"after its end":       {b, "p", token, noon.Add(time.Hour)},
		"for another purpose": {b, "q", token, noon.Add(-time.Second)},
		"of another secret":   {box(t, "the other secret"), "p", token, noon.Add(-time.Second)},
		"with a later end":    {b, "p", value + ".zzzzzz." + mac, noon},
		"without an end":      {b, "p", value + ".." + mac, noon},
		"with another value":  {b, "p", "b3RoZXI" + token[len(value):], noon.Add(-time.Second)},
		"without a signature": {b, "p", value + "..", noon},
		"nothing":             {b, "p", "", noon},
		"only points":         {b, "p", "..", noon},
		"no base64":           {b, "p", "!.." + mac, noon},
		"a point more":        {b, "p", token + ".", noon.Add(-time.Second)},
		"a cut off signature": {b, "p", token[:len(token)-2], noon.Add(-time.Second)},
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := test.box.Open(test.purpose, test.token, test.now); !errors.Is(err, secret.ErrInvalid) || got != "" {
				t.Errorf("%q (%v), want %v", got, err, secret.ErrInvalid)
			}
		})
	}
	if _, err := b.Open("p", token, noon.Add(-time.Second)); err != nil {
		t.Errorf("just before its end: %v", err)
	}
}

func TestIDsAreNotGuessed(t *testing.T) {
	seen := map[string]bool{}
	for range 1000 {
		id := secret.NewID()
		if !regexp.MustCompile(`^[A-Za-z0-9_-]{22}$`).MatchString(id) || seen[id] {
			t.Fatalf("id %q", id)
		}
		seen[id] = true
	}
}

// FuzzOpen changes tokens in every way: none may open to anything but what was signed.
func FuzzOpen(f *testing.F) {
	b := box(f, "the first secret")
	const value = "person"
	until := noon.Add(time.Hour)
	good := map[string]bool{b.Sign("p", value, until): true, b.Sign("p", value, time.Time{}): true}
	for token := range good {
		f.Add(token)
		f.Add(token + ".")
		f.Add(token[1:])
		f.Add(strings.ToUpper(token))
	}
	f.Add(b.Sign("q", value, until))
	f.Add(b.Sign("p", value, noon.Add(-time.Hour)))
	f.Add("..")
	f.Add(b.Sign("p", value, until) + "\n") // base64 overlooks the ends of lines
	f.Fuzz(func(t *testing.T, token string) {
		got, err := b.Open("p", token, noon)
		switch {
		case good[token] && (err != nil || got != value):
			t.Errorf("a token that was signed opens to %q (%v)", got, err)
		case !good[token] && !errors.Is(err, secret.ErrInvalid):
			t.Errorf("token %q opens to %q (%v)", token, got, err)
		}
	})
}
