package telegramtest

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"sortkey.dev/apps/homeops/telegram"
)

// reachable returns the chat that the bot writes to, or the error of the Bot API. The caller holds
// the lock, as for all methods below.
func (s *Server) reachable(id int64) (*chat, *telegram.Error) {
	c := s.chats[id]
	switch {
	case c == nil:
		return nil, badRequest("chat not found")
	case c.migratedTo != 0:
		return nil, &telegram.Error{Code: 400, Description: "Bad Request: group chat was upgraded to a supergroup chat", MigrateTo: c.migratedTo}
	}
	bot := c.members[s.bot.ID]
	switch {
	case c.Type == telegram.Private && bot.Status == telegram.StatusKicked:
		return nil, &telegram.Error{Code: 403, Description: "Forbidden: bot was blocked by the user"}
	case bot == nil || !bot.InChat():
		return nil, &telegram.Error{Code: 403, Description: "Forbidden: bot was kicked from the group chat"}
	}
	return c, nil
}

// throttle books a message, or returns 429 with the seconds to wait.
func (s *Server) throttle(c *chat) *telegram.Error {
	if s.limits == (telegram.Limits{}) {
		return nil
	}
	now := s.now()
	within := func(times []time.Time, d time.Duration) []time.Time {
		return slices.DeleteFunc(times, func(t time.Time) bool { return !t.After(now.Add(-d)) })
	}
	s.sent, c.sent = within(s.sent, time.Second), within(c.sent, time.Minute)
	var wait time.Duration
	if n := len(c.sent); n > 0 {
		wait = c.sent[n-1].Add(s.limits.ChatInterval).Sub(now)
		if c.Type.IsGroup() && n >= s.limits.GroupPerMinute {
			wait = max(wait, c.sent[n-s.limits.GroupPerMinute].Add(time.Minute).Sub(now))
		}
	}
	if len(s.sent) >= s.limits.PerSecond {
		wait = max(wait, time.Second)
	}
	if wait > 0 {
		seconds := (wait + time.Second - 1) / time.Second
		return &telegram.Error{Code: 429, Description: "Too Many Requests: retry later", RetryAfter: seconds * time.Second}
	}
	s.sent, c.sent = append(s.sent, now), append(c.sent, now)
	return nil
}

// checkText applies the limits of a text and its entities.
func checkText(text string, entities []telegram.MessageEntity, k *telegram.InlineKeyboard) *telegram.Error {
	switch {
	case strings.TrimSpace(text) == "":
		return badRequest("message text is empty")
	case telegram.Length(text) > telegram.MaxText:
		return badRequest("message is too long")
	}
	for _, e := range entities {
		if e.In(text) == "" {
			return badRequest("entity is out of bounds or cuts a character")
		}
	}
	if k == nil {
		return nil
	}
	for _, row := range k.Rows {
		for _, b := range row {
			if n := len(b.CallbackData); b.URL == "" && (n < 1 || n > telegram.MaxCallbackData) {
				return badRequest("BUTTON_DATA_INVALID")
			}
		}
	}
	return nil
}

func (s *Server) sendMessage(body []byte) (any, *telegram.Error) {
	var m telegram.SendMessage
	if err := json.Unmarshal(body, &m); err != nil {
		return nil, badRequest("object expected")
	}
	c, refused := s.reachable(m.ChatID)
	if refused != nil {
		return nil, refused
	}
	if refused := checkText(m.Text, m.Entities, m.ReplyMarkup); refused != nil {
		return nil, refused
	}
	if m.Ephemeral != nil && (c.Type == telegram.Private || c.members[s.bot.ID].Status != telegram.StatusAdministrator) {
		return nil, badRequest("BOT_NOT_ADMIN")
	}
	var reply *telegram.Message
	if p := m.ReplyParameters; p != nil && p.MessageID != 0 {
		if reply = s.message(c.ID, p.MessageID); reply == nil && !p.AllowSendingWithoutReply {
			return nil, badRequest("message to be replied not found")
		}
	}
	if refused := s.throttle(c); refused != nil {
		return nil, refused
	}
	bot := s.bot
	sent := telegram.Message{MessageID: c.nextID, From: &bot, Chat: c.Chat, Date: telegram.Time{Time: s.now().Truncate(time.Second)}, Text: m.Text, Entities: m.Entities, ReplyMarkup: m.ReplyMarkup, MessageThreadID: m.MessageThreadID}
	if reply != nil {
		quoted := *reply
		quoted.ReplyToMessage = nil
		sent.ReplyToMessage = &quoted
	}
	if m.Ephemeral != nil {
		member := c.members[m.Ephemeral.ReceiverUserID]
		if member == nil {
			return nil, badRequest("USER_NOT_PARTICIPANT")
		}
		receiver := member.User
		sent.MessageID, sent.EphemeralMessageID, sent.ReceiverUser = 0, c.nextID, &receiver
	}
	c.nextID++
	c.messages = last(append(c.messages, sent), s.keep)
	return sent, nil
}

func (s *Server) editMessageText(body []byte) (any, *telegram.Error) {
	var e telegram.Edit
	if err := json.Unmarshal(body, &e); err != nil {
		return nil, badRequest("object expected")
	}
	if _, refused := s.reachable(e.ChatID); refused != nil {
		return nil, refused
	}
	return s.edit(s.message(e.ChatID, e.MessageID), e.Text, e.Entities, e.ReplyMarkup)
}

