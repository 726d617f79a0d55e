package api

import (
	"context"
	"net/http"
	"time"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/people"
	"sortkey.dev/apps/internal/openapi"
)

func (a *api) groupOperations() []openapi.Operation {
	return []openapi.Operation{
		openapi.On(a.admin, http.MethodGet, "/v1/admin/groups", "Own groups, newest first", http.StatusOK, a.groups),
		openapi.On(a.admin, http.MethodPost, "/v1/admin/groups", "Create a group", http.StatusCreated, a.createGroup),
		openapi.On(a.admin, http.MethodGet, "/v1/admin/groups/{id}", "A group", http.StatusOK, a.group),
		openapi.On(a.admin, http.MethodPut, "/v1/admin/groups/{id}", "Rename a group", http.StatusOK, a.renameGroup),
		openapi.On(a.admin, http.MethodDelete, "/v1/admin/groups/{id}", "Delete a group", http.StatusNoContent, a.deleteGroup),
		openapi.On(a.admin, http.MethodGet, "/v1/admin/groups/{id}/members", "The members of a group", http.StatusOK, a.members),
		openapi.On(a.admin, http.MethodPost, "/v1/admin/groups/{id}/members", "Add a candidate to a group", http.StatusCreated, a.addMember),
		openapi.On(a.admin, http.MethodDelete, "/v1/admin/groups/{id}/members/{candidate}", "Remove a candidate from a group", http.StatusNoContent, a.removeMember),
		openapi.On(a.admin, http.MethodPost, "/v1/admin/groups/{id}/invitations", "Invite a person without an account", http.StatusCreated, a.invite),
		openapi.On(a.signed, http.MethodPut, "/v1/admin/time-factors", "Grant a candidate more time: an admin in the own exams, an operator in all exams", http.StatusNoContent, a.setTimeFactor),
	}
}

// A Group is a group of candidates, such as a class.
type Group struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	Members   int64     `json:"members"`
	CreatedAt time.Time `json:"createdAt"`
}

func groupOf(g people.Group) Group { return Group{g.GroupID, g.Name, g.MemberCount, g.CreatedAt} }

func (a *api) groups(ctx context.Context, me exambuddy.Admin, _ None) (List[Group], error) {
	all, err := a.Domain.People.Groups(ctx, me)
	return List[Group]{Items: each(all, groupOf)}, err
}

// A NewGroup names a group.
type NewGroup struct {
	Name string `json:"name"`
}

func (a *api) createGroup(ctx context.Context, me exambuddy.Admin, in struct{ Body NewGroup }) (Group, error) {
	g, err := a.Domain.People.CreateGroup(ctx, me, in.Body.Name, "")
	return groupOf(g), err
}

func (a *api) group(ctx context.Context, me exambuddy.Admin, in byID) (Group, error) {
	g, err := a.Domain.People.Group(ctx, me, in.ID)
	return groupOf(g), err
}

func (a *api) renameGroup(ctx context.Context, me exambuddy.Admin, in struct {
	ID   string `path:"id"`
	Body NewGroup
}) (Group, error) {
	g, err := a.Domain.People.RenameGroup(ctx, me, in.ID, in.Body.Name)
	return groupOf(g), err
}

func (a *api) deleteGroup(ctx context.Context, me exambuddy.Admin, in byID) (None, error) {
	return None{}, a.Domain.People.DeleteGroup(ctx, me, in.ID)
}

// A Member is a candidate in a group.
type Member struct {
	ID       string    `json:"id"`
	Email    string    `json:"email"`
	Name     string    `json:"name"`
	JoinedAt time.Time `json:"joinedAt"`
}

func memberOf(m people.Member) Member {
	return Member{m.CandidateID, m.Email, m.Name, m.JoinedAt}
}

func (a *api) members(ctx context.Context, me exambuddy.Admin, in pagesOf) (List[Member], error) {
	page, err := a.Domain.People.Members(ctx, me, in.ID, in.Limit, in.Cursor)
	return listOf(page, memberOf), err
}

func (a *api) addMember(ctx context.Context, me exambuddy.Admin, in addressOf) (Member, error) {
	m, err := a.Domain.People.AddMember(ctx, me, in.ID, in.Body.Email)
	return memberOf(m), err
}

func (a *api) removeMember(ctx context.Context, me exambuddy.Admin, in struct {
	ID        string `path:"id"`
	Candidate string `path:"candidate"`
}) (None, error) {
	return None{}, a.Domain.People.RemoveMember(ctx, me, in.ID, in.Candidate)
}

// An Invitation is a link to sign up with.
type Invitation struct {
	Link string `json:"link"`
}

func (a *api) invite(ctx context.Context, me exambuddy.Admin, in addressOf) (Invitation, error) {
	link, err := a.Domain.People.Invite(ctx, me, in.ID, in.Body.Email, "")
	return Invitation{link}, err
}

// A TimeFactor multiplies the time limits of a candidate, in the exams that the calling admin owns, or in
// all exams if an operator calls. 100 per cent removes it.
type TimeFactor struct {
	Email   string     `json:"email"`
	Percent int        `json:"percent"`
	Note    string     `json:"note,omitempty"`
	Until   *time.Time `json:"until,omitempty"`
}

func (a *api) setTimeFactor(ctx context.Context, me exambuddy.Caller, in struct{ Body TimeFactor }) (None, error) {
	return None{}, a.Domain.People.SetTimeFactor(ctx, me, in.Body.Email, in.Body.Percent, in.Body.Note, in.Body.Until)
}
