package domain

import (
	"context"
	"time"

	"sortkey.dev/access/stream"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/internal/live"
)

// HintTables returns the tables whose changes concern open pages.
func (d *Domain) HintTables() []string {
	table := d.env.DB.Client().Table
	return []string{table("aah-questions"), table("aah-subscriptions")}
}

// Hint returns a handler of the streams of HintTables that tells the topics of each change.
func (d *Domain) Hint(hub *live.Hub) func(context.Context, stream.Record) error {
	return d.env.DB.Stream(askahumandb.Handlers{
		OnQuestion: stream.On[askahumandb.Question]{
			Insert: func(context.Context, askahumandb.Question) error {
				hub.Tell(askahuman.FeedTopic)
				return nil
			},
			Modify: func(_ context.Context, old, q askahumandb.Question) error {
				hub.Tell(askahuman.QuestionTopic(q.QuestionID))
				if old.Status != q.Status || old.CurrentResponses != q.CurrentResponses || old.Hidden != q.Hidden {
					hub.Tell(askahuman.FeedTopic)
				}
				return nil
			},
			Remove: func(_ context.Context, q askahumandb.Question) error {
				hub.Tell(askahuman.QuestionTopic(q.QuestionID))
				return nil
			},
		},
		OnSubscription: stream.On[askahumandb.Subscription]{
			Modify: func(_ context.Context, old, s askahumandb.Subscription) error {
				if s.LastNotifiedAt != nil && !same(old.LastNotifiedAt, s.LastNotifiedAt) {
					hub.Tell(askahuman.PersonTopic(s.FingerprintHash))
				}
				return nil
			},
		},
	})
}

func same(a, b *time.Time) bool {
	return a == b || a != nil && b != nil && a.Equal(*b)
}
