package contract

import (
	"time"

	"sortkey.dev/apps/internal/operation"
)

// The operations of groups and their members.
var (
	ListGroups    = operation.Get[None, List[Group]]("/v1/admin/groups", "Own groups, newest first")
	CreateGroup   = operation.Post[operation.Keyed[NewGroup], Group]("/v1/admin/groups", "Create a group").Created()
	GetGroup      = operation.Get[operation.ByID, Group]("/v1/admin/groups/{id}", "A group")
	RenameGroup   = operation.Put[operation.ByIDWith[NewGroup], Group]("/v1/admin/groups/{id}", "Rename a group")
	DeleteGroup   = operation.Delete[operation.ByID, None]("/v1/admin/groups/{id}", "Delete a group")
	ListMembers   = operation.Get[operation.PageOf, List[Member]]("/v1/admin/groups/{id}/members", "The members of a group")
	AddMember     = operation.Post[operation.ByIDWith[Address], Member]("/v1/admin/groups/{id}/members", "Add a candidate to a group").Created()
	RemoveMember  = operation.Delete[MemberOf, None]("/v1/admin/groups/{id}/members/{candidate}", "Remove a candidate from a group")
	Invite        = operation.Post[operation.ByIDKeyed[Address], Invitation]("/v1/admin/groups/{id}/invitations", "Invite a person without an account").Created()
	SetTimeFactor = operation.Put[operation.With[TimeFactor], None]("/v1/admin/time-factors", "Grant a candidate more time: an admin in the own exams, an operator in all exams")
)

// A MemberOf names a member of a group.
type MemberOf struct {
	ID        string `path:"id"`
	Candidate string `path:"candidate"`
}

// A Group is a group of candidates, such as a class.
type Group struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	Members   int64     `json:"members"`
	CreatedAt time.Time `json:"createdAt"`
}

// A NewGroup names a group.
type NewGroup struct {
	Name string `json:"name"`
}

// A Member is a candidate in a group.
type Member struct {
	ID       string    `json:"id"`
	Email    string    `json:"email"`
	Name     string    `json:"name"`
	JoinedAt time.Time `json:"joinedAt"`
}

// An Invitation is a link to sign up with.
type Invitation struct {
	Link string `json:"link"`
}

// A TimeFactor multiplies the time limits of a candidate, in the exams that the calling admin owns, or in
// all exams if an operator calls. 100 per cent removes it.
type TimeFactor struct {
	Email   string     `json:"email"`
	Percent int        `json:"percent"`
	Note    string     `json:"note,omitempty"`
	Until   *time.Time `json:"until,omitempty"`
}
