package policy

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/load"
)

// BeginSending claims a planned message for this worker. Ok is false if it was sent, failed, or may
// have been sent by a worker that crashed: a message that was possibly sent is not sent again.
func (s *Service) BeginSending(ctx context.Context, chatID, outKey string) (m homeopsdb.BotMessage, ok bool, err error) {
	m, err = s.env.DB.BeginSending(ctx, homeopsdb.BotMessageKey{ChatID: chatID, OutKey: outKey})
	switch {
	case homeops.Changed[homeopsdb.BotMessage](err), errors.Is(err, access.ErrNotFound):
		return m, false, nil
	case err != nil:
		return m, false, fmt.Errorf("begin to send: %w", err)
	}
	return m, true, nil
}

// Sent stores that a message was sent. Telegram's id is 0 for reactions and messages that one
// member sees. Messages that a member can answer are settled after the ignore window.
func (s *Service) Sent(ctx context.Context, m homeopsdb.BotMessage, messageID int64) error {
	now := s.env.Now()
	var id *int64
	if messageID != 0 {
		id = &messageID
	}
	tx := s.env.DB.Tx()
	tx.MarkSent(m.Key(), id, homeopsdb.MarkSentParams{SentAt: &now})
	if m.Style != homeopsdb.BotMessageStyleReaction && settles(m.Kind) {
		if err := s.env.Jobs.AddTo(tx, homeops.SettleJob(m.ChatID, m.OutKey, now.Add(homeops.IgnoreWindow))); err != nil {
			return err
		}
	}
	if err := tx.Commit(ctx); err != nil {
		return fmt.Errorf("store that a message was sent: %w", err)
	}
	s.env.Metrics.Count(homeops.CountSent, 1)
	return nil
}

// settles reports whether a member is expected to react to a kind of message.
func settles(kind Kind) bool {
	return kind == homeopsdb.BotMessageKindAck || kind == homeopsdb.BotMessageKindClarify || kind == homeopsdb.BotMessageKindHint
}

// SendFailed stores that a message was not sent.
func (s *Service) SendFailed(ctx context.Context, m homeopsdb.BotMessage) error {
	s.env.Metrics.Count(homeops.CountSendFailures, 1)
	_, err := s.env.DB.MarkSendFailed(ctx, m.Key())
	if homeops.Changed[homeopsdb.BotMessage](err) || errors.Is(err, access.ErrNotFound) {
		return nil
	}
	return err
}

// Find returns the bot's message with a Telegram id; ok is false if there is none.
func (s *Service) Find(ctx context.Context, chatID string, messageID int64) (m homeopsdb.BotMessage, ok bool, err error) {
	m, err = s.env.DB.FindBotMessage(chatID, messageID).First(ctx)
	if errors.Is(err, access.ErrNotFound) {
		return m, false, nil
	}
	return m, err == nil, err
}

// ByKey returns the bot's message of a key; ok is false if there is none.
func (s *Service) ByKey(ctx context.Context, chatID, outKey string) (m homeopsdb.BotMessage, ok bool, err error) {
	m, err = s.env.DB.GetBotMessage(ctx, chatID, outKey)
	if errors.Is(err, access.ErrNotFound) {
		return m, false, nil
	}
	return m, err == nil, err
}

// Answered stores that a member replied or reacted to a message of the bot. In time it is a sample
// of the ignore rate; later only the answer is stored. It reports whether the answer is new.
func (s *Service) Answered(ctx context.Context, home households.Home, m homeopsdb.BotMessage) (bool, error) {
	now := s.env.Now()
	err := access.RetryOnConflict(ctx, func() (bool, error) {
		tx := s.env.DB.Tx()
		tx.MarkAnswered(m.Key(), homeopsdb.MarkAnsweredParams{AnsweredAt: &now})
		if m.Outcome == homeopsdb.BotMessageOutcomeWaiting && home.BotIsAdmin && settles(m.Kind) {
			if err := s.learnIgnore(ctx, tx, m.TargetUser, 0); err != nil {
				return false, err
			}
		}
		return false, tx.Commit(ctx)
	})
	if homeops.Changed[homeopsdb.BotMessage](err) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("store an answer: %w", err)
	}
	s.env.Metrics.Count(homeops.CountAnswered, 1)
	return true, nil
}

