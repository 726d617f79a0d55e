package wire

import (
	"cmp"
	"reflect"
	"slices"

	"sortkey.dev/engine/internal/dynamo"
)

// The shapes of the operations on tables and streams are decoded by reflection: a
// member is stored in the field with exactly its name. The types in use are structs and
// lists of them, strings, integers, booleans and times, and pointers to all of these.
// Members without a field are skipped, like by the service.

// readInput decodes the whole body into the struct that in points to. It fails if an
// unsupported parameter was sent: a request must not be
// ignored silently.
func (s *scanner) readInput(in any, unsupported []string) error {
	refused := s.readStruct(bodyType, reflect.ValueOf(in).Elem(), unsupported)
	if err := s.finish(); err != nil {
		return err
	}
	if refused != "" {
		return dynamo.UnsupportedParameter(refused)
	}
	return nil
}

// readStruct decodes an object into v and returns the first rejected member that
// was sent.
func (s *scanner) readStruct(t *javaType, v reflect.Value, refuse []string) (refused string) {
	for name, more := s.firstMember(t); more; name, more = s.nextMember() {
		field := v.FieldByName(borrow(name))
		if !field.IsValid() {
			if i := slices.Index(refuse, borrow(name)); i >= 0 && s.next() != 'n' {
				refused = cmp.Or(refused, refuse[i])
			}
			s.skip()
			continue
		}
		if s.null() {
			field.SetZero()
			continue
		}
		s.readField(field)
	}
	return refused
}

// readField decodes the value of a member, which is not null.
func (s *scanner) readField(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		s.readField(v.Elem())
	case reflect.Struct:
		if v.Type() == timeType {
			v.Set(reflect.ValueOf(s.time()))
			return
		}
		v.SetZero()
		s.readStruct(fieldType(v.Type().Name()), v, nil)
	case reflect.Slice:
		s.readSlice(v)
	case reflect.String:
		v.SetString(string(s.textBytes()))
	case reflect.Bool:
		v.SetBool(s.boolean())
	case reflect.Int32:
		v.SetInt(int64(*s.int32()))
	case reflect.Int64:
		v.SetInt(s.integer(longType))
	default:
		s.skip() // no input has another kind of field
	}
}

func (s *scanner) readSlice(v reflect.Value) {
	v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	for more := s.firstElement(listType); more; more = s.nextElement() {
		element := reflect.New(v.Type().Elem()).Elem()
		switch {
		case s.null():
		case element.Kind() == reflect.Struct:
			s.readStruct(elementType(element.Type().Name()), element, nil)
		default:
			s.readField(element)
		}
		if v.Len() < maxElements {
			v.Set(reflect.Append(v, element))
		}
	}
}
