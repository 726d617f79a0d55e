package wire

import (
	"strconv"

	"sortkey.dev/engine/internal/dynamo"
)

// pageParameter reads a member that Query and Scan share. It passes over one
// that they do not know.
func (s *scanner) pageParameter(name []byte, in *dynamo.PageParameters) {
	switch string(name) {
	case "AttributesToGet":
		in.Legacy = s.legacy("AttributesToGet", in.Legacy)
	case "ConditionalOperator":
		in.Legacy = s.legacy("ConditionalOperator", in.Legacy)
	case "ConsistentRead":
		in.ConsistentRead = s.flag()
	case "ExclusiveStartKey":
		in.ExclusiveStartKey = s.item()
	case "ExpressionAttributeNames":
		in.Names = s.names()
	case "ExpressionAttributeValues":
		in.Values = s.values()
	case "FilterExpression":
		in.FilterExpression = s.text()
	case "IndexName":
		in.IndexName = s.text()
	case "Limit":
		in.Limit = s.int32()
	case "ProjectionExpression":
		in.ProjectionExpression = s.text()
	case "ReturnConsumedCapacity":
		in.ReturnConsumedCapacity = s.choice()
	case "Select":
		in.Select = s.choice()
	case "TableName":
		in.TableName = s.text()
	default:
		s.skip()
	}
}

// appendPage appends the answer of Query or Scan and gives its memory back.
func appendPage(dst []byte, out *dynamo.PageOutput) []byte {
	defer out.Release()
	dst, o := openObject(dst)
	dst = o.capacity(dst, out.ConsumedCapacity)
	dst = strconv.AppendInt(o.name(dst, "Count"), int64(out.Count), 10)
	if out.Items != nil {
		dst = appendItems(o.name(dst, "Items"), out.Items)
	}
	dst = o.item(dst, "LastEvaluatedKey", out.LastEvaluatedKey)
	dst = strconv.AppendInt(o.name(dst, "ScannedCount"), int64(out.ScannedCount), 10)
	return append(dst, '}')
}

func appendItems(dst []byte, items []dynamo.Item) []byte {
	dst = append(dst, '[')
	for i, item := range items {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendItem(dst, item)
	}
	return append(dst, ']')
}
