package wire

import (
	"context"
	"strconv"

	"sortkey.dev/engine/internal/dynamo"
)

// pageParameter decodes a member that Query and Scan share. It skips an unknown
// one.
func (s *scanner) pageParameter(name []byte, in *dynamo.PageParameters) {
	switch string(name) {
	case "AttributesToGet":
		in.AttributesToGet = s.texts()
	case "ConditionalOperator":
		in.ConditionalOperator = s.choice()
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
		in.TableName = s.tableName()
	default:
		s.skip()
	}
}

// pages returns the operation of Query or Scan. Items are written to the response
// while they are read: a page can be a megabyte, and copying it first would take
// as long as reading it.
func pages[In interface{ Page() *dynamo.PageParameters }](
	read func(*scanner) In,
	call func(dynamo.API, context.Context, In) (*dynamo.PageOutput, error),
) operation {
	return func(ctx context.Context, api dynamo.API, _ target, s *scanner, dst []byte) ([]byte, error) {
		s.reserve()
		in := read(s)
		if err := s.finish(); err != nil {
			return dst, err
		}
		w := pageWriter{answer: append(dst, `{"Items":[`...)}
		in.Page().Visit = w.add
		out, err := call(api, ctx, in)
		if err != nil {
			return dst, err
		}
		return w.finish(dst, out), nil
	}
}

// A pageWriter appends the items of a page to its response.
type pageWriter struct {
	answer []byte
	items  int
}

func (w *pageWriter) add(item dynamo.Item) {
	if w.items > 0 {
		w.answer = append(w.answer, ',')
	}
	w.items++
	w.answer = appendItem(w.answer, item)
}

// finish appends the rest of the response, which started after dst.
func (w *pageWriter) finish(dst []byte, out *dynamo.PageOutput) []byte {
	for _, item := range out.Items { // of an API that collects them all the same
		w.add(item)
	}
	o, answer := object{}, w.answer
	if out.Items == nil { // only a count was requested
		answer, o = openObject(answer[:len(dst)])
	} else {
		answer = append(answer, ']')
	}
	out.Release()
	answer = o.capacity(answer, out.ConsumedCapacity)
	answer = strconv.AppendInt(o.name(answer, "Count"), int64(out.Count), 10)
	answer = o.item(answer, "LastEvaluatedKey", out.LastEvaluatedKey)
	answer = strconv.AppendInt(o.name(answer, "ScannedCount"), int64(out.ScannedCount), 10)
	return append(answer, '}')
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
