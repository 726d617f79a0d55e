package engine

import (
	"context"
	"fmt"
	"iter"

	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"sortkey.dev/engine/internal/sdk"
)

// Start selects the change that [DB.Changes] begins with.
type Start int

const (
	// FromNow begins with the first change after the call.
	FromNow Start = iota

	// FromOldest begins with the oldest change that is retained, up to 24 hours old.
	FromOldest
)

// Changes returns the changes of a table as they are committed. The table must have a
// stream. The loop blocks until the next change; it does not poll.
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
// Each change is delivered once and after it is durable, and the changes of an item in
// their order. The loop ends without an error when the stream is disabled and has been
// read to its end. Otherwise it ends with an error: that of ctx, or a failure of the
// database. A later loop over the same sequence continues after the last change that was
// delivered; concurrent loops need a call of Changes each.
//
// Programs that also run on AWS read the stream with [DB.Streams].
func (db *DB) Changes(ctx context.Context, table string, from Start) (iter.Seq2[types.Record, error], error) {
	ops := db.api.ops
	t, err := ops.catalog.Find(table)
	switch {
	case err != nil:
		return nil, fmt.Errorf("changes of table %s: %w", table, err)
	case t == nil:
		return nil, fmt.Errorf("changes of table %s: no such table", table)
	case t.Stream == nil:
		return nil, fmt.Errorf("changes of table %s: its stream is disabled; enable it with UpdateTable and a StreamSpecification", table)
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
