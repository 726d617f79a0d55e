package call

import (
	"context"
	"fmt"
	"maps"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access"
)

// A listing is the part of a list that does not depend on the type of its items, and is therefore
// compiled once.
type listing struct {
	c     *access.Client
	path  *path // nil: no migration affects the list
	q     Query
	limit int // items in all; 0: no limit
	size  int // items of a page; 0: the limit, or what DynamoDB puts in a page
}

func newListing(c *access.Client, q Query) listing {
	q.Requests = distinctRequests(&q)
	if q.Segments > 1 && q.scans() {
		q.Requests = segments(&q)
	}
	return listing{c: c, q: q, limit: max(q.Limit, 0)}
}

// requests returns the queries that a list begins with.
func (l *listing) requests() []*dynamodb.QueryInput {
	if l.q.Err != nil || l.q.scans() {
		return nil
	}
	w := walk{q: &l.q, size: l.pageSize(), left: l.wanted()}
	all := make([]*dynamodb.QueryInput, len(l.q.Requests))
	for i := range all {
		table := l.c.Table(l.q.Pattern.Table)
		all[i] = l.q.input(l.c, &table, &l.q.Requests[i])
		all[i].Limit = w.ask(&reader{})
		all[i].ExpressionAttributeNames = maps.Clone(all[i].ExpressionAttributeNames)
		all[i].ExpressionAttributeValues = maps.Clone(all[i].ExpressionAttributeValues)
	}
	return all
}

// newWalk begins the call of the list.
func (l *listing) newWalk(ctx context.Context, size, left int) *walk {
	w := newWalk(ctx, l.c, &l.q, size, left)
	w.path = l.path
	return w
}

// walk begins to read the whole list.
func (l *listing) walk(ctx context.Context) (*walk, error) {
	w := l.newWalk(ctx, l.pageSize(), l.wanted())
	if l.q.Err != nil {
		return nil, l.failed(w.call)
	}
	w.together = true
	return w, nil
}

// expected returns how many items there are to keep with the one just taken, as far as is
// known.
func (w *walk) expected() int {
	n := w.buffered()
	if w.left >= 0 {
		n = min(n, w.left)
	}
	return n + 1
}

// failed ends the call of a query that could not be made.
func (l *listing) failed(k *recorder) error {
	err := fmt.Errorf("%s: %w", l.q.Pattern.Name, l.q.Err)
	k.end(err)
	return err
}

// wanted returns the limit as a walk counts it: below 0 there is none.
func (l *listing) wanted() int {
	if l.limit == 0 {
		return -1
	}
	return l.limit
}

// pageSize returns how many items a page has; 0: as many as DynamoDB puts in one.
func (l *listing) pageSize() int {
	if l.size > 0 {
		return l.size
	}
	return l.limit
}
