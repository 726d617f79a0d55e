package api

import (
	"context"
	"net/http"
	"time"

	"sortkey.dev/apps/ecobid/people"
	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/openapi"
)

func (a *api) authEndpoints() []openapi.Operation {
	return []openapi.Operation{
		on(a, http.MethodPost, "/v1/auth/register", "Sign up", public, http.StatusCreated, a.register).Describe(accounts.RegisterText),
		on(a, http.MethodPost, "/v1/auth/login", "Sign in", public, http.StatusOK, a.login),
		on(a, http.MethodPost, "/v1/auth/refresh", "Get the next pair of tokens", public, http.StatusOK, a.refresh),
		on(a, http.MethodPost, "/v1/auth/logout", "End the session of a token", public, http.StatusNoContent, a.logout),
	}
}

// Tokens is a pair of tokens.
type Tokens struct {
	UserID       string    `json:"userId,omitempty"`
	AccessToken  string    `json:"accessToken"`
	RefreshToken string    `json:"refreshToken"`
	ExpiresAt    time.Time `json:"expiresAt"`
}

// Registered is the result of a sign-up: the person and the tokens, or only that the address must be
// verified first with the link that was mailed. Where addresses must be verified, an address that has an
// account gets the same response, and its owner another mail.
type Registered struct {
	UserID        string     `json:"userId,omitempty"`
	VerifyAddress bool       `json:"verifyAddress,omitempty"`
	AccessToken   string     `json:"accessToken,omitempty"`
	RefreshToken  string     `json:"refreshToken,omitempty"`
	ExpiresAt     *time.Time `json:"expiresAt,omitempty"`
}

// A Registration holds the arguments of a sign-up.
type Registration struct {
	Email    string `json:"email"`
	Password string `json:"password"`
	Username string `json:"username"`
	City     string `json:"city"`
	Country  string `json:"country"`
	Currency string `json:"currency"`
}

func (a *api) register(ctx context.Context, c *call, in struct{ Body Registration }) (Registered, error) {
	with, err := a.Domain.People.Register(people.Profile{Username: in.Body.Username, City: in.Body.City, Country: in.Body.Country, Currency: in.Body.Currency})
	if err != nil {
		return Registered{}, err
	}
	account, err := a.Accounts.SignUps.SignUp(ctx, accounts.NewAccount{
		Name: in.Body.Username, Address: in.Body.Email, Password: in.Body.Password, From: jsonapi.ClientIP(c.r),
	}, with)
	if err != nil {
		err = people.NameTaken(err)
	}
	verify, err := a.Accounts.SignUps.MustVerify(ctx, in.Body.Email, account, err)
	if err != nil || verify {
		return Registered{VerifyAddress: verify}, err
	}
	tokens, err := a.login(ctx, c, struct{ Body Login }{Login{in.Body.Email, in.Body.Password}})
	return Registered{UserID: account.AccountID, AccessToken: tokens.AccessToken, RefreshToken: tokens.RefreshToken, ExpiresAt: &tokens.ExpiresAt}, err
}

// device names the program of a request.
func device(r *http.Request) string {
	agent := []rune(r.UserAgent())
	return string(agent[:min(len(agent), 100)])
}

// A Login holds the arguments of a sign-in.
type Login struct {
	Email    string `json:"email"`
	Password string `json:"password"`
}

func (a *api) login(ctx context.Context, c *call, in struct{ Body Login }) (Tokens, error) {
	account, err := a.Accounts.SignIns.WithPassword(ctx, accounts.Credentials{Address: in.Body.Email, Password: in.Body.Password, From: jsonapi.ClientIP(c.r)})
	if err != nil {
		return Tokens{}, err
	}
	pair, err := a.Accounts.Tokens.Issue(ctx, account, device(c.r))
	return Tokens{account.AccountID, pair.Access, pair.Refresh, pair.Expires}, err
}

// A Refresh holds a refresh token.
type Refresh struct {
	RefreshToken string `json:"refreshToken"`
}

func (a *api) refresh(ctx context.Context, _ *call, in struct{ Body Refresh }) (Tokens, error) {
	pair, err := a.Accounts.Tokens.Refresh(ctx, in.Body.RefreshToken)
	return Tokens{"", pair.Access, pair.Refresh, pair.Expires}, err
}

func (a *api) logout(ctx context.Context, _ *call, in struct{ Body Refresh }) (None, error) {
	return None{}, a.Accounts.Tokens.End(ctx, in.Body.RefreshToken)
}
