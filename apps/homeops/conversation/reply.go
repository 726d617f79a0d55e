package conversation

import (
	"context"
	"errors"
	"fmt"

	"sortkey.dev/access"
	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/ledger"
	"sortkey.dev/apps/homeops/policy"
	"sortkey.dev/apps/homeops/understanding"
	"sortkey.dev/apps/homeops/understanding/reply"
	"sortkey.dev/apps/homeops/vocabulary"
	"sortkey.dev/apps/internal/refusal"
)

// reply handles a reply to a message of the bot. It reports whether the message is handled; an
// unrelated reply is a message as any other.
func (s *Service) reply(ctx context.Context, t *turn) (bool, error) {
	said, ok, err := s.Policy.Find(ctx, t.home.ChatID, t.message.ReplyToMessage.MessageID)
	if err != nil || !ok {
		return false, err
	}
	if said.TargetUser == t.stored.UserID && policy.ClarificationOpen(said, s.env.Now()) {
		if what, rest := reply.Read(t.stored.Text); what != reply.None {
			return true, s.clarified(ctx, t, said, what, rest)
		}
	}
	_, err = s.Policy.Answered(ctx, t.home, said)
	return false, err
}

// clarified handles the answer of an author to the question what a message meant.
func (s *Service) clarified(ctx context.Context, t *turn, said homeopsdb.BotMessage, what reply.Answer, rest string) error {
	recorded, left, err := s.settle(ctx, t, s.decision(t, homeopsdb.DecisionKindReply))
	if err != nil || !left {
		return err
	}
	if err := s.learn(ctx, t, said, what, rest); err != nil {
		return err
	}
	if what != reply.Ambiguous {
		if _, err := s.Policy.Answered(ctx, t.home, said); err != nil {
			return err
		}
	}
	return s.respond(ctx, recorded, policy.Response{Home: t.home, Message: t.stored})
}

// learn applies an answer: a yes confirms the word, a no with another activity teaches that and
// corrects what was logged, and a bare no removes it. Other activities of the message stay.
func (s *Service) learn(ctx context.Context, t *turn, said homeopsdb.BotMessage, what reply.Answer, rest string) error {
	if said.Activity == nil || said.SourceMessageID == nil || what == reply.Ambiguous {
		return nil
	}
	lesson := vocabulary.Lesson{Activity: *said.Activity, UserID: t.stored.UserID, From: t.stored.Text}
	if said.Surface != nil {
		lesson.Surface = *said.Surface
	}
	if what == reply.Yes {
		if lesson.Surface != "" {
			if err := taught(s.Vocabulary.Confirm(ctx, t.home, lesson)); err != nil {
				return err
			}
		}
		return s.confirm(ctx, t, said, lesson.Activity)
	}
	ids, err := s.Ledger.ByMessage(ctx, t.home, said.ChatID, *said.SourceMessageID, *said.Activity)
	if err != nil {
		return err
	}
	meant, ok, err := s.meant(ctx, t, rest)
	if err != nil {
		return err
	}
	if !ok {
		if rest != "" { // a no and something that was not understood: leave it
			return nil
		}
		return s.each(ids, func(id string) error { return s.Ledger.Undo(ctx, t.home, t.stored.UserID, id) })
	}
	lesson.Activity = homeops.ActivityKey(meant.Activity, meant.Name)
	if lesson.Surface != "" {
		if err := taught(s.Vocabulary.Correct(ctx, t.home, lesson)); err != nil {
			return err
		}
	}
	if len(ids) == 0 {
		return s.confirm(ctx, t, said, lesson.Activity)
	}
	return s.each(ids, func(id string) error {
		return s.Ledger.Correct(ctx, t.home, t.stored.UserID, id, ledger.Correction{Activity: lesson.Activity, Category: homeopsdb.EventCategory(meant.Kind)})
	})
}

// taught returns the failure to learn a word. A word that is refused, such as one that is too long,
// is none: what was done is logged all the same.
func taught(_ homeopsdb.Alias, err error) error {
	if _, refused := refusal.As(err); refused {
		return nil
	}
	return err
}

// confirm logs what the message meant that a question of the bot was about, if that was too unclear
// to be logged before.
func (s *Service) confirm(ctx context.Context, t *turn, said homeopsdb.BotMessage, activity string) error {
	message, err := s.env.DB.GetMessage(ctx, said.ChatID, *said.SourceMessageID)
	if errors.Is(err, access.ErrNotFound) { // erased or expired
		return nil
	}
	if err != nil {
		return fmt.Errorf("read a message: %w", err)
	}
	author, ok := t.home.Member(message.UserID)
	if !ok {
		return nil
	}
	e := ledger.Entry{
		UserID: message.UserID, UserName: author.DisplayName, Activity: activity, Category: homeopsdb.EventCategoryChore,
		Effort: homeopsdb.EventEffortMedium, Description: activity, Confidence: understanding.Clear, At: message.Timestamp,
	}
	if said.Surface != nil {
		e.Description = *said.Surface
	}
	if d, ok := understanding.Lookup(understanding.ActivityID(activity)); ok {
		e.Category, e.Effort = homeopsdb.EventCategory(d.Kind), homeopsdb.EventEffort(d.Effort)
	}
	return s.Ledger.Confirm(ctx, t.home, message, e)
}

// meant returns the activity that the text behind a no names.
func (s *Service) meant(ctx context.Context, t *turn, rest string) (understanding.Activity, bool, error) {
	if rest == "" {
		return understanding.Activity{}, false, nil
	}
	other := *t
	other.stored.Text = rest
	if err := s.classify(ctx, &other); err != nil {
		return understanding.Activity{}, false, err
	}
	for _, a := range other.meaning.Activities {
		if a.Confidence >= homeops.AliasThreshold {
			return a, true, nil
		}
	}
	return understanding.Activity{}, false, nil
}

// each applies a change to events; those that do not exist any more are skipped.
func (s *Service) each(ids []string, apply func(id string) error) error {
	for _, id := range ids {
		if err := apply(id); err != nil && !errors.Is(err, ledger.ErrNoEvent) && !errors.Is(err, ledger.ErrNotYours) {
			return err
		}
	}
	return nil
}
