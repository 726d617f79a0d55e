// Package telegram is a client of the Telegram Bot API: the methods and fields that HomeOps uses,
// the types of updates, and the check of webhook requests. It follows Bot API 10.3.
//
// It stores nothing and knows no household. The system's ingest parses updates with it; the worker
// sends messages through a Client. telegramtest has a local server that speaks the same API.
package telegram

import "time"

// Ids of accounts that Telegram puts in the place of a person. Messages from them must not be
// credited to a member.
const (
	AnonymousAdmin = 1087968824 // an administrator who writes as the group
	ServiceAccount = 777000     // posts of a linked channel
	ChannelBot     = 136817688  // a user who writes as a channel
)

// A User is an account: a person or a bot.
type User struct {
	ID           int64  `json:"id"`
	IsBot        bool   `json:"is_bot"`
	FirstName    string `json:"first_name"`
	LastName     string `json:"last_name,omitempty"`
	Username     string `json:"username,omitempty"`
	LanguageCode string `json:"language_code,omitempty"`

	// Only getMe returns these.
	CanJoinGroups           bool `json:"can_join_groups,omitempty"`
	CanReadAllGroupMessages bool `json:"can_read_all_group_messages,omitempty"` // privacy mode is off
}

// IsPerson reports whether the account belongs to a person: no bot, and none of the accounts that
// Telegram puts in the place of a person.
func (u User) IsPerson() bool {
	return !u.IsBot && u.ID != AnonymousAdmin && u.ID != ServiceAccount && u.ID != ChannelBot
}

// A Chat is a private chat, a group, a supergroup or a channel.
type Chat struct {
	ID        int64    `json:"id"`
	Type      ChatType `json:"type"`
	Title     string   `json:"title,omitempty"`
	Username  string   `json:"username,omitempty"`
	FirstName string   `json:"first_name,omitempty"`
	IsForum   bool     `json:"is_forum,omitempty"`
}

// A ChatType is the kind of a chat.
type ChatType string

// The types of chats.
const (
	Private    ChatType = "private"
	Group      ChatType = "group"
	Supergroup ChatType = "supergroup"
	Channel    ChatType = "channel"
)

// IsGroup reports whether several people can write in the chat.
func (t ChatType) IsGroup() bool { return t == Group || t == Supergroup }

// A Message is a message of a chat, or a service message about the chat.
type Message struct {
	MessageID           int64           `json:"message_id"` // 0 for ephemeral messages
	EphemeralMessageID  int64           `json:"ephemeral_message_id,omitempty"`
	ReceiverUser        *User           `json:"receiver_user,omitempty"` // of an ephemeral message
	MessageThreadID     int64           `json:"message_thread_id,omitempty"`
	IsTopicMessage      bool            `json:"is_topic_message,omitempty"`
	From                *User           `json:"from,omitempty"`
	SenderChat          *Chat           `json:"sender_chat,omitempty"`
	Date                Time            `json:"date"`
	EditDate            Time            `json:"edit_date,omitzero"`
	Chat                Chat            `json:"chat"`
	ForwardOrigin       *MessageOrigin  `json:"forward_origin,omitempty"`
	IsAutomaticForward  bool            `json:"is_automatic_forward,omitempty"`
	ReplyToMessage      *Message        `json:"reply_to_message,omitempty"`
	Quote               *TextQuote      `json:"quote,omitempty"`
	ViaBot              *User           `json:"via_bot,omitempty"`
	Text                string          `json:"text,omitempty"`
	Entities            []MessageEntity `json:"entities,omitempty"`
	Caption             string          `json:"caption,omitempty"`
	CaptionEntities     []MessageEntity `json:"caption_entities,omitempty"`
	NewChatMembers      []User          `json:"new_chat_members,omitempty"`
	LeftChatMember      *User           `json:"left_chat_member,omitempty"`
	NewChatTitle        string          `json:"new_chat_title,omitempty"`
	GroupChatCreated    bool            `json:"group_chat_created,omitempty"`
	SupergroupCreated   bool            `json:"supergroup_chat_created,omitempty"`
	MigrateToChatID     int64           `json:"migrate_to_chat_id,omitempty"`   // in the old group
	MigrateFromChatID   int64           `json:"migrate_from_chat_id,omitempty"` // in the new supergroup
	ReplyMarkup         *InlineKeyboard `json:"reply_markup,omitempty"`
	HasProtectedContent bool            `json:"has_protected_content,omitempty"`
}

// IsOwnStatement reports whether the text is the sender's own: written by a person, not forwarded
// and not written by a bot on the sender's behalf.
func (m *Message) IsOwnStatement() bool {
	return m.From != nil && m.From.IsPerson() && m.SenderChat == nil && m.ForwardOrigin == nil &&
		!m.IsAutomaticForward && m.ViaBot == nil
}

