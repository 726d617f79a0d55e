package openid

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"
)

// claims holds the claims of an ID token that are used.
type claims struct {
	Issuer        string   `json:"iss"`
	Subject       string   `json:"sub"`
	Audience      audience `json:"aud"`
	Authorized    string   `json:"azp"`
	Expires       float64  `json:"exp"`
	Issued        float64  `json:"iat"`
	Nonce         string   `json:"nonce"`
	Name          string   `json:"name"`
	Email         string   `json:"email"`
	EmailVerified truth    `json:"email_verified"`
}

// An audience is a text or a list of texts.
type audience []string

// UnmarshalJSON decodes an audience.
func (a *audience) UnmarshalJSON(text []byte) error {
	var one string
	if json.Unmarshal(text, &one) == nil {
		*a = audience{one}
		return nil
	}
	return json.Unmarshal(text, (*[]string)(a))
}

// A truth is true, false, or one of them as a text, as some providers send it.
type truth bool

// UnmarshalJSON decodes a truth.
func (t *truth) UnmarshalJSON(text []byte) error {
	*t = truth(strings.Trim(string(text), `"`) == "true")
	return nil
}

// errToken reports an ID token that does not prove who the person is. That is no mistake of the person.
var errToken = errors.New("openid: the ID token is not valid")

// verify verifies an ID token and returns its claims.
func (p *Provider) verify(ctx context.Context, config *discovered, raw, nonce string) (claims, error) {
	var c claims
	parts := strings.Split(raw, ".")
	if len(parts) != 3 {
		return c, fmt.Errorf("%w: it has not three parts", errToken)
	}
	var header struct {
		Algorithm string `json:"alg"`
		Key       string `json:"kid"`
	}
	if err := decodePart(parts[0], &header); err != nil {
		return c, err
	}
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil {
		return c, fmt.Errorf("%w: the signature is not base64", errToken)
	}
	known, err := p.key(ctx, config, header.Key)
	if err != nil {
		return c, err
	}
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if !known.verifies(header.Algorithm, sum[:], signature) {
		return c, fmt.Errorf("%w: the signature is wrong", errToken)
	}
	if err := decodePart(parts[1], &c); err != nil {
		return c, err
	}
	return c, p.check(c, nonce)
}

func decodePart(part string, into any) error {
	text, err := base64.RawURLEncoding.DecodeString(part)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errToken, err)
	}
	return nil
}

// check checks that a token with a right signature is for this client, this sign-in and this time.
func (p *Provider) check(c claims, nonce string) error {
	now := p.o.Now()
	switch {
	case c.Issuer != p.o.Issuer:
		return fmt.Errorf("%w: another issuer", errToken)
	case !slices.Contains(c.Audience, p.o.ClientID):
		return fmt.Errorf("%w: for another client", errToken)
	case (len(c.Audience) > 1 || c.Authorized != "") && c.Authorized != p.o.ClientID:
		return fmt.Errorf("%w: issued to another client", errToken)
	case c.Nonce != nonce || nonce == "":
		return fmt.Errorf("%w: of another sign-in", errToken)
	case !now.Before(time.Unix(int64(c.Expires), 0).Add(leeway)):
		return fmt.Errorf("%w: expired", errToken)
	case time.Unix(int64(c.Issued), 0).After(now.Add(leeway)):
		return fmt.Errorf("%w: issued in the future", errToken)
	case c.Subject == "" || len(c.Subject) > 255:
		return fmt.Errorf("%w: without a subject", errToken)
	}
	return nil
}

// A key verifies signatures of one algorithm: the key decides which, not the token.
type key struct {
	rsa   *rsa.PublicKey
	ecdsa *ecdsa.PublicKey
}

func (k key) verifies(algorithm string, sum, signature []byte) bool {
	switch {
	case algorithm == "RS256" && k.rsa != nil:
		return rsa.VerifyPKCS1v15(k.rsa, crypto.SHA256, sum, signature) == nil
	case algorithm == "ES256" && k.ecdsa != nil && len(signature) == 64:
		return ecdsa.Verify(k.ecdsa, sum, new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:]))
	}
	return false
}

// key returns a key of the provider. Keys are read again when an unknown one is asked for, because
// providers change them.
func (p *Provider) key(ctx context.Context, config *discovered, id string) (key, error) {
	p.mu.Lock()
	found, ok := p.keys[id]
	age := p.o.Now().Sub(p.keysAt)
	read := p.keys == nil || age >= keysKeep || !ok && age >= keysPause
	p.mu.Unlock()
	if !read {
		if !ok {
			return key{}, fmt.Errorf("%w: an unknown key", errToken)
		}
		return found, nil
	}
	var set struct {
		Keys []webKey `json:"keys"`
	}
	if err := p.read(ctx, config.Keys, &set); err != nil {
		return key{}, err
	}
	keys := make(map[string]key)
	for _, one := range set.Keys {
		if parsed, ok := one.parse(); ok {
			keys[one.ID] = parsed
		}
	}
	p.mu.Lock()
	p.keys, p.keysAt = keys, p.o.Now()
	p.mu.Unlock()
	if found, ok = keys[id]; !ok {
		return key{}, fmt.Errorf("%w: an unknown key", errToken)
	}
	return found, nil
}

// A webKey is a key of a JSON Web Key Set.
type webKey struct {
	ID    string `json:"kid"`
	Type  string `json:"kty"`
	Use   string `json:"use"`
	Curve string `json:"crv"`
	N     string `json:"n"`
	E     string `json:"e"`
	X     string `json:"x"`
	Y     string `json:"y"`
}

// parse returns the key, if it is for signatures and of a kind that is used here.
func (w webKey) parse() (key, bool) {
	if w.Use != "" && w.Use != "sig" {
		return key{}, false
	}
	switch w.Type {
	case "RSA":
		n, e := number(w.N), number(w.E)
		if n == nil || e == nil || n.BitLen() < 2048 || n.BitLen() > 8192 || e.BitLen() > 31 || e.Int64() < 3 {
			return key{}, false
		}
		return key{rsa: &rsa.PublicKey{N: n, E: int(e.Int64())}}, true
	case "EC":
		x, errX := base64.RawURLEncoding.DecodeString(w.X)
		y, errY := base64.RawURLEncoding.DecodeString(w.Y)
		if w.Curve != "P-256" || errX != nil || errY != nil || len(x) != 32 || len(y) != 32 {
			return key{}, false
		}
		parsed, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), slices.Concat([]byte{4}, x, y))
		return key{ecdsa: parsed}, err == nil
	}
	return key{}, false
}

func number(text string) *big.Int {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(raw) == 0 {
		return nil
	}
	return new(big.Int).SetBytes(raw)
}
