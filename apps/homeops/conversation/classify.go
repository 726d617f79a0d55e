package conversation

import (
	"context"
	"strings"

	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/homeops/understanding"
	"sortkey.dev/apps/homeops/vocabulary"
)

// classify has a message understood. A classifier that fails is as one that understands nothing:
// a message is not delayed or lost because a model does not respond.
func (s *Service) classify(ctx context.Context, t *turn) error {
	usual, err := s.Ledger.Efforts(ctx, t.home, t.stored.UserID)
	if err != nil {
		return err
	}
	t.meaning = s.understand(ctx, t.home, s.input(t, usual))
	s.env.Metrics.Count(homeops.CountTokens, int64(t.meaning.Usage.PromptTokens+t.meaning.Usage.CompletionTokens))
	return nil
}

func (s *Service) input(t *turn, usual map[understanding.ActivityID]understanding.Effort) understanding.Message {
	m := understanding.Message{
		Text: t.stored.Text, SentAt: t.stored.Timestamp, Zone: t.home.Zone(), Locale: t.home.Language(),
		Author: households.MemberID(t.stored.UserID), Vocabulary: vocabulary.Words(t.home), Usual: usual, Addressed: t.addressed,
	}
	for _, member := range t.home.Active() {
		m.Members = append(m.Members, understanding.Member{ID: households.MemberID(member.UserID), Names: []string{member.DisplayName}})
	}
	return m
}

func (s *Service) understand(ctx context.Context, home households.Home, m understanding.Message) understanding.Meaning {
	if s.Model != nil && home.UseModel {
		if meaning, err := s.Model.Classify(ctx, m); err == nil {
			return meaning
		}
		s.env.Log.WarnContext(ctx, "the model did not classify a message")
	}
	meaning, err := s.Classifier.Classify(ctx, m)
	if err != nil {
		s.env.Log.WarnContext(ctx, "the classifier failed", "error", err)
		return understanding.Meaning{}
	}
	return meaning
}

// Try returns what a text would mean if a member wrote it now, for the page on which operators and
// owners try the classifier. It stores nothing.
func (s *Service) Try(ctx context.Context, home households.Home, userID int64, text string, addressed bool) (understanding.Meaning, error) {
	if _, ok := home.Member(userID); !ok {
		return understanding.Meaning{}, households.ErrNoMember
	}
	t := &turn{home: home, addressed: addressed}
	t.stored.Text, t.stored.UserID, t.stored.Timestamp = homeops.Shorten(text, homeops.MaxText), userID, s.env.Now()
	usual, err := s.Ledger.Efforts(ctx, home, userID)
	if err != nil {
		return understanding.Meaning{}, err
	}
	return s.understand(ctx, home, s.input(t, usual)), nil
}

// isAddressed reports whether a message mentions the bot or replies to it. It reads the entities of
// the message, because a search for the name would find longer names too.
func (s *Service) isAddressed(m telegram.Message) bool {
	if s.repliesToBot(m) {
		return true
	}
	text, entities := m.Text, m.Entities
	if text == "" {
		text, entities = m.Caption, m.CaptionEntities
	}
	for _, e := range entities {
		switch e.Type {
		case telegram.Mention:
			if s.Bot.Username != "" && strings.EqualFold(e.In(text), "@"+s.Bot.Username) {
				return true
			}
		case telegram.TextMention:
			if e.User != nil && e.User.ID == s.Bot.ID {
				return true
			}
		}
	}
	return false
}

func (s *Service) repliesToBot(m telegram.Message) bool {
	r := m.ReplyToMessage
	return r != nil && r.From != nil && r.From.ID == s.Bot.ID
}
