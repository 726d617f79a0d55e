package telegram

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// ErrTooLong reports a text of more than MaxText UTF-16 units.
var ErrTooLong = errors.New("telegram: the text is too long")

// GetMe returns the bot's own account.
func (c *Client) GetMe(ctx context.Context) (User, error) {
	var u User
	err := c.call(ctx, CallTimeout, "getMe", struct{}{}, &u)
	return u, err
}

// A Delivery says what to do when a rate limit delays a message.
type Delivery int

// The deliveries.
const (
	// Drop gives up: an acknowledgement that comes late is worse than none.
	Drop Delivery = iota
	// Wait waits once, up to Options.MaxWait, for reminders and answers.
	Wait
)

// Send sends a message. The error is an *Error if Telegram or the client's own limits refused it;
// both have code 429 and RetryAfter. A message is never sent again after a failure whose outcome is
// unknown, because that could deliver it twice.
func (c *Client) Send(ctx context.Context, m SendMessage, d Delivery) (Message, error) {
	if n := Length(m.Text); n == 0 || n > MaxText {
		return Message{}, fmt.Errorf("%w: %d units, allowed are 1 to %d", ErrTooLong, n, MaxText)
	}
	var sent Message
	err := c.limited(ctx, "sendMessage", m.ChatID, d, func() error {
		return c.call(ctx, CallTimeout, "sendMessage", m, &sent)
	})
	return sent, err
}

// limited calls fn within the rate limits of a chat. With Drop it waits for no more than the
// interval between two messages, so that the message after another is not lost. With Wait, it waits
// for the limit, and after a 429 it calls fn once more.
func (c *Client) limited(ctx context.Context, method string, chat int64, d Delivery, fn func() error) error {
	for attempt := 0; ; attempt++ {
		if wait := c.limiter.reserve(chat, c.now()); wait > 0 {
			if d == Drop && wait > c.limiter.limits.ChatInterval || attempt > 1 || wait > c.maxWait {
				return &Error{Method: method, Code: 429, Description: "the client's rate limit delays the call", RetryAfter: wait}
			}
			if err := c.sleep(ctx, wait); err != nil {
				return err
			}
			if c.limiter.reserve(chat, c.now()) > 0 {
				continue
			}
		}
		err := fn()
		var refused *Error
		if !errors.As(err, &refused) || !refused.Throttled() {
			return err
		}
		c.limiter.close(chat, c.now().Add(refused.RetryAfter))
		if d == Drop || attempt > 0 || refused.RetryAfter > c.maxWait {
			return err
		}
	}
}

// React sets the bot's reaction to a message; none removes it. A bot has one reaction at most.
func (c *Client) React(ctx context.Context, chat, message int64, reactions ...ReactionType) error {
	params := struct {
		ChatID    int64          `json:"chat_id"`
		MessageID int64          `json:"message_id"`
		Reaction  []ReactionType `json:"reaction"`
	}{chat, message, append([]ReactionType{}, reactions...)}
	return c.limited(ctx, "setMessageReaction", chat, Drop, func() error {
		return c.call(ctx, CallTimeout, "setMessageReaction", params, nil)
	})
}

// An Edit holds the parameters of editMessageText.
type Edit struct {
	ChatID      int64           `json:"chat_id"`
	MessageID   int64           `json:"message_id"`
	Text        string          `json:"text"`
	Entities    []MessageEntity `json:"entities,omitempty"`
	ReplyMarkup *InlineKeyboard `json:"reply_markup,omitempty"`
}

// EditText replaces the text of a message that the bot sent. A text that is the same already is no
// error.
func (c *Client) EditText(ctx context.Context, e Edit) error {
	if n := Length(e.Text); n == 0 || n > MaxText {
		return fmt.Errorf("%w: %d units, allowed are 1 to %d", ErrTooLong, n, MaxText)
	}
	err := c.limited(ctx, "editMessageText", e.ChatID, Wait, func() error {
		return c.call(ctx, CallTimeout, "editMessageText", e, nil)
	})
	return unlessUnchanged(err)
}

// An EphemeralEdit holds the parameters of editEphemeralMessageText.
type EphemeralEdit struct {
	ChatID             int64           `json:"chat_id"`
	ReceiverUserID     int64           `json:"receiver_user_id"`
	EphemeralMessageID int64           `json:"ephemeral_message_id"`
	Text               string          `json:"text"`
	ReplyMarkup        *InlineKeyboard `json:"reply_markup,omitempty"`
}

