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
		Text: s.spoken(t), SentAt: t.stored.Timestamp, Zone: t.home.Zone(), Locale: t.home.Language(),
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

// isAddressed reports whether a message mentions the bot or replies to it.
func (s *Service) isAddressed(m telegram.Message) bool {
	return s.repliesToBot(m) || len(s.mentions(m)) > 0
}

// mentions returns the parts of a message that mention the bot. It reads the entities of the
// message, because a search for the name would find longer names too.
func (s *Service) mentions(m telegram.Message) (found []string) {
	text, entities := m.Text, m.Entities
	if text == "" {
		text, entities = m.Caption, m.CaptionEntities
	}
	for _, e := range entities {
		part := e.In(text)
		switch {
		case part == "":
		case e.Type == telegram.Mention && s.Bot.Username != "" && strings.EqualFold(part, "@"+s.Bot.Username),
			e.Type == telegram.TextMention && e.User != nil && e.User.ID == s.Bot.ID:
			found = append(found, part)
		}
	}
	return found
}

// spoken returns the text of a message with blanks in place of the bot's name, which is an address
// and no part of the sentence. Spans in it are spans of the text.
func (s *Service) spoken(t *turn) string {
	text := t.stored.Text
	for _, mention := range s.mentions(t.message) {
		text = strings.Replace(text, mention, strings.Repeat(" ", len(mention)), 1)
	}
	return text
}

func (s *Service) repliesToBot(m telegram.Message) bool {
	r := m.ReplyToMessage
	return r != nil && r.From != nil && r.From.ID == s.Bot.ID
}
