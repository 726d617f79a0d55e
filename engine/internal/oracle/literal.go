package oracle

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Literal formats a value as Go source, so that steps can be pasted into a test and
// responses can be compared and read. It omits fields without a value, and fields that the
// SDK adds to DynamoDB's response, and sorts sets.
func Literal(v any) string {
	var w literalWriter
	w.value(reflect.ValueOf(v), 0, false)
	return w.String()
}

type literalWriter struct{ strings.Builder }

var attributeValue = reflect.TypeFor[types.AttributeValue]()

// value writes v. It omits its type where Go infers it.
func (w *literalWriter) value(v reflect.Value, indent int, elide bool) {
	if !v.IsValid() {
		w.WriteString("nil")
		return
	}
	if a, ok := v.Interface().(types.AttributeValue); ok && a != nil {
		w.attribute(a, indent)
		return
	}
	switch v.Kind() {
	case reflect.Interface:
		w.value(v.Elem(), indent, false)
	case reflect.Pointer:
		w.pointer(v, indent, elide)
	case reflect.Struct:
		w.structure(v, indent, elide)
	case reflect.Map:
		w.mapping(v, indent, elide)
	case reflect.Slice:
		w.slice(v, indent, elide)
	case reflect.String:
		w.WriteString(quote(v.String()))
	default:
		fmt.Fprint(w, v.Interface())
	}
}

// pointer writes a pointer; a pointer to a scalar is written as the scalar.
func (w *literalWriter) pointer(v reflect.Value, indent int, elide bool) {
	switch {
	case v.IsNil():
		w.WriteString("nil")
	case v.Elem().Kind() != reflect.Struct:
		w.value(v.Elem(), indent, false)
	default:
		if !elide {
			w.WriteString("&")
		}
		w.value(v.Elem(), indent, elide)
	}
}

func (w *literalWriter) structure(v reflect.Value, indent int, elide bool) {
	if !elide {
		w.WriteString(v.Type().String())
	}
	w.WriteString("{")
	first := true
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if !field.IsExported() || v.Field(i).IsZero() || field.Name == "ResultMetadata" {
			continue
		}
		if !first {
			w.WriteString(", ")
		}
		first = false
		w.WriteString(field.Name + ": ")
		w.value(v.Field(i), indent, false)
	}
	w.WriteString("}")
}

func (w *literalWriter) mapping(v reflect.Value, indent int, elide bool) {
	if v.IsNil() {
		w.WriteString("nil")
		return
	}
	if v.Type().Elem() == attributeValue {
		w.WriteString("oracle.Item")
	} else if !elide {
		w.WriteString(v.Type().String())
	}
	w.WriteString("{")
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	for i, k := range keys {
		if i > 0 {
			w.WriteString(", ")
		}
		w.WriteString(quote(k.String()) + ": ")
		w.value(v.MapIndex(k), indent, true)
	}
	w.WriteString("}")
}

// slice writes a slice; each element of a list of structs gets its own line.
func (w *literalWriter) slice(v reflect.Value, indent int, elide bool) {
	if v.Type().Elem().Kind() == reflect.Uint8 {
		w.WriteString(quote(string(v.Bytes())))
		return
	}
	elem := v.Type().Elem()
	switch {
	case elide:
	case elem == reflect.TypeFor[Item]():
		w.WriteString("[]oracle.Item")
	default:
		w.WriteString(v.Type().String())
	}
	w.WriteString("{")
	lines := v.Len() > 1 && (elem.Kind() == reflect.Struct || elem == reflect.TypeFor[Step]())
	for i := range v.Len() {
		switch {
		case lines:
			w.WriteString("\n" + strings.Repeat("\t", indent+1))
		case i > 0:
			w.WriteString(", ")
		}
		w.value(v.Index(i), indent+1, elem.Kind() != reflect.Interface)
		if lines {
			w.WriteString(",")
		}
	}
	if lines {
		w.WriteString("\n" + strings.Repeat("\t", indent))
	}
	w.WriteString("}")
}

// attribute writes an attribute value by its constructor.
func (w *literalWriter) attribute(a types.AttributeValue, indent int) {
	name := kind(a)
	switch name {
	case "BOOL":
		name = "Bool"
	case "NULL":
		name = "Null"
	}
	w.WriteString("oracle." + name + "(")
	switch a := a.(type) {
	case *types.AttributeValueMemberBOOL:
		fmt.Fprint(w, a.Value)
	case *types.AttributeValueMemberM:
		w.value(reflect.ValueOf(a.Value), indent, false)
	case *types.AttributeValueMemberL:
		for i, e := range a.Value {
			if i > 0 {
				w.WriteString(", ")
			}
			w.attribute(e, indent)
		}
	case *types.AttributeValueMemberS, *types.AttributeValueMemberN, *types.AttributeValueMemberB:
		w.WriteString(quote(text(a)))
	default:
		w.WriteString(strings.Join(quotedMembers(a), ", "))
	}
	w.WriteString(")")
}

func quotedMembers(set types.AttributeValue) []string {
	quoted := map[string]int{}
	for _, m := range members(set) {
		quoted[quote(text(m))]++
	}
	var all []string
	for _, m := range slices.Sorted(maps.Keys(quoted)) {
		all = append(all, slices.Repeat([]string{m}, quoted[m])...)
	}
	return all
}

// quote quotes a string; a long string that repeats its first byte is written as such.
func quote(s string) string {
	if len(s) > 64 && strings.Count(s, s[:1]) == len(s) {
		return fmt.Sprintf("strings.Repeat(%q, %d)", s[:1], len(s))
	}
	return strconv.Quote(s)
}
