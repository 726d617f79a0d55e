package conversation

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"sortkey.dev/access"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/ingest"
	"sortkey.dev/apps/homeops/policy"
	"sortkey.dev/apps/homeops/speech"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/homeops/understanding"
	"sortkey.dev/apps/homeops/understanding/reply"
	"sortkey.dev/apps/internal/onetime"
)

// private handles a message that a member wrote to the bot. It logs no activity: the household's
// chat is where that is said.
func (s *Service) private(ctx context.Context, t *turn) error {
	homes, err := s.Households.OfUser(ctx, t.stored.UserID)
	if err != nil || len(homes) == 0 {
		return err
	}
	t.home, t.addressed = homes[0], true
	d := s.decision(t, homeopsdb.DecisionKindQuery)
	if _, left, err := s.settle(ctx, t, d); err != nil || !left {
		return err
	}
	text, err := s.privately(ctx, t)
	if err != nil {
		return err
	}
	if text != "" {
		_, err = s.Policy.Whisper(ctx, policy.Whisper{
			Home: t.home, UserID: t.stored.UserID, OutKey: outKey(t, "answer"), Kind: homeopsdb.BotMessageKindAnswer, Text: text, Asked: true,
		})
		if err != nil {
			return err
		}
	}
	_, err = s.env.DB.RecordResponse(ctx, homeopsdb.DecisionKey{ChatID: t.stored.ChatID, MessageID: t.stored.MessageID},
		homeopsdb.RecordResponseParams{Spoke: new(text != ""), Reason: new(string(policy.Spoke))})
	return err
}

// privately returns the answer to a private message; "" for none.
func (s *Service) privately(ctx context.Context, t *turn) (string, error) {
	book := speech.In(t.home.Language())
	if ingest.IsStart(t.stored.Text) {
		return book.Welcome, nil
	}
	if understanding.AsksForSignIn(t.stored.Text) {
		return s.signIn(ctx, t.stored.UserID, book)
	}
	if effort, ok := reply.Effort(t.stored.Text); ok {
		id, err := s.Ledger.LatestOf(ctx, t.home, t.stored.UserID)
		if err != nil || id == "" {
			return "", err
		}
		return book.Changed, s.Ledger.Rate(ctx, t.home, t.stored.UserID, id, homeopsdb.EventEffort(effort))
	}
	if err := s.classify(ctx, t); err != nil {
		return "", err
	}
	if len(t.meaning.Requests) > 0 && t.meaning.Requests[0].Confidence >= understanding.Clear {
		return s.doRequest(ctx, t, t.meaning.Requests[0].Kind)
	}
	if len(t.meaning.Questions) > 0 {
		q := t.meaning.Questions[0]
		return s.answer(ctx, t, q, string(q.Activity))
	}
	return "", nil
}

func (s *Service) signIn(ctx context.Context, userID int64, book *speech.Phrasebook) (string, error) {
	if s.SignInLink == nil {
		return "", nil
	}
	token, err := s.Households.SignInToken(ctx, userID)
	if err != nil {
		return "", err
	}
	return book.SignIn(s.SignInLink(token)), nil
}

func outKey(t *turn, kind string) string {
	return strconv.FormatInt(t.stored.MessageID, 10) + "-" + kind
}

// Callback data of the buttons of a clarification.
const (
	buttonYes = "yes "
	buttonNo  = "no "
)

// Buttons returns the buttons of a question of the bot; nil for other messages.
func Buttons(home households.Home, m homeopsdb.BotMessage) *telegram.InlineKeyboard {
	if m.Kind != homeopsdb.BotMessageKindClarify {
		return nil
	}
	book := speech.In(home.Language())
	return &telegram.InlineKeyboard{Rows: [][]telegram.Button{{
		{Text: book.Yes, CallbackData: buttonYes + m.OutKey}, {Text: book.No, CallbackData: buttonNo + m.OutKey},
	}}}
}

// HandleUpdate handles an update that is no message: a pressed button, a reaction, or a change of
// the bot's own membership.
func (s *Service) HandleUpdate(ctx context.Context, u *telegram.Update) error {
	switch u.Kind() {
	case telegram.KindMessage:
		if ingest.InvitationOf(u.Message.Text) == "" {
			return s.unrecorded(ctx, u.Message)
		}
		return s.invited(ctx, u.Message)
	case telegram.KindCallback:
		return s.pressed(ctx, u.CallbackQuery)
	case telegram.KindReaction:
		return s.reacted(ctx, u.MessageReaction)
	case telegram.KindOwnMember:
		return s.ownMember(ctx, u.MyChatMember)
	}
	return nil
}

// invited handles that a person accepted an invitation. The answer is planned together with the
// membership, so that it is right however often the update is handled.
func (s *Service) invited(ctx context.Context, m *telegram.Message) error {
	token := ingest.InvitationOf(m.Text)
	if token == "" || m.From == nil {
		return nil
	}
	person := ingest.PersonOf(m.From)
	key := strconv.FormatInt(m.MessageID, 10) + "-join"
	_, err := s.Households.Accept(ctx, token, person, func(tx access.Tx, home households.Home) error {
		return s.Policy.Answer(tx, person.ID, key, speech.In(person.Locale).Entered(home.Name))
	})
	switch {
	case errors.Is(err, access.ErrExists): // answered before
		return nil
	case errors.Is(err, onetime.ErrUsed):
		return s.Policy.AnswerAlone(ctx, person.ID, key, speech.In(person.Locale).LinkGone)
	case errors.Is(err, households.ErrFull):
		return s.Policy.AnswerAlone(ctx, person.ID, key, speech.In(person.Locale).HomeFull)
	}
	return err
}

