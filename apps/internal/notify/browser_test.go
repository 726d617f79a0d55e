package notify

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"
)

// A browser has subscribed to a push service and reads what it gets, by RFC 8291.
type browser struct {
	key  *ecdh.PrivateKey
	auth []byte
}

func newBrowser(t *testing.T) browser {
	t.Helper()
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	auth := make([]byte, 16)
	_, _ = rand.Read(auth)
	return browser{key: key, auth: auth}
}

func (b browser) target(endpoint string) Target {
	return Target{
		Endpoint: endpoint,
		P256DH:   base64.RawURLEncoding.EncodeToString(b.key.PublicKey().Bytes()),
		Auth:     base64.RawURLEncoding.EncodeToString(b.auth),
	}
}

// open decrypts the body of a push message.
func (b browser) open(body []byte) ([]byte, error) {
	if len(body) < 21+65 || body[20] != 65 {
		return nil, fmt.Errorf("the header of %d bytes is no header of aes128gcm", len(body))
	}
	salt, size, sender, sealed := body[:16], binary.BigEndian.Uint32(body[16:20]), body[21:86], body[86:]
	if int(size) < len(sealed) {
		return nil, errors.New("there is more than one record")
	}
	public, err := ecdh.P256().NewPublicKey(sender)
	if err != nil {
		return nil, err
	}
	shared, err := b.key.ECDH(public)
	if err != nil {
		return nil, err
	}
	info := slices.Concat([]byte("WebPush: info\x00"), b.key.PublicKey().Bytes(), sender)
	material, err := hkdf.Key(sha256.New, shared, b.auth, string(info), 32)
	if err != nil {
		return nil, err
	}
	key, err := hkdf.Key(sha256.New, material, salt, "Content-Encoding: aes128gcm\x00", 16)
	if err != nil {
		return nil, err
	}
	nonce, err := hkdf.Key(sha256.New, material, salt, "Content-Encoding: nonce\x00", 12)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	padded, err := gcm.Open(nil, nonce, sealed, nil)
	if err != nil {
		return nil, err
	}
	plain, last := strings.CutSuffix(strings.TrimRight(string(padded), "\x00"), "\x02")
	if !last {
		return nil, errors.New("the record is not marked as the last one")
	}
	return []byte(plain), nil
}

// openVAPID verifies the Authorization of a push message against the public key the browser
// subscribed for, and gives the claims.
func openVAPID(authorization, public string) (claims map[string]any, err error) {
	rest, ok := strings.CutPrefix(authorization, "vapid t=")
	token, key, found := strings.Cut(rest, ", k=")
	if !ok || !found || key != public {
		return nil, fmt.Errorf("the Authorization %q is not vapid with the key %s", authorization, public)
	}
	point, err := base64.RawURLEncoding.DecodeString(key)
	if err != nil || len(point) != 65 {
		return nil, fmt.Errorf("the key %q is no point", key)
	}
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return nil, fmt.Errorf("the token has %d parts", len(parts))
	}
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil || len(signature) != 64 {
		return nil, fmt.Errorf("the signature %q is not one of ES256", parts[2])
	}
	digest := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	verify, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point)
	if err != nil {
		return nil, err
	}
	if !ecdsa.Verify(verify, digest[:], new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])) {
		return nil, errors.New("the signature is wrong")
	}
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return nil, err
	}
	return claims, json.Unmarshal(payload, &claims)
}
