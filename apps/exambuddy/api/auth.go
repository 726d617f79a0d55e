package api

import (
	"context"
	"net/http"
	"time"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/openapi"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/refusal"
)

func (a *api) authOperations() []openapi.Operation {
	return []openapi.Operation{
		openapi.On(a.anyone, http.MethodPost, "/v1/auth/register", "Sign up", http.StatusCreated, a.register).Open().Describe(accounts.RegisterText),
		openapi.On(a.anyone, http.MethodPost, "/v1/auth/login", "Sign in", http.StatusOK, a.login).Open(),
		openapi.On(a.anyone, http.MethodPost, "/v1/auth/refresh", "Get the next pair of tokens", http.StatusOK, a.refresh).Open(),
		openapi.On(a.anyone, http.MethodPost, "/v1/auth/logout", "End the session of a token", http.StatusNoContent, a.logout).Open(),
		openapi.On(a.signed, http.MethodGet, "/v1/users/me", "Who the caller is", http.StatusOK, a.me),
	}
}

// The roles as the API names them.
const (
	RoleAdmin     = "admin"
	RoleCandidate = "candidate"
	RoleOperator  = "operator"
)

var roleNames = map[exambuddy.Role]string{exambuddy.RoleAdmin: RoleAdmin, exambuddy.RoleCandidate: RoleCandidate, exambuddy.RoleOperator: RoleOperator}

// roleOf returns the role with a name; "" if there is none.
func roleOf(name string) exambuddy.Role {
	for role, known := range roleNames {
		if known == name {
			return role
		}
	}
	return ""
}

// A User is a person. An API never returns credentials.
type User struct {
	ID    string `json:"id"`
	Email string `json:"email"`
	Name  string `json:"name"`
	Role  string `json:"role" enum:"admin candidate operator"`
}

// Tokens is a pair of tokens.
type Tokens struct {
	UserID       string    `json:"userId,omitempty"`
	AccessToken  string    `json:"accessToken"`
	RefreshToken string    `json:"refreshToken"`
	ExpiresAt    time.Time `json:"expiresAt"`
}

// A Registration holds the arguments of a sign-up.
type Registration struct {
	Email    string `json:"email"`
	Password string `json:"password"`
	Name     string `json:"name"`
	// Role is admin or candidate; candidate by default. The role of an invitation comes first.
	Role string `json:"role,omitempty" enum:"admin candidate"`
	// Invitation is the token of an invitation to a group.
	Invitation string `json:"invitation,omitempty"`
}

// A Registered is the result of a sign-up: the person and the tokens, or only that the address must be
// verified first with the link that was mailed. Where addresses must be verified, an address that has an
// account gets the same response, and its owner another mail.
type Registered struct {
	UserID        string  `json:"userId,omitempty"`
	VerifyAddress bool    `json:"verifyAddress"`
	Tokens        *Tokens `json:"tokens,omitempty"`
}

func (a *api) register(ctx context.Context, r *http.Request, in struct{ Body Registration }) (Registered, error) {
	account := accounts.NewAccount{Name: in.Body.Name, Address: in.Body.Email, Password: in.Body.Password, Invitation: in.Body.Invitation, From: jsonapi.ClientIP(r)}
	var created platformdb.Account
	var err error
	switch in.Body.Role {
	case "", RoleCandidate:
		created, err = a.Domain.People.SignUp(ctx, account)
	case RoleAdmin:
		if !a.OpenAdmins && in.Body.Invitation == "" {
			return Registered{}, refusal.New(refusal.Forbidden, exambuddy.CodeRole, "People who build exams are invited by the operators.")
		}
		created, err = a.signUpAdmin(ctx, account)
	default:
		err = refusal.OfField(refusal.Field{Name: "role", Constraint: "allowed", Allowed: []string{RoleAdmin, RoleCandidate}}, "Choose the role admin or candidate.")
	}
	verify, err := a.Accounts.SignUps.MustVerify(ctx, in.Body.Email, created, err)
	if err != nil || verify {
		return Registered{VerifyAddress: verify}, err
	}
	tokens, err := a.login(ctx, r, struct{ Body Login }{Login{in.Body.Email, in.Body.Password}})
	return Registered{UserID: created.AccountID, Tokens: &tokens}, err
}

// signUpAdmin creates an admin. An invitation decides about the role, where admins are invited.
func (a *api) signUpAdmin(ctx context.Context, account accounts.NewAccount) (platformdb.Account, error) {
	if a.OpenAdmins {
		return a.Domain.People.SignUpAs(ctx, account, exambuddy.RoleAdmin)
	}
	return a.Domain.People.SignUp(ctx, account)
}

func (a *api) issue(ctx context.Context, r *http.Request, account platformdb.Account) (Tokens, error) {
	agent := []rune(r.UserAgent())
	pair, err := a.Accounts.Tokens.Issue(ctx, account, string(agent[:min(len(agent), 100)]))
	return Tokens{account.AccountID, pair.Access, pair.Refresh, pair.Expires}, err
}

// A Login holds the arguments of a sign-in.
type Login struct {
	Email    string `json:"email"`
	Password string `json:"password"`
}

func (a *api) login(ctx context.Context, r *http.Request, in struct{ Body Login }) (Tokens, error) {
	account, err := a.Accounts.SignIns.WithPassword(ctx, accounts.Credentials{Address: in.Body.Email, Password: in.Body.Password, From: jsonapi.ClientIP(r)})
	if err != nil {
		return Tokens{}, err
	}
	return a.issue(ctx, r, account)
}

// A Refresh holds a refresh token.
type Refresh struct {
	RefreshToken string `json:"refreshToken"`
}

func (a *api) refresh(ctx context.Context, _ *http.Request, in struct{ Body Refresh }) (Tokens, error) {
	pair, err := a.Accounts.Tokens.Refresh(ctx, in.Body.RefreshToken)
	return Tokens{"", pair.Access, pair.Refresh, pair.Expires}, err
}

func (a *api) logout(ctx context.Context, _ *http.Request, in struct{ Body Refresh }) (None, error) {
	return None{}, a.Accounts.Tokens.End(ctx, in.Body.RefreshToken)
}

func (a *api) me(_ context.Context, me exambuddy.Caller, _ None) (User, error) {
	return User{ID: me.ID, Email: me.Email, Name: me.Name, Role: roleNames[me.Role]}, nil
}
