package telegram

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"
)

// MaxUpdate is the size in bytes up to which ParseUpdate reads a webhook request. The largest text
// messages with entities stay far below it.
const MaxUpdate = 1 << 20

// An Update is one event that Telegram delivers. At most one of the pointers is set; all are nil
// for kinds of updates that HomeOps does not use.
type Update struct {
	UpdateID        int64                   `json:"update_id"`
	Message         *Message                `json:"message,omitempty"`
	EditedMessage   *Message                `json:"edited_message,omitempty"`
	MessageReaction *MessageReactionUpdated `json:"message_reaction,omitempty"`
	CallbackQuery   *CallbackQuery          `json:"callback_query,omitempty"`
	MyChatMember    *ChatMemberUpdated      `json:"my_chat_member,omitempty"`
	ChatMember      *ChatMemberUpdated      `json:"chat_member,omitempty"`
}

// AllowedUpdates returns the kinds of updates that the bot subscribes to. message_reaction and
// chat_member are not in Telegram's default list, so they must be named.
func AllowedUpdates() []string {
	return []string{"message", "edited_message", "message_reaction", "callback_query", "my_chat_member", "chat_member"}
}

// A Kind names what an update is about.
type Kind string

// The kinds of updates.
const (
	KindMessage   Kind = "message"
	KindEdit      Kind = "edited_message"
	KindReaction  Kind = "message_reaction"
	KindCallback  Kind = "callback_query"
	KindOwnMember Kind = "my_chat_member" // the bot was added, removed, promoted, blocked
	KindMember    Kind = "chat_member"
	KindMigrated  Kind = "migrated" // a service message: the group became a supergroup
	KindOther     Kind = "other"
)

// Kind returns what the update is about.
func (u *Update) Kind() Kind {
	switch {
	case u.Message != nil && (u.Message.MigrateToChatID != 0 || u.Message.MigrateFromChatID != 0):
		return KindMigrated
	case u.Message != nil:
		return KindMessage
	case u.EditedMessage != nil:
		return KindEdit
	case u.MessageReaction != nil:
		return KindReaction
	case u.CallbackQuery != nil:
		return KindCallback
	case u.MyChatMember != nil:
		return KindOwnMember
	case u.ChatMember != nil:
		return KindMember
	}
	return KindOther
}

// A Migration is the change of a chat's id when a group becomes a supergroup.
type Migration struct {
	From, To int64
}

// Migration returns the change of id that the update reports. Telegram reports each change twice,
// in the old and in the new chat.
func (u *Update) Migration() (Migration, bool) {
	switch m := u.Message; {
	case m == nil:
	case m.MigrateToChatID != 0:
		return Migration{From: m.Chat.ID, To: m.MigrateToChatID}, true
	case m.MigrateFromChatID != 0:
		return Migration{From: m.MigrateFromChatID, To: m.Chat.ID}, true
	}
	return Migration{}, false
}

// ErrMalformed reports a body that is not an update. Retrying does not repair it, so a webhook
// answers 200 and counts it.
var ErrMalformed = errors.New("telegram: malformed update")

// ErrTooLarge reports a body of more than MaxUpdate bytes.
var ErrTooLarge = errors.New("telegram: update too large")

// ReadUpdate reads and parses the body of a webhook request. The error is ErrMalformed,
// ErrTooLarge or an error of r.
func ReadUpdate(r io.Reader) (*Update, error) {
	body, err := io.ReadAll(io.LimitReader(r, MaxUpdate+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("telegram: reading an update: %w", err)
	case len(body) > MaxUpdate:
		return nil, ErrTooLarge
	}
	return ParseUpdate(body)
}

// ParseUpdate decodes an update. The error wraps ErrMalformed.
func ParseUpdate(body []byte) (*Update, error) {
	var u Update
	if err := json.Unmarshal(body, &u); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrMalformed, err)
	}
	if u.UpdateID == 0 {
		return nil, fmt.Errorf("%w: no update_id", ErrMalformed)
	}
	return &u, nil
}

// MarshalJSON encodes the moment in Unix seconds; the zero Time is 0.
func (t Time) MarshalJSON() ([]byte, error) {
	if t.IsZero() {
		return []byte("0"), nil
	}
	return strconv.AppendInt(nil, t.Unix(), 10), nil
}

// maxUnix is the last second of the year 9999, the last that RFC 3339 can express.
const maxUnix = 253402300799

// UnmarshalJSON decodes Unix seconds; 0 is the zero Time.
func (t *Time) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		return nil
	}
	seconds, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil || seconds < 0 || seconds > maxUnix {
		return fmt.Errorf("telegram: %.20q is not a time", text)
	}
	*t = Time{}
	if seconds != 0 {
		t.Time = time.Unix(seconds, 0).UTC()
	}
	return nil
}
