package conformance

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
)

// The SDK's structs have the member names of the JSON protocol, so one walk over
// their types turns a tree into an input, and another an output into a tree.

// errInexpressible is returned for a request that the SDK's types cannot say.
var errInexpressible = errors.New("the SDK's types cannot say this; restrict the file with doors: HTTP")

var (
	unionType = reflect.TypeFor[types.AttributeValue]()
	timeType  = reflect.TypeFor[time.Time]()

	recordType = reflect.TypeFor[streamtypes.Record]()
)

// fill sets a value of the SDK's types from a tree.
func fill(dst reflect.Value, tree any, path string) error {
	switch {
	case tree == nil:
		return nil
	case dst.Type() == unionType:
		return fillUnion(dst, tree, path)
	case dst.Type() == timeType:
		return fillTime(dst, tree, path)
	}
	switch dst.Kind() {
	case reflect.Pointer:
		dst.Set(reflect.New(dst.Type().Elem()))
		return fill(dst.Elem(), tree, path)
	case reflect.Struct:
		return fillStruct(dst, tree, path)
	case reflect.Map:
		return fillMap(dst, tree, path)
	case reflect.Slice:
		return fillSlice(dst, tree, path)
	default:
		return fillScalar(dst, tree, path)
	}
}

func mismatch(dst reflect.Value, tree any, path string) error {
	return fmt.Errorf("%s: %s is not a %s: %w", path, inJSON(tree), dst.Type(), errInexpressible)
}

func fillStruct(dst reflect.Value, tree any, path string) error {
	object, ok := tree.(map[string]any)
	if !ok {
		return mismatch(dst, tree, path)
	}
	for name, member := range object {
		field := dst.FieldByName(name)
		if !field.IsValid() || !field.CanSet() || name == "ResultMetadata" {
			return fmt.Errorf("%s.%s: %s has no such member: %w", path, name, dst.Type(), errInexpressible)
		}
		if err := fill(field, member, path+"."+name); err != nil {
			return err
		}
	}
	return nil
}

// fillTime sets a time from seconds since 1970.
func fillTime(dst reflect.Value, tree any, path string) error {
	number, ok := tree.(json.Number)
	if !ok {
		return mismatch(dst, tree, path)
	}
	seconds, err := number.Float64()
	if err != nil {
		return mismatch(dst, tree, path)
	}
	dst.Set(reflect.ValueOf(time.UnixMilli(int64(math.Round(seconds * 1000)))))
	return nil
}

func fillMap(dst reflect.Value, tree any, path string) error {
	object, ok := tree.(map[string]any)
	if !ok {
		return mismatch(dst, tree, path)
	}
	dst.Set(reflect.MakeMapWithSize(dst.Type(), len(object)))
	for name, member := range object {
		value := reflect.New(dst.Type().Elem()).Elem()
		if err := fill(value, member, path+"."+name); err != nil {
			return err
		}
		dst.SetMapIndex(reflect.ValueOf(name).Convert(dst.Type().Key()), value)
	}
	return nil
}

func fillSlice(dst reflect.Value, tree any, path string) error {
	if text, ok := tree.(string); ok && dst.Type().Elem().Kind() == reflect.Uint8 {
		bytes, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return mismatch(dst, tree, path)
		}
		dst.SetBytes(bytes)
		return nil
	}
	list, ok := tree.([]any)
	if !ok {
		return mismatch(dst, tree, path)
	}
	dst.Set(reflect.MakeSlice(dst.Type(), len(list), len(list)))
	for i, element := range list {
		if element == nil {
			return mismatch(dst, tree, path)
		}
		if err := fill(dst.Index(i), element, fmt.Sprintf("%s.%d", path, i)); err != nil {
			return err
		}
	}
	return nil
}

func fillScalar(dst reflect.Value, tree any, path string) error {
	switch tree := tree.(type) {
	case string:
		if dst.Kind() == reflect.String && (tree != "" || !isEnum(dst.Type())) {
			dst.SetString(tree)
			return nil
		}
	case bool:
		if dst.Kind() == reflect.Bool {
			dst.SetBool(tree)
			return nil
		}
	case json.Number:
		if n, err := strconv.ParseInt(string(tree), 10, 64); err == nil && dst.CanInt() && !dst.OverflowInt(n) {
			dst.SetInt(n)
			return nil
		}
	}
	return mismatch(dst, tree, path)
}

// isEnum reports whether a string type is one of the SDK's enumerations, whose
// empty value means that nothing was said.
func isEnum(t reflect.Type) bool { return t.Kind() == reflect.String && t.PkgPath() != "" }

