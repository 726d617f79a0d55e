package secret

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"time"
)

const (
	sealVersion = 1
	sealNonce   = 12 // bytes of a nonce of AES-GCM
	sealExpiry  = 8  // bytes of the expiry before the value
)

// Seal returns an encrypted token that carries value, valid only for purpose: without the secret
// its value can be neither read nor changed. Its length tells the length of the value. It is safe
// in URLs and cookies. It is valid until expires; for ever if that is zero.
func (b *Box) Seal(purpose, value string, expires time.Time) string {
	until := int64(0)
	if !expires.IsZero() {
		until = max(1, expires.Unix()) // an expiry before 1970 is not for ever
	}
	nonce := make([]byte, sealNonce)
	_, _ = rand.Read(nonce) // never fails; crypto/rand ends the program instead
	plain := binary.BigEndian.AppendUint64(make([]byte, 0, sealExpiry+len(value)), uint64(until))
	plain = append(plain, value...)
	token := append([]byte{sealVersion}, nonce...)
	return base64.RawURLEncoding.EncodeToString(b.sealer(purpose).Seal(token, nonce, plain, []byte{sealVersion}))
}

// Unseal decrypts a token of Seal and returns its value. The error is ErrInvalid.
func (b *Box) Unseal(purpose, token string, now time.Time) (string, error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(raw) < 1+sealNonce || raw[0] != sealVersion {
		return "", ErrInvalid
	}
	// A token has one spelling: base64 overlooks the ends of lines.
	if subtle.ConstantTimeCompare([]byte(base64.RawURLEncoding.EncodeToString(raw)), []byte(token)) != 1 {
		return "", ErrInvalid
	}
	plain, err := b.sealer(purpose).Open(nil, raw[1:1+sealNonce], raw[1+sealNonce:], raw[:1])
	if err != nil || len(plain) < sealExpiry {
		return "", ErrInvalid
	}
	if until := int64(binary.BigEndian.Uint64(plain)); until != 0 && now.Unix() >= until {
		return "", ErrInvalid
	}
	return string(plain[sealExpiry:]), nil
}

// sealer returns the cipher of a purpose. Its random nonces are good for four billion tokens.
func (b *Box) sealer(purpose string) cipher.AEAD {
	block, err := aes.NewCipher(b.Key("seal token "+purpose, 32))
	if err != nil { // only for another length of the key
		panic(fmt.Sprintf("secret: %v", err))
	}
	aead, err := cipher.NewGCM(block)
	if err != nil { // only for a cipher with other blocks
		panic(fmt.Sprintf("secret: %v", err))
	}
	return aead
}
