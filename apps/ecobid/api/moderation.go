package api

import (
	"context"
	"net/http"
	"time"

	"sortkey.dev/apps/ecobid/trust"

	"sortkey.dev/apps/internal/openapi"
)

func (a *api) moderationEndpoints() []openapi.Operation {
	return []openapi.Operation{
		on(a, http.MethodGet, "/v1/moderation/reports", "Open reports, oldest first", moderator, http.StatusOK, a.openReports),
		on(a, http.MethodPost, "/v1/moderation/reports/{target}/{reporter}", "Decide a report", moderator, http.StatusNoContent, a.decide),
		on(a, http.MethodPost, "/v1/moderation/items/{id}/remove", "Remove an item", moderator, http.StatusNoContent, a.removeItem),
		on(a, http.MethodPost, "/v1/moderation/items/{id}/restore", "Restore an item", moderator, http.StatusNoContent, a.restoreItem),
		on(a, http.MethodPost, "/v1/moderation/users/{id}/suspend", "Suspend a person", moderator, http.StatusNoContent, a.suspend),
		on(a, http.MethodPost, "/v1/moderation/users/{id}/reinstate", "Take a suspension back", moderator, http.StatusNoContent, a.reinstate),
	}
}

// A Report is an open report.
type Report struct {
	Target     string    `json:"target"`
	ItemID     string    `json:"itemId,omitempty"`
	UserID     string    `json:"userId,omitempty"`
	ReporterID string    `json:"reporterId"`
	Reason     string    `json:"reason"`
	Note       *string   `json:"note,omitempty"`
	At         time.Time `json:"at"`
}

func reportOf(r trust.StoredReport) Report {
	target := trust.TargetOf(r)
	return Report{r.TargetID, target.ItemID, target.UserID, r.ReporterID, r.Reason, r.Note, r.CreatedAt}
}

func (a *api) openReports(ctx context.Context, _ *call, in pages) (List[Report], error) {
	page, err := a.Domain.Trust.OpenReports(ctx, in.Limit, in.Cursor)
	return listOf(page, reportOf), err
}

// A Decision says whether a report is right.
type Decision struct {
	Uphold bool `json:"uphold"`
}

func (a *api) decide(ctx context.Context, c *call, in struct {
	Target   string `path:"target"`
	Reporter string `path:"reporter"`
	Body     Decision
}) (None, error) {
	return None{}, a.Domain.Trust.Decide(ctx, c.user(), trust.ReportKey{TargetID: in.Target, ReporterID: in.Reporter}, in.Body.Uphold)
}

func (a *api) removeItem(ctx context.Context, c *call, in byID) (None, error) {
	return None{}, a.Domain.Trust.Remove(ctx, c.user(), in.ID)
}

func (a *api) restoreItem(ctx context.Context, c *call, in byID) (None, error) {
	return None{}, a.Domain.Trust.Restore(ctx, c.user(), in.ID)
}

func (a *api) suspend(ctx context.Context, c *call, in byID) (None, error) {
	return None{}, a.Domain.Trust.Suspend(ctx, c.user(), in.ID)
}

func (a *api) reinstate(ctx context.Context, c *call, in byID) (None, error) {
	return None{}, a.Domain.Trust.Reinstate(ctx, c.user(), in.ID)
}

// A Health says that the database can be used.
type Health struct {
	Status string `json:"status"`
}

func (a *api) health(ctx context.Context, _ *call, _ None) (Health, error) {
	return Health{"ok"}, a.Domain.Writable(ctx)
}

// An Impact holds the figures of months, with the formula.
type Impact struct {
	Months  []ImpactMonth  `json:"months"`
	Factors []ImpactFactor `json:"factors"`
}

// An ImpactMonth holds the figures of a month.
type ImpactMonth struct {
	Month    string `json:"month"`
	Items    int64  `json:"items"`
	Grams    int64  `json:"grams"`
	CO2Grams int64  `json:"co2Grams"`
}

// An ImpactFactor is the formula of a category: grams of CO2 = grams × co2GramsPerKg / 1000.
type ImpactFactor struct {
	Category      string `json:"category"`
	UsualGrams    int64  `json:"usualGrams"`
	CO2GramsPerKg int64  `json:"co2GramsPerKg"`
}

func (a *api) impact(ctx context.Context, _ *call, in struct {
	City string `query:"city"`
}) (Impact, error) {
	months, err := a.Domain.Trust.Impact(ctx, in.City)
	return Impact{
		Months: each(months, func(i trust.Month) ImpactMonth { return ImpactMonth{i.Month, i.Items, i.Grams, i.Co2Grams} }),
		Factors: each(trust.Factors, func(f trust.Factor) ImpactFactor {
			return ImpactFactor{string(f.Category), f.UsualGrams, f.CO2GramsPer}
		}),
	}, err
}
