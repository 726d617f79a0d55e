package stream

import (
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"sortkey.dev/access"
)

// RecordOf turns a record of the SDK's client of DynamoDB Streams into a Record. The SDK's
// does not say of which table it is.
func RecordOf(table string, r streamtypes.Record) (Record, error) {
	out := Record{Table: table, EventID: text(r.EventID), Kind: Kind(r.EventName)}
	if r.UserIdentity != nil {
		out.Expired = removedByService(text(r.UserIdentity.Type), text(r.UserIdentity.PrincipalId))
	}
	d := r.Dynamodb
	if d == nil {
		return out, fmt.Errorf("stream: record %s of table %s holds no change", out.EventID, table)
	}
	out.SequenceNumber = text(d.SequenceNumber)
	if d.ApproximateCreationDateTime != nil {
		out.At = *d.ApproximateCreationDateTime
	}
	for _, image := range []struct {
		from map[string]streamtypes.AttributeValue
		to   *access.Item
	}{{d.Keys, &out.Keys}, {d.OldImage, &out.Old}, {d.NewImage, &out.New}} {
		if image.from == nil {
			continue
		}
		item, err := convertItem(image.from)
		if err != nil {
			return out, fmt.Errorf("stream: record %s of table %s: %w", out.SequenceNumber, table, err)
		}
		*image.to = item
	}
	return out, nil
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func convertItem(from map[string]streamtypes.AttributeValue) (access.Item, error) {
	item := make(access.Item, len(from))
	for name, v := range from {
		converted, err := convertValue(v)
		if err != nil {
			return nil, fmt.Errorf("attribute %s: %w", name, err)
		}
		item[name] = converted
	}
	return item, nil
}

// convertValue turns a value of the streams' client into one of the tables' client: the
// SDK has the same types twice.
func convertValue(v streamtypes.AttributeValue) (types.AttributeValue, error) {
	switch v := v.(type) {
	case *streamtypes.AttributeValueMemberS:
		return &types.AttributeValueMemberS{Value: v.Value}, nil
	case *streamtypes.AttributeValueMemberN:
		return &types.AttributeValueMemberN{Value: v.Value}, nil
	case *streamtypes.AttributeValueMemberB:
		return &types.AttributeValueMemberB{Value: v.Value}, nil
	case *streamtypes.AttributeValueMemberBOOL:
		return &types.AttributeValueMemberBOOL{Value: v.Value}, nil
	case *streamtypes.AttributeValueMemberNULL:
		return &types.AttributeValueMemberNULL{Value: v.Value}, nil
	case *streamtypes.AttributeValueMemberSS:
		return &types.AttributeValueMemberSS{Value: v.Value}, nil
	case *streamtypes.AttributeValueMemberNS:
		return &types.AttributeValueMemberNS{Value: v.Value}, nil
	case *streamtypes.AttributeValueMemberBS:
		return &types.AttributeValueMemberBS{Value: v.Value}, nil
	case *streamtypes.AttributeValueMemberM:
		item, err := convertItem(v.Value)
		return &types.AttributeValueMemberM{Value: item}, err
	case *streamtypes.AttributeValueMemberL:
		list := make([]types.AttributeValue, len(v.Value))
		for i, element := range v.Value {
			var err error
			if list[i], err = convertValue(element); err != nil {
				return nil, fmt.Errorf("element %d: %w", i, err)
			}
		}
		return &types.AttributeValueMemberL{Value: list}, nil
	}
	return nil, fmt.Errorf("a value of the unknown type %T", v)
}
