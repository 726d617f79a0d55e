package engine

import (
	"context"
	"fmt"
	"iter"

	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"sortkey.dev/engine/internal/sdk"
)

// Start says with which change [DB.Changes] begins.
type Start int

const (
	// FromNow begins with the first change after the call.
	FromNow Start = iota

	// FromOldest begins with the oldest change that is kept, which is up to 24
	// hours old.
	FromOldest
)

// Changes gives the changes of a table, whose stream must be switched on, as they
// are made: the loop waits where there are none, and nothing is polled.
//
//	changes, err := db.Changes(ctx, "Orders", engine.FromNow)
//	if err != nil {
//		return err
//	}
//	for record, err := range changes {
//		if err != nil {
//			return err
//		}
//		fmt.Println(record.EventName, record.Dynamodb.Keys)
//	}
//
// Each change comes once, those of an item in their order, and none before it is
// durable. The loop ends without an error when the stream is switched off and all
// of it has been read. Otherwise it ends with an error: that of ctx, or a failure
// of the database. A later loop over the same changes goes on after the last one
// that was given; two loops at a time need two calls of Changes.
//
// Programs that are to run on AWS as well read the stream with [DB.Streams].
func (db *DB) Changes(ctx context.Context, table string, from Start) (iter.Seq2[types.Record, error], error) {
	ops := db.api.ops
	t, err := ops.catalog.Find(table)
	switch {
	case err != nil:
		return nil, fmt.Errorf("changes of table %s: %w", table, err)
	case t == nil:
		return nil, fmt.Errorf("changes of table %s: there is no such table", table)
	case t.Stream == nil:
		return nil, fmt.Errorf("changes of table %s: its stream is off, switch it on with UpdateTable and a StreamSpecification", table)
	}
	follower, err := ops.streams.Follow(ctx, t.Stream.ARN, from == FromOldest)
	if err != nil {
		return nil, fmt.Errorf("changes of table %s: %w", table, err)
	}
	return func(yield func(types.Record, error) bool) {
		for record, err := range follower.Records(ctx) {
			if err != nil {
				yield(types.Record{}, fmt.Errorf("changes of table %s: %w", table, err))
				return
			}
			if !yield(sdk.StreamRecord(record), nil) {
				return
			}
		}
	}, nil
}
