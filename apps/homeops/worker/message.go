package worker

import (
	"context"
	"log/slog"
	"strconv"
	"time"

	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/internal/wait"
)

// message has a message understood after those before it in its chat: an undo takes back what was
// said, and a log fulfils what was promised. The message before is enough to look at, because that
// waited for the one before it.
func (w *Worker) message(ctx context.Context, job jobs.Job) error {
	ref, err := jobs.Payload[homeops.MessageRef](job)
	if err != nil {
		return err
	}
	before, ok, err := w.domain.Ingest.Before(ctx, ref.ChatID, ref.MessageID)
	if err != nil {
		return err
	}
	now := w.env.Now()
	if ok && (ref.WaitsSince.IsZero() || now.Sub(ref.WaitsSince) < homeops.OrderPatience) {
		handled, err := w.handled(ctx, ref.ChatID, before)
		if err != nil {
			return err
		}
		if !handled {
			if ref.WaitsSince.IsZero() {
				ref.WaitsSince = now
			}
			job.Payload, job.Due = ref, now.Add(giveBack)
			return jobs.Next(job)
		}
	}
	return w.conversation.Handle(ctx, ref)
}

const (
	// firstLook is the delay before the second look at the job of an earlier message; it doubles.
	firstLook = 2 * time.Millisecond
	// looks is the number of looks at a running job, a second in all; queuedLooks that at a job which
	// another process may be about to begin.
	looks, queuedLooks = 10, 5
	// giveBack is the time for which a job is given back to the queue that cannot run yet.
	giveBack = 100 * time.Millisecond
)

// handled reports whether a message has been handled. It waits for a moment if a process is about
// to. A message that failed is not waited for: it must not hold up its chat.
func (w *Worker) handled(ctx context.Context, chatID string, messageID int64) (bool, error) {
	id := homeops.MessageJob(chatID, messageID, 0).ID
	for look, delay := 1, firstLook; ; look, delay = look+1, 2*delay {
		job, err := w.env.Jobs.Get(ctx, id)
		if _, gone := refusal.As(err, refusal.NotFound); gone {
			return true, nil
		}
		switch {
		case err != nil:
			return false, err
		case job.Status == jobs.Dead || job.Tries > 1 || job.Status == jobs.Queued && job.Tries > 0:
			return true, nil
		case look == looks || look >= queuedLooks && job.Status == jobs.Queued:
			return false, nil
		}
		if err := wait.For(ctx, delay); err != nil {
			return false, err
		}
	}
}

// update handles an update that is no message. A reaction waits for the message that it is about.
func (w *Worker) update(ctx context.Context, job jobs.Job) error {
	u, err := jobs.Payload[telegram.Update](job)
	if err != nil {
		return err
	}
	if r := u.MessageReaction; r != nil && w.env.Now().Sub(job.Created) < homeops.OrderPatience {
		handled, err := w.handled(ctx, strconv.FormatInt(r.Chat.ID, 10), r.MessageID)
		if err != nil {
			return err
		}
		if !handled {
			job.Due = w.env.Now().Add(giveBack)
			return jobs.Next(job)
		}
	}
	if err := w.conversation.HandleUpdate(ctx, &u); err != nil {
		return err
	}
	if q := u.CallbackQuery; q != nil { // ends the waiting animation; a failure changes nothing
		if err := w.bot.AnswerCallback(ctx, q.ID, ""); err != nil {
			w.env.Log.WarnContext(ctx, "a pressed button was not answered", slog.Any("error", err))
		}
	}
	return nil
}
