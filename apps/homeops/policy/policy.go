// Package policy is the room that decides whether the bot speaks: the response policy in its order
// with a stored reason, the budgets of a group and of a member, the private channel, and what is
// learned from messages that are answered or ignored. A budget is taken in the transaction that
// plans the message, so that two workers cannot both speak. The package sends nothing: a job of
// the worker does. Packages conversation, planner and insights call it.
package policy

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/speech"
)

// A Service has the rules of speaking. It is safe for concurrent use.
type Service struct {
	env        *homeops.Env
	households *households.Service
}

// New returns the room of an environment.
func New(env *homeops.Env, households *households.Service) *Service {
	return &Service{env: env, households: households}
}

// A Response is something that the bot could say about a message.
type Response struct {
	Home       households.Home
	Message    homeopsdb.Message
	Meant      bool
	Addressed  bool
	Direct     bool
	Kind       Kind // "" for a log
	Text       string
	MaxLines   int
	Confidence float64
	Activity   string // as it is stored
	Surface    string // the words that named it
}

// Respond decides about the response to a message, once: it stores the reason with the decision
// about the message, and if the bot speaks, takes one of the day's turns and queues the message in
// the same transaction. Calls after the first return the first verdict without its text.
func (s *Service) Respond(ctx context.Context, r Response) (Verdict, error) {
	d, err := s.env.DB.GetDecision(ctx, r.Message.ChatID, r.Message.MessageID)
	if err != nil {
		return Verdict{}, fmt.Errorf("read a decision: %w", err)
	}
	if d.Reason != nil {
		return Verdict{Speak: d.Spoke != nil && *d.Spoke, Reason: Reason(*d.Reason)}, nil
	}
	situation, err := s.situation(ctx, r)
	if err != nil {
		return Verdict{}, err
	}
	verdict := Decide(situation)
	if verdict.Speak {
		err := s.speak(ctx, r, verdict)
		switch {
		case err == nil:
			return verdict, nil
		case homeops.Changed[homeopsdb.ChatDay](err):
			verdict = Verdict{Reason: DailyCap, Kind: verdict.Kind}
		case homeops.Changed[homeopsdb.ChatTurn](err):
			verdict = Verdict{Reason: Cooldown, Kind: verdict.Kind}
		case homeops.Changed[homeopsdb.Decision](err): // another worker decided meanwhile
			return s.Respond(ctx, r)
		default:
			return Verdict{}, fmt.Errorf("plan a response: %w", err)
		}
	}
	_, err = s.env.DB.RecordResponse(ctx, d.Key(), homeopsdb.RecordResponseParams{Spoke: new(false), Reason: new(string(verdict.Reason))})
	if homeops.Changed[homeopsdb.Decision](err) {
		return s.Respond(ctx, r)
	}
	if err != nil {
		return Verdict{}, fmt.Errorf("store the reason of silence: %w", err)
	}
	return verdict, nil
}

// situation reads what the decision depends on. Times are those of the message, so that a delayed
// worker decides as a fast one.
func (s *Service) situation(ctx context.Context, r Response) (Situation, error) {
	home, at := r.Home, r.Message.Timestamp
	st := Situation{
		Meant: r.Meant, SaidAt: at, Now: s.env.Now(), Zone: home.Zone(), Quiet: home.Quiet(), DailyCap: int(home.DailyCap),
		Cooldown: home.Cooldown(), Addressed: r.Addressed, Direct: r.Direct, Kind: r.Kind, Confidence: r.Confidence,
		Text: r.Text, MaxLines: r.MaxLines, Activity: speech.Activity(r.Activity, home.Language()), Book: speech.In(home.Language()), Names: home.Names(),
	}
	if !r.Meant {
		return st, nil
	}
	day, err := s.env.DB.GetChatDay(ctx, home.ChatID, homeops.Day(at, home.Zone()))
	if err != nil && !errors.Is(err, access.ErrNotFound) {
		return st, fmt.Errorf("read the day of a chat: %w", err)
	}
	st.Responses = int(day.Responses)
	turn, err := s.env.DB.GetChatTurn(ctx, home.ChatID)
	if err != nil && !errors.Is(err, access.ErrNotFound) {
		return st, fmt.Errorf("read the last turn in a chat: %w", err)
	}
	st.LastSpoke = turn.LastResponseAt
	latest, err := s.env.DB.ListLatestMessages(r.Message.ChatID).Slice(ctx)
	if err != nil {
		return st, fmt.Errorf("read the latest messages: %w", err)
	}
	for _, m := range latest {
		if apart := at.Sub(m.Timestamp).Abs(); m.UserID != r.Message.UserID && apart <= homeops.FastWindow {
			st.Others++
		}
	}
	p, err := s.households.Preferences(ctx, r.Message.UserID)
	if err != nil {
		return st, err
	}
	st.Ignored, st.IgnoredN, st.Frequency, st.FrequencyN = p.IgnoreRate, p.IgnoreSamples, p.InteractionFrequency, p.FrequencySamples
	st.Never = p.ResponseTimingPref == homeopsdb.PreferencesResponseTimingPrefNever
	return st, nil
}

