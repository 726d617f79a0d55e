package conversation

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"sortkey.dev/access"
	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/ledger"
	"sortkey.dev/apps/homeops/policy"
	"sortkey.dev/apps/homeops/speech"
	"sortkey.dev/apps/homeops/understanding"
	"sortkey.dev/apps/internal/refusal"
)

// correct changes what was stored before. The entries that it is about are stored with the
// decision, as they were then, so that a repeated handler does not take others and changes none of
// them twice.
func (s *Service) correct(ctx context.Context, t *turn) error {
	c := t.meaning.Corrections[0]
	ids, err := s.targets(ctx, t)
	if err != nil {
		return err
	}
	if c.Kind == understanding.ChangeActivity && len(ids) > 1 {
		ids = nil // which of them?
	}
	targets, err := s.Ledger.Versions(ctx, t.home, ids)
	if err != nil {
		return err
	}
	if len(targets) == 0 {
		targets = ids // gone, and still what the correction is about
	}
	d := s.decision(t, homeopsdb.DecisionKindCorrection)
	d.Confidence, d.Rules, d.Surface = c.Confidence, rules(c.Reasons), optional(strings.Join(targets, " "))
	recorded, left, err := s.settle(ctx, t, d)
	if err != nil || !left {
		return err
	}
	targets = nil
	if recorded.Decision.Surface != nil {
		targets = strings.Fields(*recorded.Decision.Surface)
	}
	response := policy.Response{Home: t.home, Message: t.stored, Direct: true, Kind: homeopsdb.BotMessageKindCorrection}
	for _, target := range targets {
		text, err := s.correctOne(ctx, t, c, target, recorded.Repeated)
		if err != nil {
			return err
		}
		if text != "" {
			response.Meant, response.Text = true, text
		}
	}
	return s.respond(ctx, recorded, response)
}

// correctOne applies a correction to an entry, unless an attempt that crashed has done so: then the
// entry has another version or is gone. It returns what to say; "" if the entry is not the author's.
func (s *Service) correctOne(ctx context.Context, t *turn, c understanding.Correction, target string, repeated bool) (string, error) {
	id, _, versioned := strings.Cut(target, ledger.VersionMark)
	if repeated && versioned {
		now, err := s.Ledger.Versions(ctx, t.home, []string{id})
		if err != nil {
			return "", err
		}
		if len(now) == 0 || now[0] != target {
			return corrected(speech.In(t.home.Language()), c.Kind), nil
		}
	}
	err := s.applyCorrection(ctx, t, c, id)
	var refused *refusal.Error
	if errors.As(err, &refused) { // another's entry, or undone before
		return "", nil
	}
	return corrected(speech.In(t.home.Language()), c.Kind), err
}

// corrected returns what the bot says of a correction.
func corrected(book *speech.Phrasebook, kind understanding.CorrectionKind) string {
	if kind == understanding.Undo || kind == understanding.DenyAuthor {
		return book.Removed
	}
	return book.Changed
}

// targets returns the entries that a correction is about: those of the message that it replies to,
// or what its author said last. An edited correction is about the same ones as before: otherwise
// "undo" with another letter would take the next entry, too.
func (s *Service) targets(ctx context.Context, t *turn) ([]string, error) {
	if t.stored.Revision > 0 {
		before, err := s.earlierTargets(ctx, t)
		if err != nil || len(before) > 0 {
			return before, err
		}
	}
	r := t.message.ReplyToMessage
	if r == nil {
		return s.saidLast(ctx, t)
	}
	messageID := r.MessageID
	if s.repliesToBot(t.message) {
		said, ok, err := s.Policy.Find(ctx, t.home.ChatID, r.MessageID)
		if err != nil || !ok || said.SourceMessageID == nil {
			return nil, err
		}
		messageID = *said.SourceMessageID
	}
	return s.Ledger.ByMessage(ctx, t.home, t.stored.ChatID, messageID, "")
}

// earlierTargets returns the entries that an earlier revision of a correction was about; none if it was no
// correction.
func (s *Service) earlierTargets(ctx context.Context, t *turn) (ids []string, err error) {
	d, err := s.env.DB.GetDecision(ctx, t.stored.ChatID, t.stored.MessageID)
	if errors.Is(err, access.ErrNotFound) || err == nil && (d.Kind != homeopsdb.DecisionKindCorrection || d.Surface == nil) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read a decision: %w", err)
	}
	for _, target := range strings.Fields(*d.Surface) {
		id, _, _ := strings.Cut(target, ledger.VersionMark)
		ids = append(ids, id)
	}
	return ids, nil
}

