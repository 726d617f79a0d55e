package sdk

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"sortkey.dev/engine/internal/dynamo"
)

// Package dynamodbstreams has its own types for values. They differ from
// those of dynamodb in name alone, but Go has no conversion between them, and a
// decoder with type parameters would cost every item of every response an
// allocation. So the kinds are listed once more; the rest is shared.

// streamAttributes is attributes for a record of a stream.
func streamAttributes(item dynamo.Item) map[string]types.AttributeValue {
	if item == nil {
		return nil
	}
	d, item := newDecoder(item)
	return d.streamFields(item)
}

func (d *decoder) streamFields(m dynamo.Map) map[string]types.AttributeValue {
	out := make(map[string]types.AttributeValue, m.Len())
	for c := m.Fields(); c.Next(); {
		out[d.text(c.Name())] = d.streamValue(c.Value())
	}
	return out
}

func (d *decoder) streamValue(v dynamo.Value) types.AttributeValue {
	switch k := v.Kind(); k {
	case dynamo.KindString:
		return &types.AttributeValueMemberS{Value: d.text(v.Bytes())}
	case dynamo.KindNumber:
		return &types.AttributeValueMemberN{Value: d.text(v.Bytes())}
	case dynamo.KindBinary:
		return &types.AttributeValueMemberB{Value: copyOf(v.Bytes())}
	case dynamo.KindTrue, dynamo.KindFalse:
		return &types.AttributeValueMemberBOOL{Value: k == dynamo.KindTrue}
	case dynamo.KindNull:
		return &types.AttributeValueMemberNULL{Value: true}
	case dynamo.KindMap:
		return &types.AttributeValueMemberM{Value: d.streamFields(v.Map())}
	case dynamo.KindList:
		elements := make([]types.AttributeValue, 0, v.Len())
		for _, element := range v.Elements() {
			elements = append(elements, d.streamValue(element))
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
