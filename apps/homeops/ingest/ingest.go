// Package ingest is the room that takes Telegram's updates: a message is stored together with the
// job that understands it, exactly once however often Telegram delivers it; an edit is stored if
// the text changed; a group that got another id moves; members join and leave. It understands and
// answers nothing. The webhook and the long poll call it; package conversation works on what it
// stores.
package ingest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/homeops/understanding"
)

// A Service takes updates. It is safe for concurrent use.
type Service struct {
	env        *homeops.Env
	households *households.Service
}

// New returns the room of an environment.
func New(env *homeops.Env, households *households.Service) *Service {
	return &Service{env: env, households: households}
}

// An Outcome says what became of an update.
type Outcome string

// The outcomes.
const (
	Stored   Outcome = "stored"   // and queued
	Repeated Outcome = "repeated" // it was stored before
	Applied  Outcome = "applied"  // a change of members or of the chat
	Ignored  Outcome = "ignored"  // nothing for the household: a bot, a visitor, a paused member, no text
)

// Deliver takes an update. An error means that nothing was stored and Telegram should deliver the
// update again.
func (s *Service) Deliver(ctx context.Context, u *telegram.Update) (Outcome, error) {
	switch u.Kind() {
	case telegram.KindMigrated:
		m, _ := u.Migration()
		return Applied, s.households.Move(ctx, chatID(m.From), chatID(m.To))
	case telegram.KindMessage:
		return s.message(ctx, u.UpdateID, u.Message)
	case telegram.KindEdit:
		return s.edit(ctx, u.EditedMessage)
	case telegram.KindMember:
		return s.member(ctx, u.ChatMember)
	case telegram.KindReaction, telegram.KindCallback, telegram.KindOwnMember:
		return s.queue(ctx, *u)
	}
	return Ignored, nil
}

// Malformed counts an update that cannot be decoded. It is not an error: Telegram would deliver it
// again and again.
func (s *Service) Malformed() { s.env.Metrics.Count(homeops.CountUnreadable, 1) }

func (s *Service) message(ctx context.Context, updateID int64, m *telegram.Message) (Outcome, error) {
	switch {
	case m.Chat.Type.IsGroup() && (len(m.NewChatMembers) > 0 || m.LeftChatMember != nil):
		return s.service(ctx, m)
	case textOf(m) == "" || !m.IsOwnStatement():
		return Ignored, nil
	case m.Chat.Type == telegram.Private:
		return s.private(ctx, updateID, m)
	case m.Chat.Type.IsGroup():
		return s.group(ctx, m)
	}
	return Ignored, nil
}

// group stores a message of a member in a group.
func (s *Service) group(ctx context.Context, m *telegram.Message) (Outcome, error) {
	paused, err := s.isPaused(ctx, m)
	if err != nil || paused {
		return Ignored, err
	}
	home, _, err := s.households.Ensure(ctx, households.Group{ChatID: chatID(m.Chat.ID), Name: m.Chat.Title, Locale: locale(m.From)})
	if err != nil {
		return Ignored, err
	}
	home, ok, err := s.households.Recognise(ctx, home, personAt(m.From, m.Date))
	if err != nil || !ok {
		return Ignored, err
	}
	return s.store(ctx, m, &home)
}

// private stores a message that a member wrote to the bot. A person who belongs to no household is
// not recorded; that they started the bot is. Those who left can still ask for what is theirs.
func (s *Service) private(ctx context.Context, updateID int64, m *telegram.Message) (Outcome, error) {
	if IsStart(textOf(m)) {
		if _, err := s.households.OpenChannel(ctx, m.From.ID, chatID(m.Chat.ID)); err != nil {
			return Ignored, err
		}
		if err := s.households.Resume(ctx, m.From.ID); err != nil {
			return Ignored, err
		}
	}
	if InvitationOf(textOf(m)) != "" { // also of a person who belongs to no household
		return s.queue(ctx, telegram.Update{UpdateID: updateID, Message: m})
	}
	homes, err := s.households.OfUser(ctx, m.From.ID)
	if err != nil {
		return Ignored, err
	}
	if len(homes) == 0 {
		return s.unrecorded(ctx, updateID, m)
	}
	paused, err := s.isPaused(ctx, m)
	if err != nil {
		return Ignored, err
	}
	if paused {
		return s.unrecorded(ctx, updateID, m)
	}
	return s.store(ctx, m, nil)
}

// unrecorded queues a private message of a person who is not recorded, because they left or paused,
// if it asks to sign in or to be erased. Nothing else of theirs is kept, and nothing of a stranger.
func (s *Service) unrecorded(ctx context.Context, updateID int64, m *telegram.Message) (Outcome, error) {
	if !understanding.AsksForSignIn(textOf(m)) && !understanding.AsksForErasure(textOf(m)) {
		return Ignored, nil
	}
	_, err := s.households.Profile(ctx, m.From.ID)
	if errors.Is(err, households.ErrNoMember) {
		return Ignored, nil
	}
	if err != nil {
		return Ignored, err
	}
	return s.queue(ctx, telegram.Update{UpdateID: updateID, Message: m})
}

