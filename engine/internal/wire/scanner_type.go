package wire

import "sortkey.dev/engine/internal/dynamo"

// A javaType is the type that the service expects at one place of a request, with its
// messages about anything else. The messages mention Java because the
// service does, and clients see them.
type javaType struct {
	name   string // scalars "cannot be converted to" it; empty when scalar says it all
	scalar string
	array  string
	object string
}

const (
	// model is the package of the service's own types.
	model = "com.amazonaws.dynamodb.v20120810."

	unexpectedStart = "Start of structure or map found where not expected"
	unexpectedField = "Unexpected field type"
	unexpectedValue = "Unexpected value type in payload"
	unexpectedCast  = "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class java.lang.Class " +
		"(sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and java.lang.Class are in module java.base of loader 'bootstrap')"
)

var (
	booleanType = scalarType("Boolean")
	integerType = scalarType("Integer")
	longType    = scalarType("Long")
	stringType  = scalarType("String")
	dateType    = &javaType{name: "Date", array: "Unrecognized collection type class java.util.Date", object: unexpectedStart}
	blobType    = &javaType{
		scalar: "only base-64-encoded strings are convertible to bytes",
		array:  "Unrecognized collection type class java.nio.ByteBuffer",
		object: unexpectedStart,
	}
	listType  = &javaType{scalar: unexpectedField, object: unexpectedStart}
	valueType = elementType("AttributeValue")
	itemType  = mapType(model + "AttributeValue")
	namesType = mapType("java.lang.String")
	// bodyType is a request as a whole: anything but an object gets the error for invalid JSON.
	bodyType = &javaType{}
)

func scalarType(name string) *javaType {
	return &javaType{name: name, array: "Unrecognized collection type class java.lang." + name, object: unexpectedStart}
}

// mapType returns the type of a map from strings to values of a type.
func mapType(values string) *javaType {
	return &javaType{scalar: unexpectedField, array: "Unrecognized collection type java.util.Map<java.lang.String, " + values + ">"}
}

// fieldType returns the type of a structure that is a member of another one.
func fieldType(name string) *javaType {
	return &javaType{scalar: unexpectedField, array: "Unrecognized collection type class " + model + name}
}

// elementType returns the type of a structure that is an element of a list or a value of a map.
func elementType(name string) *javaType {
	return &javaType{scalar: unexpectedValue, array: "Unrecognized collection type class " + model + name}
}

// nested returns t for a map or list inside another one.
func (t javaType) nested() *javaType {
	t.scalar = unexpectedCast
	return &t
}

// mismatch fails because the next value is not a t.
func (s *scanner) mismatch(t *javaType) {
	complaint := t.scalar
	switch s.next() {
	case '[':
		complaint = t.array
	case '{':
		complaint = t.object
	default:
		token := s.token()
		if t.name != "" {
			complaint = token + " cannot be converted to " + t.name
		}
	}
	if complaint == "" {
		s.fail(errNotJSON)
		return
	}
	s.fail(serialization(complaint))
}

// token decodes a scalar and returns the service's name for its form.
func (s *scanner) token() string {
	switch s.next() {
	case '"':
		s.quoted()
		return "STRING_VALUE"
	case 't':
		s.word("true")
		return "TRUE_VALUE"
	case 'f':
		s.word("false")
		return "FALSE_VALUE"
	case 'n':
		s.word("null")
		return "NULL_VALUE"
	}
	if _, integer := s.number(); integer {
		return "NUMBER_VALUE"
	}
	return "DECIMAL_VALUE"
}

// errNotJSON has no message, like the service's.
var errNotJSON = &dynamo.Error{Code: dynamo.Serialization}

// errNotText is the error for text that is not valid Unicode.
var errNotText = serialization("A string is not valid UTF-8 or has half of a surrogate pair")

func serialization(message string) *dynamo.Error {
	return &dynamo.Error{Code: dynamo.Serialization, Message: message}
}
