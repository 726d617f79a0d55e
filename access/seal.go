package access

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// A Sealer seals attributes, so that DynamoDB, its backups and its exports hold nothing
// readable. The context says what a value is; a value sealed for one context does not
// open in another. A Sealer is safe for use by many goroutines at once.
type Sealer interface {
	Seal(plain []byte, context string) ([]byte, error)
	Open(sealed []byte, context string) ([]byte, error)
}

// NewSealer seals with AES-GCM under a key of 16, 24 or 32 bytes. What was sealed under
// an old key still opens, so keys can be changed without rewriting items. One key is good
// for 2^32 values: each has a nonce made by chance.
func NewSealer(key []byte, old ...[]byte) (Sealer, error) {
	s := make(sealer, 0, 1+len(old))
	for i, k := range append([][]byte{key}, old...) {
		block, err := aes.NewCipher(k)
		if err != nil {
			return nil, fmt.Errorf("access: sealing key %d of %d has %d bytes, not 16, 24 or 32", i+1, 1+len(old), len(k))
		}
		aead, err := cipher.NewGCMWithRandomNonce(block)
		if err != nil {
			return nil, fmt.Errorf("access: making a sealer: %w", err)
		}
		s = append(s, sealingKey{id: keyID(k), aead: aead})
	}
	return s, nil
}

// keyIDSize is how many bytes in front of a sealed value say which key it is under.
const keyIDSize = 4

// sealer has the key that seals first. What it makes is key id, nonce, cipher text, tag.
type sealer []sealingKey

type sealingKey struct {
	id   [keyIDSize]byte
	aead cipher.AEAD
}

// keyID tells keys apart without telling anything about them.
func keyID(key []byte) [keyIDSize]byte {
	sum := sha256.Sum256(append([]byte("sortkey sealing key\x00"), key...))
	return [keyIDSize]byte(sum[:])
}

var errNotOpened = errors.New("does not open: it was sealed with another key or for another attribute, or it is damaged")

func (s sealer) Seal(plain []byte, context string) ([]byte, error) {
	k := s[0]
	sealed := make([]byte, keyIDSize, keyIDSize+len(plain)+k.aead.Overhead())
	copy(sealed, k.id[:])
	return k.aead.Seal(sealed, nil, plain, []byte(context)), nil
}

func (s sealer) Open(sealed []byte, context string) ([]byte, error) {
	if len(sealed) < keyIDSize {
		return nil, errNotOpened
	}
	for _, k := range s { // two keys may share an id
		if !bytes.Equal(sealed[:keyIDSize], k.id[:]) {
			continue
		}
		if plain, err := k.aead.Open(nil, nil, sealed[keyIDSize:], []byte(context)); err == nil {
			return plain, nil
		}
	}
	return nil, errNotOpened
}

// Seal is the value of an attribute the design lists under encrypt.
func (c *Client) Seal(entity, attribute string, plain []byte) (types.AttributeValue, error) {
	if c.sealer == nil {
		return nil, fmt.Errorf("%s of %s: %w", attribute, entity, ErrSealed)
	}
	sealed, err := c.sealer.Seal(plain, sealContext(entity, attribute))
	if err != nil {
		return nil, fmt.Errorf("access: sealing %s of %s: %w", attribute, entity, err)
	}
	return &types.AttributeValueMemberB{Value: sealed}, nil
}

// Open is what Seal sealed. The error is a *DecodeError if the value is not a sealed one,
// and has what the sealer says if it does not open.
func (c *Client) Open(entity, attribute string, v types.AttributeValue) ([]byte, error) {
	if c.sealer == nil {
		return nil, fmt.Errorf("%s of %s: %w", attribute, entity, ErrSealed)
	}
	b, ok := v.(*types.AttributeValueMemberB)
	if !ok || b == nil {
		return nil, &DecodeError{Entity: entity, Attribute: attribute, Reason: notKind(v, "B")}
	}
	plain, err := c.sealer.Open(b.Value, sealContext(entity, attribute))
	switch {
	case errors.Is(err, errNotOpened):
		return nil, &DecodeError{Entity: entity, Attribute: attribute, Reason: errNotOpened.Error()}
	case err != nil:
		return nil, fmt.Errorf("access: opening %s of %s: %w", attribute, entity, err)
	}
	return plain, nil
}

// sealContext is what a sealed value is bound to.
func sealContext(entity, attribute string) string { return entity + "." + attribute }
