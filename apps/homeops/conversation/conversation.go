// Package conversation is the room between what members write and what the household remembers: it
// has a message classified, and logs, promises, corrects, answers or stays silent. Each message is
// handled once; a handler that runs again after a crash repeats nothing: the decision about the
// message is stored with everything that is logged, what follows from it can be repeated, and the
// response is decided last. It sends nothing. The worker calls it with messages that package
// ingest stored.
package conversation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"sortkey.dev/access"
	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/insights"
	"sortkey.dev/apps/homeops/ledger"
	"sortkey.dev/apps/homeops/policy"
	"sortkey.dev/apps/homeops/promises"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/homeops/understanding"
	"sortkey.dev/apps/homeops/vocabulary"
)

// Rooms are the rooms that a conversation leads to.
type Rooms struct {
	Households *households.Service
	Vocabulary *vocabulary.Service
	Ledger     *ledger.Service
	Policy     *policy.Service
	Insights   *insights.Service
}

// Options configures a Service. Classifier is required.
type Options struct {
	// Classifier understands messages; Model those of households that allow it, if it is set.
	Classifier, Model understanding.Classifier
	// Bot is the account of the bot.
	Bot telegram.User
	// SignInLink returns the link of a token that signs a member in; nil if there are no pages.
	SignInLink func(token string) string
	// StartLink is the link to the private chat with the bot; "" if there is none.
	StartLink string
}

// A Service handles messages. It is safe for concurrent use.
type Service struct {
	Rooms
	Options
	env *homeops.Env
}

// New returns the room of an environment.
func New(env *homeops.Env, rooms Rooms, options Options) (*Service, error) {
	if options.Classifier == nil {
		return nil, errors.New("conversation: a classifier is required")
	}
	return &Service{Rooms: rooms, Options: options, env: env}, nil
}

// A turn is a message while it is handled.
type turn struct {
	home      households.Home
	stored    homeopsdb.Message
	message   telegram.Message
	addressed bool
	meaning   understanding.Meaning
}

// Handle understands a stored message and does what follows from it.
func (s *Service) Handle(ctx context.Context, ref homeops.MessageRef) error {
	stored, err := s.env.DB.GetMessage(ctx, ref.ChatID, ref.MessageID)
	if errors.Is(err, access.ErrNotFound) { // erased or expired
		return nil
	}
	if err != nil {
		return fmt.Errorf("read a message: %w", err)
	}
	t := &turn{stored: stored}
	if err := json.Unmarshal([]byte(stored.Raw), &t.message); err != nil {
		return fmt.Errorf("decode message %d: %w", stored.MessageID, err)
	}
	if t.message.Chat.Type == telegram.Private {
		return s.private(ctx, t)
	}
	t.home, err = s.Households.ByChat(ctx, stored.ChatID)
	if errors.Is(err, households.ErrNoHousehold) {
		return nil
	}
	if err != nil {
		return err
	}
	if _, ok := t.home.Member(stored.UserID); !ok { // left meanwhile
		return nil
	}
	return s.group(ctx, t)
}

// group handles a message of a group.
func (s *Service) group(ctx context.Context, t *turn) error {
	t.addressed = s.isAddressed(t.message)
	if s.repliesToBot(t.message) {
		handled, err := s.reply(ctx, t)
		if err != nil || handled {
			return err
		}
	}
	if err := s.classify(ctx, t); err != nil {
		return err
	}
	switch {
	case len(t.meaning.Corrections) > 0 && (t.message.ReplyToMessage != nil || t.addressed) && t.meaning.Corrections[0].Confidence >= homeops.ReferThreshold:
		return s.correct(ctx, t)
	case len(t.meaning.Requests) > 0 && (t.addressed || pauses(t.meaning.Requests[0])):
		return s.request(ctx, t)
	case len(t.meaning.Questions) > 0 && t.addressed:
		return s.question(ctx, t)
	case len(t.meaning.Disputes) > 0 && len(t.meaning.Activities) == 0:
		return s.dispute(ctx, t)
	}
	return s.log(ctx, t)
}

// pauses reports whether a request clearly asks not to be recorded, which needs no address.
func pauses(r understanding.Request) bool {
	return r.Kind == understanding.Pause && r.Confidence >= understanding.Clear
}

// log stores the activities and promises of a message and acknowledges or asks.
func (s *Service) log(ctx context.Context, t *turn) error {
	statement := ledger.Statement{Home: t.home, Message: t.stored, Decision: s.decision(t, homeopsdb.DecisionKindNone)}
	response := policy.Response{Home: t.home, Message: t.stored, Addressed: t.addressed, Confidence: 1}
	if err := s.activities(ctx, t, &statement, &response); err != nil {
		return err
	}
	commitments(t, &statement)
	recorded, err := s.Ledger.Record(ctx, statement)
	if err != nil {
		return err
	}
	return s.respond(ctx, recorded, response)
}

