package api

import (
	"context"
	"net/http"
	"slices"

	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/limits"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/sessionapi"
)

// callers finds who makes a request, and counts rate limits.
type callers struct {
	sessions sessionapi.Sessions
	allow    func(ctx context.Context, limit limits.Limit, subject string) (limits.Allowance, error)
}

// A call is a request with its caller.
type call struct {
	r *http.Request
	// account is the caller; its id is "" for callers who are not signed in.
	account platformdb.Account
}

func (c *call) user() string { return c.account.AccountID }

// anyone lets every caller pass, without counting.
func (c *callers) anyone(_ http.ResponseWriter, r *http.Request) (*http.Request, error) {
	return r, nil
}

// public lets every caller pass; a token is used if there is one.
func (c *callers) public(w http.ResponseWriter, r *http.Request) (*call, error) {
	caller, err := c.identify(r)
	if err != nil {
		return nil, err
	}
	return caller, c.count(w, caller)
}

// stranger lets every caller pass, as public does, who has no account yet or is not signed in.
func (c *callers) stranger(w http.ResponseWriter, r *http.Request) (*http.Request, error) {
	_, err := c.public(w, r)
	return r, err
}

// member lets people pass who are signed in.
func (c *callers) member(w http.ResponseWriter, r *http.Request) (*call, error) {
	caller, err := c.identify(r)
	switch {
	case err != nil:
		return nil, err
	case caller.user() == "":
		return nil, sessionapi.ErrToken
	}
	return caller, c.count(w, caller)
}

// moderator lets people pass who have the role moderator.
func (c *callers) moderator(w http.ResponseWriter, r *http.Request) (*call, error) {
	caller, err := c.identify(r)
	switch {
	case err != nil:
		return nil, err
	case caller.user() == "":
		return nil, sessionapi.ErrToken
	case !slices.Contains(caller.account.Roles, RoleModerator):
		return nil, refusal.New(refusal.Forbidden, "", "Only moderators may do this.")
	}
	return caller, c.count(w, caller)
}

// identify finds the caller of a request.
func (c *callers) identify(r *http.Request) (*call, error) {
	account, err := c.sessions.Account(r)
	return &call{r: r, account: account}, err
}

// count counts a request of a caller.
func (c *callers) count(w http.ResponseWriter, caller *call) error {
	subject := caller.user()
	if subject == "" {
		subject = "network " + jsonapi.ClientNetwork(caller.r).String()
	}
	for _, limit := range []limits.Limit{perHour, perMinute} {
		allowance, err := c.allow(caller.r.Context(), limit, subject)
		if err != nil {
			return err
		}
		jsonapi.SetRate(w.Header(), allowance.Limit.Most, allowance.Remaining, allowance.Reset)
	}
	return nil
}
