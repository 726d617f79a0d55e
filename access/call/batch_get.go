package call

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

	"sortkey.dev/access"
	"sortkey.dev/access/internal/fanout"
	"sortkey.dev/access/marshal"
)

// mostGets is the most keys that a request may have.
const mostGets = 100

// BatchGet reads items by their primary keys, any number of them. The items come in the
// order of the keys, one for each key that has one; a key that is given twice is read once and
// returned twice. Items that decode skips are left out.
func BatchGet[T any](ctx context.Context, c *access.Client, p *access.Pattern, keys []access.Item, consistent bool, decode func(access.Item) (T, error)) ([]T, error) {
	if affected(c, p) {
		return readInPhase(ctx, c, func(c *access.Client) ([]T, error) {
			in := (&Gets{Pattern: p, Keys: keys}).inPhaseOf(c)
			if in.Err != nil {
				return nil, named(p.Name, "", in.Err)
			}
			return batchGetAll(ctx, c, in.Pattern, in.Keys, consistent, decoderIn(c, p, decode))
		})
	}
	return batchGetAll(ctx, c, p, keys, consistent, decode)
}

func batchGetAll[T any](ctx context.Context, c *access.Client, p *access.Pattern, keys []access.Item, consistent bool, decode func(access.Item) (T, error)) ([]T, error) {
	b := newBatchGet(ctx, c, p, keys, consistent)
	b.call.times(len(b.keys))
	values, err := batchValues(ctx, b, decode)
	b.call.end(err)
	return values, err
}

func batchValues[T any](ctx context.Context, b *batchGet, decode func(access.Item) (T, error)) ([]T, error) {
	if err := b.read(ctx); err != nil {
		return nil, err
	}
	values := make([]T, 0, len(b.asked))
	for _, i := range b.asked {
		if b.found[i] == nil {
			continue
		}
		value, err := decode(b.found[i])
		if errors.Is(err, marshal.Skip) {
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
	c          *access.Client
	call       *recorder
	pattern    *access.Pattern
	table      string
	consistent bool
	only       string            // besides the key the one attribute to read; "": all
	projection string            // what to read of each item; "": all
	expressed  map[string]string // the names in the projection
	names      []string          // of the key attributes
	keys       []access.Item     // each once
	places     map[string]int    // of keys, by their text
	asked      []int             // for each key the caller gave its place in keys
	found      []access.Item     // beside keys; requests that run at once write different ones
	answered   atomic.Int64      // keys, also those without an item
}

func newBatchGet(ctx context.Context, c *access.Client, p *access.Pattern, keys []access.Item, consistent bool) *batchGet {
	b := &batchGet{
		c: c, call: begin(ctx, c, p, "BatchGetItem"), pattern: p, table: c.Table(p.Table), consistent: consistent,
		keys:   make([]access.Item, 0, len(keys)),
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
	b.found = make([]access.Item, len(b.keys))
	return b
}

// textOf tells keys apart, and items by their keys.
func (b *batchGet) textOf(item access.Item) string {
	var text []byte
	for _, name := range b.names {
		text = appendValue(text, item[name])
	}
	return string(text)
}

func (b *batchGet) read(ctx context.Context) error {
	chunks := slices.Collect(slices.Chunk(b.keys, mostGets))
	err := fanout.Do(ctx, b.c.Options().Concurrency, len(chunks), func(ctx context.Context, i int) error { return b.readChunk(ctx, chunks[i]) })
	if err != nil {
		return &access.UnreadError{Pattern: b.pattern.Name, Left: len(b.keys) - int(b.answered.Load()), Cause: err}
	}
	return nil
}

// readChunk asks for keys until all are answered. It gives up when DynamoDB answers none
// of them as often as a request is repeated.
func (b *batchGet) readChunk(ctx context.Context, keys []access.Item) error {
	for fruitless := 0; ; {
		in := &dynamodb.BatchGetItemInput{
			RequestItems:           map[string]types.KeysAndAttributes{b.table: b.asks(keys)},
			ReturnConsumedCapacity: capacity(b.c),
		}
		out, err := send(ctx, b.c, b.call, access.API.BatchGetItem, in)
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
		if fruitless >= b.c.Options().Attempts {
			return leftUnprocessed(fruitless)
		}
		if err := pause(ctx, b.c, max(fruitless-1, 0)); err != nil {
			return err
		}
		b.call.retry()
		keys = left
	}
}

// asks returns the keys of a request with what to read of their items.
func (b *batchGet) asks(keys []access.Item) types.KeysAndAttributes {
	ask := types.KeysAndAttributes{Keys: keys, ConsistentRead: b.consistency()}
	if b.projection != "" {
		ask.ProjectionExpression, ask.ExpressionAttributeNames = &b.projection, b.expressed
	}
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

// leftUnprocessed returns the error of a part of a batch that DynamoDB kept leaving out, which it
// does when there is no capacity: so it counts as throttled.
func leftUnprocessed(times int) error {
	return &types.ProvisionedThroughputExceededException{Message: aws.String(fmt.Sprintf("DynamoDB left them unprocessed %d times in a row", times))}
}

func (b *batchGet) keep(items []access.Item) error {
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
