package contract

import (
	"sortkey.dev/apps/internal/operation"
)

// The operations of accounts. Those of sessions are in package operation.
var (
	Register = operation.Post[operation.With[Registration], Registered]("/v1/auth/register", "Sign up").Created().Open()
	Me       = operation.Get[None, User]("/v1/users/me", "Who the caller is")
)

// The roles as the API names them.
const (
	RoleAdmin     = "admin"
	RoleCandidate = "candidate"
	RoleOperator  = "operator"
)

// Tokens is a pair of tokens.
type Tokens = operation.Tokens

// A User is a person. An API never returns credentials.
type User struct {
	ID    string `json:"id"`
	Email string `json:"email"`
	Name  string `json:"name"`
	Role  string `json:"role" enum:"admin candidate operator"`
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