// Topic returns the forum topic that an answer must name, or 0. Reply chains in plain supergroups
// carry a thread id too, which an answer must not repeat.
func (m *Message) Topic() int64 {
	if !m.IsTopicMessage {
		return 0
	}
	return m.MessageThreadID
}

// A MessageOrigin says where a forwarded message came from.
type MessageOrigin struct {
	Type           string `json:"type"` // user, hidden_user, chat, channel
	Date           Time   `json:"date"`
	SenderUser     *User  `json:"sender_user,omitempty"`
	SenderUserName string `json:"sender_user_name,omitempty"`
}

// A TextQuote is the part of another message that a reply quotes.
type TextQuote struct {
	Text     string `json:"text"`
	Position int    `json:"position"` // in UTF-16 units
	IsManual bool   `json:"is_manual,omitempty"`
}

// A MessageEntity is a special part of a text. Offset and Length count UTF-16 units; In converts
// them.
type MessageEntity struct {
	Type   EntityType `json:"type"`
	Offset int        `json:"offset"`
	Length int        `json:"length"`
	URL    string     `json:"url,omitempty"`
	User   *User      `json:"user,omitempty"` // for text_mention
}

// An EntityType is the kind of a special part of a text.
type EntityType string

// The entity types that HomeOps reads or writes.
const (
	Mention     EntityType = "mention"      // @username
	TextMention EntityType = "text_mention" // a user without a username
	BotCommand  EntityType = "bot_command"
	URL         EntityType = "url"
	TextLink    EntityType = "text_link"
	Bold        EntityType = "bold"
	Italic      EntityType = "italic"
	Code        EntityType = "code"
	Blockquote  EntityType = "blockquote"
)

// A CallbackQuery is the press of an inline button.
type CallbackQuery struct {
	ID           string   `json:"id"`
	From         User     `json:"from"`
	Message      *Message `json:"message,omitempty"` // Date is zero if the message is no longer accessible
	ChatInstance string   `json:"chat_instance,omitempty"`
	Data         string   `json:"data,omitempty"`
}

// A ChatMemberUpdated is a change of a member's status.
type ChatMemberUpdated struct {
	Chat          Chat       `json:"chat"`
	From          User       `json:"from"` // who made the change
	Date          Time       `json:"date"`
	OldChatMember ChatMember `json:"old_chat_member"`
	NewChatMember ChatMember `json:"new_chat_member"`
}

// A ChatMember is a member of a chat and their rights.
type ChatMember struct {
	Status            MemberStatus `json:"status"`
	User              User         `json:"user"`
	IsMember          bool         `json:"is_member,omitempty"` // only for restricted members
	IsAnonymous       bool         `json:"is_anonymous,omitempty"`
	CanDeleteMessages bool         `json:"can_delete_messages,omitempty"`
	CanSendMessages   bool         `json:"can_send_messages,omitempty"`
	CanManageChat     bool         `json:"can_manage_chat,omitempty"`
}

// InChat reports whether the member can read the chat now.
func (m ChatMember) InChat() bool {
	switch m.Status {
	case StatusCreator, StatusAdministrator, StatusMember:
		return true
	case StatusRestricted:
		return m.IsMember
	}
	return false
}

// A MemberStatus is the standing of a member in a chat.
type MemberStatus string

// The statuses. In a private chat, the bot's own status becomes StatusKicked when the user blocks
// it and StatusMember when the user unblocks it.
const (
	StatusCreator       MemberStatus = "creator"
	StatusAdministrator MemberStatus = "administrator"
	StatusMember        MemberStatus = "member"
	StatusRestricted    MemberStatus = "restricted"
	StatusLeft          MemberStatus = "left"
	StatusKicked        MemberStatus = "kicked"
)

// A MessageReactionUpdated is a change of a user's reactions to a message. Only administrators
// receive it, and only if it is listed in the allowed updates.
type MessageReactionUpdated struct {
	Chat        Chat           `json:"chat"`
	MessageID   int64          `json:"message_id"`
	User        *User          `json:"user,omitempty"`
	ActorChat   *Chat          `json:"actor_chat,omitempty"` // for anonymous reactions
	Date        Time           `json:"date"`
	OldReaction []ReactionType `json:"old_reaction"`
	NewReaction []ReactionType `json:"new_reaction"`
}

// A ReactionType is one reaction.
type ReactionType struct {
	Type          string `json:"type"` // emoji, custom_emoji, paid
	Emoji         string `json:"emoji,omitempty"`
	CustomEmojiID string `json:"custom_emoji_id,omitempty"`
}

// Emoji returns the reaction with an emoji of Telegram's list. ✍ is in it, ✓ and ✅ are not.
func Emoji(e string) ReactionType { return ReactionType{Type: "emoji", Emoji: e} }

// A Time is a moment as the Bot API encodes it, in Unix seconds.
type Time struct{ time.Time }