// queue adds the job of an update that is not stored.
func (s *Service) queue(ctx context.Context, u telegram.Update) (Outcome, error) {
	added, err := s.env.Jobs.Add(ctx, homeops.UpdateJob(u.UpdateID, u))
	if err != nil || !added {
		return Repeated, err
	}
	return Stored, nil
}

// isPaused reports whether the author of a message is not recorded. A paused member who asks the bot
// to go on is recorded from this message on.
func (s *Service) isPaused(ctx context.Context, m *telegram.Message) (bool, error) {
	paused, err := s.households.IsPaused(ctx, m.From.ID)
	if err != nil || !paused || !asksToResume(m) {
		return paused, err
	}
	return false, s.households.Resume(ctx, m.From.ID)
}

// asksToResume reports whether a message asks the bot to record its author again. In a group it
// mentions the bot: members say "fortsätt" to each other, too.
func asksToResume(m *telegram.Message) bool {
	addressed := m.Chat.Type == telegram.Private
	var words []string
	for word := range strings.FieldsSeq(strings.ToLower(textOf(m))) {
		if strings.HasPrefix(word, "@") {
			addressed = true
			continue
		}
		words = append(words, strings.Trim(word, ".,!"))
	}
	return addressed && understanding.ResumeWords.MatchString(strings.Join(words, " "))
}

// Before returns the id of the stored message before another one of a chat; ok is false if there is
// none.
func (s *Service) Before(ctx context.Context, chatID string, messageID int64) (id int64, ok bool, err error) {
	m, err := s.env.DB.FindMessageBefore(chatID, messageID).First(ctx)
	switch {
	case errors.Is(err, access.ErrNotFound):
		return 0, false, nil
	case err != nil:
		return 0, false, fmt.Errorf("find the message before another: %w", err)
	}
	return m.MessageID, true, nil
}

// store writes a message, counts it for its author and queues it, in one transaction.
func (s *Service) store(ctx context.Context, m *telegram.Message, home *households.Home) (Outcome, error) {
	raw, err := rawOf(m)
	if err != nil {
		return Ignored, err
	}
	now := s.env.Now()
	keep := int64(homeops.DefaultRetention)
	if home != nil {
		keep = home.RawRetentionDays
	}
	stored := homeopsdb.Message{
		ChatID: chatID(m.Chat.ID), MessageID: m.MessageID, UserID: m.From.ID, UserName: nameOf(m.From), Text: textOf(m),
		Timestamp: m.Date.UTC(), Raw: raw, CreatedAt: now, ExpiresAt: now.Add(time.Duration(keep) * 24 * time.Hour),
	}
	tx := s.env.DB.Tx()
	tx.SaveMessage(stored)
	if home != nil {
		tx.CountMessage(homeopsdb.UserDayKey{HouseholdID: home.HouseholdID, UserID: m.From.ID, Day: homeops.Day(stored.Timestamp, home.Zone())},
			homeopsdb.CountMessageParams{ExpiresAt: stored.Timestamp.Add(homeops.KeepUserDays)})
	}
	if err := s.env.Jobs.AddTo(tx, homeops.MessageJob(stored.ChatID, stored.MessageID, 0)); err != nil {
		return Ignored, err
	}
	switch err := tx.Commit(ctx); {
	case errors.Is(err, access.ErrExists):
		return Repeated, nil
	case err != nil:
		return Ignored, fmt.Errorf("store a message: %w", err)
	}
	s.env.Metrics.Count(homeops.CountMessages, 1)
	return Stored, nil
}

// rawOf returns a message as it is stored. Of the message that it replies to, only the numbers are
// kept: its author may be a visitor, be paused, or have it erased later.
func rawOf(m *telegram.Message) (string, error) {
	kept := *m
	kept.Quote = nil
	if to := m.ReplyToMessage; to != nil {
		kept.ReplyToMessage = &telegram.Message{MessageID: to.MessageID, EphemeralMessageID: to.EphemeralMessageID, Date: to.Date, Chat: telegram.Chat{ID: to.Chat.ID, Type: to.Chat.Type}}
		if to.From != nil {
			kept.ReplyToMessage.From = &telegram.User{ID: to.From.ID, IsBot: to.From.IsBot}
		}
	}
	raw, err := json.Marshal(kept)
	if err != nil {
		return "", fmt.Errorf("encode a message: %w", err)
	}
	return string(raw), nil
}

