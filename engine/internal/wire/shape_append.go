package wire

import (
	"reflect"
	"strconv"
	"time"
)

// appendShape appends the output of an operation on tables or streams: the struct that out
// points to, field by field. It omits nil and empty fields, except a top-level
// list, which the service always returns.
func appendShape(dst []byte, out any) []byte {
	v := reflect.ValueOf(out).Elem()
	dst, o := openObject(dst)
	for i := range v.NumField() {
		field := v.Field(i)
		name := v.Type().Field(i).Name
		if isAbsent(field) && (field.Kind() != reflect.Slice || name == hiddenEmpty) {
			continue
		}
		dst = appendReflected(o.name(dst, name), field)
	}
	return append(dst, '}')
}

// hiddenEmpty is the only top-level list that the service omits when it is empty.
const hiddenEmpty = "ContributorInsightsRuleList"

func isAbsent(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer:
		return v.IsNil()
	case reflect.Slice, reflect.String:
		return v.Len() == 0
	}
	return false
}

var timeType = reflect.TypeFor[time.Time]()

func appendReflected(dst []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Pointer:
		return appendReflected(dst, v.Elem())
	case reflect.Struct:
		if v.Type() == timeType {
			return appendTime(dst, v.Interface().(time.Time))
		}
		return appendStruct(dst, v)
	case reflect.Slice:
		dst = append(dst, '[')
		for i := range v.Len() {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendReflected(dst, v.Index(i))
		}
		return append(dst, ']')
	case reflect.String:
		return appendString(dst, v.String())
	case reflect.Bool:
		return strconv.AppendBool(dst, v.Bool())
	case reflect.Int32, reflect.Int64:
		return strconv.AppendInt(dst, v.Int(), 10)
	}
	return append(dst, "null"...) // no output has another kind of field
}

// shownEmpty is the only nested list that the service returns without
// elements: clients iterate over the shards of a stream without checking the list.
const shownEmpty = "Shards"

func appendStruct(dst []byte, v reflect.Value) []byte {
	dst, o := openObject(dst)
	for i := range v.NumField() {
		field, name := v.Field(i), v.Type().Field(i).Name
		if !isAbsent(field) || name == shownEmpty {
			dst = appendReflected(o.name(dst, name), field)
		}
	}
	return append(dst, '}')
}

// appendTime appends a time as seconds since 1970 with milliseconds.
func appendTime(dst []byte, t time.Time) []byte {
	ms := t.UnixMilli()
	if ms%1000 == 0 {
		return strconv.AppendInt(dst, ms/1000, 10)
	}
	return strconv.AppendFloat(dst, float64(ms)/1000, 'f', 3, 64)
}
