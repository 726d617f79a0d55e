package operators

import (
	"context"
	"errors"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/refusal"
)

var (
	errNoStanding = refusal.OfField(refusal.Field{Name: "standing", Constraint: "allowed"}, "There is no such status.")
	errNoAgent    = refusal.New(refusal.NotFound, "", "There is no such agent.")
	errNoPerson   = refusal.OfField(refusal.Field{Name: "person", Constraint: "required"}, "Say which person.")
)

// SetModerationStatus bans a person, shadow bans them, or lifts a ban. A person who has
// never answered can be banned, too. Banned people get no notifications.
func (s *Service) SetModerationStatus(ctx context.Context, operator, personHash string, status askahumandb.UserStatsStanding) error {
	switch {
	case !status.Valid():
		return errNoStanding
	case personHash == "":
		return errNoPerson
	}
	err := access.RetryOnConflict(ctx, func() (bool, error) {
		stats, err := s.people.Ensure(ctx, personHash)
		if err != nil || stats.Standing == status {
			return false, err
		}
		step := s.moderationStep(operator, stats, status)
		shadow := status != askahumandb.UserStatsStandingGood && stats.Standing == askahumandb.UserStatsStandingGood
		if shadow || stats.Standing != askahumandb.UserStatsStandingGood && status == askahumandb.UserStatsStandingGood {
			if err := s.people.ShadowPlaces(ctx, step, personHash, shadow); err != nil {
				return false, err
			}
		}
		err = step.Commit(ctx)
		// Read once more: a ban becomes a shadow ban in two steps.
		return err == nil || askahuman.Changed[askahumandb.UserStats](err), err
	})
	if err != nil || status != askahumandb.UserStatsStandingBanned {
		return err
	}
	// Banned people cannot subscribe, so ended subscriptions stay ended.
	for _, key := range s.env.SubscriptionKeys(askahuman.Person{Hash: personHash}) {
		if err := s.notices.EndSubscription(ctx, key, askahumandb.SubscriptionEndedBanned); err != nil {
			return err
		}
	}
	return nil
}

// moderationStep returns the transaction that brings a person nearer to a moderation
// status.
func (s *Service) moderationStep(operator string, stats askahumandb.UserStats, status askahumandb.UserStatsStanding) *askahumandb.Tx {
	now, tx := s.env.Now(), s.env.DB.Tx()
	action := ""
	switch {
	case status == askahumandb.UserStatsStandingBanned:
		action = "ban person"
		tx.Ban(stats.Key(), askahumandb.BanParams{UpdatedAt: now, Version: stats.Version})
	case status == askahumandb.UserStatsStandingShadowBanned && stats.Standing == askahumandb.UserStatsStandingGood:
		action = "shadow-ban person"
		tx.ShadowBan(stats.Key(), askahumandb.ShadowBanParams{UpdatedAt: now, Version: stats.Version})
	default:
		action = "pardon person"
		tx.Pardon(stats.Key(), askahumandb.PardonParams{UpdatedAt: now, Version: stats.Version})
	}
	s.env.RecordAudit(tx, operator, action, stats.FingerprintHash)
	return tx
}

// SetAgentModerationStatus bans an agent or lifts a ban. The agent's questions stay as they are;
// ChangeOfAgent changes them.
func (s *Service) SetAgentModerationStatus(ctx context.Context, operator, agentID string, status askahumandb.AgentStanding) error {
	if !status.Valid() {
		return errNoStanding
	}
	if err := questions.CheckAgentID(agentID); err != nil {
		return err
	}
	return access.RetryOnConflict(ctx, func() (bool, error) {
		agent, err := s.env.DB.GetAgent(ctx, agentID)
		switch {
		case errors.Is(err, access.ErrNotFound):
			return false, errNoAgent
		case err != nil || agent.Standing == status:
			return false, err
		}
		now, tx := s.env.Now(), s.env.DB.Tx()
		action := "ban agent"
		if status == askahumandb.AgentStandingBanned {
			tx.BanAgent(agent.Key(), askahumandb.BanAgentParams{UpdatedAt: now})
		} else {
			action = "pardon agent"
			tx.PardonAgent(agent.Key(), askahumandb.PardonAgentParams{UpdatedAt: now})
		}
		s.env.RecordAudit(tx, operator, action, agentID)
		err = tx.Commit(ctx)
		return askahuman.Changed[askahumandb.Agent](err), err
	})
}