// unionMembers are the implementations of the SDK's AttributeValue by their type's name.
var unionMembers = map[string]func() types.AttributeValue{
	"B":    func() types.AttributeValue { return new(types.AttributeValueMemberB) },
	"BOOL": func() types.AttributeValue { return new(types.AttributeValueMemberBOOL) },
	"BS":   func() types.AttributeValue { return new(types.AttributeValueMemberBS) },
	"L":    func() types.AttributeValue { return new(types.AttributeValueMemberL) },
	"M":    func() types.AttributeValue { return new(types.AttributeValueMemberM) },
	"N":    func() types.AttributeValue { return new(types.AttributeValueMemberN) },
	"NS":   func() types.AttributeValue { return new(types.AttributeValueMemberNS) },
	"NULL": func() types.AttributeValue { return new(types.AttributeValueMemberNULL) },
	"S":    func() types.AttributeValue { return new(types.AttributeValueMemberS) },
	"SS":   func() types.AttributeValue { return new(types.AttributeValueMemberSS) },
}

func fillUnion(dst reflect.Value, tree any, path string) error {
	object, ok := tree.(map[string]any)
	if !ok || len(object) != 1 {
		return mismatch(dst, tree, path)
	}
	for name, member := range object {
		create := unionMembers[name]
		if create == nil || member == nil {
			return mismatch(dst, tree, path)
		}
		value := create()
		if err := fill(reflect.ValueOf(value).Elem().FieldByName("Value"), member, path+"."+name); err != nil {
			return err
		}
		dst.Set(reflect.ValueOf(value))
	}
	return nil
}

// treeOf turns a value of the SDK's types into a tree. What is nil is not there.
func treeOf(v reflect.Value) (tree any, there bool) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Map, reflect.Slice:
		if v.IsNil() {
			return nil, false
		}
	}
	switch {
	case v.Kind() == reflect.Interface:
		return unionTree(v.Elem().Elem()), true
	case v.Kind() == reflect.Pointer:
		return treeOf(v.Elem())
	case v.Type() == timeType:
		when := v.Interface().(time.Time)
		return json.Number(fmt.Sprintf("%d.%03d", when.Unix(), when.Nanosecond()/1e6)), true
	case v.Kind() == reflect.Struct:
		return structTree(v), true
	case v.Kind() == reflect.Map:
		object := map[string]any{}
		for _, key := range v.MapKeys() {
			object[key.String()], _ = treeOf(v.MapIndex(key))
		}
		return object, true
	case v.Kind() == reflect.Slice:
		return sliceTree(v), true
	}
	return scalarTree(v), true
}

func structTree(v reflect.Value) map[string]any {
	object := map[string]any{}
	for i := range v.NumField() {
		field := v.Type().Field(i)
		switch {
		case !field.IsExported(), field.Name == "ResultMetadata":
			continue
		case isEnum(field.Type) && v.Field(i).Len() == 0:
			continue
		}
		if member, there := treeOf(v.Field(i)); there {
			object[memberName(v.Type(), field.Name)] = member
		}
	}
	return object
}

// memberName returns the name of a field in the JSON protocol. Only the members of a
// stream's record begin with a small letter.
func memberName(t reflect.Type, field string) string {
	if t == recordType {
		return strings.ToLower(field[:1]) + field[1:]
	}
	return field
}

func sliceTree(v reflect.Value) any {
	if v.Type().Elem().Kind() == reflect.Uint8 {
		return base64.StdEncoding.EncodeToString(v.Bytes())
	}
	list := make([]any, v.Len())
	for i := range list {
		list[i], _ = treeOf(v.Index(i))
	}
	return list
}

func scalarTree(v reflect.Value) any {
	switch {
	case v.Kind() == reflect.String:
		return v.String()
	case v.Kind() == reflect.Bool:
		return v.Bool()
	case v.CanInt():
		return json.Number(strconv.FormatInt(v.Int(), 10))
	case v.CanFloat():
		return json.Number(strconv.FormatFloat(v.Float(), 'g', -1, 64))
	}
	return fmt.Sprintf("a %s, which no DynamoDB answer has", v.Type())
}

// unionTree turns one of the SDK's AttributeValueMember types into its tree.
func unionTree(v reflect.Value) any {
	name, ok := strings.CutPrefix(v.Type().Name(), "AttributeValueMember")
	if !ok {
		return fmt.Sprintf("a %s, which is no attribute value", v.Type())
	}
	member, there := treeOf(v.FieldByName("Value"))
	if !there { // a nil list is an empty one: the type says that it is there
		member = []any{}
		if v.FieldByName("Value").Kind() == reflect.Map {
			member = map[string]any{}
		}
		if v.FieldByName("Value").Type() == reflect.TypeFor[[]byte]() {
			member = ""
		}
	}
	return map[string]any{name: member}
}
