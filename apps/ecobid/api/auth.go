package api

import (
	"context"
	"net/http"

	"sortkey.dev/apps/ecobid/contract"
	"sortkey.dev/apps/ecobid/people"
	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/openapi"
	"sortkey.dev/apps/internal/operation"
)

// sessions signs people up, in and out.
type sessions struct {
	people  *people.Service
	signIns *accounts.SignIns
	signUps *accounts.SignUps
	tokens  *accounts.Tokens
}

func (h *sessions) operations(c *callers) []openapi.Operation {
	return []openapi.Operation{
		openapi.Handle(contract.Register.Describe(accounts.RegisterText), c.public, h.register),
		openapi.Handle(operation.SignIn, c.public, h.login),
		openapi.Handle(operation.Renew, c.public, h.refresh),
		openapi.Handle(operation.SignOut, c.public, h.logout),
	}
}

func (h *sessions) register(ctx context.Context, c *call, in operation.With[contract.Registration]) (contract.Registered, error) {
	with, err := h.people.Register(people.Profile{Username: in.Body.Username, City: in.Body.City, Country: in.Body.Country, Currency: in.Body.Currency})
	if err != nil {
		return contract.Registered{}, err
	}
	account, err := h.signUps.SignUp(ctx, accounts.NewAccount{
		Name: in.Body.Username, Address: in.Body.Email, Password: in.Body.Password, From: jsonapi.ClientIP(c.r),
	}, with)
	if err != nil {
		err = people.NameTaken(err)
	}
	verify, err := h.signUps.MustVerify(ctx, in.Body.Email, account, err)
	if err != nil || verify {
		return contract.Registered{VerifyAddress: verify}, err
	}
	tokens, err := h.login(ctx, c, operation.With[operation.Login]{Body: operation.Login{Email: in.Body.Email, Password: in.Body.Password}})
	return contract.Registered{UserID: account.AccountID, AccessToken: tokens.AccessToken, RefreshToken: tokens.RefreshToken, ExpiresAt: &tokens.ExpiresAt}, err
}

// device names the program of a request.
func device(r *http.Request) string {
	agent := []rune(r.UserAgent())
	return string(agent[:min(len(agent), 100)])
}

func (h *sessions) login(ctx context.Context, c *call, in operation.With[operation.Login]) (contract.Tokens, error) {
	account, err := h.signIns.WithPassword(ctx, accounts.Credentials{Address: in.Body.Email, Password: in.Body.Password, From: jsonapi.ClientIP(c.r)})
	if err != nil {
		return contract.Tokens{}, err
	}
	pair, err := h.tokens.Issue(ctx, account, device(c.r))
	return contract.Tokens{UserID: account.AccountID, AccessToken: pair.Access, RefreshToken: pair.Refresh, ExpiresAt: pair.Expires}, err
}

func (h *sessions) refresh(ctx context.Context, _ *call, in operation.With[operation.Refresh]) (contract.Tokens, error) {
	pair, err := h.tokens.Refresh(ctx, in.Body.RefreshToken)
	return contract.Tokens{AccessToken: pair.Access, RefreshToken: pair.Refresh, ExpiresAt: pair.Expires}, err
}

func (h *sessions) logout(ctx context.Context, _ *call, in operation.With[operation.Refresh]) (contract.None, error) {
	return contract.None{}, h.tokens.End(ctx, in.Body.RefreshToken)
}
