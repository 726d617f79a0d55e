package sdk

import (
	"unsafe"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/engine/internal/dynamo"
)

const (
	// sharedItemSize is the maximum size of an item whose strings share one
	// copy of it. A caller that keeps one of them keeps the whole copy.
	sharedItemSize = 8 << 10

	// chunkSize is the maximum number of S or N values of an item that are allocated together.
	chunkSize = 16
)

// A decoder converts the engine's values to the SDK's. Its results never share memory with
// the engine's bytes.
type decoder struct {
	// shared means that the bytes are a private copy, so that strings may share its memory.
	shared  bool
	chunk   int // the number of values to allocate next
	texts   []types.AttributeValueMemberS
	numbers []types.AttributeValueMemberN
}

// attributes converts an item to the SDK's map. No item is nil, an item without
// attributes an empty map.
func attributes(item dynamo.Item) map[string]types.AttributeValue {
	if item == nil {
		return nil
	}
	d, item := newDecoder(item)
	return d.fields(item)
}

// newDecoder returns a decoder for item, and the item to decode.
func newDecoder(item dynamo.Item) (decoder, dynamo.Item) {
	d := decoder{chunk: min(item.Len(), chunkSize)}
	if len(item) <= sharedItemSize {
		d.shared, item = true, item.Clone()
	}
	return d, item
}

// items converts the items of a response to the SDK's maps. A nil list stays nil, and an
// empty list stays empty.
func items(list []dynamo.Item) []map[string]types.AttributeValue {
	if list == nil {
		return nil
	}
	out := make([]map[string]types.AttributeValue, len(list))
	for i, item := range list {
		out[i] = attributes(item)
	}
	return out
}

func (d *decoder) fields(m dynamo.Map) map[string]types.AttributeValue {
	out := make(map[string]types.AttributeValue, m.Len())
	for c := m.Fields(); c.Next(); {
		out[d.text(c.Name())] = d.value(c.Value())
	}
	return out
}

func (d *decoder) value(v dynamo.Value) types.AttributeValue {
	switch k := v.Kind(); k {
	case dynamo.KindString:
		return d.textValue(v.Bytes())
	case dynamo.KindNumber:
		return d.numberValue(v.Bytes())
	case dynamo.KindBinary:
		return &types.AttributeValueMemberB{Value: copyOf(v.Bytes())}
	case dynamo.KindTrue, dynamo.KindFalse:
		return &types.AttributeValueMemberBOOL{Value: k == dynamo.KindTrue}
	case dynamo.KindNull:
		return &types.AttributeValueMemberNULL{Value: true}
	case dynamo.KindMap:
		return &types.AttributeValueMemberM{Value: d.fields(v.Map())}
	case dynamo.KindList:
		elements := make([]types.AttributeValue, 0, v.Len())
		for _, element := range v.Elements() {
			elements = append(elements, d.value(element))
		}
		return &types.AttributeValueMemberL{Value: elements}
	case dynamo.KindStringSet:
		return &types.AttributeValueMemberSS{Value: d.members(v)}
	case dynamo.KindNumberSet:
		return &types.AttributeValueMemberNS{Value: d.members(v)}
	case dynamo.KindBinarySet:
		return &types.AttributeValueMemberBS{Value: binaryMembers(v)}
	default:
		return nil
	}
}

// textValue and numberValue allocate many small values at once: most values are
// one of the two.
func (d *decoder) textValue(b []byte) types.AttributeValue {
	if len(d.texts) == 0 {
		d.texts = make([]types.AttributeValueMemberS, d.chunk)
		d.chunk = min(2*d.chunk, chunkSize) // there are more in lists and maps
	}
	v := &d.texts[0]
	d.texts = d.texts[1:]
	v.Value = d.text(b)
	return v
}

func (d *decoder) numberValue(b []byte) types.AttributeValue {
	if len(d.numbers) == 0 {
		d.numbers = make([]types.AttributeValueMemberN, (d.chunk+1)/2)
	}
	v := &d.numbers[0]
	d.numbers = d.numbers[1:]
	v.Value = d.text(b)
	return v
}

func (d *decoder) members(set dynamo.Value) []string {
	members := make([]string, 0, set.Len())
	for member := range set.Ordered() {
		members = append(members, d.text(member))
	}
	return members
}

func binaryMembers(set dynamo.Value) [][]byte {
	members := make([][]byte, 0, set.Len())
	for member := range set.Members() {
		members = append(members, copyOf(member))
	}
	return members
}

// text returns b as a string. It shares memory with the item's copy, if there is one,
// which is never changed.
func (d *decoder) text(b []byte) string {
	if d.shared {
		return unsafe.String(unsafe.SliceData(b), len(b))
	}
	return string(b)
}

// copyOf copies bytes; like the client, it returns an empty slice and not nil for no bytes.
func copyOf(b []byte) []byte { return append(make([]byte, 0, len(b)), b...) }
