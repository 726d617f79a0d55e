package api

import (
	"context"
	"errors"
	"net/http"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/contract"
	"sortkey.dev/apps/askahuman/people"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/openapi"
)

// callers finds who makes a request, counts rate limits, and notifies waiting callers.
type callers struct {
	hub       *live.Hub
	limit     func(ctx context.Context, limit askahuman.Limit, subject string) (askahuman.Allowance, error)
	people    *people.Service
	questions *questions.Service
}

// visitor returns the request's person, or an anonymous one without a token.
func (c *callers) visitor(r *http.Request) (askahuman.Person, error) {
	zone, err := zoneOf(r)
	if err != nil {
		return askahuman.Person{}, err
	}
	token := r.Header.Get(headerFingerprint)
	if token == "" {
		return askahuman.Person{}, nil
	}
	person, err := c.people.Identify(token, jsonapi.ClientIP(r).String(), zone)
	if errors.Is(err, askahuman.ErrUnauthorized) {
		return person, errForeignFingerprint
	}
	person.ZoneUnknown = r.Header.Get(headerZone) == ""
	return person, err
}

// person returns the request's person; a token is required.
func (c *callers) person(r *http.Request) (askahuman.Person, error) {
	if r.Header.Get(headerFingerprint) == "" {
		return askahuman.Person{}, errNoFingerprint
	}
	return c.visitor(r)
}

// browsing counts a request against a rate limit of its address.
func (c *callers) browsing(w http.ResponseWriter, r *http.Request, limit askahuman.Limit) error {
	return c.allow(w, r, limit, jsonapi.ClientNetwork(r).String())
}

// browsingPerson returns the request's person and counts the request against the rate
// limit.
func (c *callers) browsingPerson(w http.ResponseWriter, r *http.Request) (askahuman.Person, error) {
	if err := c.browsing(w, r, askahuman.LimitBrowse); err != nil {
		return askahuman.Person{}, err
	}
	return c.person(r)
}

// browsingVisitor returns the request's person, who may be anonymous, and counts the request
// against the rate limit.
func (c *callers) browsingVisitor(w http.ResponseWriter, r *http.Request) (askahuman.Person, error) {
	if err := c.browsing(w, r, askahuman.LimitBrowse); err != nil {
		return askahuman.Person{}, err
	}
	return c.visitor(r)
}

// anybody counts requests of anybody against a rate limit.
func (c *callers) anybody(limit askahuman.Limit) openapi.Caller[contract.None] {
	return func(w http.ResponseWriter, r *http.Request) (contract.None, error) {
		return contract.None{}, c.browsing(w, r, limit)
	}
}

// acting returns the person of requests that count against the rate limits of the address and of
// the person.
func (c *callers) acting(from, limit askahuman.Limit) openapi.Caller[askahuman.Person] {
	return func(w http.ResponseWriter, r *http.Request) (askahuman.Person, error) {
		person, err := c.person(r)
		if err != nil {
			return person, err
		}
		if _, err := c.limit(r.Context(), from, jsonapi.ClientNetwork(r).String()); err != nil {
			return person, err
		}
		return person, c.allow(w, r, limit, person.Hash)
	}
}

// agent authenticates the request's agent. Agents choose their ids; an id that has a key
// requires it, and a key alone identifies the agent.
func (c *callers) agent(w http.ResponseWriter, r *http.Request) (string, error) {
	id := r.Header.Get(headerAgent)
	key, err := bearer(r)
	if err != nil {
		return "", challenged(w, err)
	}
	if id == "" && key == "" {
		return "", invalid(headerAgent, "required", "Say who asks, in the header X-Agent-Id. The id is yours to choose.")
	}
	agent, err := c.questions.Agent(r.Context(), id, key)
	if err != nil {
		return "", challenged(w, inHeader(err))
	}
	return agent.AgentID, nil
}

// allow counts a use of a rate limit and sets the headers that report it.
func (c *callers) allow(w http.ResponseWriter, r *http.Request, limit askahuman.Limit, subject string) error {
	allowance, err := c.limit(r.Context(), limit, subject)
	if err == nil {
		jsonapi.SetRate(w.Header(), allowance.Limit.Most, allowance.Remaining, allowance.Reset)
	}
	return err
}

// polling authenticates an agent and counts the request, first by address, because agent
// ids are free.
func (c *callers) polling(w http.ResponseWriter, r *http.Request) (string, error) {
	agent, err := c.agent(w, r)
	if err != nil {
		return "", err
	}
	if _, err := c.limit(r.Context(), askahuman.LimitPollFrom, jsonapi.ClientNetwork(r).String()); err != nil {
		return "", err
	}
	return agent, c.allow(w, r, askahuman.LimitPoll, agent)
}

// changed notifies waiting callers of this process. Other processes get the change from the
// tables' streams.
func (c *callers) changed(questionID string) {
	c.hub.Tell(questionTopic(questionID), "feed")
}
