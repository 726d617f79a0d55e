package contract

import (
	"time"

	"sortkey.dev/apps/internal/operation"
)

// The operations of accounts. Those of sessions are in package operation.
var (
	Register = operation.Post[operation.With[Registration], Registered]("/v1/auth/register", "Sign up").Created().Open()
)

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
