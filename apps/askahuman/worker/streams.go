package worker

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"

	"sortkey.dev/access/stream"
)

// checkStreams returns an error if the streams cannot be followed.
func (w *Worker) checkStreams(ctx context.Context) error {
	for _, table := range w.Domain.HintTables() {
		out, err := w.DynamoDB.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &table})
		if err != nil {
			return fmt.Errorf("find the stream of table %s: %w", table, err)
		}
		if out.Table == nil || out.Table.LatestStreamArn == nil {
			return fmt.Errorf("table %s has no stream", table)
		}
		if _, err := w.Streams.DescribeStream(ctx, &dynamodbstreams.DescribeStreamInput{StreamArn: out.Table.LatestStreamArn}); err != nil {
			return fmt.Errorf("describe the stream of table %s: %w", table, err)
		}
	}
	return nil
}

// FollowHints notifies open pages of this process of changes in a table, until ctx is done,
// the stream is disabled or reading fails. It has no checkpoint: hints missed while the
// process was down are worthless.
func (w *Worker) FollowHints(ctx context.Context, table string) error {
	began := false
	tail := stream.Tail{
		Streams: w.Streams, DB: w.DynamoDB, Table: table, Handler: w.Domain.Hint(w.Hub), Poll: w.Poll, Sleep: w.tailSleep,
		OnStart: func() { // earlier changes are unknown
			began = true
			w.tailing.Add(1)
			w.hintAll()
		},
		OnTrimmed: func(stream.Trimmed) { w.hintAll() },
		OnFailed: func(r stream.Record, err error) {
			w.Log.Warn("stream record could not be read", slog.String("table", r.Table), slog.Any("error", err))
		},
	}
	defer func() {
		if began {
			w.tailing.Add(-1)
		}
		w.hintAll()
	}()
	if err := tail.Run(ctx); err != nil {
		return fmt.Errorf("follow table %s: %w", table, err)
	}
	return nil
}

// StepHints makes all open pages reload, unless all tables are followed.
func (w *Worker) StepHints(context.Context) error {
	if int(w.tailing.Load()) < len(w.Domain.HintTables()) {
		w.hintAll()
	}
	return nil
}

// hintAll notifies all topics, for when the changes are unknown.
func (w *Worker) hintAll() { w.Hub.Tell(w.Hub.Topics()...) }