// saidLast returns the entries of the author's last message that has some, among the last ones of
// the chat; otherwise the author's latest entry. What was said last may have taken place before
// other entries.
func (s *Service) saidLast(ctx context.Context, t *turn) ([]string, error) {
	latest, err := s.env.DB.ListLatestMessages(t.stored.ChatID).Slice(ctx)
	if err != nil {
		return nil, err
	}
	for _, m := range latest {
		if m.UserID != t.stored.UserID || m.MessageID >= t.stored.MessageID {
			continue
		}
		ids, err := s.Ledger.ByMessage(ctx, t.home, m.ChatID, m.MessageID, "")
		if err != nil || len(ids) > 0 {
			return ids, err
		}
	}
	id, err := s.Ledger.LatestOf(ctx, t.home, t.stored.UserID)
	return strings.Fields(id), err
}

func (s *Service) applyCorrection(ctx context.Context, t *turn, c understanding.Correction, id string) error {
	actor := t.stored.UserID
	switch c.Kind {
	case understanding.Undo, understanding.DenyAuthor:
		return s.Ledger.Undo(ctx, t.home, actor, id)
	case understanding.CreditPerson:
		to := households.UserID(c.Who.Member)
		if c.Who.Role == understanding.RoleAuthor {
			to = actor
		}
		paused, err := s.Households.IsPaused(ctx, to)
		if err != nil {
			return err
		}
		if paused { // nothing is recorded of them, and it was not the other one
			return s.Ledger.Undo(ctx, t.home, actor, id)
		}
		return s.Ledger.Credit(ctx, t.home, actor, id, to)
	case understanding.ChangeActivity:
		correction := ledger.Correction{Activity: homeops.ActivityKey(c.Activity, c.Name)}
		if d, ok := understanding.Lookup(c.Activity); ok {
			correction.Category = homeopsdb.EventCategory(d.Kind)
		}
		return s.Ledger.Correct(ctx, t.home, actor, id, correction)
	case understanding.ChangeEffort:
		return s.Ledger.Rate(ctx, t.home, actor, id, homeopsdb.EventEffort(c.Effort))
	}
	return refusal.New(refusal.Invalid, "", "This correction is not known.")
}

// request does what a member asks of the bot about themselves.
func (s *Service) request(ctx context.Context, t *turn) error {
	r := t.meaning.Requests[0]
	d := s.decision(t, homeopsdb.DecisionKindQuery)
	d.Confidence, d.Rules = r.Confidence, rules(r.Reasons)
	recorded, left, err := s.settle(ctx, t, d)
	if err != nil || !left {
		return err
	}
	response := policy.Response{Home: t.home, Message: t.stored, Direct: true, Kind: homeopsdb.BotMessageKindAnswer}
	if r.Confidence >= understanding.Clear {
		if response.Text, err = s.doRequest(ctx, t, r.Kind); err != nil {
			return err
		}
		response.Meant = response.Text != ""
	}
	return s.respond(ctx, recorded, response)
}

// doRequest carries out a request and returns what to say; "" for nothing.
func (s *Service) doRequest(ctx context.Context, t *turn, kind understanding.RequestKind) (string, error) {
	book, userID := speech.In(t.home.Language()), t.stored.UserID
	switch kind {
	case understanding.Pause:
		return book.Paused, s.Households.Pause(ctx, userID)
	case understanding.Resume:
		return book.Resumed, s.Households.Resume(ctx, userID)
	case understanding.Erase:
		return book.Erasing, s.Households.RequestErasure(ctx, userID)
	case understanding.Help:
		return book.Help, nil
	case understanding.Quiet:
		p, err := s.Households.Preferences(ctx, userID)
		if err != nil {
			return "", err
		}
		choices := households.ChoicesOf(p)
		choices.NeverAnswer = true
		_, err = s.Households.Choose(ctx, userID, choices)
		return book.Quieted, err
	case understanding.Summary: // always in private
		reason, err := s.Insights.Tell(ctx, t.home, userID, outKey(t, "summary"))
		if err == nil && reason == policy.NoChannel && s.StartLink != "" {
			first, err := s.Households.MarkInvited(ctx, userID)
			if err != nil || !first {
				return "", err
			}
			return book.Invite(s.StartLink), nil
		}
		return "", err
	}
	return "", nil
}

