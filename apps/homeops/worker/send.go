package worker

import (
	"context"
	"errors"
	"strconv"

	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/conversation"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/internal/jobs"
)

// acknowledgement is the reaction to a log. It is in Telegram's list, unlike check marks.
const acknowledgement = "✍"

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
	switch {
	case err == nil:
		return w.domain.Policy.Sent(ctx, m, id)
	case refused.Unreachable() && m.ChatID == households.MemberID(m.TargetUser):
		if err := w.domain.Households.BlockChannel(ctx, m.TargetUser); err != nil {
			return err
		}
	case refused.MigrateTo != 0:
		if err := w.domain.Households.Move(ctx, m.ChatID, strconv.FormatInt(refused.MigrateTo, 10)); err != nil {
			return err
		}
	}
	return w.failed(ctx, m)
}

// refusalOf returns Telegram's refusal in an error; an empty one if there is none.
func refusalOf(err error) *telegram.Error {
	var refused *telegram.Error
	if errors.As(err, &refused) {
		return refused
	}
	return &telegram.Error{}
}

// delivery says whether a message is still useful after it waited for a rate limit.
func delivery(m homeopsdb.BotMessage) telegram.Delivery {
	switch m.Kind {
	case homeopsdb.BotMessageKindAck, homeopsdb.BotMessageKindClarify, homeopsdb.BotMessageKindCorrection:
		return telegram.Drop
	}
	return telegram.Wait
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
		return 0, w.bot.React(ctx, chatID, *m.SourceMessageID, telegram.Emoji(acknowledgement))
	}
	out := telegram.SendMessage{ChatID: chatID, Text: m.Text, ReplyMarkup: conversation.Buttons(home, m), LinkPreview: &telegram.LinkPreview{IsDisabled: true}}
	if m.SourceMessageID != nil {
		out.ReplyParameters = &telegram.ReplyParameters{MessageID: *m.SourceMessageID, AllowSendingWithoutReply: true}
	}
	if m.Style == homeopsdb.BotMessageStyleEphemeral {
		out.Ephemeral = &telegram.Ephemeral{ReceiverUserID: m.TargetUser}
	}
	sent, err := w.bot.Send(ctx, out, delivery(m))
	return sent.MessageID, err
}
