package contract

import (
	"sortkey.dev/apps/internal/operation"
)

// The operations of operators, and of everyone.
var (
	ListUsers   = operation.Get[UserFilter, List[User]]("/v1/operator/users", "The people of a role, newest first")
	InviteAdmin = operation.Post[operation.Keyed[Address], Invitation]("/v1/operator/invitations", "Invite a person to build exams").Created()
	SetRole     = operation.Put[operation.With[NewRole], None]("/v1/operator/roles", "Change the role of a person")
	GetMonth    = operation.Get[MonthOf, List[Totals]]("/v1/operator/months/{month}", "The totals of all exams in a month, such as 2026-02")
	GetHealth   = operation.Get[None, Health]("/v1/health", "Whether the database can be used").Open()
)

// A UserFilter holds the arguments of ListUsers.
type UserFilter struct {
	Role   string `query:"role" required:"true"`
	Limit  int    `query:"limit"`
	Cursor string `query:"cursor"`
}

// A MonthOf names a month.
type MonthOf struct {
	Month string `path:"month"`
}

// A NewRole gives a person another role.
type NewRole struct {
	Email string `json:"email"`
	Role  string `json:"role" enum:"admin candidate operator"`
}

// Health says whether the system works.
type Health struct {
	Status string `json:"status"`
}