// speak takes a turn and queues the message.
func (s *Service) speak(ctx context.Context, r Response, v Verdict) error {
	home, at := r.Home, r.Message.Timestamp
	out := homeopsdb.BotMessage{
		ChatID: home.ChatID, OutKey: strconv.FormatInt(r.Message.MessageID, 10) + "-" + string(v.Kind), Kind: v.Kind,
		Style: s.style(home, v.Kind), Text: v.Text, TargetUser: r.Message.UserID, SourceMessageID: &r.Message.MessageID,
		Activity: optional(r.Activity), Surface: optional(r.Surface),
	}
	tx := s.env.DB.Tx()
	turn := homeopsdb.TakeTurnParams{
		ChatID: home.ChatID, Day: homeops.Day(at, home.Zone()), ExpiresAt: at.Add(homeops.KeepCounters), Cap: home.DailyCap,
		LastResponseAt: at, Before: at.Add(-home.Cooldown()),
	}
	if r.Direct {
		turn.Cap, turn.Before = 1<<40, at.Add(365*24*time.Hour)
	}
	tx.TakeTurn(turn)
	tx.RecordResponse(homeopsdb.DecisionKey{ChatID: r.Message.ChatID, MessageID: r.Message.MessageID},
		homeopsdb.RecordResponseParams{Spoke: new(true), Reason: new(string(v.Reason))})
	if err := s.plan(tx, out); err != nil {
		return err
	}
	err := tx.Commit(ctx)
	if err == nil {
		switch v.Kind {
		case homeopsdb.BotMessageKindAck:
			s.env.Metrics.Count(homeops.CountAcks, 1)
		case homeopsdb.BotMessageKindClarify:
			s.env.Metrics.Count(homeops.CountClarifications, 1)
		}
	}
	return err
}

// style returns how a message is shown: an acknowledgement is a reaction unless the household wants
// text, and a clarification is seen by its author only if Telegram allows it.
func (s *Service) style(home households.Home, kind Kind) homeopsdb.BotMessageStyle {
	switch {
	case kind == homeopsdb.BotMessageKindAck && home.Acknowledge == homeopsdb.HouseholdAcknowledgeReaction:
		return homeopsdb.BotMessageStyleReaction
	case kind == homeopsdb.BotMessageKindClarify && home.BotIsAdmin:
		return homeopsdb.BotMessageStyleEphemeral
	}
	return homeopsdb.BotMessageStyleText
}

// plan adds a message of the bot and the job that sends it to a transaction.
func (s *Service) plan(tx *homeopsdb.Tx, out homeopsdb.BotMessage) error {
	out.CreatedAt = s.env.Now()
	out.ExpiresAt = out.CreatedAt.Add(homeops.KeepBotMessages)
	tx.PlanBotMessage(out)
	return s.env.Jobs.AddTo(tx, homeops.SendJob(out.ChatID, out.OutKey))
}

// A Proposal is a message to a group that no member asked for.
type Proposal struct {
	Home     households.Home
	OutKey   string // why it is sent; a proposal of one key is sent once
	Kind     Kind
	Text     string
	UserID   int64 // whom it concerns
	Activity string
	Also     func(access.Tx) // further writes of the transaction; nil if there are none
}

// Propose sends an unasked message to a group if the quiet hours, the cooldown and the budget of
// the day allow it, and returns the reason.
func (s *Service) Propose(ctx context.Context, p Proposal) (Reason, error) {
	now, home := s.env.Now(), p.Home
	switch {
	case home.Quiet().Contains(now.In(home.Zone())):
		return QuietHours, nil
	case speech.Check(p.Text, 1, home.Names()) != "":
		return Tone, nil
	}
	tx := s.env.DB.Tx()
	tx.TakeProactiveTurn(homeopsdb.TakeProactiveTurnParams{
		ChatID: home.ChatID, Day: homeops.Day(now, home.Zone()), ExpiresAt: now.Add(homeops.KeepCounters),
		Cap: homeops.ProactivePerDay, LastResponseAt: now, Before: now.Add(-home.Cooldown()),
	})
	if err := s.plan(tx, homeopsdb.BotMessage{
		ChatID: home.ChatID, OutKey: p.OutKey, Kind: p.Kind, Style: homeopsdb.BotMessageStyleText, Text: p.Text,
		TargetUser: p.UserID, Activity: optional(p.Activity),
	}); err != nil {
		return "", err
	}
	if p.Also != nil {
		p.Also(tx)
	}
	return s.outcome(tx.Commit(ctx))
}

// outcome translates the failure of a transaction that takes a budget into the reason of silence.
func (s *Service) outcome(err error) (Reason, error) {
	switch {
	case err == nil:
		return Spoke, nil
	case errors.Is(err, access.ErrExists): // it was said before
		return None, nil
	case homeops.Changed[homeopsdb.ChatDay](err), homeops.Changed[homeopsdb.UserWeek](err):
		return DailyCap, nil
	case homeops.Changed[homeopsdb.ChatTurn](err):
		return Cooldown, nil
	case homeops.Changed[homeopsdb.Promise](err), homeops.Changed[homeopsdb.Summary](err):
		return None, nil
	}
	return "", fmt.Errorf("plan a message: %w", err)
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// Announce tells a group once what the bot keeps and how to stop it. No budget applies: people must
// know it before anything else.
func (s *Service) Announce(ctx context.Context, home households.Home, userID int64) error {
	tx := s.env.DB.Tx()
	if err := s.plan(tx, homeopsdb.BotMessage{
		ChatID: home.ChatID, OutKey: "joined", Kind: homeopsdb.BotMessageKindWelcome, Style: homeopsdb.BotMessageStyleText,
		Text: speech.In(home.Language()).Joined, TargetUser: userID,
	}); err != nil {
		return err
	}
	if err := tx.Commit(ctx); err != nil && !errors.Is(err, access.ErrExists) {
		return fmt.Errorf("announce the bot: %w", err)
	}
	return nil
}
