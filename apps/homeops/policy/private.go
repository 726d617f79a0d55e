package policy

import (
	"context"
	"errors"
	"fmt"

	"sortkey.dev/access"
	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/speech"
)

// NoChannel is the reason of silence towards a member who did not open the private channel.
const NoChannel Reason = "no_channel"

// A Whisper is a message to one member.
type Whisper struct {
	Home     households.Home
	UserID   int64
	OutKey   string // why it is sent; a whisper of one key is sent once
	Kind     Kind
	Text     string
	MaxLines int
	Activity string
	Asked    bool            // the member asked for it: neither budget nor quiet hours apply
	Also     func(access.Tx) // further writes of the transaction; nil if there are none
}

// Whisper sends a message to a member in private if the channel is open, the quiet hours of the
// member and the budget of the week allow it, and returns the reason.
func (s *Service) Whisper(ctx context.Context, w Whisper) (Reason, error) {
	channel, err := s.households.Channel(ctx, w.UserID)
	if err != nil {
		return "", fmt.Errorf("read a private channel: %w", err)
	}
	if channel.State != homeopsdb.DirectChannelStateOpen || channel.PrivateChatID == nil {
		return NoChannel, nil
	}
	p, err := s.households.Preferences(ctx, w.UserID)
	if err != nil {
		return "", err
	}
	now, zone := s.env.Now(), w.Home.Zone()
	if !w.Asked && PrivateQuiet(w.Home, p).Contains(now.In(zone)) {
		return QuietHours, nil
	}
	if speech.Check(w.Text, max(w.MaxLines, 1), w.Home.Names()) != "" {
		return Tone, nil
	}
	tx := s.env.DB.Tx()
	if !w.Asked {
		tx.CountPrivate(homeopsdb.UserWeekKey{UserID: w.UserID, Week: homeops.Week(now, zone)},
			homeopsdb.CountPrivateParams{ExpiresAt: now.Add(homeops.KeepUserWeeks), Cap: budget(p)})
	}
	if err := s.plan(tx, homeopsdb.BotMessage{
		ChatID: *channel.PrivateChatID, OutKey: w.OutKey, Kind: w.Kind, Style: homeopsdb.BotMessageStyleText, Text: w.Text,
		TargetUser: w.UserID, Activity: optional(w.Activity),
	}); err != nil {
		return "", err
	}
	if w.Also != nil {
		w.Also(tx)
	}
	return s.outcome(tx.Commit(ctx))
}

// Answer adds an answer to what a person wrote in private to a transaction. The person may belong to
// no household; no budget applies.
func (s *Service) Answer(tx access.Tx, userID int64, outKey, text string) error {
	return s.plan(s.env.DB.Join(tx), homeopsdb.BotMessage{
		ChatID: households.MemberID(userID), OutKey: outKey, Kind: homeopsdb.BotMessageKindWelcome, Style: homeopsdb.BotMessageStyleText,
		Text: text, TargetUser: userID,
	})
}

// AnswerAlone sends an answer to what a person wrote in private, once for each key.
func (s *Service) AnswerAlone(ctx context.Context, userID int64, outKey, text string) error {
	tx := s.env.DB.Tx()
	if err := s.Answer(tx, userID, outKey, text); err != nil {
		return err
	}
	if err := tx.Commit(ctx); err != nil && !errors.Is(err, access.ErrExists) {
		return fmt.Errorf("plan an answer: %w", err)
	}
	return nil
}

// PrivateQuiet returns the quiet hours of a member: their own, or those of the household.
func PrivateQuiet(home households.Home, p homeopsdb.Preferences) homeops.QuietHours {
	if p.QuietFrom != nil && p.QuietTo != nil {
		return homeops.QuietHours{From: int(*p.QuietFrom), To: int(*p.QuietTo)}
	}
	return home.Quiet()
}

// budget returns the number of unasked private messages of a week: half for a member who ignores
// more than half of what the bot says.
func budget(p homeopsdb.Preferences) int64 {
	if p.IgnoreRate > 0.5 && p.IgnoreSamples >= homeops.MinSamples {
		return homeops.PrivatePerWeek / 2
	}
	return homeops.PrivatePerWeek
}
