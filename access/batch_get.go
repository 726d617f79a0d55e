package access

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// mostGets is how many keys a request of DynamoDB takes.
const mostGets = 100

// An UnreadError says that a batch could not be read to its end. Nothing of it is
// returned.
type UnreadError struct {
	Pattern string
	Left    int // keys DynamoDB has not answered
	cause   error
}

func (e *UnreadError) Error() string {
	return fmt.Sprintf("%s: %d keys of the batch were not read: %v", e.Pattern, e.Left, e.cause)
}

// Unwrap gives what was in the way: the context's error, or DynamoDB's. Keys that
// DynamoDB kept leaving out count as throttled.
func (e *UnreadError) Unwrap() error { return e.cause }

// BatchGet reads items by their primary keys, any number of them. The items come in the
// order of the keys, one for each key that has one; a key that is there twice is asked for
// once and answered twice. What decode skips is left out.
func BatchGet[T any](ctx context.Context, c *Client, p *Pattern, keys []Item, consistent bool, decode func(Item) (T, error)) ([]T, error) {
	b := newBatchGet(ctx, c, p, keys, consistent)
	b.call.times(len(b.keys))
	values, err := batchValues(ctx, b, decode)
	b.call.end(err)
	return values, err
}

func batchValues[T any](ctx context.Context, b *batchGet, decode func(Item) (T, error)) ([]T, error) {
	if err := b.read(ctx); err != nil {
		return nil, err
	}
	values := make([]T, 0, len(b.asked))
	for _, i := range b.asked {
		if b.found[i] == nil {
			continue
		}
		value, err := decode(b.found[i])
		if errors.Is(err, Skip) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", b.pattern.Name, ofItem(err, b.found[i], b.names))
		}
		values = append(values, value)
	}
	return values, nil
}

// A batchGet is a batch of reads under way.
type batchGet struct {
	c          *Client
	call       *call
	pattern    *Pattern
	table      string
	consistent bool
	only       string         // besides the key the one attribute to read; "": all
	names      []string       // of the key attributes
	keys       []Item         // each once
	places     map[string]int // of keys, by their text
	asked      []int          // for each key the caller gave its place in keys
	found      []Item         // beside keys; requests that run at once write different ones
	answered   atomic.Int64   // keys, also those without an item
}

func newBatchGet(ctx context.Context, c *Client, p *Pattern, keys []Item, consistent bool) *batchGet {
	b := &batchGet{
		c: c, call: c.begin(ctx, p, "BatchGetItem"), pattern: p, table: c.tableName(p.Table), consistent: consistent,
		keys:   make([]Item, 0, len(keys)),
		places: make(map[string]int, len(keys)),
		asked:  make([]int, len(keys)),
	}
	for i, key := range keys {
		if i == 0 {
			b.names = slices.Sorted(maps.Keys(key))
		}
		text := b.textOf(key)
		at, known := b.places[text]
		if !known {
			at = len(b.keys)
			b.places[text] = at
			b.keys = append(b.keys, key)
		}
		b.asked[i] = at
	}
	b.found = make([]Item, len(b.keys))
	return b
}

// textOf tells keys apart, and items by their keys.
func (b *batchGet) textOf(item Item) string {
	var text []byte
	for _, name := range b.names {
		text = appendValue(text, item[name])
	}
	return string(text)
}

func (b *batchGet) read(ctx context.Context) error {
	chunks := slices.Collect(slices.Chunk(b.keys, mostGets))
	err := fanOut(ctx, b.c.concurrency, len(chunks), func(ctx context.Context, i int) error { return b.readChunk(ctx, chunks[i]) })
	if err != nil {
		return &UnreadError{Pattern: b.pattern.Name, Left: len(b.keys) - int(b.answered.Load()), cause: err}
	}
	return nil
}

// readChunk asks for keys until all are answered. It gives up when DynamoDB answers none
// of them as often as a request is repeated.
func (b *batchGet) readChunk(ctx context.Context, keys []Item) error {
	for fruitless := 0; ; {
		in := &dynamodb.BatchGetItemInput{
			RequestItems:           map[string]types.KeysAndAttributes{b.table: b.asks(keys)},
			ReturnConsumedCapacity: b.c.capacity(),
		}
		out, err := send(ctx, b.c, b.call, API.BatchGetItem, in)
		if err != nil {
			return err
		}
		items := out.Responses[b.table]
		b.call.addAll(out.ConsumedCapacity, len(items))
		if err := b.keep(items); err != nil {
			return err
		}
		left := out.UnprocessedKeys[b.table].Keys
		b.answered.Add(int64(len(keys) - len(left)))
		if len(left) == 0 {
			return nil
		}
		fruitless++
		if len(left) < len(keys) {
			fruitless = 0 // an answer of 16 MB is full, however fast DynamoDB is
		}
		if fruitless >= b.c.retry.attempts {
			return leftUnprocessed(fruitless)
		}
		if err := b.c.pause(ctx, max(fruitless-1, 0)); err != nil {
			return err
		}
		b.call.retry()
		keys = left
	}
}

// asks are the keys of a request with what to read of their items.
func (b *batchGet) asks(keys []Item) types.KeysAndAttributes {
	ask := types.KeysAndAttributes{Keys: keys, ConsistentRead: b.consistency()}
	if b.only == "" {
		return ask
	}
	ask.ExpressionAttributeNames = map[string]string{"#of": b.only}
	projection := "#of"
	for i, name := range b.names {
		placeholder := "#k" + strconv.Itoa(i)
		ask.ExpressionAttributeNames[placeholder] = name
		projection += ", " + placeholder
	}
	ask.ProjectionExpression = &projection
	return ask
}

// leftUnprocessed is the error of a part of a batch that DynamoDB kept leaving out, which it
// does when there is no capacity: so it counts as throttled.
func leftUnprocessed(times int) error {
	return &types.ProvisionedThroughputExceededException{Message: aws.String(fmt.Sprintf("DynamoDB left them unprocessed %d times in a row", times))}
}

func (b *batchGet) keep(items []Item) error {
	for _, item := range items {
		at, asked := b.places[b.textOf(item)]
		if !asked {
			return errors.New("DynamoDB returned an item that was not asked for")
		}
		b.found[at] = item
	}
	return nil
}

func (b *batchGet) consistency() *bool {
	if !b.consistent {
		return nil
	}
	return &b.consistent
}
