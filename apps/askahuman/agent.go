package askahuman

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman/askahumandb"
)

// Agent checks who asks: an id that has a key needs it, and a banned one is refused.
// An id that was never seen is as good as any, and nothing is stored of it before it asks
// or takes a key: names cost nothing, and saying one must not fill the tables. Without an id
// the key says who asks.
func (s *Service) Agent(ctx context.Context, id, key string) (askahumandb.Agent, error) {
	agent, err := s.agent(ctx, id, key)
	switch {
	case err != nil:
		return askahumandb.Agent{}, err
	case agent.KeyHash != nil && subtle.ConstantTimeCompare([]byte(*agent.KeyHash), []byte(s.agentKeyHash(key))) != 1:
		return askahumandb.Agent{}, ErrUnauthorized
	case agent.Standing == askahumandb.AgentStandingBanned:
		return askahumandb.Agent{}, ErrBanned
	}
	return agent, nil
}

// agent returns the agent a caller says to be.
func (s *Service) agent(ctx context.Context, id, key string) (askahumandb.Agent, error) {
	if id == "" && key != "" {
		agent, err := s.db.FindAgentByKey(s.agentKeyHash(key)).First(ctx)
		if errors.Is(err, access.ErrNotFound) {
			return agent, ErrUnauthorized
		}
		return agent, err
	}
	if err := checkAgentID(id); err != nil {
		return askahumandb.Agent{}, err
	}
	agent, err := s.db.GetAgent(ctx, id)
	if errors.Is(err, access.ErrNotFound) {
		return s.newAgent(id), nil
	}
	return agent, err
}

// newAgent returns an agent that nobody has heard of.
func (s *Service) newAgent(id string) askahumandb.Agent {
	now := s.Now()
	return askahumandb.Agent{AgentID: id, Standing: askahumandb.AgentStandingGood, CreatedAt: now, UpdatedAt: now}
}

// registered makes an agent, unless somebody else just did.
func (s *Service) registered(ctx context.Context, id string) (askahumandb.Agent, error) {
	agent, err := s.db.RegisterAgent(ctx, s.newAgent(id))
	if errors.Is(err, access.ErrExists) {
		return s.db.GetAgent(ctx, id)
	}
	return agent, err
}

// ProtectAgent gives an agent a key, once; from then on its id needs it. A new key
// replaces the old one, which has to be given.
func (s *Service) ProtectAgent(ctx context.Context, id, oldKey string) (key string, err error) {
	if err := checkAgentID(id); err != nil {
		return "", err
	}
	agent, err := s.Agent(ctx, id, oldKey)
	if err != nil {
		return "", err
	}
	key = newAgentKey()
	hash := s.agentKeyHash(key)
	if agent.KeyHash == nil {
		if _, err := s.registered(ctx, id); err != nil {
			return "", err
		}
		_, err = s.db.SetAgentKey(ctx, agent.Key(), &hash, askahumandb.SetAgentKeyParams{UpdatedAt: s.Now()})
	} else {
		_, err = s.db.ReplaceAgentKey(ctx, agent.Key(), &hash, askahumandb.ReplaceAgentKeyParams{UpdatedAt: s.Now(), OldKeyHash: *agent.KeyHash})
	}
	switch {
	case changedMeanwhile[askahumandb.Agent](err): // somebody else just got a key, which this caller does not have
		return "", ErrUnauthorized
	case err != nil:
		return "", err
	}
	return key, nil
}

// newAgentKey returns an unguessable key. Its beginning tells people who find one what it
// is.
func newAgentKey() string {
	var random [24]byte
	_, _ = rand.Read(random[:]) // never fails; crypto/rand ends the program instead
	return "aah_" + base64.RawURLEncoding.EncodeToString(random[:])
}

func (s *Service) agentKeyHash(key string) string { return s.box.Hash("agent key", key) }

// CallbackSecret verifies what is sent to the callback URL of an agent's questions. It has
// the form that libraries for Standard Webhooks take. A new key of the agent makes a new
// one: who used the name before cannot pretend to be us.
func (s *Service) CallbackSecret(ctx context.Context, agentID string) (string, error) {
	agent, err := s.db.GetAgent(ctx, agentID)
	if err != nil && !errors.Is(err, access.ErrNotFound) {
		return "", fmt.Errorf("read agent %s: %w", agentID, err)
	}
	purpose := "callback " + agentID
	if agent.KeyHash != nil {
		purpose += "#" + *agent.KeyHash // no name has a # in it
	}
	return "whsec_" + base64.StdEncoding.EncodeToString(s.box.Key(purpose, 32)), nil
}
