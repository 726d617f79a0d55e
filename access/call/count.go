package call

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/internal/fanout"
)

// count counts the items of a list.
func (l *listing) count(ctx context.Context) (int64, error) {
	k := begin(ctx, l.c, l.q.Pattern, l.q.operation())
	if l.q.Err != nil {
		return 0, l.failed(k)
	}
	var total atomic.Int64
	err := fanout.Do(ctx, l.c.Options().Concurrency, len(l.q.Requests), func(ctx context.Context, i int) error {
		n, err := l.countRequest(ctx, k, &l.q.Requests[i])
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

// countRequest counts the items of one request.
func (l *listing) countRequest(ctx context.Context, k *recorder, request *Request) (int64, error) {
	table := l.c.Table(l.q.Pattern.Table)
	w := walk{q: &l.q, size: l.size, left: l.wanted()}
	var n int64
	var reader reader
	for from := (access.Item)(nil); ; {
		count, next, err := l.countPage(ctx, k, &table, request, from, w.ask(&reader))
		if err != nil {
			return n, err
		}
		n += int64(count)
		reader.pace.kept = count
		from = next
		if w.left >= 0 {
			w.left = max(0, w.left-count)
		}
		if len(from) == 0 || w.left == 0 {
			return n, nil
		}
	}
}

// countPage counts the items of one page and returns where the next one begins.
func (l *listing) countPage(ctx context.Context, k *recorder, table *string, request *Request, from access.Item, limit *int32) (int, access.Item, error) {
	in := l.q.counting(l.c, table, request)
	in.ExclusiveStartKey, in.Limit = from, limit
	if l.q.scans() {
		out, err := sendOn(ctx, l.c, l.path, k, access.API.Scan, l.q.asScan(in, request))
		if err != nil {
			return 0, nil, err
		}
		k.add(out.ConsumedCapacity, int(out.Count))
		return int(out.Count), out.LastEvaluatedKey, nil
	}
	out, err := sendOn(ctx, l.c, l.path, k, access.API.Query, in)
	if err != nil {
		return 0, nil, err
	}
	k.add(out.ConsumedCapacity, int(out.Count))
	return int(out.Count), out.LastEvaluatedKey, nil
}

// counting returns the query that counts what a request would bring.
func (q *Query) counting(c *access.Client, table *string, r *Request) *dynamodb.QueryInput {
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

// namesIn returns the names that expressions use. DynamoDB refuses a request with others.
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
