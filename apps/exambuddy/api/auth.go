package api

import (
	"context"
	"net/http"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/contract"
	"sortkey.dev/apps/exambuddy/people"
	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/openapi"
	"sortkey.dev/apps/internal/operation"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/sessionapi"
)

// signUps serves the operations on accounts and sessions.
type signUps struct {
	people     *people.Service
	sessions   sessionapi.Sessions
	openAdmins bool
}

func (h *signUps) operations(c *callers) []openapi.Operation {
	return append(h.sessions.Operations(c.anyone),
		openapi.Handle(contract.Register.Describe(accounts.RegisterText), c.anyone, h.register),
		openapi.Handle(contract.Me, c.signed, h.me))
}

// roleNames holds the roles as the API names them.
var roleNames = map[exambuddy.Role]string{exambuddy.RoleAdmin: contract.RoleAdmin, exambuddy.RoleCandidate: contract.RoleCandidate, exambuddy.RoleOperator: contract.RoleOperator}

// roleOf returns the role with a name; "" if there is none.
func roleOf(name string) exambuddy.Role {
	for role, known := range roleNames {
		if known == name {
			return role
		}
	}
	return ""
}

func (h *signUps) register(ctx context.Context, r *http.Request, in operation.With[contract.Registration]) (contract.Registered, error) {
	account := accounts.NewAccount{Name: in.Body.Name, Address: in.Body.Email, Password: in.Body.Password, Invitation: in.Body.Invitation, From: jsonapi.ClientIP(r)}
	var created platformdb.Account
	var err error
	switch in.Body.Role {
	case "", contract.RoleCandidate:
		created, err = h.people.SignUp(ctx, account)
	case contract.RoleAdmin:
		if !h.openAdmins && in.Body.Invitation == "" {
			return contract.Registered{}, refusal.New(refusal.Forbidden, exambuddy.CodeRole, "People who build exams are invited by the operators.")
		}
		created, err = h.admin(ctx, account)
	default:
		err = refusal.OfField(refusal.Field{Name: "role", Constraint: "allowed", Allowed: []string{contract.RoleAdmin, contract.RoleCandidate}}, "Choose the role admin or candidate.")
	}
	verify, err := h.sessions.Accounts.SignUps.MustVerify(ctx, in.Body.Email, created, err)
	if err != nil || verify {
		return contract.Registered{VerifyAddress: verify}, err
	}
	tokens, err := h.sessions.Login(ctx, r, operation.With[operation.Login]{Body: operation.Login{Email: in.Body.Email, Password: in.Body.Password}})
	return contract.Registered{UserID: created.AccountID, Tokens: &tokens}, err
}

// admin creates an admin. An invitation decides about the role, where admins are invited.
func (h *signUps) admin(ctx context.Context, account accounts.NewAccount) (platformdb.Account, error) {
	if h.openAdmins {
		return h.people.SignUpAs(ctx, account, exambuddy.RoleAdmin)
	}
	return h.people.SignUp(ctx, account)
}

func (h *signUps) me(_ context.Context, me exambuddy.Caller, _ contract.None) (contract.User, error) {
	return contract.User{ID: me.ID, Email: me.Email, Name: me.Name, Role: roleNames[me.Role]}, nil
}