// edit stores another text of a message. Telegram also reports edits that leave the text as it was.
func (s *Service) edit(ctx context.Context, m *telegram.Message) (outcome Outcome, err error) {
	if m.From == nil || !m.IsOwnStatement() {
		return Ignored, nil
	}
	paused, err := s.households.IsPaused(ctx, m.From.ID)
	if err != nil || paused {
		return Ignored, err
	}
	raw, err := rawOf(m)
	if err != nil {
		return Ignored, err
	}
	err = access.RetryOnConflict(ctx, func() (bool, error) {
		before, err := s.env.DB.GetMessage(ctx, chatID(m.Chat.ID), m.MessageID)
		switch {
		case errors.Is(err, access.ErrNotFound): // of a visitor, or expired
			outcome = Ignored
			return false, nil
		case err != nil:
			return false, err
		case before.Text == textOf(m):
			outcome = Repeated
			return false, nil
		}
		tx := s.env.DB.Tx()
		tx.EditMessage(before.Key(), homeopsdb.EditMessageParams{Text: textOf(m), Raw: raw, Revision: before.Revision + 1})
		if err := s.env.Jobs.AddTo(tx, homeops.MessageJob(before.ChatID, before.MessageID, before.Revision+1)); err != nil {
			return false, err
		}
		outcome = Stored
		err = tx.Commit(ctx)
		return homeops.Changed[homeopsdb.Message](err) || errors.Is(err, access.ErrExists), err
	})
	if err != nil {
		return Ignored, fmt.Errorf("store an edit: %w", err)
	}
	return outcome, nil
}

// service applies a service message about people who joined or left.
func (s *Service) service(ctx context.Context, m *telegram.Message) (Outcome, error) {
	home, err := s.households.ByChat(ctx, chatID(m.Chat.ID))
	if errors.Is(err, households.ErrNoHousehold) {
		return Ignored, nil
	}
	if err != nil {
		return Ignored, err
	}
	for _, joined := range m.NewChatMembers {
		if joined.IsPerson() {
			if err := s.join(ctx, home, &joined, m.Date); err != nil {
				return Ignored, err
			}
		}
	}
	if left := m.LeftChatMember; left != nil && left.IsPerson() {
		return Applied, s.households.LeaveAt(ctx, home.HouseholdID, left.ID, m.Date.UTC())
	}
	return Applied, nil
}

// member applies a change of a member's status, which only administrators receive.
func (s *Service) member(ctx context.Context, c *telegram.ChatMemberUpdated) (Outcome, error) {
	home, err := s.households.ByChat(ctx, chatID(c.Chat.ID))
	if errors.Is(err, households.ErrNoHousehold) || err == nil && !c.NewChatMember.User.IsPerson() {
		return Ignored, nil
	}
	if err != nil {
		return Ignored, err
	}
	if c.NewChatMember.InChat() {
		return Applied, s.join(ctx, home, &c.NewChatMember.User, c.Date)
	}
	return Applied, s.households.LeaveAt(ctx, home.HouseholdID, c.NewChatMember.User.ID, c.Date.UTC())
}

// join makes a person who came to the chat at a time a member, unless the household is closed or the person
// is paused.
func (s *Service) join(ctx context.Context, home households.Home, user *telegram.User, at telegram.Time) error {
	paused, err := s.households.IsPaused(ctx, user.ID)
	if err != nil || paused {
		return err
	}
	_, _, err = s.households.Recognise(ctx, home, personAt(user, at))
	return err
}

// PersonOf returns a Telegram user as households know them.
func PersonOf(u *telegram.User) households.Person {
	return households.Person{ID: u.ID, Name: u.FirstName, UserName: u.Username, Locale: locale(u)}
}

// personAt returns a person who wrote or came at a time.
func personAt(u *telegram.User, at telegram.Time) households.Person {
	person := PersonOf(u)
	person.At = at.Time
	return person
}

// IsStart reports whether a text is the command that opens the private channel.
func IsStart(text string) bool {
	command, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	command, _, _ = strings.Cut(command, "@")
	return command == "/start"
}

// InvitationPrefix begins the argument of the command that accepts an invitation.
const InvitationPrefix = "join-"

// InvitationOf returns the token of the invitation that a text accepts: "/start join-" and a token.
// It returns "" for other texts.
func InvitationOf(text string) string {
	if !IsStart(text) {
		return ""
	}
	_, argument, _ := strings.Cut(strings.TrimSpace(text), " ")
	token, ok := strings.CutPrefix(strings.TrimSpace(argument), InvitationPrefix)
	if !ok {
		return ""
	}
	return token
}

func textOf(m *telegram.Message) string {
	if m.Text != "" {
		return strings.ToValidUTF8(m.Text, "")
	}
	return strings.ToValidUTF8(m.Caption, "")
}

func nameOf(u *telegram.User) string {
	if u.FirstName != "" {
		return homeops.Shorten(u.FirstName, homeops.MaxName)
	}
	return homeops.Shorten(u.Username, homeops.MaxName)
}

func locale(u *telegram.User) understanding.Locale {
	if strings.HasPrefix(u.LanguageCode, "en") {
		return understanding.English
	}
	return understanding.Swedish
}

func chatID(id int64) string { return strconv.FormatInt(id, 10) }
