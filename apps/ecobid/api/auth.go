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
	"sortkey.dev/apps/internal/sessionapi"
)

// sessions signs people up, in and out.
type sessions struct {
	people *people.Service
	shared sessionapi.Sessions
}

func (h *sessions) operations(c *callers) []openapi.Operation {
	return append(h.shared.Operations(c.stranger), openapi.Handle(contract.Register.Describe(accounts.RegisterText), c.stranger, h.register))
}

func (h *sessions) register(ctx context.Context, r *http.Request, in operation.With[contract.Registration]) (contract.Registered, error) {
	with, err := h.people.Register(people.Profile{Username: in.Body.Username, City: in.Body.City, Country: in.Body.Country, Currency: in.Body.Currency})
	if err != nil {
		return contract.Registered{}, err
	}
	account, err := h.shared.Accounts.SignUps.SignUp(ctx, accounts.NewAccount{
		Name: in.Body.Username, Address: in.Body.Email, Password: in.Body.Password, From: jsonapi.ClientIP(r),
	}, with)
	if err != nil {
		err = people.NameTaken(err)
	}
	verify, err := h.shared.Accounts.SignUps.MustVerify(ctx, in.Body.Email, account, err)
	if err != nil || verify {
		return contract.Registered{VerifyAddress: verify}, err
	}
	tokens, err := h.shared.Login(ctx, r, operation.With[operation.Login]{Body: operation.Login{Email: in.Body.Email, Password: in.Body.Password}})
	return contract.Registered{UserID: account.AccountID, AccessToken: tokens.AccessToken, RefreshToken: tokens.RefreshToken, ExpiresAt: &tokens.ExpiresAt}, err
}