func (s *Server) editEphemeral(body []byte) (any, *telegram.Error) {
	var e telegram.EphemeralEdit
	if err := json.Unmarshal(body, &e); err != nil {
		return nil, badRequest("object expected")
	}
	m := s.message(e.ChatID, e.EphemeralMessageID)
	if m != nil && (m.ReceiverUser == nil || m.ReceiverUser.ID != e.ReceiverUserID) {
		m = nil
	}
	return s.edit(m, e.Text, nil, e.ReplyMarkup)
}

// edit changes a message of the bot.
func (s *Server) edit(m *telegram.Message, text string, entities []telegram.MessageEntity, k *telegram.InlineKeyboard) (any, *telegram.Error) {
	switch {
	case m == nil:
		return nil, badRequest("message to edit not found")
	case m.From == nil || m.From.ID != s.bot.ID:
		return nil, badRequest("message can't be edited")
	case m.Text == text && (m.ReplyMarkup == nil) == (k == nil):
		return nil, badRequest("message is not modified")
	}
	if refused := checkText(text, entities, k); refused != nil {
		return nil, refused
	}
	m.Text, m.Entities, m.ReplyMarkup = text, entities, k
	return *m, nil
}

// allowedReactions lists some emoji that bots may react with.
var allowedReactions = []string{"👍", "👎", "❤", "🔥", "🎉", "👌", "✍", "🤝", "🫡", "👀", "😁", "🙏"}

func (s *Server) setMessageReaction(body []byte) (any, *telegram.Error) {
	var p struct {
		ChatID    int64                   `json:"chat_id"`
		MessageID int64                   `json:"message_id"`
		Reaction  []telegram.ReactionType `json:"reaction"`
	}
	if err := json.Unmarshal(body, &p); err != nil {
		return nil, badRequest("object expected")
	}
	c, refused := s.reachable(p.ChatID)
	switch {
	case refused != nil:
		return nil, refused
	case s.message(p.ChatID, p.MessageID) == nil:
		return nil, badRequest("message to react not found")
	case len(p.Reaction) > 1:
		return nil, badRequest("REACTIONS_TOO_MANY")
	case len(p.Reaction) == 1 && !slices.Contains(allowedReactions, p.Reaction[0].Emoji):
		return nil, badRequest("REACTION_INVALID")
	}
	c.reactions[p.MessageID] = p.Reaction
	return true, nil
}

func (s *Server) answerCallbackQuery(body []byte) (any, *telegram.Error) {
	var p struct {
		ID   string `json:"callback_query_id"`
		Text string `json:"text"`
	}
	if err := json.Unmarshal(body, &p); err != nil || !strings.HasPrefix(p.ID, "query-") {
		return nil, badRequest("query is too old and response timeout expired or query ID is invalid")
	}
	if telegram.Length(p.Text) > telegram.MaxAnswer {
		return nil, badRequest("MESSAGE_TOO_LONG")
	}
	s.answers[p.ID] = p.Text
	return true, nil
}

func (s *Server) getChatMember(body []byte) (any, *telegram.Error) {
	var p struct {
		ChatID int64 `json:"chat_id"`
		UserID int64 `json:"user_id"`
	}
	if err := json.Unmarshal(body, &p); err != nil {
		return nil, badRequest("object expected")
	}
	c, refused := s.reachable(p.ChatID)
	if refused != nil {
		return nil, refused
	}
	if m := c.members[p.UserID]; m != nil {
		return *m, nil
	}
	return nil, badRequest("user not found")
}

func (s *Server) setWebhook(body []byte) (any, *telegram.Error) {
	var w telegram.Webhook
	if err := json.Unmarshal(body, &w); err != nil {
		return nil, badRequest("object expected")
	}
	if w.SecretToken != "" && !telegram.ValidSecret(w.SecretToken) {
		return nil, badRequest("secret token contains unallowed characters")
	}
	if w.DropPending {
		s.updates = nil
	}
	s.webhook = w
	return true, nil
}

func (s *Server) deleteWebhook([]byte) (any, *telegram.Error) {
	s.webhook = telegram.Webhook{}
	return true, nil
}

func (s *Server) getWebhookInfo([]byte) (any, *telegram.Error) {
	return telegram.WebhookInfo{URL: s.webhook.URL, PendingUpdates: len(s.updates), MaxConnections: s.webhook.MaxConnections, AllowedUpdates: s.webhook.AllowedUpdates}, nil
}

// getUpdates waits for updates from the offset on. It returns 409 while a webhook is set or
// another call waits.
func (s *Server) getUpdates(ctx context.Context, body []byte) (any, *telegram.Error) {
	var p struct {
		Offset  int64 `json:"offset"`
		Timeout int   `json:"timeout"`
	}
	if err := json.Unmarshal(body, &p); err != nil {
		return nil, badRequest("object expected")
	}
	s.mutex.Lock()
	switch {
	case s.webhook.URL != "":
		s.mutex.Unlock()
		return nil, &telegram.Error{Code: 409, Description: "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"}
	case s.polling:
		s.mutex.Unlock()
		return nil, &telegram.Error{Code: 409, Description: "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"}
	}
	s.polling = true
	defer func() {
		s.mutex.Lock()
		s.polling = false
		s.mutex.Unlock()
	}()
	s.updates = slices.DeleteFunc(s.updates, func(u telegram.Update) bool { return u.UpdateID < p.Offset })
	found, arrived := slices.Clone(s.updates), s.arrived
	s.mutex.Unlock()
	if len(found) > 0 || p.Timeout == 0 {
		return append([]telegram.Update{}, found...), nil
	}
	timer := time.NewTimer(time.Duration(p.Timeout) * time.Second)
	defer timer.Stop()
	select {
	case <-arrived:
	case <-timer.C:
	case <-ctx.Done():
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return append([]telegram.Update{}, s.updates...), nil
}
