package oracle

import (
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
)

// recordOf converts a record to the form for comparison.
func recordOf(r streamtypes.Record) record {
	d := r.Dynamodb
	out := record{
		Event: string(r.EventName), At: aws.ToTime(d.ApproximateCreationDateTime).UnixMilli(), Keys: itemOf(d.Keys), New: itemOf(d.NewImage), Old: itemOf(d.OldImage),
		Size: aws.ToInt64(d.SizeBytes), View: types.StreamViewType(d.StreamViewType), Version: aws.ToString(r.EventVersion), From: aws.ToString(r.EventSource),
	}
	if u := r.UserIdentity; u != nil {
		out.User = aws.ToString(u.Type) + " " + aws.ToString(u.PrincipalId)
	}
	return out
}

// itemOf converts an item of a stream to one of a table. The SDK has different types for them.
func itemOf(it map[string]streamtypes.AttributeValue) Item {
	if it == nil {
		return nil
	}
	out := Item{}
	for name, v := range it {
		out[name] = valueOf(v)
	}
	return out
}

func valueOf(v streamtypes.AttributeValue) types.AttributeValue {
	switch v := v.(type) {
	case *streamtypes.AttributeValueMemberS:
		return S(v.Value)
	case *streamtypes.AttributeValueMemberN:
		return N(v.Value)
	case *streamtypes.AttributeValueMemberB:
		return B(string(v.Value))
	case *streamtypes.AttributeValueMemberBOOL:
		return Bool(v.Value)
	case *streamtypes.AttributeValueMemberNULL:
		return Null()
	case *streamtypes.AttributeValueMemberSS:
		return SS(v.Value...)
	case *streamtypes.AttributeValueMemberNS:
		return NS(v.Value...)
	case *streamtypes.AttributeValueMemberBS:
		return &types.AttributeValueMemberBS{Value: v.Value}
	case *streamtypes.AttributeValueMemberL:
		list := []types.AttributeValue{}
		for _, e := range v.Value {
			list = append(list, valueOf(e))
		}
		return L(list...)
	case *streamtypes.AttributeValueMemberM:
		return M(itemOf(v.Value))
	}
	return nil
}
