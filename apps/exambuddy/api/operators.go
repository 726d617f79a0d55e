package api

import (
	"context"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/contract"
	"sortkey.dev/apps/exambuddy/people"
	"sortkey.dev/apps/exambuddy/results"
	"sortkey.dev/apps/internal/openapi"
	"sortkey.dev/apps/internal/operation"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/internal/lazyregexp"
)

// operators serves the operations on operators.
type operators struct {
	people  *people.Service
	results *results.Service
}

func (h *operators) operations(c *callers) []openapi.Operation {
	return []openapi.Operation{
		openapi.Handle(contract.ListUsers, c.operator, h.users),
		openapi.Handle(contract.InviteAdmin, c.operator, h.invite),
		openapi.Handle(contract.SetRole, c.operator, h.setRole),
		openapi.Handle(contract.GetMonth, c.operator, h.month),
	}
}

func (h *operators) users(ctx context.Context, me exambuddy.Operator, in contract.UserFilter) (contract.List[contract.User], error) {
	page, err := h.people.Users(ctx, me, roleOf(in.Role), in.Limit, in.Cursor)
	return listOf(page, func(u people.User) contract.User {
		return contract.User{ID: u.UserID, Email: u.Email, Name: u.Name, Role: roleNames[exambuddy.Role(u.Role)]}
	}), err
}

func (h *operators) invite(ctx context.Context, me exambuddy.Operator, in operation.Keyed[contract.Address]) (contract.Invitation, error) {
	link, err := h.people.InviteAdmin(ctx, me, in.Body.Email, repeatOf(in.Key, in))
	return contract.Invitation{Link: link}, err
}

func (h *operators) setRole(ctx context.Context, me exambuddy.Operator, in operation.With[contract.NewRole]) (contract.None, error) {
	return contract.None{}, h.people.SetRole(ctx, me, in.Body.Email, roleOf(in.Body.Role))
}

var monthForm = lazyregexp.New(`^\d{4}-\d{2}$`)

func (h *operators) month(ctx context.Context, me exambuddy.Operator, in contract.MonthOf) (contract.List[contract.Totals], error) {
	if !monthForm.MatchString(in.Month) {
		return contract.List[contract.Totals]{}, refusal.OfField(refusal.Field{Name: "month", Constraint: "format"}, "A month is written as 2026-02.")
	}
	all, err := h.results.Month(ctx, me, in.Month)
	return contract.List[contract.Totals]{Items: each(all, func(s results.MonthTotals) contract.Totals {
		return totalsOf(s.ProjectID, "", s.Attempts, s.Practices, s.Passed, s.Abandoned, s.ScoreSum, s.Seconds)
	})}, err
}
