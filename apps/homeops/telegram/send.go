package telegram

// A SendMessage holds the parameters of sendMessage. ChatID and Text are required.
type SendMessage struct {
	ChatID              int64            `json:"chat_id"`
	MessageThreadID     int64            `json:"message_thread_id,omitempty"`
	Text                string           `json:"text"` // plain text; Entities format it
	Entities            []MessageEntity  `json:"entities,omitempty"`
	ReplyParameters     *ReplyParameters `json:"reply_parameters,omitempty"`
	ReplyMarkup         *InlineKeyboard  `json:"reply_markup,omitempty"`
	DisableNotification bool             `json:"disable_notification,omitempty"`
	LinkPreview         *LinkPreview     `json:"link_preview_options,omitempty"`

	// Ephemeral shows the message to one member only. The bot must be an administrator of the
	// group, and delivery is not guaranteed.
	Ephemeral *Ephemeral `json:"ephemeral_message_parameters,omitempty"`
}

// ReplyParameters name the message that a message replies to.
type ReplyParameters struct {
	MessageID                int64 `json:"message_id,omitempty"`
	EphemeralMessageID       int64 `json:"ephemeral_message_id,omitempty"`
	AllowSendingWithoutReply bool  `json:"allow_sending_without_reply,omitempty"`
}

// Ephemeral names the only member who sees a message.
type Ephemeral struct {
	ReceiverUserID  int64  `json:"receiver_user_id"`
	CallbackQueryID string `json:"callback_query_id,omitempty"`
}

// LinkPreview switches the preview of links off.
type LinkPreview struct {
	IsDisabled bool `json:"is_disabled"`
}

// An InlineKeyboard is a grid of buttons below a message.
type InlineKeyboard struct {
	Rows [][]Button `json:"inline_keyboard"`
}

// A Button is an inline button. Either URL or CallbackData is set.
type Button struct {
	Text         string `json:"text"`
	CallbackData string `json:"callback_data,omitempty"` // 1 to 64 bytes
	URL          string `json:"url,omitempty"`
}

// Limits of the Bot API.
const (
	MaxText         = 4096 // UTF-16 units of a message
	MaxAnswer       = 200  // characters of an answer to a callback query
	MaxCallbackData = 64   // bytes
	MaxSecret       = 256  // characters of a webhook secret
)
