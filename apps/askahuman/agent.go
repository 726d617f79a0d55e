package askahuman

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman/askahumandb"
)

// Agent checks who asks: an id that has a key needs it, and a banned one is refused.
// An id that was never seen is made. Without an id the key says who asks.
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

// agent is the agent a caller says to be.
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
		return s.registered(ctx, id)
	}
	return agent, err
}

// registered makes an agent, unless somebody else just did.
func (s *Service) registered(ctx context.Context, id string) (askahumandb.Agent, error) {
	now := s.Now()
	agent, err := s.db.RegisterAgent(ctx, askahumandb.Agent{AgentID: id, CreatedAt: now, UpdatedAt: now})
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

// newAgentKey is an unguessable key. Its beginning tells people who find one what it is.
func newAgentKey() string {
	var random [24]byte
	_, _ = rand.Read(random[:]) // never fails; crypto/rand ends the program instead
	return "aah_" + base64.RawURLEncoding.EncodeToString(random[:])
}

func (s *Service) agentKeyHash(key string) string { return s.box.Hash("agent key", key) }

// CallbackSecret verifies what is sent to the callback URL of an agent's questions. It has
// the form that libraries for Standard Webhooks take.
func (s *Service) CallbackSecret(agentID string) string {
	return "whsec_" + base64.StdEncoding.EncodeToString(s.box.Key("callback "+agentID, 32))
}
