package call

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
)

// A cursor is base64url without padding, of
//
//	3, sum of 16 bytes, places        readable; the sum is over the binding and the places
//	4, places sealed with AES-GCM     the binding is its additional data
//
// The binding says which query the cursor is valid for: the design, the pattern and its path, the partitions, and
// the values of a sort key there is a request for each of.
// It is not in the cursor. Places are runs of requests that stand alike, each a number: how
// many requests, times 4, plus a kind. Behind the number of a placeBehind are the keys: for
// each of Pattern.Keys its type, its length and its bytes; or, if it is a value of the
// partition, which the request has as well, ownValue plus its place in Query.Partition.
const (
	cursorPlain  = 3
	cursorSealed = 4

	placeStart  = 0
	placeBehind = 1
	placeEnded  = 2

	ownValue = 0x80

	sumBytes = 16
	// longestKey is the most bytes a key attribute can have.
	longestKey = 2048
)

var cursorText = base64.RawURLEncoding.Strict() // strict: a cursor has one spelling

// A cursorCodec writes and reads the cursors of a query.
type cursorCodec struct {
	q      *Query
	design access.Design
	path   *path       // nil: no migration affects the query
	seal   cipher.AEAD // nil: cursors are readable
}

func newCursorCodec(c *access.Client, q *Query, p *path) (cursorCodec, error) {
	codec := cursorCodec{q: q, design: c.Design(), path: p}
	key := c.Options().CursorKey
	if key == nil {
		return codec, nil
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return codec, fmt.Errorf("the cursor key must have 16, 24 or 32 bytes, not %d", len(key))
	}
	codec.seal, err = cipher.NewGCMWithRandomNonce(block)
	return codec, err
}

// binding returns a hash of the query that a cursor is valid for.
func (codec cursorCodec) binding() []byte {
	hash := sha256.New()
	var text []byte
	text = appendText(text, codec.design.Name)
	text = appendText(text, codec.design.Hash)
	text = appendText(text, codec.q.Pattern.Name)
	text = appendText(text, codec.q.Pattern.Cursors)
	if codec.path != nil && codec.path.isNew() {
		text = binary.AppendVarint(binary.AppendVarint(text, int64(codec.path.version)), codec.path.epoch)
	}
	text = binary.AppendUvarint(text, uint64(len(codec.q.Requests)))
	fanned := codec.fanned()
	for i := range codec.q.Requests {
		r := &codec.q.Requests[i]
		for _, placeholder := range codec.q.Partition {
			text = appendValue(text, r.Values[placeholder])
		}
		for _, placeholder := range fanned {
			text = appendValue(text, codec.asked(r, placeholder))
		}
		hash.Write(text)
		text = text[:0]
	}
	hash.Write(text)
	return hash.Sum(nil)
}

// fanned returns the placeholders outside of the partition that tell the requests of a query
// apart: of a sort key that is asked for in several values. A place of a cursor is that of
// the request for its value.
func (codec cursorCodec) fanned() []string {
	requests := codec.q.Requests
	if len(requests) < 2 {
		return nil
	}
	rest := placeholdersOf(codec.q)[len(codec.q.Partition):]
	return slices.DeleteFunc(rest, func(placeholder string) bool {
		first := appendValue(nil, requests[0].Values[placeholder])
		return !slices.ContainsFunc(requests[1:], func(r Request) bool {
			return !bytes.Equal(first, appendValue(nil, r.Values[placeholder]))
		})
	})
}

// asked returns the part of a value that says which items are asked for. For the first
// attribute that answers are merged by, that is their common prefix: the rest is a
// range, which may be another for the next page.
func (codec cursorCodec) asked(r *Request, placeholder string) types.AttributeValue {
	value, isText := r.Values[placeholder].(*types.AttributeValueMemberS)
	if !isText || len(codec.q.Pattern.Sort) == 0 {
		return r.Values[placeholder]
	}
	for name, attribute := range codec.q.Names {
		same := placeholder[1:] == name[1:] || strings.HasPrefix(placeholder[1:], name[1:]+"_")
		if same && attribute == codec.q.Pattern.Sort[0] {
			return &types.AttributeValueMemberS{Value: value.Value[:min(r.Lead, len(value.Value))]}
		}
	}
	return value
}

