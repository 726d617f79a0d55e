package telegramtest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"sortkey.dev/apps/homeops/telegram"
)

// AddGroup adds a group with members. The bot belongs to it with the given status.
func (s *Server) AddGroup(id int64, title string, bot telegram.MemberStatus, people ...telegram.User) {
	c := s.add(telegram.Chat{ID: id, Type: telegram.Group, Title: title})
	s.mutex.Lock()
	defer s.mutex.Unlock()
	c.members[s.bot.ID] = &telegram.ChatMember{Status: bot, User: s.bot}
	for _, p := range people {
		c.members[p.ID] = &telegram.ChatMember{Status: telegram.StatusMember, User: p}
	}
}

// AddPrivate adds the private chat of a person who started the bot.
func (s *Server) AddPrivate(p telegram.User) {
	c := s.add(telegram.Chat{ID: p.ID, Type: telegram.Private, FirstName: p.FirstName, Username: p.Username})
	s.mutex.Lock()
	defer s.mutex.Unlock()
	c.members[s.bot.ID] = &telegram.ChatMember{Status: telegram.StatusMember, User: s.bot}
	c.members[p.ID] = &telegram.ChatMember{Status: telegram.StatusMember, User: p}
}

func (s *Server) add(c telegram.Chat) *chat {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	added := &chat{Chat: c, members: map[int64]*telegram.ChatMember{}, reactions: map[int64][]telegram.ReactionType{}, nextID: s.first}
	s.chats[c.ID] = added
	return added
}

// Write lets a person write in a chat. change, if not nil, changes the message before it is
// delivered, for example to make it a reply or to give it another id. It returns the message and the status of the webhook.
func (s *Server) Write(ctx context.Context, chatID int64, from telegram.User, text string, change func(*telegram.Message)) (telegram.Message, int, error) {
	s.mutex.Lock()
	c, ok := s.chats[chatID]
	if !ok {
		s.mutex.Unlock()
		return telegram.Message{}, 0, fmt.Errorf("telegramtest: no chat %d", chatID)
	}
	m := telegram.Message{MessageID: c.nextID, From: &from, Chat: c.Chat, Date: telegram.Time{Time: s.now().Truncate(1e9)}, Text: text, Entities: entities(text)}
	if change != nil {
		change(&m)
	}
	if m.MessageID == c.nextID { // not an id of its own
		c.nextID++
	}
	c.messages = last(append(c.messages, m), s.keep)
	s.mutex.Unlock()
	s.tell(chatID)
	status, err := s.deliver(ctx, telegram.Update{Message: &m})
	return m, status, err
}

// Edit lets a person change their message.
func (s *Server) Edit(ctx context.Context, chatID, messageID int64, text string) (int, error) {
	s.mutex.Lock()
	m := s.message(chatID, messageID)
	if m == nil {
		s.mutex.Unlock()
		return 0, fmt.Errorf("telegramtest: no message %d in chat %d", messageID, chatID)
	}
	m.Text, m.Entities, m.EditDate = text, entities(text), telegram.Time{Time: s.now().Truncate(1e9)}
	edited := *m
	s.mutex.Unlock()
	return s.deliver(ctx, telegram.Update{EditedMessage: &edited})
}

// React lets a person react to a message. The bot learns of it only as an administrator, and only
// if it subscribed to reactions; otherwise React reports false.
func (s *Server) React(ctx context.Context, chatID, messageID int64, from telegram.User, emoji string) (delivered bool, err error) {
	s.mutex.Lock()
	c := s.chats[chatID]
	if c == nil {
		s.mutex.Unlock()
		return false, fmt.Errorf("telegramtest: no chat %d", chatID)
	}
	bot := c.members[s.bot.ID]
	subscribed := s.webhook.URL == "" || slices.Contains(s.webhook.AllowedUpdates, "message_reaction")
	r := telegram.MessageReactionUpdated{Chat: c.Chat, MessageID: messageID, User: &from, Date: telegram.Time{Time: s.now().Truncate(1e9)}, OldReaction: []telegram.ReactionType{}, NewReaction: []telegram.ReactionType{telegram.Emoji(emoji)}}
	s.mutex.Unlock()
	if bot == nil || bot.Status != telegram.StatusAdministrator || !subscribed {
		return false, nil
	}
	_, err = s.deliver(ctx, telegram.Update{MessageReaction: &r})
	return true, err
}

// Press lets a person press a button of a message of the bot. It returns the id of the query.
func (s *Server) Press(ctx context.Context, chatID, messageID int64, from telegram.User, data string) (string, error) {
	s.mutex.Lock()
	m := s.message(chatID, messageID)
	if m == nil || !hasButton(m.ReplyMarkup, data) {
		s.mutex.Unlock()
		return "", fmt.Errorf("telegramtest: message %d has no button %q", messageID, data)
	}
	pressed := *m
	s.nextID++
	id := fmt.Sprintf("query-%d", s.nextID)
	s.mutex.Unlock()
	_, err := s.deliver(ctx, telegram.Update{CallbackQuery: &telegram.CallbackQuery{ID: id, From: from, Message: &pressed, Data: data}})
	return id, err
}

