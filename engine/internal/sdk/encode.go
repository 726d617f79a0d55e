package sdk

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/engine/internal/dynamo"
)

// An encoder converts the SDK's values to the engine's encoding. It never changes its
// results, so an encoder can be reused.
type encoder struct {
	out    dynamo.Encoder
	fields []field // of all open maps, innermost last
	fault  error   // the first since the last takeFault
}

// A field is one entry of a map that is being written.
type field struct {
	name  string
	value types.AttributeValue
}

var encoders = sync.Pool{New: func() any { return new(encoder) }}

func newEncoder() *encoder { return encoders.Get().(*encoder) }

func (e *encoder) release() { encoders.Put(e) }

// item writes an item or key. A nil map was not sent.
func (e *encoder) item(m map[string]types.AttributeValue) dynamo.RawItem {
	if m == nil {
		return dynamo.RawItem{}
	}
	fields, size := e.sorted(m), 4
	for _, f := range fields {
		size += sizeOfBytes(len(f.name)) + sizeOf(f.value, 1)
	}
	e.out.Reset()
	e.out.Grow(size)
	e.out.OpenItem()
	e.writeFields(len(e.fields)-len(fields), 1)
	item, err := e.out.CloseItem()
	e.note(err)
	return dynamo.RawItem{Item: item, Fault: e.takeFault()}
}

// values writes expression attribute values. A nil map was not sent.
func (e *encoder) values(m map[string]types.AttributeValue) dynamo.RawValues {
	return e.valuesAt(1, m)
}

// valuesAt writes expression attribute values whose scalars are at a level.
func (e *encoder) valuesAt(level int, m map[string]types.AttributeValue) dynamo.RawValues {
	if m == nil {
		return dynamo.RawValues{}
	}
	fields, size := e.sorted(m), 0
	for _, f := range fields {
		size += sizeOf(f.value, level)
	}
	e.out.Reset()
	e.out.Grow(size)
	values := dynamo.RawValues{ByName: make(map[string]dynamo.Value, len(fields))}
	first := len(e.fields) - len(fields)
	for i := first; i < first+len(fields); i++ {
		f, start := e.fields[i], e.out.Mark()
		e.value(f.value, level)
		values.ByName[validText(f.name)] = e.out.Value(start)
		if fault := e.takeFault(); fault != nil && values.Fault == nil {
			values.Fault, values.FaultName = fault, validText(f.name)
		}
	}
	e.drop(first)
	return values
}

// expressions writes the placeholders of a request.
func (e *encoder) expressions(names map[string]string, values map[string]types.AttributeValue) dynamo.Expressions {
	return dynamo.Expressions{Names: validTexts(names), Values: e.values(values)}
}

// transactExpressions is expressions for an action of a transaction.
func (e *encoder) transactExpressions(names map[string]string, values map[string]types.AttributeValue) dynamo.Expressions {
	return dynamo.Expressions{Names: validTexts(names), Values: e.valuesAt(dynamo.TransactValueLevel, values)}
}

// sorted appends the fields of m to e.fields by ascending name: the
// order of the encoding, in which the first fault is deterministic.
func (e *encoder) sorted(m map[string]types.AttributeValue) []field {
	first := len(e.fields)
	for name, value := range m {
		e.fields = append(e.fields, field{name, value})
	}
	fields := e.fields[first:]
	slices.SortFunc(fields, func(a, b field) int { return strings.Compare(a.name, b.name) })
	return fields
}

// drop removes the fields from first on, and the references to the caller's values.
func (e *encoder) drop(first int) {
	clear(e.fields[first:])
	e.fields = e.fields[:first]
}

// writeFields writes the fields from first on and drops them.
func (e *encoder) writeFields(first, level int) {
	for i, end := first, len(e.fields); i < end; i++ {
		f := e.fields[i]
		e.out.Name(validText(f.name))
		e.value(f.value, level)
	}
	e.drop(first)
}

// value writes one value. An invalid value is replaced with a similar valid one,
// so that the encoding stays well formed. A value that is too deep is written
// as far as its depth matters.
func (e *encoder) value(v types.AttributeValue, level int) {
	if level > dynamo.MaxNesting {
		e.note(dynamo.FaultNesting)
		if level > dynamo.FarNesting {
			e.writeFault(dynamo.FaultFarNesting)
			return
		}
	}
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		if v != nil {
			e.out.String(validText(v.Value))
			return
		}
	case *types.AttributeValueMemberN:
		if v != nil {
			e.note(e.out.Number([]byte(v.Value)))
			return
		}
	case *types.AttributeValueMemberB:
		if v != nil && v.Value != nil { // the client sends nil as null
			e.out.Binary(v.Value)
			return
		}
	case *types.AttributeValueMemberBOOL:
		if v != nil {
			e.out.Bool(v.Value)
			return
		}
	case *types.AttributeValueMemberNULL:
		if v != nil && v.Value {
			e.out.Null()
			return
		}
		if v != nil {
			e.writeFault(dynamo.FaultNullFalse)
			return
		}
	default:
		if e.container(v, level) {
			return
		}
	}
	e.writeFault(dynamo.FaultNoType)
}

