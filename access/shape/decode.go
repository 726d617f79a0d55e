package shape

import (
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

// attribute returns why a stored value does not decode as an attribute, "" if it does.
func (r *Reader) attribute(a *Attribute, v types.AttributeValue) string {
	if absent(v) {
		if strings.HasSuffix(a.Type, "?") || strings.HasPrefix(a.Type, "set<") || a.HasDefault {
			return "" // DynamoDB has no empty sets
		}
		return "is missing"
	}
	if a.Sealed {
		return kind(v, "B")
	}
	return r.value(strings.TrimSuffix(a.Type, "?"), v)
}

func absent(v types.AttributeValue) bool {
	if v == nil {
		return true
	}
	_, null := v.(*types.AttributeValueMemberNULL)
	return null
}

// kinds maps types to how DynamoDB stores them; those that are not here are stored as texts.
var kinds = map[string]string{
	"int": "N", "number": "N", "decimal": "N", "unixtime": "N", "bool": "BOOL", "bytes": "B", "list": "L", "map": "M",
}

// setKinds maps the kinds of elements to those of sets.
var setKinds = map[string]string{"S": "SS", "N": "NS", "B": "BS"}

// value returns why a stored value does not decode as a type, "" if it does.
func (r *Reader) value(text string, v types.AttributeValue) string {
	if s := r.structs[text]; s != nil {
		return r.fields(s, v)
	}
	base, element := text, ""
	if at := strings.IndexByte(text, '<'); at >= 0 {
		base, element = text[:at], strings.TrimSuffix(text[at+1:], ">")
	} else if at := strings.IndexByte(text, '('); at >= 0 {
		base = text[:at]
	}
	switch v := v.(type) {
	case *types.AttributeValueMemberL:
		if base == "list" {
			for _, one := range v.Value {
				if reason := r.value(element, one); reason != "" {
					return "has an element that " + reason
				}
			}
		}
	case *types.AttributeValueMemberM:
		if base == "map" {
			for _, one := range v.Value {
				if reason := r.value(element, one); reason != "" {
					return "has an entry that " + reason
				}
			}
		}
	case *types.AttributeValueMemberS:
		if parse := texts[base]; parse != nil {
			return reason(parse(v.Value))
		}
	case *types.AttributeValueMemberN:
		if parse := numbers[base]; parse != nil {
			return reason(parse(v.Value))
		}
	}
	want := kindOr(base, "S")
	if base == "set" {
		want = setKinds[kindOr(baseOf(element), "S")]
	}
	return kind(v, want)
}

// fields decodes a struct.
func (r *Reader) fields(s *Struct, v types.AttributeValue) string {
	m, ok := v.(*types.AttributeValueMemberM)
	if !ok {
		return kind(v, "M")
	}
	for i := range s.Attributes {
		a := &s.Attributes[i]
		if reason := r.attribute(a, m.Value[a.Name]); reason != "" {
			return "has a " + a.shown() + " that " + reason
		}
	}
	return ""
}

func kindOr(base, other string) string {
	if kind := kinds[base]; kind != "" {
		return kind
	}
	return other
}

// texts and numbers map types to the functions that read them.
var (
	texts = map[string]func(string) error{
		"timestamp": parsing(marshal.ParseTime), "date": parsing(access.ParseDate), "week": parsing(access.ParseWeek),
	}
	numbers = map[string]func(string) error{
		"int": parsing(marshal.ParseInt), "number": parsing(marshal.ParseFloat), "decimal": parsing(access.ParseDecimal), "unixtime": parsing(marshal.ParseUnix),
	}
)

func parsing[T any](parse func(string) (T, error)) func(string) error {
	return func(text string) error {
		_, err := parse(text)
		return err
	}
}

func reason(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// kind returns why a value is not of a kind, "" if it is.
func kind(v types.AttributeValue, want string) string {
	have := strings.TrimPrefix(fmt.Sprintf("%T", v), "*types.AttributeValueMember")
	if have == want {
		return ""
	}
	return "holds " + have + ", not " + want
}