// question answers from the log, if the bot is asked.
func (s *Service) question(ctx context.Context, t *turn) error {
	q := t.meaning.Questions[0]
	key := homeops.ActivityKey(q.Activity, q.Name)
	d := s.decision(t, homeopsdb.DecisionKindQuery)
	d.Confidence, d.Rules, d.Activity = q.Confidence, rules(q.Reasons), optional(key)
	recorded, left, err := s.settle(ctx, t, d)
	if err != nil || !left {
		return err
	}
	text := ""
	if q.Confidence >= understanding.Clarify && key != "" {
		if text, err = s.answer(ctx, t, q, key); err != nil {
			return err
		}
	}
	return s.respond(ctx, recorded, policy.Response{
		Home: t.home, Message: t.stored, Meant: text != "", Direct: true, Kind: homeopsdb.BotMessageKindAnswer, Text: text, Activity: key,
	})
}

// answer returns one line from the log.
func (s *Service) answer(ctx context.Context, t *turn, q understanding.Question, key string) (string, error) {
	locale := t.home.Language()
	book, now := speech.In(locale), t.stored.Timestamp.In(t.home.Zone())
	name := speech.Activity(key, locale)
	of := int64(0)
	switch q.Who.Role {
	case understanding.RoleAuthor:
		of = t.stored.UserID
	case understanding.RoleMember:
		of = households.UserID(q.Who.Member)
	}
	if q.Kind == understanding.HowOften {
		n, err := s.Ledger.CountOf(ctx, t.home, of, key, now)
		if of == 0 {
			return book.Total(name, n), err
		}
		return book.Count(t.home.NameOf(of), name, n), err
	}
	if of != 0 {
		last, ok, err := s.Ledger.LastOf(ctx, t.home, of, key)
		if err != nil || !ok {
			return book.LastNone(name), err
		}
		return book.Last(last.Name, speech.Past(key, locale), last.At, now), nil
	}
	facts, err := s.Ledger.Last(ctx, t.home, key)
	if err != nil || len(facts) == 0 {
		return book.LastNone(name), err
	}
	return book.Last(facts[0].Name, speech.Past(key, locale), facts[0].At, now), nil
}

// maxFacts is the number of lines about a dispute.
const maxFacts = 3

// dispute answers a disagreement with lines of the log and nothing else: only if the classifier is
// very sure, two members are talking, and the log has something.
func (s *Service) dispute(ctx context.Context, t *turn) error {
	dispute := t.meaning.Disputes[0]
	key := homeops.ActivityKey(dispute.Activity, dispute.Name)
	d := s.decision(t, homeopsdb.DecisionKindDispute)
	d.Confidence, d.Rules, d.Activity = dispute.Confidence, rules(dispute.Reasons), optional(key)
	recorded, left, err := s.settle(ctx, t, d)
	if err != nil || !left {
		return err
	}
	text := ""
	if dispute.Confidence >= homeops.DisputeThreshold && dispute.Activity != understanding.Free {
		if text, err = s.facts(ctx, t, key); err != nil {
			return err
		}
	}
	return s.respond(ctx, recorded, policy.Response{
		Home: t.home, Message: t.stored, Meant: text != "", Kind: homeopsdb.BotMessageKindDispute, Text: text, MaxLines: maxFacts, Activity: key,
	})
}

// facts returns the last lines of the log about an activity; "" if one member talks alone or there
// are none.
func (s *Service) facts(ctx context.Context, t *turn, key string) (string, error) {
	latest, err := s.env.DB.ListLatestMessages(t.stored.ChatID).Slice(ctx)
	if err != nil {
		return "", err
	}
	others := false
	for _, m := range latest {
		_, member := t.home.Member(m.UserID)
		others = others || member && m.UserID != t.stored.UserID && t.stored.Timestamp.Sub(m.Timestamp).Abs() <= homeops.LateAfter
	}
	found, err := s.Ledger.Last(ctx, t.home, key)
	if err != nil || !others {
		return "", err
	}
	locale := t.home.Language()
	var lines []string
	for _, f := range found[:min(len(found), maxFacts)] {
		lines = append(lines, speech.In(locale).Fact(f.Name, speech.Activity(f.Activity, locale), f.At, t.stored.Timestamp.In(t.home.Zone())))
	}
	return strings.Join(lines, "\n"), nil
}
