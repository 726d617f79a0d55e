package table

import (
	"encoding/base64"
	"errors"
	"testing"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

var tokenKey = []dynamo.KeyAttribute{
	{Name: "pk", Kind: dynamo.KindString}, {Name: "sk", Kind: dynamo.KindNumber}, {Name: "b", Kind: dynamo.KindBinary},
}

// FuzzStatementToken decodes any token. A decoded position is encoded and decoded again to
// the same position.
func FuzzStatementToken(f *testing.F) {
	codec := tokenCodec{request.Fingerprint{1, 2, 3}, tokenKey}
	var e dynamo.Encoder
	e.OpenItem()
	e.Name("pk")
	e.String("ä")
	e.Name("sk")
	_ = e.Number([]byte("-1.5"))
	e.Name("b")
	e.Binary([]byte{0, 255})
	key, _ := e.CloseItem()
	good, err := base64.RawURLEncoding.DecodeString(codec.encode(statementPosition{7, key}))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add(good[:20])
	f.Add(append(good[:17:17], 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1))
	f.Add(append(good[:18:18], 0xff, 0xff, 0xff, 0xff, 0x0f))
	f.Add(append(good[:18:18], 1, 0xff, 1, 'x', 0))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, raw []byte) {
		at, err := codec.decode(base64.RawURLEncoding.EncodeToString(raw))
		if err != nil {
			if e, ok := errors.AsType[*dynamo.Error](err); !ok || e.Code != dynamo.Validation {
				t.Errorf("not an error of DynamoDB: %v", err)
			}
			return
		}
		again, err := codec.decode(codec.encode(at))
		if err != nil || again.branch != at.branch || string(again.after) != string(at.after) {
			t.Errorf("got %v and %v, want %v", again, err, at)
		}
	})
}

func TestInvalidStatementTokens(t *testing.T) {
	codec := tokenCodec{request.Fingerprint{1}, tokenKey[:1]}
	var e dynamo.Encoder
	e.OpenItem()
	e.Name("pk")
	e.String("a")
	key, _ := e.CloseItem()
	token := codec.encode(statementPosition{0, key})
	for _, c := range []struct {
		name  string
		codec tokenCodec
		token string
		want  string
	}{
		{"another statement", tokenCodec{request.Fingerprint{2}, tokenKey[:1]}, token, "NextToken does not match request"},
		{"another key", tokenCodec{request.Fingerprint{1}, tokenKey}, token, "Invalid NextToken"},
		{"not base64", codec, "*", "Invalid NextToken"},
		{"too short", codec, "AQ", "Invalid NextToken"},
		{"something after it", codec, token + "AAAA", "Invalid NextToken"},
	} {
		_, err := c.codec.decode(c.token)
		if e, ok := errors.AsType[*dynamo.Error](err); !ok || e.Message != c.want {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}
