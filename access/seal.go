package access

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// A Sealer seals attributes, so that DynamoDB, its backups and its exports hold nothing
// readable. The context says what a value is; a value sealed for one context does not
// open in another. A Sealer must be safe for concurrent use.
//
// The context is the entity and the attribute, User.email, and not the item. A program that
// may write to the table can therefore copy a sealed value from one item to the same
// attribute of another, or restore an earlier value, and it opens there; the value stays
// hidden, and forged values do not open. The item is not part of the context because a
// pattern may ask for equal values in all items, because reads of a part of an item do not
// return its key, and because values must stay readable when keys change. Where it matters
// which item a value belongs to, seal a document that holds the id of the item, and compare
// the two after reading.
type Sealer interface {
	Seal(plain []byte, context string) ([]byte, error)
	Open(sealed []byte, context string) ([]byte, error)
}

// NewSealer seals with AES-GCM under a key of 16, 24 or 32 bytes. What was sealed under
// an old key still opens, so keys can be changed without rewriting items.
//
// One value sealed twice under one key for one attribute looks the same, because the nonce
// is made from the value. A transaction that is repeated with its Token has to be the same
// to the byte, and DynamoDB refuses it otherwise. So a reader of the table sees which
// items have equal values of a sealed attribute, though not which values; where that tells
// too much, as of a yes or no, put the value in a longer one that differs from item to
// item, or give a Sealer of your own. Different values have different nonces up to chance:
// one key is good for 2^32 different values.
func NewSealer(key []byte, old ...[]byte) (Sealer, error) {
	s := make(sealer, 0, 1+len(old))
	for i, k := range append([][]byte{key}, old...) {
		block, err := aes.NewCipher(k)
		if err != nil {
			return nil, fmt.Errorf("access: sealing key %d of %d has %d bytes, not 16, 24 or 32", i+1, 1+len(old), len(k))
		}
		aead, err := cipher.NewGCM(block)
		if err != nil {
			return nil, fmt.Errorf("access: making a sealer: %w", err)
		}
		s = append(s, sealingKey{id: keyID(k), nonces: nonceKey(k), aead: aead})
	}
	return s, nil
}

// keyIDSize is the number of bytes in front of a sealed value that identify its key.
const keyIDSize = 4

// sealer has the key that seals first. What it makes is key id, nonce, cipher text, tag.
type sealer []sealingKey

type sealingKey struct {
	id     [keyIDSize]byte
	nonces []byte // the key that nonces are made with
	aead   cipher.AEAD
}

// keyID tells keys apart without telling anything about them.
func keyID(key []byte) [keyIDSize]byte {
	sum := sha256.Sum256(append([]byte("sortkey sealing key\x00"), key...))
	return [keyIDSize]byte(sum[:])
}

// nonceKey returns the key of the nonces: another one than what values are sealed with, and
// not to be had without it.
func nonceKey(key []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("sortkey sealing nonce"))
	return mac.Sum(nil)
}

// nonce derives the nonce from the value that is sealed. The length in front of the context keeps its end and
// the beginning of the value apart.
func (k sealingKey) nonce(plain []byte, context string) []byte {
	mac := hmac.New(sha256.New, k.nonces)
	mac.Write(binary.AppendUvarint(nil, uint64(len(context))))
	mac.Write([]byte(context))
	mac.Write(plain)
	return mac.Sum(nil)[:k.aead.NonceSize()]
}

func (s sealer) Seal(plain []byte, context string) ([]byte, error) {
	k := s[0]
	nonce := k.nonce(plain, context)
	sealed := make([]byte, 0, keyIDSize+len(nonce)+len(plain)+k.aead.Overhead())
	sealed = append(append(sealed, k.id[:]...), nonce...)
	return k.aead.Seal(sealed, nonce, plain, []byte(context)), nil
}

func (s sealer) Open(sealed []byte, context string) ([]byte, error) {
	for _, k := range s { // two keys may share an id
		front := keyIDSize + k.aead.NonceSize()
		if len(sealed) < front || !bytes.Equal(sealed[:keyIDSize], k.id[:]) {
			continue
		}
		if plain, err := k.aead.Open(nil, sealed[keyIDSize:front], sealed[front:], []byte(context)); err == nil {
			return plain, nil
		}
	}
	return nil, ErrNotOpened
}
