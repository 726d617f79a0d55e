// Package sessionapi serves the operations of sessions of a JSON API: sign in, renew the tokens, sign out. It
// also finds the account of a request by its bearer token. It knows no system, and no pages: package accountpages
// signs people in there. The api packages of systems with accounts call it.
package sessionapi

import (
	"context"
	"net/http"
	"strings"

	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/openapi"
	"sortkey.dev/apps/internal/operation"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/refusal"
)

// ErrToken refuses a request without a valid token.
var ErrToken = refusal.New(refusal.Unauthenticated, "", "Send a valid access token in the header Authorization: Bearer TOKEN.")

// Sessions serves the sessions of accounts.
type Sessions struct{ Accounts *accounts.Accounts }

// Operations returns the operations of sessions. who lets callers pass who have no token.
func (s Sessions) Operations(who openapi.Caller[*http.Request]) []openapi.Operation {
	return []openapi.Operation{
		openapi.Handle(operation.SignIn, who, s.Login),
		openapi.Handle(operation.Renew, who, s.refresh),
		openapi.Handle(operation.SignOut, who, s.logout),
	}
}

// Login signs in with a password.
func (s Sessions) Login(ctx context.Context, r *http.Request, in operation.With[operation.Login]) (operation.Tokens, error) {
	account, err := s.Accounts.SignIns.WithPassword(ctx, accounts.Credentials{Address: in.Body.Email, Password: in.Body.Password, From: jsonapi.ClientIP(r)})
	if err != nil {
		return operation.Tokens{}, err
	}
	device := []rune(r.UserAgent())
	pair, err := s.Accounts.Tokens.Issue(ctx, account, string(device[:min(len(device), 100)]))
	return operation.Tokens{UserID: account.AccountID, AccessToken: pair.Access, RefreshToken: pair.Refresh, ExpiresAt: pair.Expires}, err
}

func (s Sessions) refresh(ctx context.Context, _ *http.Request, in operation.With[operation.Refresh]) (operation.Tokens, error) {
	pair, err := s.Accounts.Tokens.Refresh(ctx, in.Body.RefreshToken)
	return operation.Tokens{AccessToken: pair.Access, RefreshToken: pair.Refresh, ExpiresAt: pair.Expires}, err
}

func (s Sessions) logout(ctx context.Context, _ *http.Request, in operation.With[operation.Refresh]) (operation.None, error) {
	return operation.None{}, s.Accounts.Tokens.End(ctx, in.Body.RefreshToken)
}

// Account returns the account of a request with a token; without one, an account without an id. The error is
// ErrToken if the token is not valid.
func (s Sessions) Account(r *http.Request) (platformdb.Account, error) {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") || token == "" {
		return platformdb.Account{}, nil
	}
	signed, err := s.Accounts.Tokens.Verify(r.Context(), token)
	if _, refused := refusal.As(err, refusal.Unauthenticated); refused {
		err = ErrToken
	}
	return signed.Account, err
}
