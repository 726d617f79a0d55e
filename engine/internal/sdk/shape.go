package sdk

import (
	"fmt"
	"reflect"
	"time"

	"sortkey.dev/engine/internal/dynamo"
)

// copyShape copies the fields of the struct src points to into the fields of the
// same name of the struct dst points to. A field that is set and has no
// counterpart is an error: leaving it out would change the request.
func copyShape(dst, src any) error {
	return copyFields(reflect.ValueOf(dst).Elem(), reflect.ValueOf(src).Elem(), "")
}

func copyFields(dst, src reflect.Value, path string) error {
	for i := range src.NumField() {
		field := src.Type().Field(i)
		if !isShapeField(field) || src.Field(i).IsZero() {
			continue
		}
		to := dst.FieldByName(field.Name)
		if !to.IsValid() {
			return dynamo.UnsupportedParameter(path + field.Name)
		}
		if err := copyValue(to, src.Field(i), path+field.Name); err != nil {
			return err
		}
	}
	return nil
}

// isShapeField reports whether a field is a member of the API's shape: exported,
// and part of the wire format.
func isShapeField(f reflect.StructField) bool {
	return f.IsExported() && f.Tag.Get("json") != "-"
}

func copyValue(dst, src reflect.Value, path string) error {
	switch src.Kind() {
	case reflect.Pointer:
		if src.IsNil() {
			return nil
		}
		dst.Set(reflect.New(dst.Type().Elem()))
		return copyValue(dst.Elem(), src.Elem(), path)
	case reflect.Slice:
		if src.IsNil() {
			return nil
		}
		dst.Set(reflect.MakeSlice(dst.Type(), src.Len(), src.Len()))
		for i := range src.Len() {
			if err := copyValue(dst.Index(i), src.Index(i), path); err != nil {
				return err
			}
		}
		return nil
	case reflect.Struct:
		if t, ok := src.Interface().(time.Time); ok {
			// The precision of the wire.
			dst.Set(reflect.ValueOf(t.UTC().Truncate(time.Millisecond)))
			return nil
		}
		return copyFields(dst, src, path+".")
	case reflect.String:
		dst.SetString(validText(src.String())) // also between string and enumeration
		return nil
	case reflect.Bool, reflect.Int32, reflect.Int64, reflect.Float64:
		dst.Set(src)
		return nil
	default:
		return fmt.Errorf("copy %s: no rule for %s", path, src.Type())
	}
}
