package operation

import "time"

// The operations of sessions, in every system whose callers have accounts.
var (
	SignIn  = Post[With[Login], Tokens]("/v1/auth/login", "Sign in").Open()
	Renew   = Post[With[Refresh], Tokens]("/v1/auth/refresh", "Get the next pair of tokens").Open()
	SignOut = Post[With[Refresh], None]("/v1/auth/logout", "End the session of a token").Open()
)

// Tokens is a pair of tokens.
type Tokens struct {
	UserID       string    `json:"userId,omitempty"`
	AccessToken  string    `json:"accessToken"`
	RefreshToken string    `json:"refreshToken"`
	ExpiresAt    time.Time `json:"expiresAt"`
}

// A Login holds the arguments of a sign-in.
type Login struct {
	Email    string `json:"email"`
	Password string `json:"password"`
}

// A Refresh holds a refresh token.
type Refresh struct {
	RefreshToken string `json:"refreshToken"`
}
