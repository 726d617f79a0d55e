package conversation

import (
	"context"
	"errors"
	"slices"
	"strings"

	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/ledger"
	"sortkey.dev/apps/homeops/policy"
	"sortkey.dev/apps/homeops/speech"
	"sortkey.dev/apps/homeops/understanding"
	"sortkey.dev/apps/homeops/vocabulary"
)

// An answer is the answer to a question of the bot.
type answer int

const (
	unrelated answer = iota
	yes
	no     // with or without a correction behind it
	unsure // kanske, typ, nja
)

var (
	yesWords = []string{"ja", "japp", "jepp", "jo", "precis", "absolut", "aa", "mm", "okej", "jadå", "exakt", "korrekt", "stämmer", "visst",
		"självklart", "sant", "ok", "mhm", "jajemen", "yes", "yep", "yeah", "yup", "sure", "right", "correct", "exactly", "true", "okay"}
	noWords     = []string{"nej", "nä", "nää", "nix", "nope", "no", "nah"}
	unsureWords = []string{"kanske", "typ", "nja", "inte", "maybe", "sort", "kind", "not", "nähä", "nämen"}
	yesSigns    = []string{"👍", "✅", "✔", "👌", "💯"}
	noSigns     = []string{"👎", "❌"}
)

// parseAnswer returns what a reply says, and the text behind a no.
func parseAnswer(text string) (answer, string) {
	for _, sign := range yesSigns {
		if strings.HasPrefix(strings.TrimSpace(text), sign) {
			return yes, ""
		}
	}
	for _, sign := range noSigns {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(text), sign); ok {
			return no, strings.TrimSpace(rest)
		}
	}
	words := speech.Words(text)
	if len(words) == 0 {
		return unrelated, ""
	}
	first := squeeze(words[0])
	switch {
	case slices.Contains(unsureWords, words[0]):
		return unsure, ""
	case slices.Contains(yesWords, words[0]), slices.Contains(yesWords, first), len(words) >= 2 && words[0] == "just" && words[1] == "det":
		if len(words) > 4 {
			return unrelated, "" // a sentence of its own
		}
		return yes, ""
	case slices.Contains(noWords, words[0]), slices.Contains(noWords, first):
		at := strings.Index(strings.ToLower(text), words[0]) + len(words[0])
		return no, strings.TrimLeft(text[min(at, len(text)):], " ,.!-–:")
	}
	return unrelated, ""
}

// squeeze shortens repeated letters: jaaa, neeej.
func squeeze(word string) string {
	return string(slices.Compact([]rune(word)))
}

// reply handles a reply to a message of the bot. It reports whether the message is handled; an
// unrelated reply is a message as any other.
func (s *Service) reply(ctx context.Context, t *turn) (bool, error) {
	said, ok, err := s.Policy.Find(ctx, t.home.ChatID, t.message.ReplyToMessage.MessageID)
	if err != nil || !ok {
		return false, err
	}
	if said.TargetUser == t.stored.UserID && policy.ClarificationOpen(said, s.env.Now()) {
		if what, rest := parseAnswer(t.stored.Text); what != unrelated {
			return true, s.clarified(ctx, t, said, what, rest)
		}
	}
	_, err = s.Policy.Answered(ctx, t.home, said)
	return false, err
}

// clarified handles the answer of an author to the question what a message meant.
func (s *Service) clarified(ctx context.Context, t *turn, said homeopsdb.BotMessage, what answer, rest string) error {
	recorded, left, err := s.settle(ctx, t, s.decision(t, homeopsdb.DecisionKindReply))
	if err != nil || !left {
		return err
	}
	if err := s.learn(ctx, t, said, what, rest); err != nil {
		return err
	}
	if what != unsure {
		if _, err := s.Policy.Answered(ctx, t.home, said); err != nil {
			return err
		}
	}
	return s.respond(ctx, recorded, policy.Response{Home: t.home, Message: t.stored})
}

// learn applies an answer: a yes confirms the word, a no with another activity teaches that and
// corrects what was logged, and a bare no removes it.
func (s *Service) learn(ctx context.Context, t *turn, said homeopsdb.BotMessage, what answer, rest string) error {
	if said.Activity == nil || said.SourceMessageID == nil || what == unsure {
		return nil
	}
	lesson := vocabulary.Lesson{Activity: *said.Activity, UserID: t.stored.UserID, From: t.stored.Text}
	if said.Surface != nil {
		lesson.Surface = *said.Surface
	}
	if what == yes {
		if lesson.Surface == "" {
			return nil
		}
		_, err := s.Vocabulary.Confirm(ctx, t.home, lesson)
		return err
	}
	ids, err := s.Ledger.ByMessage(ctx, t.home, said.ChatID, *said.SourceMessageID)
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
		if _, err := s.Vocabulary.Correct(ctx, t.home, lesson); err != nil {
			return err
		}
	}
	return s.each(ids, func(id string) error {
		return s.Ledger.Correct(ctx, t.home, t.stored.UserID, id, ledger.Correction{Activity: lesson.Activity, Category: homeopsdb.EventCategory(meant.Kind)})
	})
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
