package worker

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"

	"sortkey.dev/access/stream"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/internal/live"
)

const (
	questionsTable     = "aah-questions"
	subscriptionsTable = "aah-subscriptions"
	// checkpointsTable stores the position in the stream of questions. It is not part of the
	// design.
	checkpointsTable = "aah-checkpoints"
	// webhooksName is the consumer name that all processes share, so that one of them handles
	// each change.
	webhooksName = "askahuman-webhooks"
	// followLease is the lease of a shard. It bounds the delay of a webhook when processes
	// start and stop.
	followLease = 15 * time.Second
)

// Topics of hints.
const feedTopic live.Topic = "feed"

func questionTopic(id string) live.Topic { return live.Topic("question " + id) }

func personTopic(hash string) live.Topic { return live.Topic("person " + hash) }

// hintTables lists the tables whose changes are sent to open pages.
var hintTables = []string{questionsTable, subscriptionsTable}

// checkStreams returns an error if the streams cannot be followed.
func (w *Worker) checkStreams(ctx context.Context) error {
	for _, name := range hintTables {
		table := w.table(name)
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
	return stream.EnsureTable(ctx, w.DynamoDB, w.table(checkpointsTable))
}

// FollowQuestions queues a webhook for every question that ends, until ctx is done. All
// processes together handle each end at least once; the webhook detects duplicates.
func (w *Worker) FollowQuestions(ctx context.Context) error {
	consumer := stream.Consumer{
		Streams: w.Streams, DB: w.DynamoDB, Table: w.table(questionsTable), Name: webhooksName,
		Checkpoints: w.table(checkpointsTable), From: stream.Oldest, Poll: w.Poll, LeaseTime: followLease,
		Handler: w.db.Stream(askahumandb.Handlers{OnQuestion: stream.On[askahumandb.Question]{Modify: w.questionChanged}}),
		OnTrimmed: func(t stream.Trimmed) {
			w.Log.Error("stream records of questions were trimmed before they were read", slog.String("shard", t.Shard), slog.String("after", t.After))
		},
		OnParked: func(r stream.Record, err error) {
			w.Log.Error("stream record of a question could not be handled", slog.String("sequence", r.SequenceNumber), slog.Any("error", err))
		},
	}
	return consumer.Run(ctx)
}

// questionChanged queues the webhook of a question that this change ended.
func (w *Worker) questionChanged(ctx context.Context, old, changed askahumandb.Question) error {
	if over(old) || !over(changed) || changed.CallbackURL == nil {
		return nil
	}
	if err := w.queueWebhook(ctx, changed.QuestionID, changed.CallbackURL, endOf(changed)); err != nil {
		return err
	}
	w.Kick(deliveriesLoop)
	return nil
}

// FollowHints notifies open pages of this process of changes in a table, until ctx is done,
// the stream is disabled or reading fails. It has no checkpoint: hints missed while the
// process was down are worthless.
func (w *Worker) FollowHints(ctx context.Context, table string) error {
	began := false
	tail := stream.Tail{
		Streams: w.Streams, DB: w.DynamoDB, Table: w.table(table), Handler: w.hint, Poll: w.Poll, Sleep: w.tailSleep,
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
	if int(w.tailing.Load()) < len(hintTables) {
		w.hintAll()
	}
	return nil
}

// hintAll notifies all topics, for when the changes are unknown.
func (w *Worker) hintAll() { w.Hub.Tell(w.Hub.Topics()...) }

// hint notifies the topics of one change.
func (w *Worker) hint(ctx context.Context, r stream.Record) error {
	return w.db.Stream(askahumandb.Handlers{
		OnQuestion: stream.On[askahumandb.Question]{
			Insert: func(_ context.Context, q askahumandb.Question) error {
				w.Hub.Tell(feedTopic)
				w.Kick(jobsLoop) // people have to be notified
				return nil
			},
			Modify: func(_ context.Context, old, q askahumandb.Question) error {
				w.Hub.Tell(questionTopic(q.QuestionID))
				if old.Status != q.Status || old.CurrentResponses != q.CurrentResponses || old.Hidden != q.Hidden {
					w.Hub.Tell(feedTopic)
				}
				return nil
			},
			Remove: func(_ context.Context, q askahumandb.Question) error {
				w.Hub.Tell(questionTopic(q.QuestionID))
				return nil
			},
		},
		OnSubscription: stream.On[askahumandb.Subscription]{
			Modify: func(_ context.Context, old, s askahumandb.Subscription) error {
				if s.LastNotifiedAt != nil && !same(old.LastNotifiedAt, s.LastNotifiedAt) {
					w.Hub.Tell(personTopic(s.FingerprintHash))
				}
				return nil
			},
		},
	})(ctx, r)
}

func same(a, b *time.Time) bool {
	return a == b || a != nil && b != nil && a.Equal(*b)
}