// container writes a set, list or map, and reports false for anything else.
func (e *encoder) container(v types.AttributeValue, level int) bool {
	switch v := v.(type) {
	case *types.AttributeValueMemberM:
		if v == nil {
			return false
		}
		first := len(e.fields)
		e.sorted(v.Value)
		e.out.OpenMap()
		e.writeFields(first, level+1)
		e.note(e.out.CloseMap())
	case *types.AttributeValueMemberL:
		if v == nil {
			return false
		}
		e.out.OpenList()
		for _, element := range v.Value {
			e.value(element, level+1)
		}
		e.out.CloseList()
	case *types.AttributeValueMemberSS:
		if v == nil {
			return false
		}
		e.out.OpenSet(dynamo.KindStringSet)
		for _, member := range v.Value {
			e.note(e.out.Member([]byte(validText(member))))
		}
		e.note(e.out.CloseSet())
	case *types.AttributeValueMemberNS:
		if v == nil {
			return false
		}
		e.out.OpenSet(dynamo.KindNumberSet)
		for _, member := range v.Value {
			e.note(e.out.Member([]byte(member)))
		}
		e.note(e.out.CloseSet())
	case *types.AttributeValueMemberBS:
		if v == nil {
			return false
		}
		e.out.OpenSet(dynamo.KindBinarySet)
		for _, member := range v.Value {
			e.note(e.out.Member(member))
		}
		e.note(e.out.CloseSet())
	default: // nil, or a kind of a later version of the SDK
		return false
	}
	return true
}

func (e *encoder) writeFault(fault error) {
	e.note(fault)
	e.out.Null()
}

// note records the first fault. A name can only be repeated if two invalid names
// became the same text.
func (e *encoder) note(fault error) {
	if e.fault == dynamo.FaultNesting && fault == dynamo.FaultFarNesting {
		e.fault = fault
	}
	if fault == nil || e.fault != nil {
		return
	}
	if repeated := (*dynamo.RepeatedName)(nil); errors.As(fault, &repeated) {
		fault = &dynamo.Fault{Text: "Two attribute names that are not valid UTF-8 cannot be told apart"}
	}
	e.fault = fault
}

func (e *encoder) takeFault() error {
	fault := e.fault
	e.fault = nil
	return fault
}

// sizeOf estimates the size of a value's encoding.
func sizeOf(v types.AttributeValue, level int) int {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		if v != nil {
			return 1 + sizeOfBytes(len(v.Value))
		}
	case *types.AttributeValueMemberN:
		if v != nil {
			return 1 + sizeOfBytes(len(v.Value))
		}
	case *types.AttributeValueMemberB:
		if v != nil {
			return 1 + sizeOfBytes(len(v.Value))
		}
	default:
		if level < dynamo.MaxNesting {
			return sizeOfContainer(v, level)
		}
	}
	return 1
}

func sizeOfContainer(v types.AttributeValue, level int) int {
	size := 9 // the kind, the length and the number of elements
	switch v := v.(type) {
	case *types.AttributeValueMemberSS:
		if v != nil {
			size += sizeOfAll(v.Value)
		}
	case *types.AttributeValueMemberNS:
		if v != nil {
			size += sizeOfAll(v.Value)
		}
	case *types.AttributeValueMemberBS:
		if v != nil {
			size += sizeOfAll(v.Value)
		}
	case *types.AttributeValueMemberL:
		if v != nil {
			for _, element := range v.Value {
				size += sizeOf(element, level+1)
			}
		}
	case *types.AttributeValueMemberM:
		if v != nil {
			for name, value := range v.Value {
				size += sizeOfBytes(len(name)) + sizeOf(value, level+1)
			}
		}
	}
	return size
}

func sizeOfAll[T string | []byte](members []T) (size int) {
	for _, m := range members {
		size += sizeOfBytes(len(m))
	}
	return size
}

// sizeOfBytes returns the size of n bytes with a length prefix.
func sizeOfBytes(n int) int {
	if n < 0x80 {
		return 1 + n
	}
	return 3 + n
}

// validText returns s as it would arrive over HTTP: each invalid UTF-8 byte becomes
// the replacement character.
func validText(s string) string {
	if dynamo.ValidText(s) {
		return s
	}
	return string([]rune(s))
}

func validTextPointer(s *string) *string {
	if s == nil || dynamo.ValidText(*s) {
		return s
	}
	valid := validText(*s)
	return &valid
}

func validTextList(list []string) []string {
	if !slices.ContainsFunc(list, func(s string) bool { return !dynamo.ValidText(s) }) {
		return list
	}
	valid := make([]string, len(list))
	for i, s := range list {
		valid[i] = validText(s)
	}
	return valid
}

func validTexts(m map[string]string) map[string]string {
	for name, value := range m {
		if !dynamo.ValidText(name) || !dynamo.ValidText(value) {
			return replaceInvalid(m)
		}
	}
	return m
}

func replaceInvalid(m map[string]string) map[string]string {
	valid := make(map[string]string, len(m))
	for _, name := range slices.Sorted(maps.Keys(m)) {
		valid[validText(name)] = validText(m[name])
	}
	return valid
}
