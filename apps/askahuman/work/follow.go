package work

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"sortkey.dev/access/stream"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/internal/live"
)

const (
	questionsTable     = "aah-questions"
	subscriptionsTable = "aah-subscriptions"
	// checkpointsTable remembers how far the stream of questions was read. No design has it.
	checkpointsTable = "aah-checkpoints"
	// webhooksName is shared by all processes, so that each change is seen by one of them.
	webhooksName = "askahuman-webhooks"
	// followLease bounds how late a webhook is when processes come and go: shards change hands
	// once in a third of it.
	followLease = 15 * time.Second
)

// What hints are about.
const feedTopic live.Topic = "feed"

func questionTopic(id string) live.Topic { return live.Topic("question " + id) }

func personTopic(hash string) live.Topic { return live.Topic("person " + hash) }

// checkStreams reports why changes cannot be followed.
func (w *Worker) checkStreams(ctx context.Context) error {
	for _, t := range w.tails {
		if _, err := t.describe(ctx); err != nil {
			return err
		}
	}
	return stream.EnsureTable(ctx, w.DynamoDB, w.table(checkpointsTable))
}

// FollowQuestions queues a webhook for every question that ends, until ctx is done. All
// processes together see each end once, or once more after a failure, which the webhook
// notices.
func (w *Worker) FollowQuestions(ctx context.Context) error {
	consumer := stream.Consumer{
		Streams: w.Streams, DB: w.DynamoDB, Table: w.table(questionsTable), Name: webhooksName,
		Checkpoints: w.table(checkpointsTable), From: stream.Oldest, Poll: w.Poll, LeaseTime: followLease,
		Handler: w.db.Stream(askahumandb.Handlers{OnQuestion: stream.On[askahumandb.Question]{Modify: w.questionChanged}}),
		OnTrimmed: func(t stream.Trimmed) {
			w.Log.Error("changes of questions were gone before they were read", slog.String("shard", t.Shard), slog.String("after", t.After))
		},
		OnParked: func(r stream.Record, err error) {
			w.Log.Error("a change of a question could not be handled", slog.String("sequence", r.SequenceNumber), slog.Any("error", err))
		},
	}
	return consumer.Run(ctx)
}

// questionChanged queues the webhook of a question that has ended with this change.
func (w *Worker) questionChanged(ctx context.Context, old, changed askahumandb.Question) error {
	if over(old) || !over(changed) || changed.CallbackURL == nil {
		return nil
	}
	if err := w.queueWebhook(ctx, changed.QuestionID, endOf(changed)); err != nil {
		return err
	}
	w.Kick(deliveriesLoop)
	return nil
}

// StepHints tells open pages of this process what has changed since the last step. Without
// streams, or when they fail, all pages are told to look again.
func (w *Worker) StepHints(ctx context.Context) error {
	if !w.following.Load() {
		w.Hub.Tell(w.Hub.Topics()...)
		return nil
	}
	for _, t := range w.tails {
		fresh, records, err := t.step(ctx)
		if err != nil {
			w.Hub.Tell(w.Hub.Topics()...)
			return fmt.Errorf("read the stream of %s: %w", t.table, err)
		}
		if fresh { // what was before is not known
			w.Hub.Tell(w.Hub.Topics()...)
		}
		for _, r := range records {
			if err := w.hint(ctx, r); err != nil {
				w.Log.Warn("a change could not be read", slog.String("table", r.Table), slog.Any("error", err))
			}
		}
	}
	return nil
}

// hint tells of one change.
func (w *Worker) hint(ctx context.Context, r stream.Record) error {
	return w.db.Stream(askahumandb.Handlers{
		OnQuestion: stream.On[askahumandb.Question]{
			Insert: func(_ context.Context, q askahumandb.Question) error {
				w.Hub.Tell(feedTopic)
				w.Kick(jobsLoop) // somebody has to be woken for it
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
