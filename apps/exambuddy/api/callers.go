package api

import (
	"net/http"
	"strings"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/people"
	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/refusal"
)

// callers finds who makes a request.
type callers struct{ tokens *accounts.Tokens }

// ErrToken refuses a request without a valid token.
var ErrToken = refusal.New(refusal.Unauthenticated, "", "Send a valid access token in the header Authorization: Bearer TOKEN.")

// anyone lets every caller pass.
func (c *callers) anyone(_ http.ResponseWriter, r *http.Request) (*http.Request, error) {
	return r, nil
}

// signed returns the caller of a request with a token.
func (c *callers) signed(_ http.ResponseWriter, r *http.Request) (exambuddy.Caller, error) {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") || token == "" {
		return exambuddy.Caller{}, ErrToken
	}
	signed, err := c.tokens.Verify(r.Context(), token)
	if _, refused := refusal.As(err, refusal.Unauthenticated); refused {
		return exambuddy.Caller{}, ErrToken
	}
	if err != nil {
		return exambuddy.Caller{}, err
	}
	return people.Caller(signed.Account), nil
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
