package marshal_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

// No item makes a decoder do anything but return values or a *DecodeError, and what it
// read without an error it reads again after it was written.
func FuzzDecoder(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, "text")
	f.Add([]byte{8, 2, 1, 0, 9, 1, 0}, "1e5")
	f.Add([]byte{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, "2026-02-17")
	full := someOfEverything()
	names := make([]string, 0, 64)
	for name := range full.item() {
		names = append(names, name)
	}
	f.Fuzz(func(t *testing.T, shape []byte, text string) {
		source := &valueSource{shape: shape, text: text}
		for _, name := range names {
			v := source.value(0)
			got, err := readEverything(access.Item{name: v})
			if err != nil {
				var wrong *access.DecodeError
				if !errors.As(err, &wrong) {
					t.Fatalf("%s: %v is no DecodeError", name, err)
				}
				continue
			}
			if d := marshal.Decode("Everything", access.Item{name: v}); !d.Has(name) {
				continue
			}
			again, err := readEverything(access.Item{name: got.item()[name]})
			if name == "at" || name == "opt_at" || strings.HasPrefix(name, "time") {
				continue // times are written with less than they can be read with
			}
			if diff := cmp.Diff(got, again); err != nil || diff != "" {
				t.Fatalf("%s: read, written and read again: %v %s", name, err, diff)
			}
		}
	})
}

// A valueSource makes values of all kinds from bytes, also broken ones.
type valueSource struct {
	shape []byte
	text  string
}

func (s *valueSource) next() int {
	if len(s.shape) == 0 {
		return 0
	}
	n := s.shape[0]
	s.shape = s.shape[1:]
	return int(n)
}

func (s *valueSource) value(depth int) types.AttributeValue {
	switch s.next() % 13 {
	case 0:
		return marshal.S(s.text)
	case 1:
		return marshal.Num(s.text)
	case 2:
		return marshal.B([]byte(s.text))
	case 3:
		return marshal.Bool(true)
	case 4:
		return &types.AttributeValueMemberNULL{}
	case 5:
		return marshal.Strings([]string{s.text})
	case 6:
		return &types.AttributeValueMemberNS{Value: []string{s.text}}
	case 7:
		return marshal.Blobs([][]byte{nil})
	case 8, 9:
		return s.nested(depth)
	case 10:
		return (*types.AttributeValueMemberS)(nil)
	case 11:
		return &types.UnknownUnionMember{Tag: s.text}
	}
	return nil
}

func (s *valueSource) nested(depth int) types.AttributeValue {
	var list []types.AttributeValue
	fields := access.Item{}
	for i := range s.next() % 4 {
		if depth < 3 {
			v := s.value(depth + 1)
			list = append(list, v)
			fields[[]string{"zip", "floor", "other", s.text}[i]] = v
		}
	}
	if len(list)%2 == 0 {
		return &types.AttributeValueMemberL{Value: list}
	}
	return marshal.M(fields)
}
