package api

import (
	"context"

	"sortkey.dev/apps/ecobid/contract"
	"sortkey.dev/apps/ecobid/people"
	"sortkey.dev/apps/ecobid/trust"
	"sortkey.dev/apps/internal/openapi"
	"sortkey.dev/apps/internal/operation"
)

// moderation serves blocks and reports, and what moderators decide.
type moderation struct {
	people *people.Service
	trust  *trust.Service
}

func (h *moderation) operations(c *callers) []openapi.Operation {
	return []openapi.Operation{
		openapi.Handle(contract.Block, c.member, h.block),
		openapi.Handle(contract.Unblock, c.member, h.unblock),
		openapi.Handle(contract.ReportUser, c.member, h.reportUser),
		openapi.Handle(contract.ReportItem, c.member, h.reportItem),
		openapi.Handle(contract.ListBlocks, c.member, h.blocks),
		openapi.Handle(contract.ListReports, c.moderator, h.openReports),
		openapi.Handle(contract.DecideReport, c.moderator, h.decide),
		openapi.Handle(contract.RemoveItem, c.moderator, h.removeItem),
		openapi.Handle(contract.RestoreItem, c.moderator, h.restoreItem),
		openapi.Handle(contract.Suspend, c.moderator, h.suspend),
		openapi.Handle(contract.Reinstate, c.moderator, h.reinstate),
	}
}

func reportOf(r trust.StoredReport) contract.Report {
	target := trust.TargetOf(r)
	return contract.Report{Target: r.TargetID, ItemID: target.ItemID, UserID: target.UserID, ReporterID: r.ReporterID, Reason: r.Reason, Note: r.Note, At: r.CreatedAt}
}

func (h *moderation) openReports(ctx context.Context, _ *call, in operation.Page) (contract.List[contract.Report], error) {
	page, err := h.trust.OpenReports(ctx, in.Limit, in.Cursor)
	return listOf(page, reportOf), err
}

func (h *moderation) decide(ctx context.Context, c *call, in contract.ReportOf) (contract.None, error) {
	return contract.None{}, h.trust.Decide(ctx, c.user(), trust.ReportKey{TargetID: in.Target, ReporterID: in.Reporter}, in.Body.Uphold)
}

func (h *moderation) removeItem(ctx context.Context, c *call, in operation.ByID) (contract.None, error) {
	return contract.None{}, h.trust.Remove(ctx, c.user(), in.ID)
}

func (h *moderation) restoreItem(ctx context.Context, c *call, in operation.ByID) (contract.None, error) {
	return contract.None{}, h.trust.Restore(ctx, c.user(), in.ID)
}

func (h *moderation) suspend(ctx context.Context, c *call, in operation.ByID) (contract.None, error) {
	return contract.None{}, h.trust.Suspend(ctx, c.user(), in.ID)
}

func (h *moderation) reinstate(ctx context.Context, c *call, in operation.ByID) (contract.None, error) {
	return contract.None{}, h.trust.Reinstate(ctx, c.user(), in.ID)
}

func (h *moderation) block(ctx context.Context, c *call, in operation.ByID) (contract.None, error) {
	return contract.None{}, h.trust.Block(ctx, c.user(), in.ID)
}

func (h *moderation) unblock(ctx context.Context, c *call, in operation.ByID) (contract.None, error) {
	return contract.None{}, h.trust.Unblock(ctx, c.user(), in.ID)
}

func (h *moderation) reportUser(ctx context.Context, c *call, in operation.ByIDWith[contract.NewReport]) (contract.None, error) {
	return contract.None{}, h.trust.Report(ctx, c.user(), trust.Target{UserID: in.ID}, in.Body.Reason, in.Body.Note)
}

func (h *moderation) reportItem(ctx context.Context, c *call, in operation.ByIDWith[contract.NewReport]) (contract.None, error) {
	return contract.None{}, h.trust.Report(ctx, c.user(), trust.Target{ItemID: in.ID}, in.Body.Reason, in.Body.Note)
}

func (h *moderation) blocks(ctx context.Context, c *call, _ contract.None) (contract.List[contract.BlockedUser], error) {
	blocked, err := h.trust.Blocked(ctx, c.user())
	if err != nil {
		return contract.List[contract.BlockedUser]{}, err
	}
	ids := make([]string, len(blocked))
	for i, one := range blocked {
		ids[i] = one.BlockedID
	}
	names, err := h.people.Several(ctx, ids)
	list := contract.List[contract.BlockedUser]{Items: []contract.BlockedUser{}}
	for _, one := range blocked {
		list.Items = append(list.Items, contract.BlockedUser{UserID: one.BlockedID, Username: names[one.BlockedID].Username, Since: one.CreatedAt})
	}
	return list, err
}
