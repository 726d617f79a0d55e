package table

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

// A statementPosition is the resume position of a SELECT: the index of its query, and
// the row to continue after. A nil row is the beginning of the query.
type statementPosition struct {
	branch int
	after  dynamo.Item
}

// A tokenCodec converts positions to NextTokens. A token belongs to a statement with its
// parameters. Its content is validated when it is received, because callers can forge it:
// it can lead to other rows of the same statement, and nowhere else.
type tokenCodec struct {
	statement request.Fingerprint
	key       []dynamo.KeyAttribute // of the rows
}

const (
	tokenVersion = 1
	// tokenFingerprint is the number of fingerprint bytes in a token.
	tokenFingerprint = 16
)

func errTokenMismatch() error { return dynamo.Invalid("NextToken does not match request") }

func errInvalidToken() error { return dynamo.Invalid("Invalid NextToken") }

// encode returns the token of a position after a row.
func (c tokenCodec) encode(at statementPosition) string {
	token := append([]byte{tokenVersion}, c.statement[:tokenFingerprint]...)
	token = binary.AppendUvarint(token, uint64(at.branch))
	for _, a := range c.key {
		content := at.after.Get(a.Name).Bytes()
		token = binary.AppendUvarint(token, uint64(len(content)))
		token = append(token, content...)
	}
	return base64.RawURLEncoding.EncodeToString(token)
}

// decode decodes a token.
func (c tokenCodec) decode(token string) (at statementPosition, err error) {
	rest, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(rest) < 1+tokenFingerprint || rest[0] != tokenVersion {
		return at, errInvalidToken()
	}
	if !bytes.Equal(rest[1:1+tokenFingerprint], c.statement[:tokenFingerprint]) {
		return at, errTokenMismatch()
	}
	rest = rest[1+tokenFingerprint:]
	branch, n := binary.Uvarint(rest)
	if n <= 0 || branch > dynamo.MaxStatement { // more than a statement can have
		return at, errInvalidToken()
	}
	at.branch, rest = int(branch), rest[n:]
	at.after, err = c.decodeKey(rest)
	return at, err
}

// decodeKey decodes the values of the key attributes, which must fill rest.
func (c tokenCodec) decodeKey(rest []byte) (dynamo.Item, error) {
	var enc dynamo.Encoder
	enc.OpenItem()
	for _, a := range c.key {
		size, n := binary.Uvarint(rest)
		if n <= 0 || size > uint64(len(rest)-n) {
			return nil, errInvalidToken()
		}
		content := rest[n : n+int(size)]
		rest = rest[n+int(size):]
		enc.Name(a.Name)
		switch {
		case a.Kind == dynamo.KindBinary:
			enc.Binary(content)
		case a.Kind == dynamo.KindNumber && enc.Number(content) == nil:
		case a.Kind == dynamo.KindString && dynamo.ValidText(string(content)):
			enc.String(string(content))
		default:
			return nil, errInvalidToken()
		}
	}
	if len(rest) > 0 {
		return nil, errInvalidToken()
	}
	key, _ := enc.CloseItem() // the names are unique
	return key, nil
}
