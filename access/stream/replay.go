package stream

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access"
)

// A Parked is a record that could not be handled.
type Parked struct {
	Record
	Error    string // why, when it was handled last
	Attempts int    // how often it was handled in vain
	ParkedAt time.Time

	parts int // in how many rows of their own the images are
}

// Replayed is the result of a replay.
type Replayed struct {
	Handled int // and no longer parked
	Left    int // failed again, or waiting for an earlier record of the same item that did
}

// Parked gives the parked records of the consumer's table, in the order of their sequence
// numbers.
func (c *Consumer) Parked(ctx context.Context) iter.Seq2[Parked, error] {
	return func(yield func(Parked, error) bool) {
		p, err := c.parking()
		if err != nil {
			yield(Parked{}, err)
			return
		}
		input := &dynamodb.QueryInput{
			TableName: &p.Checkpoints, ConsistentRead: new(true),
			KeyConditionExpression: new("pk = :pk AND begins_with(sk, :table)"),
			// Rows with parts of images are read when their record is.
			FilterExpression:         new("attribute_exists(#sequence)"),
			ExpressionAttributeNames: map[string]string{"#sequence": attrSequence},
			ExpressionAttributeValues: access.Item{
				":pk": stringValue(p.Name + parkedRows), ":table": stringValue(p.Table + "#"),
			},
		}
		for more := true; more; {
			more = p.page(ctx, input, yield)
		}
	}
}

// page gives the records of one page. It reports whether to go on with the next.
func (p parking) page(ctx context.Context, input *dynamodb.QueryInput, yield func(Parked, error) bool) bool {
	var out *dynamodb.QueryOutput
	err := p.try(ctx, "list what is parked", func(ctx context.Context) (err error) {
		out, err = p.DB.Query(ctx, input)
		return err
	})
	if err != nil {
		yield(Parked{}, err)
		return false
	}
	for _, item := range out.Items {
		parked := p.parse(item)
		if parked.parts > 0 {
			err = p.loadParts(ctx, &parked)
		}
		if errors.Is(err, errGone) {
			err = nil
			continue
		}
		if !yield(parked, err) || err != nil {
			return false
		}
	}
	input.ExclusiveStartKey = out.LastEvaluatedKey
	return len(out.LastEvaluatedKey) > 0
}

// Replay handles parked records again, one after the other, with the consumer's handler or
// another one, and removes those that succeed. Of an item it does not handle a record
// before the earlier ones have succeeded. The consumer may run at the same time: it has
// gone on long since, so a replayed record can be older than what was handled of its item.
//
// When the context ends, the record in hand is finished and removed if it succeeds, no
// other one is begun, and the error is the context's.
func (c *Consumer) Replay(ctx context.Context, h Handler) (Replayed, error) {
	var done Replayed
	if h == nil {
		h = c.Handler
	}
	if h == nil {
		return done, errors.New("stream: a replay needs a handler")
	}
	waiting := map[string]bool{} // items with a record that failed again
	for parked, err := range c.Parked(ctx) {
		if err != nil {
			return done, err
		}
		if ctx.Err() != nil {
			return done, ctx.Err()
		}
		item := itemName(parked.Keys)
		if waiting[item] {
			done.Left++
			continue
		}
		failed := h.call(ctx, parked.Record)
		if failed == nil {
			done.Handled++
			if err := c.finish(ctx, parked); err != nil {
				return done, err
			}
			continue
		}
		if ctx.Err() != nil {
			return done, ctx.Err()
		}
		waiting[item] = true
		done.Left++
		if err := c.again(ctx, parked, failed); err != nil {
			return done, err
		}
	}
	return done, nil
}

// finish removes a record that was handled. The context may have ended meanwhile; what was
// handled must not come again all the same.
func (c *Consumer) finish(ctx context.Context, parked Parked) error {
	write, done := context.WithTimeout(context.WithoutCancel(ctx), lastWrites)
	defer done()
	return c.Discard(write, parked)
}

// Discard removes a parked record for good.
func (c *Consumer) Discard(ctx context.Context, parked Parked) error {
	p, err := c.parking()
	if err != nil {
		return err
	}
	suffixes := []string{""} // the record first: parts alone are never read
	for i := range parked.parts {
		suffixes = append(suffixes, partSuffix(i+1))
	}
	for _, suffix := range suffixes {
		err := p.try(ctx, "remove parked record "+parked.SequenceNumber, func(ctx context.Context) error {
			_, err := p.DB.DeleteItem(ctx, &dynamodb.DeleteItemInput{
				TableName: &p.Checkpoints, Key: p.key(parked.Table, parked.SequenceNumber, suffix),
			})
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// again notes that a record has failed once more, unless it was removed meanwhile.
func (c *Consumer) again(ctx context.Context, parked Parked, failed error) error {
	p, err := c.parking()
	if err != nil {
		return err
	}
	err = p.try(ctx, "note the failure of parked record "+parked.SequenceNumber, func(ctx context.Context) error {
		_, err := p.DB.UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName: &p.Checkpoints, Key: p.key(parked.Table, parked.SequenceNumber, ""),
			UpdateExpression:         new("SET #error = :error ADD #attempts :one"),
			ConditionExpression:      new("attribute_exists(pk)"),
			ExpressionAttributeNames: map[string]string{"#error": attrError, "#attempts": attrAttempts},
			ExpressionAttributeValues: access.Item{
				":error": stringValue(errorText(failed)), ":one": intValue(1),
			},
		})
		return err
	})
	if conditionFailed(err) {
		return nil
	}
	return err
}

// parking returns the place of the consumer's parked records.
func (c *Consumer) parking() (parking, error) {
	full, err := c.withDefaults()
	if err == nil && full.StreamARN != "" {
		full.Table, err = tableOf(full.StreamARN)
	}
	return parking{&full}, err
}

// itemName tells items apart by their keys.
func itemName(keys access.Item) string {
	name, _ := json.Marshal(plainItem(keys)) // texts, numbers and bytes can be marshalled
	return string(name)
}