// unrecorded answers a person who is not recorded, because they left or paused: they can still sign
// in to what is theirs, and have it erased.
func (s *Service) unrecorded(ctx context.Context, m *telegram.Message) error {
	if m.From == nil {
		return nil
	}
	user, err := s.Households.Profile(ctx, m.From.ID)
	if errors.Is(err, households.ErrNoMember) { // erased meanwhile
		return nil
	}
	if err != nil {
		return err
	}
	book, text := speech.In(understanding.Locale(user.Locale)), ""
	switch {
	case understanding.AsksForSignIn(m.Text):
		text, err = s.signIn(ctx, user.UserID, book)
	case understanding.AsksForErasure(m.Text):
		text, err = book.Erasing, s.Households.RequestErasure(ctx, user.UserID)
	}
	if err != nil || text == "" {
		return err
	}
	return s.Policy.AnswerAlone(ctx, user.UserID, strconv.FormatInt(m.MessageID, 10)+"-own", text)
}

// pressed handles the button of a clarification. Only the author whom it asked counts, and like an
// answer in words only while they are a member and recorded.
func (s *Service) pressed(ctx context.Context, q *telegram.CallbackQuery) error {
	what, key := reply.Yes, ""
	if rest, ok := strings.CutPrefix(q.Data, buttonYes); ok {
		key = rest
	} else if rest, ok := strings.CutPrefix(q.Data, buttonNo); ok {
		what, key = reply.No, rest
	}
	if key == "" || q.Message == nil {
		return nil
	}
	home, err := s.Households.ByChat(ctx, strconv.FormatInt(q.Message.Chat.ID, 10))
	if errors.Is(err, households.ErrNoHousehold) {
		return nil
	}
	if err != nil {
		return err
	}
	if _, ok := home.Member(q.From.ID); !ok {
		return nil
	}
	if paused, err := s.Households.IsPaused(ctx, q.From.ID); err != nil || paused {
		return err
	}
	said, ok, err := s.Policy.ByKey(ctx, home.ChatID, key)
	if err != nil || !ok || said.TargetUser != q.From.ID || !policy.ClarificationOpen(said, s.env.Now()) {
		return err
	}
	t := &turn{home: home, stored: homeopsdb.Message{ChatID: home.ChatID, UserID: q.From.ID, Timestamp: s.env.Now()}}
	if err := s.learn(ctx, t, said, what, ""); err != nil {
		return err
	}
	_, err = s.Policy.Answered(ctx, home, said)
	return err
}

// reacted handles a reaction: to a message of the bot it is an answer, and a thumb down of a member
// to their own message removes what was logged of it.
func (s *Service) reacted(ctx context.Context, r *telegram.MessageReactionUpdated) error {
	if r.User == nil || len(r.NewReaction) == 0 {
		return nil
	}
	home, err := s.Households.ByChat(ctx, strconv.FormatInt(r.Chat.ID, 10))
	if errors.Is(err, households.ErrNoHousehold) {
		return nil
	}
	if err != nil {
		return err
	}
	if _, ok := home.Member(r.User.ID); !ok {
		return nil
	}
	said, ok, err := s.Policy.Find(ctx, home.ChatID, r.MessageID)
	if err != nil {
		return err
	}
	if ok {
		if said.TargetUser == r.User.ID {
			_, err = s.Policy.Answered(ctx, home, said)
		}
		return err
	}
	for _, reaction := range r.NewReaction {
		if reaction.Emoji != "👎" {
			continue
		}
		ids, err := s.Ledger.ByMessage(ctx, home, strconv.FormatInt(r.Chat.ID, 10), r.MessageID, "")
		if err != nil {
			return err
		}
		return s.each(ids, func(id string) error { return s.Ledger.Undo(ctx, home, r.User.ID, id) })
	}
	return nil
}

// ownMember handles that the bot was added to a group, made an administrator, removed, or blocked
// by a person.
func (s *Service) ownMember(ctx context.Context, c *telegram.ChatMemberUpdated) error {
	if c.Chat.Type == telegram.Private {
		if c.NewChatMember.InChat() {
			return nil // /start tells
		}
		return s.Households.BlockChannel(ctx, c.Chat.ID)
	}
	chatID := strconv.FormatInt(c.Chat.ID, 10)
	if !c.Chat.Type.IsGroup() || !c.NewChatMember.InChat() {
		return s.Households.SetBotAdmin(ctx, chatID, false)
	}
	home, created, err := s.Households.Ensure(ctx, households.Group{ChatID: chatID, Name: c.Chat.Title, Locale: ingest.PersonOf(&c.From).Locale})
	if err != nil {
		return fmt.Errorf("create the household of a chat: %w", err)
	}
	if created && c.From.IsPerson() {
		if home, err = s.Households.Join(ctx, home.HouseholdID, ingest.PersonOf(&c.From)); err != nil {
			return err
		}
	}
	status := c.NewChatMember.Status
	if err := s.Households.SetBotAdmin(ctx, chatID, status == telegram.StatusAdministrator || status == telegram.StatusCreator); err != nil {
		return err
	}
	return s.Policy.Announce(ctx, home, c.From.ID)
}
