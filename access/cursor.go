package access

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// A cursor is base64url without padding, of
//
//	1, sum of 16 bytes, places        readable; the sum is over the binding and the places
//	2, places sealed with AES-GCM     the binding is its additional data
//
// The binding is what the cursor is good for: the design, the pattern and the partitions.
// It is not in the cursor. Places has for each request a byte, and the key if that is
// placeBehind: for each of Pattern.Keys its type, its length and its bytes.
const (
	cursorPlain  = 1
	cursorSealed = 2

	placeStart  = 0
	placeBehind = 1
	placeEnded  = 2

	sumBytes = 16
	// longestKey is the most bytes a key attribute can have.
	longestKey = 2048
)

var cursorText = base64.RawURLEncoding.Strict() // strict: a cursor has one spelling

// A cursorCodec writes and reads the cursors of a query.
type cursorCodec struct {
	q      *Query
	design *Design
	seal   cipher.AEAD // nil: cursors are readable
}

func newCursorCodec(c *Client, q *Query) (cursorCodec, error) {
	codec := cursorCodec{q: q, design: &c.design}
	if c.cursorKey == nil {
		return codec, nil
	}
	block, err := aes.NewCipher(c.cursorKey)
	if err != nil {
		return codec, fmt.Errorf("the cursor key must have 16, 24 or 32 bytes, not %d", len(c.cursorKey))
	}
	codec.seal, err = cipher.NewGCMWithRandomNonce(block)
	return codec, err
}

// binding is what a cursor is good for.
func (codec cursorCodec) binding() []byte {
	hash := sha256.New()
	var text []byte
	text = appendText(text, codec.design.Hash)
	text = appendText(text, codec.q.Pattern.Name)
	text = binary.AppendUvarint(text, uint64(len(codec.q.Requests)))
	for i := range codec.q.Requests {
		for _, placeholder := range codec.q.Partition {
			text = appendValue(text, codec.q.Requests[i].Values[placeholder])
		}
		hash.Write(text)
		text = text[:0]
	}
	hash.Write(text)
	return hash.Sum(nil)
}

// encode is the cursor of places.
func (codec cursorCodec) encode(places []place) (string, error) {
	body, err := appendPlaces(nil, places, codec.q.Pattern.Keys)
	if err != nil {
		return "", err
	}
	if codec.seal != nil {
		return cursorText.EncodeToString(codec.seal.Seal([]byte{cursorSealed}, nil, body, codec.binding())), nil
	}
	text := append(make([]byte, 0, 1+sumBytes+len(body)), cursorPlain)
	text = append(text, codec.sum(body)...)
	return cursorText.EncodeToString(append(text, body...)), nil
}

// decode are the places of a cursor; nil for the empty one.
func (codec cursorCodec) decode(cursor string) ([]place, error) {
	if cursor == "" {
		return nil, nil
	}
	text, err := cursorText.DecodeString(cursor)
	if err != nil || len(text) == 0 || strings.ContainsAny(cursor, "\r\n") { // which base64 overlooks
		return nil, ErrBadCursor
	}
	var body []byte
	switch version, rest := text[0], text[1:]; {
	case version == cursorSealed && codec.seal != nil:
		if body, err = codec.seal.Open(nil, nil, rest, codec.binding()); err != nil {
			return nil, ErrBadCursor
		}
	case version == cursorPlain && codec.seal == nil && len(rest) >= sumBytes:
		if body = rest[sumBytes:]; !bytes.Equal(rest[:sumBytes], codec.sum(body)) {
			return nil, ErrBadCursor
		}
	default:
		return nil, ErrBadCursor
	}
	return codec.places(body)
}

// sum finds out damage and other patterns, not ill will: DynamoDB lets a request begin
// nowhere but in its own partition, so a cursor that was made up shows nothing new.
func (codec cursorCodec) sum(body []byte) []byte {
	sum := sha256.Sum256(append(codec.binding(), body...))
	return sum[:sumBytes]
}

func appendPlaces(to []byte, places []place, keys []string) ([]byte, error) {
	for _, p := range places {
		switch {
		case p.ended:
			to = append(to, placeEnded)
		case p.key == nil:
			to = append(to, placeStart)
		case len(p.key) != len(keys):
			return nil, fmt.Errorf("a page ends at a key of %d attributes, the path has %d", len(p.key), len(keys))
		default:
			to = append(to, placeBehind)
			for _, name := range keys {
				var err error
				if to, err = appendKeyValue(to, p.key[name]); err != nil {
					return nil, fmt.Errorf("the page ends at an item without the key attribute %s: %w", name, err)
				}
			}
		}
	}
	return to, nil
}

func appendKeyValue(to []byte, value types.AttributeValue) ([]byte, error) {
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		return appendText(append(to, 'S'), v.Value), nil
	case *types.AttributeValueMemberN:
		return appendText(append(to, 'N'), v.Value), nil
	case *types.AttributeValueMemberB:
		return appendText(append(to, 'B'), v.Value), nil
	}
	return nil, errors.New("a key is S, N or B")
}

// places reads what appendPlaces wrote.
func (codec cursorCodec) places(body []byte) ([]place, error) {
	places := make([]place, len(codec.q.Requests))
	begun, ended := false, true
	for i := range places {
		if len(body) == 0 {
			return nil, ErrBadCursor
		}
		kind := body[0]
		body = body[1:]
		switch kind {
		case placeStart:
		case placeEnded:
			places[i].ended = true
		case placeBehind:
			var ok bool
			if places[i].key, body, ok = readKey(body, codec.q.Pattern.Keys); !ok {
				return nil, ErrBadCursor
			}
		default:
			return nil, ErrBadCursor
		}
		begun = begun || kind != placeStart
		ended = ended && kind == placeEnded
	}
	if !begun || ended || len(body) > 0 {
		return nil, ErrBadCursor // before the first page or behind the last no cursor is made
	}
	return places, nil
}

func readKey(body []byte, names []string) (key Item, rest []byte, ok bool) {
	key = make(Item, len(names))
	for _, name := range names {
		if key[name], body, ok = readKeyValue(body); !ok {
			return nil, nil, false
		}
	}
	return key, body, len(names) > 0
}

// readKeyValue reads a value that DynamoDB would take for one of a key.
func readKeyValue(body []byte) (value types.AttributeValue, rest []byte, ok bool) {
	if len(body) == 0 {
		return nil, nil, false
	}
	kind := body[0]
	length, n := binary.Uvarint(body[1:])
	if n <= 0 || length == 0 || length > longestKey || length > uint64(len(body)-1-n) {
		return nil, nil, false
	}
	text, rest := body[1+n:][:length], body[1+n:][length:]
	switch kind {
	case 'S':
		return &types.AttributeValueMemberS{Value: string(text)}, rest, utf8.Valid(text)
	case 'N':
		_, ok := parseNumber(string(text))
		return &types.AttributeValueMemberN{Value: string(text)}, rest, ok
	case 'B':
		return &types.AttributeValueMemberB{Value: bytes.Clone(text)}, rest, true
	}
	return nil, nil, false
}