// Settle ends the ignore window of a message. Without reactions, which only administrators see,
// silence says nothing and is no sample.
func (s *Service) Settle(ctx context.Context, chatID, outKey string) error {
	m, ok, err := s.ByKey(ctx, chatID, outKey)
	if err != nil || !ok || m.Outcome != homeopsdb.BotMessageOutcomeWaiting {
		return err
	}
	home, err := s.homeOf(ctx, m)
	if err != nil {
		return err
	}
	err = access.RetryOnConflict(ctx, func() (bool, error) {
		tx := s.env.DB.Tx()
		if home.BotIsAdmin {
			tx.MarkIgnored(m.Key())
			if err := s.learnIgnore(ctx, tx, m.TargetUser, 1); err != nil {
				return false, err
			}
		} else {
			tx.MarkUnknown(m.Key())
		}
		return false, tx.Commit(ctx)
	})
	if homeops.Changed[homeopsdb.BotMessage](err) { // answered meanwhile
		return nil
	}
	if err == nil && home.BotIsAdmin {
		s.env.Metrics.Count(homeops.CountIgnored, 1)
	}
	return err
}

// homeOf returns the household of a message's chat. A private chat belongs to none; its messages
// are seen, so they count as in a group of an administrator.
func (s *Service) homeOf(ctx context.Context, m homeopsdb.BotMessage) (households.Home, error) {
	home, err := s.households.ByChat(ctx, m.ChatID)
	if errors.Is(err, households.ErrNoHousehold) {
		home = households.Home{}
		home.BotIsAdmin = m.ChatID == households.MemberID(m.TargetUser)
		return home, nil
	}
	return home, err
}

// learnIgnore adds a sample of the ignore rate to a transaction.
func (s *Service) learnIgnore(ctx context.Context, tx *homeopsdb.Tx, userID int64, sample float64) error {
	p, err := s.households.Preferences(ctx, userID)
	if err != nil {
		return err
	}
	average := load.Average{Value: p.IgnoreRate, Samples: p.IgnoreSamples}.Add(sample, load.AlphaHabit)
	tx.LearnIgnoreRate(p.Key(), homeopsdb.LearnIgnoreRateParams{
		IgnoreRate: average.Value, IgnoreSamples: average.Samples, UpdatedAt: s.env.Now(), Version: p.Version,
	})
	return nil
}

// CloseDay learns how much a member wrote on a local day, once for each day; days without a message
// count too. Of a member of several households the first that closes the day counts.
func (s *Service) CloseDay(ctx context.Context, home households.Home, userID int64, day access.Date) error {
	days, err := s.env.DB.ListUserDays(home.HouseholdID, userID, day, day).Slice(ctx)
	if err != nil {
		return fmt.Errorf("read a day of a member: %w", err)
	}
	var messages int64
	for _, d := range days {
		messages += d.Messages
	}
	err = access.RetryOnConflict(ctx, func() (bool, error) {
		p, err := s.households.Preferences(ctx, userID)
		if err != nil {
			return false, err
		}
		if p.FrequencyDay != nil && *p.FrequencyDay >= day {
			return false, nil
		}
		average := load.Average{Value: p.InteractionFrequency, Samples: p.FrequencySamples}.Add(float64(messages), load.AlphaHabit)
		_, err = s.env.DB.LearnFrequency(ctx, p.Key(), homeopsdb.LearnFrequencyParams{
			InteractionFrequency: average.Value, FrequencySamples: average.Samples, FrequencyDay: &day, UpdatedAt: s.env.Now(),
			Version: p.Version, Day: day,
		})
		return homeops.Changed[homeopsdb.Preferences](err), err
	})
	if err != nil {
		return fmt.Errorf("close a day of a member: %w", err)
	}
	return nil
}

// ClarificationOpen reports whether a question of the bot can still be answered.
func ClarificationOpen(m homeopsdb.BotMessage, now time.Time) bool {
	return m.Kind == homeopsdb.BotMessageKindClarify && m.SentAt != nil && now.Sub(*m.SentAt) <= homeops.ClarifyLifetime &&
		m.Outcome != homeopsdb.BotMessageOutcomeAnswered
}