// activities adds what a message says was done. The least certain activity decides the response. An
// activity below the threshold of questions is not logged; the bot may ask about it if there is
// nothing else and it is addressed.
func (s *Service) activities(ctx context.Context, t *turn, statement *ledger.Statement, response *policy.Response) error {
	about := func(a understanding.Activity, key string) {
		response.Meant, response.Confidence, response.Activity, response.Surface = true, a.Confidence, key, a.Surface
		statement.Decision.Activity, statement.Decision.Surface = &key, optional(a.Surface)
		statement.Decision.Confidence, statement.Decision.Rules = a.Confidence, rules(a.Reasons)
	}
	for _, a := range t.meaning.Activities {
		if a.Confidence < understanding.Clarify {
			continue
		}
		key := homeops.ActivityKey(a.Activity, a.Name)
		entry, ok, err := s.entry(ctx, t, a, key)
		if err != nil {
			return err
		}
		if !ok || len(statement.Entries) == homeops.MaxActivities {
			continue
		}
		statement.Entries = append(statement.Entries, entry)
		if !response.Meant || a.Confidence < response.Confidence {
			about(a, key)
			statement.Decision.Kind = homeopsdb.DecisionKind(a.Kind)
			statement.Decision.Effort = new(homeopsdb.DecisionEffort(entry.Effort))
		}
	}
	for _, a := range t.meaning.Activities {
		if key := homeops.ActivityKey(a.Activity, a.Name); a.Confidence < understanding.Clarify && key != "" && !response.Meant {
			about(a, key)
		}
	}
	return nil
}

// commitments adds what a message promises.
func commitments(t *turn, statement *ledger.Statement) {
	numbers := make(map[string]int)
	for _, p := range t.meaning.Promises {
		if p.Confidence < understanding.Clear {
			continue
		}
		key := homeops.ActivityKey(p.Activity, p.Name)
		statement.Commitments = append(statement.Commitments, promises.Commitment{
			UserID: t.stored.UserID, Activity: key, Description: homeops.Shorten(t.stored.Text, 200), Deadline: p.Deadline, Number: numbers[key],
		})
		numbers[key]++
		if len(statement.Entries) == 0 {
			statement.Decision.Kind, statement.Decision.Activity = homeopsdb.DecisionKindPromise, &key
			statement.Decision.Confidence, statement.Decision.Rules = p.Confidence, rules(p.Reasons)
		}
	}
}

// respond decides about the response unless that was done before.
func (s *Service) respond(ctx context.Context, recorded ledger.Recorded, r policy.Response) error {
	if recorded.Decision.Reason != nil || r.Message.Revision > 0 && recorded.Decision.Revision > 0 && recorded.Repeated {
		return nil
	}
	_, err := s.Policy.Respond(ctx, r)
	return err
}

// entry returns what is logged for an activity; ok is false if it is of no member who is recorded.
func (s *Service) entry(ctx context.Context, t *turn, a understanding.Activity, key string) (e ledger.Entry, ok bool, err error) {
	e = ledger.Entry{
		Activity: key, Category: homeopsdb.EventCategory(a.Kind), Description: a.Span.In(t.stored.Text), Effort: homeopsdb.EventEffort(a.Effort),
		Confidence: a.Confidence, At: a.When.At, UserID: t.stored.UserID,
	}
	if e.Description == "" {
		e.Description = a.Surface
	}
	if e.At.IsZero() || e.At.After(t.stored.Timestamp) {
		e.At = t.stored.Timestamp
	}
	switch a.Who.Role {
	case understanding.RoleAuthor, understanding.RoleWe, "":
	case understanding.RoleMember:
		e.UserID = households.UserID(a.Who.Member)
		paused, err := s.Households.IsPaused(ctx, e.UserID)
		if err != nil || paused {
			return e, false, err
		}
	default:
		return e, false, nil
	}
	member, ok := t.home.Member(e.UserID)
	e.UserName = member.DisplayName
	return e, ok && key != "" && e.Category.Valid() && e.Effort.Valid(), nil
}

// decision returns the parts of a decision that every message has.
func (s *Service) decision(t *turn, kind homeopsdb.DecisionKind) homeopsdb.Decision {
	return homeopsdb.Decision{
		Kind: kind, Model: t.meaning.Classifier, TokensIn: int64(t.meaning.Usage.PromptTokens), TokensOut: int64(t.meaning.Usage.CompletionTokens),
	}
}

// settle records a message that logs nothing, and returns whether something is left to do.
func (s *Service) settle(ctx context.Context, t *turn, d homeopsdb.Decision) (ledger.Recorded, bool, error) {
	recorded, err := s.Ledger.Record(ctx, ledger.Statement{Home: t.home, Message: t.stored, Decision: d})
	return recorded, err == nil && recorded.Decision.Reason == nil, err
}

func rules(reasons []understanding.Reason) string {
	var names []string
	for _, r := range reasons {
		names = append(names, r.Rule)
	}
	return homeops.Shorten(strings.Join(names, " "), 500)
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
