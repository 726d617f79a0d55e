package api

import (
	"net/http"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/people"
	"sortkey.dev/apps/internal/sessionapi"
)

// callers finds who makes a request.
type callers struct{ sessions sessionapi.Sessions }

// anyone lets every caller pass.
func (c *callers) anyone(_ http.ResponseWriter, r *http.Request) (*http.Request, error) {
	return r, nil
}

// signed returns the caller of a request with a token.
func (c *callers) signed(_ http.ResponseWriter, r *http.Request) (exambuddy.Caller, error) {
	account, err := c.sessions.Account(r)
	if err == nil && account.AccountID == "" {
		err = sessionapi.ErrToken
	}
	return people.Caller(account), err
}

func (c *callers) admin(w http.ResponseWriter, r *http.Request) (exambuddy.Admin, error) {
	caller, err := c.signed(w, r)
	if err != nil {
		return exambuddy.Admin{}, err
	}
	return caller.Admin()
}

func (c *callers) candidate(w http.ResponseWriter, r *http.Request) (exambuddy.Candidate, error) {
	caller, err := c.signed(w, r)
	if err != nil {
		return exambuddy.Candidate{}, err
	}
	return caller.Candidate()
}

func (c *callers) operator(w http.ResponseWriter, r *http.Request) (exambuddy.Operator, error) {
	caller, err := c.signed(w, r)
	if err != nil {
		return exambuddy.Operator{}, err
	}
	return caller.Operator()
}
