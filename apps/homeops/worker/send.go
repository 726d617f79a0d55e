package worker

import (
	"context"
	"errors"
	"strconv"
	"time"

	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/conversation"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/internal/jobs"
)

// acknowledgement is the reaction to a log. It is in Telegram's list, unlike check marks.
const acknowledgement = "✍"

// maxWait is the longest time that a message waits for Telegram's rate limit.
const maxWait = time.Minute

// send sends a planned message, at most once: one that Telegram may have got is not sent again.
func (w *Worker) send(ctx context.Context, job jobs.Job) error {
	ref, err := jobs.Payload[homeops.MessageRef](job)
	if err != nil {
		return err
	}
	m, ok, err := w.domain.Policy.BeginSending(ctx, ref.ChatID, ref.OutKey)
	if err != nil || !ok {
		return err
	}
	home, err := w.domain.Households.ByChat(ctx, m.ChatID)
	if err != nil && !errors.Is(err, households.ErrNoHousehold) {
		return w.failed(ctx, m)
	}
	id, err := w.deliver(ctx, home, m)
	refused := refusalOf(err)
	if refused.RetryAfter > 0 && worthWaiting(m) {
		if err = w.wait(ctx, min(refused.RetryAfter, maxWait)); err == nil {
			id, err = w.deliver(ctx, home, m)
		}
		refused = refusalOf(err)
	}
	switch {
	case err == nil:
		return w.domain.Policy.Sent(ctx, m, id)
	case refused.Blocked && m.ChatID == households.MemberID(m.TargetUser):
		if err := w.domain.Households.BlockChannel(ctx, m.TargetUser); err != nil {
			return err
		}
	case refused.MovedTo != 0:
		if err := w.domain.Households.Move(ctx, m.ChatID, strconv.FormatInt(refused.MovedTo, 10)); err != nil {
			return err
		}
	}
	return w.failed(ctx, m)
}

// refusalOf returns Telegram's refusal in an error; an empty one if there is none.
func refusalOf(err error) SendError {
	var refused *SendError
	if errors.As(err, &refused) {
		return *refused
	}
	return SendError{}
}

// worthWaiting reports whether a message is still useful after a delay.
func worthWaiting(m homeopsdb.BotMessage) bool {
	return m.Kind == homeopsdb.BotMessageKindAnswer || m.Kind == homeopsdb.BotMessageKindReminder || m.Kind == homeopsdb.BotMessageKindInsight
}

func (w *Worker) failed(ctx context.Context, m homeopsdb.BotMessage) error {
	return w.domain.Policy.SendFailed(ctx, m)
}

// deliver calls Telegram and returns the id of the message; 0 for reactions and for messages that
// one member sees.
func (w *Worker) deliver(ctx context.Context, home households.Home, m homeopsdb.BotMessage) (int64, error) {
	chatID, err := strconv.ParseInt(m.ChatID, 10, 64)
	if err != nil {
		return 0, err
	}
	if m.Style == homeopsdb.BotMessageStyleReaction && m.SourceMessageID != nil {
		return 0, w.bot.SetReaction(ctx, chatID, *m.SourceMessageID, telegram.Emoji(acknowledgement))
	}
	out := telegram.SendMessage{ChatID: chatID, Text: m.Text, ReplyMarkup: conversation.Buttons(home, m), LinkPreview: &telegram.LinkPreview{IsDisabled: true}}
	if m.SourceMessageID != nil {
		out.ReplyParameters = &telegram.ReplyParameters{MessageID: *m.SourceMessageID, AllowSendingWithoutReply: true}
	}
	if m.Style == homeopsdb.BotMessageStyleEphemeral {
		out.Ephemeral = &telegram.Ephemeral{ReceiverUserID: m.TargetUser}
	}
	sent, err := w.bot.SendMessage(ctx, out)
	return sent.MessageID, err
}
