package api

import (
	"context"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/contract"
	"sortkey.dev/apps/exambuddy/people"
	"sortkey.dev/apps/internal/openapi"
	"sortkey.dev/apps/internal/operation"
)

// groups serves the operations on groups and their members.
type groups struct {
	people *people.Service
}

func (h *groups) operations(c *callers) []openapi.Operation {
	return []openapi.Operation{
		openapi.Handle(contract.ListGroups, c.admin, h.list),
		openapi.Handle(contract.CreateGroup, c.admin, h.create),
		openapi.Handle(contract.GetGroup, c.admin, h.get),
		openapi.Handle(contract.RenameGroup, c.admin, h.rename),
		openapi.Handle(contract.DeleteGroup, c.admin, h.delete),
		openapi.Handle(contract.ListMembers, c.admin, h.members),
		openapi.Handle(contract.AddMember, c.admin, h.addMember),
		openapi.Handle(contract.RemoveMember, c.admin, h.removeMember),
		openapi.Handle(contract.Invite, c.admin, h.invite),
		openapi.Handle(contract.SetTimeFactor, c.signed, h.setTimeFactor),
	}
}

func groupOf(g people.Group) contract.Group {
	return contract.Group{ID: g.GroupID, Name: g.Name, Members: g.MemberCount, CreatedAt: g.CreatedAt}
}

func (h *groups) list(ctx context.Context, me exambuddy.Admin, _ contract.None) (contract.List[contract.Group], error) {
	all, err := h.people.Groups(ctx, me)
	return contract.List[contract.Group]{Items: each(all, groupOf)}, err
}

func (h *groups) create(ctx context.Context, me exambuddy.Admin, in operation.Keyed[contract.NewGroup]) (contract.Group, error) {
	g, err := h.people.CreateGroup(ctx, me, in.Body.Name, repeatOf(in.Key, in))
	return groupOf(g), err
}

func (h *groups) get(ctx context.Context, me exambuddy.Admin, in operation.ByID) (contract.Group, error) {
	g, err := h.people.Group(ctx, me, in.ID)
	return groupOf(g), err
}

func (h *groups) rename(ctx context.Context, me exambuddy.Admin, in operation.ByIDWith[contract.NewGroup]) (contract.Group, error) {
	g, err := h.people.RenameGroup(ctx, me, in.ID, in.Body.Name)
	return groupOf(g), err
}

func (h *groups) delete(ctx context.Context, me exambuddy.Admin, in operation.ByID) (contract.None, error) {
	return contract.None{}, h.people.DeleteGroup(ctx, me, in.ID)
}

func memberOf(m people.Member) contract.Member {
	return contract.Member{ID: m.CandidateID, Email: m.Email, Name: m.Name, JoinedAt: m.JoinedAt}
}

func (h *groups) members(ctx context.Context, me exambuddy.Admin, in operation.PageOf) (contract.List[contract.Member], error) {
	page, err := h.people.Members(ctx, me, in.ID, in.Limit, in.Cursor)
	return listOf(page, memberOf), err
}

func (h *groups) addMember(ctx context.Context, me exambuddy.Admin, in operation.ByIDWith[contract.Address]) (contract.Member, error) {
	m, err := h.people.AddMember(ctx, me, in.ID, in.Body.Email)
	return memberOf(m), err
}

func (h *groups) removeMember(ctx context.Context, me exambuddy.Admin, in contract.MemberOf) (contract.None, error) {
	return contract.None{}, h.people.RemoveMember(ctx, me, in.ID, in.Candidate)
}

func (h *groups) invite(ctx context.Context, me exambuddy.Admin, in operation.ByIDKeyed[contract.Address]) (contract.Invitation, error) {
	link, err := h.people.Invite(ctx, me, in.ID, in.Body.Email, repeatOf(in.Key, in))
	return contract.Invitation{Link: link}, err
}

func (h *groups) setTimeFactor(ctx context.Context, me exambuddy.Caller, in operation.With[contract.TimeFactor]) (contract.None, error) {
	return contract.None{}, h.people.SetTimeFactor(ctx, me, in.Body.Email, in.Body.Percent, in.Body.Note, in.Body.Until)
}