// EditEphemeral replaces the text of an ephemeral message.
func (c *Client) EditEphemeral(ctx context.Context, e EphemeralEdit) error {
	return unlessUnchanged(c.call(ctx, CallTimeout, "editEphemeralMessageText", e, nil))
}

// unlessUnchanged returns nil for an edit that changes nothing.
func unlessUnchanged(err error) error {
	var refused *Error
	if errors.As(err, &refused) && refused.Unchanged() {
		return nil
	}
	return err
}

// AnswerCallback ends the waiting animation of a pressed button and shows text, if there is any. A
// query that is too old to answer is no error.
func (c *Client) AnswerCallback(ctx context.Context, id, text string) error {
	params := struct {
		ID   string `json:"callback_query_id"`
		Text string `json:"text,omitempty"`
	}{id, Truncate(text, MaxAnswer)}
	err := c.call(ctx, CallTimeout, "answerCallbackQuery", params, nil)
	var refused *Error
	if errors.As(err, &refused) && refused.Code == 400 {
		return nil
	}
	return err
}

// GetChatMember returns a member of a chat, for example the bot itself.
func (c *Client) GetChatMember(ctx context.Context, chat, user int64) (ChatMember, error) {
	var m ChatMember
	params := struct {
		ChatID int64 `json:"chat_id"`
		UserID int64 `json:"user_id"`
	}{chat, user}
	err := c.call(ctx, CallTimeout, "getChatMember", params, &m)
	return m, err
}

// A Webhook holds the parameters of setWebhook.
type Webhook struct {
	URL            string   `json:"url"`
	SecretToken    string   `json:"secret_token"`
	MaxConnections int      `json:"max_connections,omitempty"`
	AllowedUpdates []string `json:"allowed_updates"`
	// DropPending deletes what was said while the bot was down. Only an operator may ask for it.
	DropPending bool `json:"drop_pending_updates,omitempty"`
}

// SetWebhook makes Telegram deliver updates to a URL. It sends AllowedUpdates if w names none,
// because Telegram would otherwise keep the list of an earlier call.
func (c *Client) SetWebhook(ctx context.Context, w Webhook) error {
	if !ValidSecret(w.SecretToken) {
		return errors.New("telegram: a webhook needs a secret of 1 to 256 letters, digits, _ and -")
	}
	if len(w.AllowedUpdates) == 0 {
		w.AllowedUpdates = AllowedUpdates()
	}
	return c.call(ctx, CallTimeout, "setWebhook", w, nil)
}

// DeleteWebhook ends the delivery to a URL and keeps pending updates for long polling.
func (c *Client) DeleteWebhook(ctx context.Context) error {
	return c.call(ctx, CallTimeout, "deleteWebhook", struct{}{}, nil)
}

// WebhookInfo is the state of the delivery to a URL.
type WebhookInfo struct {
	URL              string   `json:"url"`
	PendingUpdates   int      `json:"pending_update_count"`
	LastErrorDate    Time     `json:"last_error_date,omitzero"`
	LastErrorMessage string   `json:"last_error_message,omitempty"`
	MaxConnections   int      `json:"max_connections,omitempty"`
	AllowedUpdates   []string `json:"allowed_updates,omitempty"`
}

// GetWebhookInfo returns the state of the delivery.
func (c *Client) GetWebhookInfo(ctx context.Context) (WebhookInfo, error) {
	var info WebhookInfo
	err := c.call(ctx, CallTimeout, "getWebhookInfo", struct{}{}, &info)
	return info, err
}

// GetUpdates returns updates from an offset on. It waits up to wait for the first one. Updates
// below the offset are confirmed and never returned again.
func (c *Client) GetUpdates(ctx context.Context, offset int64, wait time.Duration) ([]Update, error) {
	params := struct {
		Offset         int64    `json:"offset,omitempty"`
		Timeout        int      `json:"timeout"`
		AllowedUpdates []string `json:"allowed_updates"`
	}{offset, int(wait / time.Second), AllowedUpdates()}
	var updates []Update
	err := c.call(ctx, wait+CallTimeout, "getUpdates", params, &updates)
	return updates, err
}
