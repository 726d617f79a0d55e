package api

import (
	"context"
	"net/http"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/people"
	"sortkey.dev/apps/exambuddy/results"
	"sortkey.dev/apps/internal/openapi"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/internal/lazyregexp"
)

func (a *api) operatorOperations() []openapi.Operation {
	return []openapi.Operation{
		openapi.On(a.operator, http.MethodGet, "/v1/operator/users", "The people of a role, newest first", http.StatusOK, a.users),
		openapi.On(a.operator, http.MethodPost, "/v1/operator/invitations", "Invite a person to build exams", http.StatusCreated, a.inviteAdmin),
		openapi.On(a.operator, http.MethodPut, "/v1/operator/roles", "Change the role of a person", http.StatusNoContent, a.setRole),
		openapi.On(a.operator, http.MethodGet, "/v1/operator/months/{month}", "The totals of all exams in a month, such as 2026-02", http.StatusOK, a.month),
	}
}

func (a *api) users(ctx context.Context, me exambuddy.Operator, in struct {
	Role   string `query:"role" required:"true"`
	Limit  int    `query:"limit"`
	Cursor string `query:"cursor"`
}) (List[User], error) {
	page, err := a.Domain.People.Users(ctx, me, roleOf(in.Role), in.Limit, in.Cursor)
	return listOf(page, func(u people.User) User {
		return User{ID: u.UserID, Email: u.Email, Name: u.Name, Role: roleNames[exambuddy.Role(u.Role)]}
	}), err
}

func (a *api) inviteAdmin(ctx context.Context, me exambuddy.Operator, in struct{ Body Address }) (Invitation, error) {
	link, err := a.Domain.People.InviteAdmin(ctx, me, in.Body.Email, "")
	return Invitation{link}, err
}

// A NewRole gives a person another role.
type NewRole struct {
	Email string `json:"email"`
	Role  string `json:"role" enum:"admin candidate operator"`
}

func (a *api) setRole(ctx context.Context, me exambuddy.Operator, in struct{ Body NewRole }) (None, error) {
	return None{}, a.Domain.People.SetRole(ctx, me, in.Body.Email, roleOf(in.Body.Role))
}

var monthForm = lazyregexp.New(`^\d{4}-\d{2}$`)

func (a *api) month(ctx context.Context, me exambuddy.Operator, in struct {
	Month string `path:"month"`
}) (List[Totals], error) {
	if !monthForm.MatchString(in.Month) {
		return List[Totals]{}, refusal.OfField(refusal.Field{Name: "month", Constraint: "format"}, "A month is written as 2026-02.")
	}
	all, err := a.Domain.Results.Month(ctx, me, in.Month)
	return List[Totals]{Items: each(all, func(s results.MonthTotals) Totals {
		return totalsOf(s.ProjectID, "", s.Attempts, s.Practices, s.Passed, s.Abandoned, s.ScoreSum, s.Seconds)
	})}, err
}
