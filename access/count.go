package access

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Count counts the items up to the limit without fetching them, which takes as many read
// units as reading them. It counts what DynamoDB finds, also what decoding would skip.
func (l List[T]) Count(ctx context.Context) (int64, error) {
	k := l.c.begin(ctx, l.q.Pattern, "Query")
	if l.q.Err != nil {
		return 0, l.failed(k)
	}
	var total atomic.Int64
	err := fanOut(ctx, l.c.concurrency, len(l.q.Requests), func(ctx context.Context, i int) error {
		n, err := l.count(ctx, k, &l.q.Requests[i])
		total.Add(n)
		return err
	})
	if err != nil {
		err = fmt.Errorf("%s: %w", l.q.Pattern.Name, err)
		k.end(err)
		return 0, err
	}
	k.end(nil)
	if l.limit > 0 {
		return min(total.Load(), int64(l.limit)), nil
	}
	return total.Load(), nil
}

// count counts the items of one request.
func (l List[T]) count(ctx context.Context, k *call, r *Request) (int64, error) {
	table := l.c.tableName(l.q.Pattern.Table)
	w := walk{q: l.q, size: l.pageSize, left: l.wanted()}
	var n int64
	var reader reader
	for from := (Item)(nil); ; {
		in := l.q.counting(l.c, &table, r)
		in.ExclusiveStartKey, in.Limit = from, w.ask(&reader)
		out, err := send(ctx, l.c, k, API.Query, in)
		if err != nil {
			return n, err
		}
		k.add(out.ConsumedCapacity, int(out.Count))
		n += int64(out.Count)
		reader.pace.kept = int(out.Count)
		from = out.LastEvaluatedKey
		if w.left >= 0 {
			w.left = max(0, w.left-int(out.Count))
		}
		if len(from) == 0 || w.left == 0 {
			return n, nil
		}
	}
}

// counting is the query that counts what a request would bring.
func (q *Query) counting(c *Client, table *string, r *Request) *dynamodb.QueryInput {
	in := q.input(c, table, r)
	if q.AllAttributes && q.Filter != "" {
		return in // the filter may look at what only the table holds
	}
	in.Select = types.SelectCount
	if in.ProjectionExpression != nil {
		in.ProjectionExpression = nil
		in.ExpressionAttributeNames = namesIn(q.Names, q.KeyCondition, q.Filter)
	}
	return in
}

// namesIn are the names that expressions use. DynamoDB refuses a request with others.
func namesIn(names map[string]string, expressions ...string) map[string]string {
	var used map[string]string
	for placeholder, name := range names {
		for _, expression := range expressions {
			if mentions(expression, placeholder) {
				if used == nil {
					used = make(map[string]string, len(names))
				}
				used[placeholder] = name
				break
			}
		}
	}
	return used
}

// mentions reports whether a placeholder, and not one that only begins with it, is in an
// expression.
func mentions(expression, placeholder string) bool {
	for {
		i := strings.Index(expression, placeholder)
		if i < 0 {
			return false
		}
		expression = expression[i+len(placeholder):]
		if expression == "" || !isWord(expression[0]) {
			return true
		}
	}
}

func isWord(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}