func hasButton(k *telegram.InlineKeyboard, data string) bool {
	if k == nil {
		return false
	}
	for _, row := range k.Rows {
		for _, b := range row {
			if b.CallbackData == data {
				return true
			}
		}
	}
	return false
}

// SetMember changes the status of a member, as when a user blocks the bot in the private chat
// (StatusKicked), and delivers the update.
func (s *Server) SetMember(ctx context.Context, chatID int64, by, who telegram.User, status telegram.MemberStatus) error {
	s.mutex.Lock()
	c := s.chats[chatID]
	if c == nil {
		s.mutex.Unlock()
		return fmt.Errorf("telegramtest: no chat %d", chatID)
	}
	before := telegram.ChatMember{Status: telegram.StatusLeft, User: who}
	if old := c.members[who.ID]; old != nil {
		before = *old
	}
	after := telegram.ChatMember{Status: status, User: who}
	c.members[who.ID] = &after
	change := &telegram.ChatMemberUpdated{Chat: c.Chat, From: by, Date: telegram.Time{Time: s.now().Truncate(1e9)}, OldChatMember: before, NewChatMember: after}
	s.mutex.Unlock()
	u := telegram.Update{ChatMember: change}
	if who.ID == s.bot.ID {
		u = telegram.Update{MyChatMember: change}
	}
	_, err := s.deliver(ctx, u)
	return err
}

// Migrate turns a group into a supergroup with a new id and delivers both service messages.
func (s *Server) Migrate(ctx context.Context, from, to int64) error {
	s.mutex.Lock()
	old := s.chats[from]
	if old == nil {
		s.mutex.Unlock()
		return fmt.Errorf("telegramtest: no chat %d", from)
	}
	moved := &chat{Chat: old.Chat, members: old.members, reactions: map[int64][]telegram.ReactionType{}, nextID: s.first}
	moved.ID, moved.Type = to, telegram.Supergroup
	s.chats[to] = moved
	old.migratedTo = to
	date := telegram.Time{Time: s.now().Truncate(1e9)}
	first := &telegram.Message{MessageID: old.nextID, Chat: old.Chat, Date: date, MigrateToChatID: to}
	second := &telegram.Message{MessageID: moved.nextID, Chat: moved.Chat, Date: date, MigrateFromChatID: from}
	moved.nextID++
	s.mutex.Unlock()
	if _, err := s.deliver(ctx, telegram.Update{Message: first}); err != nil {
		return err
	}
	_, err := s.deliver(ctx, telegram.Update{Message: second})
	return err
}

// Messages returns the messages of a chat in order, ephemeral ones included.
func (s *Server) Messages(chatID int64) []telegram.Message {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if c := s.chats[chatID]; c != nil {
		return slices.Clone(c.messages)
	}
	return nil
}

// Reactions returns the bot's reactions to a message.
func (s *Server) Reactions(chatID, messageID int64) []telegram.ReactionType {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if c := s.chats[chatID]; c != nil {
		return slices.Clone(c.reactions[messageID])
	}
	return nil
}

// Answer returns the text with which the bot answered a callback query.
func (s *Server) Answer(id string) (text string, ok bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	text, ok = s.answers[id]
	return text, ok
}

// message returns a message of a chat, or nil. The caller holds the lock.
func (s *Server) message(chatID, messageID int64) *telegram.Message {
	c := s.chats[chatID]
	if c == nil {
		return nil
	}
	for i := range c.messages {
		m := &c.messages[i]
		if m.MessageID == messageID && messageID != 0 || m.MessageID == 0 && m.EphemeralMessageID == messageID {
			return m
		}
	}
	return nil
}

// entities finds the mentions and commands of a text.
func entities(text string) []telegram.MessageEntity {
	var all []telegram.MessageEntity
	for start := 0; start < len(text); {
		end := start + strings.IndexFunc(text[start:]+" ", unicode.IsSpace)
		word := strings.TrimRightFunc(text[start:end], func(r rune) bool { return unicode.IsPunct(r) && r != '_' })
		e := telegram.MessageEntity{Offset: telegram.Length(text[:start]), Length: telegram.Length(word)}
		switch {
		case len(word) > 1 && word[0] == '@':
			e.Type = telegram.Mention
			all = append(all, e)
		case len(word) > 1 && word[0] == '/':
			e.Type = telegram.BotCommand
			all = append(all, e)
		}
		start = end + 1
	}
	return all
}
