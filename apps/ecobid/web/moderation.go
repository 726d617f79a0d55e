package web

import (
	"context"
	"net/http"

	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/trust"
	"sortkey.dev/apps/internal/operator"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/staff"
	"sortkey.dev/apps/internal/webkit"
)

// reportsView holds the data of operator-reports.html.
type reportsView struct {
	operator.Bar
	Reports []reportRow
	More    string
}

// A reportRow is a report with what is known of its target.
type reportRow struct {
	trust.StoredReport
	Title string
	Link  string
	Item  bool
}

// Reports returns the operators' tab for reports that wait for a decision.
func (web *Web) Reports() operator.Tab {
	return operator.Tab{
		Name: "reports", Title: "Reports", Note: "to decide",
		Waiting: func(ctx context.Context) (int64, error) {
			page, err := web.Domain.Trust.OpenReports(ctx, ecobid.MaxPage, "")
			return int64(len(page.Items)), err
		},
		Pages: map[string]operator.Handler{"GET ": web.reports, "POST ": web.decide},
	}
}

func (web *Web) reports(w http.ResponseWriter, r *http.Request, by staff.Operator) error {
	page, err := web.Domain.Trust.OpenReports(r.Context(), 0, r.URL.Query().Get("cursor"))
	if err != nil {
		return err
	}
	view := reportsView{Bar: operator.NewBar(by, "Reports")}
	if page.Next != "" {
		view.More = addQuery("/operator/reports", "cursor", page.Next)
	}
	for _, report := range page.Items {
		row, err := web.reportRow(r.Context(), report)
		if err != nil {
			return err
		}
		view.Reports = append(view.Reports, row)
	}
	web.Site.Render(w, r, http.StatusOK, "operator-reports.html", view)
	return nil
}

// reportRow adds the title of a reported item, or the name of a reported person.
func (web *Web) reportRow(ctx context.Context, report trust.StoredReport) (reportRow, error) {
	row, target := reportRow{StoredReport: report}, trust.TargetOf(report)
	if target.ItemID == "" {
		row.Link, row.Title = "/people/"+target.UserID, "A former member"
		person, err := web.Domain.People.Public(ctx, "", target.UserID)
		if _, missing := refusal.As(err, refusal.NotFound); missing {
			return row, nil
		}
		if person.Username != "" {
			row.Title = person.Username
		}
		return row, err
	}
	row.Item, row.Link, row.Title = true, "/items/"+target.ItemID, "An item that is gone"
	item, err := web.Domain.Listings.Get(ctx, "", target.ItemID)
	if _, missing := refusal.As(err, refusal.NotFound); missing {
		return row, nil
	}
	if item.Title != "" {
		row.Title = item.Title
	}
	return row, err
}

// decide closes a report.
func (web *Web) decide(w http.ResponseWriter, r *http.Request, by staff.Operator) error {
	form := webkit.ReadForm(r)
	key := trust.ReportKey{TargetID: form.Value("target"), ReporterID: form.Value("reporter")}
	uphold := form.Value("decision") == "uphold"
	if err := web.Domain.Trust.Decide(r.Context(), by.Name, key, uphold); err != nil {
		return err
	}
	text := "Dismissed. The reporter is told."
	if uphold {
		text = "Upheld. The reporter is told."
	}
	web.Site.Flash(w, r, webkit.Good, text)
	web.Site.Redirect(w, r, operator.Home+"/reports")
	return nil
}
