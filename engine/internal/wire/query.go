package wire

import (
	"strconv"

	"sortkey.dev/engine/internal/dynamo"
)

func readQuery(s *scanner) *dynamo.QueryInput {
	in := &dynamo.QueryInput{}
	for name, more := s.firstMember(bodyType); more; name, more = s.nextMember() {
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
		case "KeyConditionExpression":
			in.KeyConditionExpression = s.text()
		case "KeyConditions":
			in.Legacy = s.legacy("KeyConditions", in.Legacy)
		case "Limit":
			in.Limit = s.int32()
		case "ProjectionExpression":
			in.ProjectionExpression = s.text()
		case "QueryFilter":
			in.Legacy = s.legacy("QueryFilter", in.Legacy)
		case "ReturnConsumedCapacity":
			in.ReturnConsumedCapacity = s.choice()
		case "ScanIndexForward":
			in.ScanIndexForward = s.flag()
		case "Select":
			in.Select = s.choice()
		case "TableName":
			in.TableName = s.text()
		default:
			s.skip()
		}
	}
	return in
}

// appendQuery appends a page of Query or Scan and gives its memory back.
func appendQuery(dst []byte, out *dynamo.QueryOutput) []byte {
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
