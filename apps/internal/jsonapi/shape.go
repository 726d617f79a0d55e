package jsonapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

var (
	rawType  = reflect.TypeFor[json.RawMessage]()
	timeType = reflect.TypeFor[time.Time]()
)

// checkShape checks valid JSON against the type it is decoded into.
func checkShape(body []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	return shape{decoder}.check(reflect.TypeOf(into), "", false)
}

// A shape walks JSON along a type, which bounds the depth.
type shape struct{ decoder *json.Decoder }

func (s shape) check(t reflect.Type, path string, mayBeNull bool) error {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == rawType { // checked later
		var any json.RawMessage
		return s.decoder.Decode(&any)
	}
	if t == timeType {
		return s.checkTime(path, mayBeNull)
	}
	token, err := s.decoder.Token()
	if err != nil {
		return notJSON(err)
	}
	if token == nil && mayBeNull {
		return nil
	}
	switch t.Kind() {
	case reflect.Struct:
		if token == json.Delim('{') {
			return s.checkObject(t, path)
		}
	case reflect.Slice:
		if token == json.Delim('[') {
			return s.checkList(t.Elem(), path)
		}
	case reflect.Map:
		if token == json.Delim('{') {
			return s.checkMap(t.Elem(), path)
		}
	case reflect.String:
		if _, ok := token.(string); ok {
			return nil
		}
	case reflect.Bool:
		if _, ok := token.(bool); ok {
			return nil
		}
	case reflect.Int, reflect.Int64:
		if number, ok := token.(json.Number); ok {
			return checkInteger(number, t.Bits(), path)
		}
	case reflect.Float64:
		if number, ok := token.(json.Number); ok {
			return checkFloat(number, path)
		}
	}
	return wrongType(t, path, token)
}

func (s shape) checkObject(t reflect.Type, path string) error {
	fields := fieldsOf(t)
	names := make([]string, 0, len(fields))
	for _, field := range fields {
		names = append(names, field.name)
	}
	var seen []string
	for s.decoder.More() {
		token, err := s.decoder.Token()
		if err != nil {
			return notJSON(err)
		}
		name, _ := token.(string)
		place := slices.Index(names, name)
		if place < 0 {
			return unknown(path, name, names)
		}
		full := joined(path, name)
		if slices.Contains(seen, name) {
			return Invalid(full, "duplicate", fmt.Sprintf("The field %s is there twice.", full))
		}
		seen = append(seen, name)
		if err := s.check(fields[place].of, full, true); err != nil {
			return err
		}
	}
	_, err := s.decoder.Token()
	return err
}

func (s shape) checkList(element reflect.Type, path string) error {
	for i := 0; s.decoder.More(); i++ {
		if err := s.check(element, fmt.Sprintf("%s[%d]", path, i), false); err != nil {
			return err
		}
	}
	_, err := s.decoder.Token()
	return err
}

// checkMap checks an object with any names.
func (s shape) checkMap(element reflect.Type, path string) error {
	seen := map[string]bool{}
	for s.decoder.More() {
		token, err := s.decoder.Token()
		if err != nil {
			return notJSON(err)
		}
		name, _ := token.(string)
		full := joined(path, name)
		if seen[name] {
			return Invalid(full, "duplicate", fmt.Sprintf("The field %s is there twice.", full))
		}
		seen[name] = true
		if err := s.check(element, full, false); err != nil {
			return err
		}
	}
	_, err := s.decoder.Token()
	return err
}

type field struct {
	name string
	of   reflect.Type
}

// fieldsOf returns the fields of a struct and of those it embeds by their names in JSON.
func fieldsOf(t reflect.Type) []field {
	var fields []field
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			fields = append(fields, fieldsOf(f.Type)...)
		}
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			fields = append(fields, field{name, f.Type})
		}
	}
	return fields
}

func checkInteger(number json.Number, bits int, path string) error {
	if _, err := strconv.ParseInt(number.String(), 10, bits); err == nil {
		return nil
	}
	if strings.ContainsAny(number.String(), ".eE") {
		return Invalid(path, "type", fmt.Sprintf("%s has to be a whole number, written without a point or an exponent.", path))
	}
	return Invalid(path, "range", fmt.Sprintf("%s is no number that makes sense here.", path))
}

// checkFloat accepts numbers that a float64 can hold.
func checkFloat(number json.Number, path string) error {
	if _, err := number.Float64(); err != nil {
		return Invalid(path, "range", fmt.Sprintf("%s is no number that makes sense here.", path))
	}
	return nil
}

// checkTime accepts times as encoding/json decodes them: written without escapes.
func (s shape) checkTime(path string, mayBeNull bool) error {
	var text json.RawMessage
	if err := s.decoder.Decode(&text); err != nil {
		return notJSON(err)
	}
	var at *time.Time
	if err := json.Unmarshal(text, &at); err == nil && (at != nil || mayBeNull) {
		return nil
	}
	return Invalid(path, "format", fmt.Sprintf("%s has to be a time, such as 2026-02-13T10:30:00Z.", path))
}

func wrongType(t reflect.Type, path string, token json.Token) error {
	want := map[reflect.Kind]string{
		reflect.Struct: "an object", reflect.Map: "an object", reflect.Slice: "a list", reflect.String: "a text", reflect.Bool: "true or false",
		reflect.Int: "a whole number", reflect.Int64: "a whole number", reflect.Float64: "a number",
	}[t.Kind()]
	name := path
	if name == "" {
		name = "The body"
	}
	return Invalid(path, "type", fmt.Sprintf("%s has to be %s, not %s.", name, want, kindOf(token)))
}

func kindOf(token json.Token) string {
	switch v := token.(type) {
	case nil:
		return "null"
	case string:
		return "a text"
	case bool:
		return "true or false"
	case json.Delim:
		if v == '[' {
			return "a list"
		}
		return "an object"
	}
	return "a number"
}

func unknown(path, name string, names []string) error {
	if len(name) > maxName { // the sender knows the rest
		name = strings.ToValidUTF8(name[:maxName], "") + "…"
	}
	full := joined(path, name)
	refused := Invalid(full, "unknown", fmt.Sprintf("There is no field %q.", full))
	if meant := nearest(name, names); meant != "" {
		refused.Message = fmt.Sprintf("There is no field %q; did you mean %q?", full, joined(path, meant))
		refused.Details = FieldDetails{Field: full, Constraint: "unknown", Suggestion: joined(path, meant)}
	}
	return refused
}

func joined(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// maxName is the longest name that is matched and returned whole.
const maxName = 40

// nearest returns the most similar name; "" if none is similar.
func nearest(name string, names []string) string {
	if len(name) > maxName {
		return ""
	}
	best, least := "", max(len(name)/3, 1)+1
	for _, candidate := range names {
		if d := distance(strings.ToLower(name), candidate); d < least {
			best, least = candidate, d
		}
	}
	return best
}

// distance returns the edit distance of a and b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
