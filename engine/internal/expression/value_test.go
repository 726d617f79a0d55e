package expression

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"sortkey.dev/engine/internal/dynamo"
)

// Tests write items and values like clients: as JSON.

// item encodes an item.
func item(t testing.TB, text string) dynamo.Item {
	t.Helper()
	var enc dynamo.Encoder
	enc.OpenItem()
	encodeFields(t, &enc, attributes(t, text))
	it, err := enc.CloseItem()
	if err != nil {
		t.Fatal(err)
	}
	return it
}

// values encodes the values of placeholders.
func values(t testing.TB, text string) map[string]dynamo.Value {
	t.Helper()
	if text == "" {
		return nil
	}
	out := map[string]dynamo.Value{}
	for name, v := range attributes(t, text) {
		var enc dynamo.Encoder
		encode(t, &enc, v)
		out[name] = enc.Value(0)
	}
	return out
}

func attributes(t testing.TB, text string) map[string]any {
	t.Helper()
	out := map[string]any{}
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return out
}

func encodeFields(t testing.TB, enc *dynamo.Encoder, fields map[string]any) {
	for name, v := range fields {
		enc.Name(name)
		encode(t, enc, v)
	}
}

func encode(t testing.TB, enc *dynamo.Encoder, v any) {
	t.Helper()
	var err error
	for kind, content := range v.(map[string]any) {
		switch kind {
		case "S":
			enc.String(content.(string))
		case "N":
			err = enc.Number([]byte(content.(string)))
		case "B":
			enc.Binary(decodeBase64(t, content.(string)))
		case "BOOL":
			enc.Bool(content.(bool))
		case "NULL":
			enc.Null()
		case "L":
			enc.OpenList()
			for _, e := range content.([]any) {
				encode(t, enc, e)
			}
			enc.CloseList()
		case "M":
			enc.OpenMap()
			encodeFields(t, enc, content.(map[string]any))
			err = enc.CloseMap()
		default:
			err = encodeSet(t, enc, kind, content.([]any))
		}
	}
	if err != nil {
		t.Fatalf("%v: %v", v, err)
	}
}

func encodeSet(t testing.TB, enc *dynamo.Encoder, kind string, members []any) error {
	kinds := map[string]dynamo.Kind{"SS": dynamo.KindStringSet, "NS": dynamo.KindNumberSet, "BS": dynamo.KindBinarySet}
	enc.OpenSet(kinds[kind])
	for _, m := range members {
		b := []byte(m.(string))
		if kind == "BS" {
			b = decodeBase64(t, m.(string))
		}
		if err := enc.Member(b); err != nil {
			return err
		}
	}
	return enc.CloseSet()
}

func decodeBase64(t testing.TB, s string) []byte {
	t.Helper()
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// show formats an item in a short form: {a: 1, b: "x", c: [1, {d: true}], e: <"p", "q">}
func show(it dynamo.Item) string {
	if it == nil {
		return "nil"
	}
	return showMap(it)
}

func showMap(m dynamo.Map) string {
	var parts []string
	for name, v := range m.All() {
		parts = append(parts, name+": "+showValue(v))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func showValue(v dynamo.Value) string {
	switch k := v.Kind(); {
	case k == dynamo.KindMap:
		return showMap(v.Map())
	case k == dynamo.KindList:
		var parts []string
		for _, e := range v.Elements() {
			parts = append(parts, showValue(e))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case k.IsSet():
		var parts []string
		for m := range v.Members() {
			parts = append(parts, showScalar(k.MemberKind(), m))
		}
		return "<" + strings.Join(parts, ", ") + ">"
	case k == dynamo.KindNull:
		return "null"
	case v.IsBool():
		return map[dynamo.Kind]string{dynamo.KindTrue: "true", dynamo.KindFalse: "false"}[k]
	default:
		return showScalar(k, v.Bytes())
	}
}

func showScalar(k dynamo.Kind, b []byte) string {
	switch k {
	case dynamo.KindString:
		return `"` + string(b) + `"`
	case dynamo.KindBinary:
		return "b:" + base64.StdEncoding.EncodeToString(b)
	default:
		return string(b)
	}
}

// scope returns a scope of placeholders; names are written "#a=b, #c=d".
func scope(t testing.TB, names, vals string) *Scope {
	t.Helper()
	var byName map[string]string
	if names != "" {
		byName = map[string]string{}
		for part := range strings.SplitSeq(names, ", ") {
			key, name, _ := strings.Cut(part, "=")
			byName[key] = name
		}
	}
	return NewScope(byName, values(t, vals))
}

// parse parses an expression of any language and returns the error.
func parse(s *Scope, l language, text string) error {
	var err error
	switch l {
	case conditionLanguage:
		_, err = s.ParseCondition(text)
	case filterLanguage:
		_, err = s.ParseFilter(text)
	case keyConditionLanguage:
		_, err = s.ParseKeyCondition(text)
	case projectionLanguage:
		_, err = s.ParseProjection(text)
	default:
		_, err = s.ParseUpdate(text)
	}
	return err
}

// message returns the message of a *dynamo.Error, and "" for nil. Any other error
// fails the test.
func message(t testing.TB, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	e, ok := err.(*dynamo.Error)
	if !ok || e.Code != dynamo.Validation {
		t.Fatalf("not a ValidationException: %v", err)
	}
	return e.Message
}

// sortedKeys returns the keys of a map, sorted.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
