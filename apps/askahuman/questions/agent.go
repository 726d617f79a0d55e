package questions

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
)

// Agent authenticates an agent: an id that has a key requires it, and a banned agent is
// refused. An unknown id is accepted, and nothing is stored about it before it asks or takes
// a key, so that calls with random ids cannot fill the tables. Without an id, the key
// identifies the agent.
func (s *Service) Agent(ctx context.Context, id, key string) (askahumandb.Agent, error) {
	agent, err := s.agent(ctx, id, key)
	switch {
	case err != nil:
		return askahumandb.Agent{}, err
	case agent.KeyHash != nil && subtle.ConstantTimeCompare([]byte(*agent.KeyHash), []byte(s.agentKeyHash(key))) != 1:
		return askahumandb.Agent{}, askahuman.ErrUnauthorized
	case agent.Standing == askahumandb.AgentStandingBanned:
		return askahumandb.Agent{}, askahuman.ErrBanned
	}
	return agent, nil
}

// agent returns the agent with an id or a key.
func (s *Service) agent(ctx context.Context, id, key string) (askahumandb.Agent, error) {
	if id == "" && key != "" {
		agent, err := s.env.DB.FindAgentByKey(s.agentKeyHash(key)).First(ctx)
		if errors.Is(err, access.ErrNotFound) {
			return agent, askahuman.ErrUnauthorized
		}
		return agent, err
	}
	if err := CheckAgentID(id); err != nil {
		return askahumandb.Agent{}, err
	}
	agent, err := s.env.DB.GetAgent(ctx, id)
	if errors.Is(err, access.ErrNotFound) {
		return s.newAgent(id), nil
	}
	return agent, err
}

// FindAgent returns what is stored about an agent, without authentication. An agent that has
// not asked and has no key is not known.
func (s *Service) FindAgent(ctx context.Context, id string) (_ askahumandb.Agent, known bool, err error) {
	agent, err := s.env.DB.GetAgent(ctx, id)
	if errors.Is(err, access.ErrNotFound) {
		return askahumandb.Agent{AgentID: id}, false, nil
	}
	return agent, err == nil, err
}

// newAgent returns a new agent, not yet stored.
func (s *Service) newAgent(id string) askahumandb.Agent {
	now := s.env.Now()
	return askahumandb.Agent{AgentID: id, Standing: askahumandb.AgentStandingGood, CreatedAt: now, UpdatedAt: now}
}

// registered stores a new agent, or reads it if another call has just stored it.
func (s *Service) registered(ctx context.Context, id string) (askahumandb.Agent, error) {
	agent, err := s.env.DB.RegisterAgent(ctx, s.newAgent(id))
	if errors.Is(err, access.ErrExists) {
		return s.env.DB.GetAgent(ctx, id)
	}
	return agent, err
}

// ProtectAgent creates the agent's key. From then on its id requires the key. A new key
// replaces the old one, which must be passed.
func (s *Service) ProtectAgent(ctx context.Context, id, oldKey string) (key string, err error) {
	if err := CheckAgentID(id); err != nil {
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
		_, err = s.env.DB.SetAgentKey(ctx, agent.Key(), &hash, askahumandb.SetAgentKeyParams{UpdatedAt: s.env.Now()})
	} else {
		_, err = s.env.DB.ReplaceAgentKey(ctx, agent.Key(), &hash, askahumandb.ReplaceAgentKeyParams{UpdatedAt: s.env.Now(), OldKeyHash: *agent.KeyHash})
	}
	switch {
	case askahuman.Changed[askahumandb.Agent](err): // a concurrent call created a key, which this caller does not have
		return "", askahuman.ErrUnauthorized
	case err != nil:
		return "", err
	}
	return key, nil
}

// newAgentKey returns an unguessable key. Its prefix tells people who find one what it is.
func newAgentKey() string {
	var random [24]byte
	_, _ = rand.Read(random[:]) // never fails; crypto/rand ends the program instead
	return "aah_" + base64.RawURLEncoding.EncodeToString(random[:])
}

func (s *Service) agentKeyHash(key string) string { return s.env.Box.Hash("agent key", key) }

// CallbackSecret returns the secret that verifies deliveries to the callback URL of an
// agent's questions, in the form that libraries for Standard Webhooks take. A new key of the
// agent changes the secret, so that a previous user of the id cannot forge deliveries.
func (s *Service) CallbackSecret(ctx context.Context, agentID string) (string, error) {
	agent, err := s.env.DB.GetAgent(ctx, agentID)
	if err != nil && !errors.Is(err, access.ErrNotFound) {
		return "", fmt.Errorf("read agent %s: %w", agentID, err)
	}
	purpose := "callback " + agentID
	if agent.KeyHash != nil {
		purpose += "#" + *agent.KeyHash // no name has a # in it
	}
	return "whsec_" + base64.StdEncoding.EncodeToString(s.env.Box.Key(purpose, 32)), nil
}