// encode returns the cursor of places.
func (codec cursorCodec) encode(places []place) (string, error) {
	body, err := codec.appendPlaces(places)
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

// decode returns the places of a cursor; nil for the empty one.
func (codec cursorCodec) decode(cursor string) ([]place, error) {
	if cursor == "" {
		return nil, nil
	}
	text, err := cursorText.DecodeString(cursor)
	if err != nil || len(text) == 0 || strings.ContainsAny(cursor, "\r\n") { // which base64 overlooks
		return nil, access.ErrBadCursor
	}
	var body []byte
	switch version, rest := text[0], text[1:]; {
	case version == cursorSealed && codec.seal != nil:
		if body, err = codec.seal.Open(nil, nil, rest, codec.binding()); err != nil {
			return nil, access.ErrBadCursor
		}
	case version == cursorPlain && codec.seal == nil && len(rest) >= sumBytes:
		if body = rest[sumBytes:]; !bytes.Equal(rest[:sumBytes], codec.sum(body)) {
			return nil, access.ErrBadCursor
		}
	default:
		return nil, access.ErrBadCursor
	}
	return codec.places(body)
}

// sum finds out damage and other patterns, not ill will: DynamoDB lets a request begin
// nowhere but in its own partition, so a cursor that was made up shows nothing new.
func (codec cursorCodec) sum(body []byte) []byte {
	sum := sha256.Sum256(append(codec.binding(), body...))
	return sum[:sumBytes]
}

func (codec cursorCodec) appendPlaces(places []place) ([]byte, error) {
	var to []byte
	for i := 0; i < len(places); {
		kind, end := places[i].kind(), i+1
		for end < len(places) && places[end].kind() == kind {
			end++
		}
		to = binary.AppendUvarint(to, uint64(end-i)<<2|kind)
		for ; i < end; i++ {
			if kind != placeBehind {
				continue
			}
			var err error
			if to, err = codec.appendKey(to, i, places[i].key); err != nil {
				return nil, err
			}
		}
	}
	return to, nil
}

func (p *place) kind() uint64 {
	switch {
	case p.ended:
		return placeEnded
	case p.key == nil:
		return placeStart
	}
	return placeBehind
}

// appendKey writes the key that a request stands behind.
func (codec cursorCodec) appendKey(to []byte, request int, key access.Item) ([]byte, error) {
	names := codec.q.Pattern.Keys
	if len(key) != len(names) {
		return nil, fmt.Errorf("a page ends at a key of %d attributes, the path has %d", len(key), len(names))
	}
	for _, name := range names {
		value, err := appendKeyValue(nil, key[name])
		if err != nil {
			return nil, fmt.Errorf("the page ends at an item without the key attribute %s: %w", name, err)
		}
		if own := codec.ownValue(request, value); own >= 0 {
			to = append(to, ownValue+byte(own))
		} else {
			to = append(to, value...)
		}
	}
	return to, nil
}

// ownValue returns the place of a value among those of a request's partition, or -1.
func (codec cursorCodec) ownValue(request int, text []byte) int {
	for i, placeholder := range codec.q.Partition[:min(len(codec.q.Partition), ownValue)] {
		have, err := appendKeyValue(nil, codec.q.Requests[request].Values[placeholder])
		if err == nil && bytes.Equal(have, text) {
			return i
		}
	}
	return -1
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
	places := make([]place, 0, len(codec.q.Requests))
	begun, ended := false, true
	for len(body) > 0 {
		run, n := binary.Uvarint(body)
		kind, count := run&3, run>>2
		if n <= 0 || kind > placeEnded || count == 0 || count > uint64(cap(places)-len(places)) {
			return nil, access.ErrBadCursor
		}
		body = body[n:]
		for range count {
			p := place{ended: kind == placeEnded}
			if kind == placeBehind {
				var ok bool
				if p.key, body, ok = codec.readKey(body, len(places)); !ok {
					return nil, access.ErrBadCursor
				}
			}
			places = append(places, p)
		}
		begun = begun || kind != placeStart
		ended = ended && kind == placeEnded
	}
	if !begun || ended || len(places) != len(codec.q.Requests) {
		return nil, access.ErrBadCursor // before the first page or behind the last no cursor is made
	}
	return places, nil
}

func (codec cursorCodec) readKey(body []byte, request int) (key access.Item, rest []byte, ok bool) {
	names := codec.q.Pattern.Keys
	key = make(access.Item, len(names))
	for _, name := range names {
		if len(body) == 0 {
			return nil, nil, false
		}
		if own := int(body[0]) - ownValue; own >= 0 {
			if own >= len(codec.q.Partition) {
				return nil, nil, false
			}
			key[name], body = codec.q.Requests[request].Values[codec.q.Partition[own]], body[1:]
		} else if key[name], body, ok = readKeyValue(body); !ok {
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
		_, err := access.ParseDecimal(string(text))
		return &types.AttributeValueMemberN{Value: string(text)}, rest, err == nil
	case 'B':
		return &types.AttributeValueMemberB{Value: bytes.Clone(text)}, rest, true
	}
	return nil, nil, false
}
