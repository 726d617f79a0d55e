package web

import (
	"context"
	"net/http"
	"slices"

	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/listings"
	"sortkey.dev/apps/ecobid/people"
	"sortkey.dev/apps/ecobid/trust"
	"sortkey.dev/apps/internal/operator"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/staff"
	"sortkey.dev/apps/internal/webkit"
)

// reportTab decides reports of items and people.
type reportTab struct {
	listings *listings.Service
	people   *people.Service
	site     *webkit.Site
	trust    *trust.Service
}

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
	// Text and Photo show what was reported, so that most reports need no second page.
	Text     string
	Photo    string
	Owner    string // the name of the person who is reported
	Reporter string
}

// Reports returns the operators' tab for reports that wait for a decision.
func (web *Web) Reports() operator.Tab {
	d := web.options.Domain
	t := &reportTab{listings: d.Listings, people: d.People, site: web.options.Site, trust: d.Trust}
	return operator.Tab{
		Name: "reports", Title: "Reports", Note: "to decide",
		Waiting: func(ctx context.Context) (int64, error) {
			page, err := d.Trust.OpenReports(ctx, ecobid.MaxPage, "")
			return int64(len(page.Items)), err
		},
		Pages: map[string]operator.Handler{"GET ": t.reports, "POST ": t.decide},
	}
}

func (t *reportTab) reports(w http.ResponseWriter, r *http.Request, by staff.Operator) error {
	page, err := t.trust.OpenReports(r.Context(), 0, r.URL.Query().Get("cursor"))
	if err != nil {
		return err
	}
	view := reportsView{Bar: operator.NewBar(by, "Reports")}
	if page.Next != "" {
		view.More = addQuery("/operator/reports", "cursor", page.Next)
	}
	var ids []string
	for _, report := range page.Items {
		row, owner, err := t.reportRow(r.Context(), report)
		if err != nil {
			return err
		}
		view.Reports, ids = append(view.Reports, row), append(ids, owner, report.ReporterID)
	}
	names, err := t.people.Several(r.Context(), slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == "" }))
	if err != nil {
		return err
	}
	for i := range view.Reports {
		view.Reports[i].Owner, view.Reports[i].Reporter = names[ids[2*i]].Username, names[ids[2*i+1]].Username
	}
	t.site.Render(w, r, http.StatusOK, "operator-reports.html", view)
	return nil
}

// reportRow adds what a reported item is, or the name of a reported person, and returns the id of that person.
func (t *reportTab) reportRow(ctx context.Context, report trust.StoredReport) (row reportRow, owner string, err error) {
	row, target := reportRow{StoredReport: report}, trust.TargetOf(report)
	if target.ItemID == "" {
		row.Link, row.Title = "/people/"+target.UserID, "A former member"
		person, err := t.people.Public(ctx, "", target.UserID)
		if _, missing := refusal.As(err, refusal.NotFound); missing {
			return row, "", nil
		}
		if person.Username != "" {
			row.Title = person.Username
		}
		return row, target.UserID, err
	}
	row.Item, row.Link, row.Title = true, "/items/"+target.ItemID, "An item that is gone"
	item, err := t.listings.Get(ctx, "", target.ItemID)
	if _, missing := refusal.As(err, refusal.NotFound); missing {
		return row, "", nil
	}
	if item.Title != "" {
		row.Title, row.Text, row.Photo = item.Title, item.Description, value(item.Thumbnail)
	}
	return row, item.UserID, err
}

// decide closes a report.
func (t *reportTab) decide(w http.ResponseWriter, r *http.Request, by staff.Operator) error {
	form := webkit.ReadForm(r)
	key := trust.ReportKey{TargetID: form.Value("target"), ReporterID: form.Value("reporter")}
	uphold := form.Value("decision") == "uphold"
	if err := t.trust.Decide(r.Context(), by.Name, key, uphold); err != nil {
		return err
	}
	text := "Dismissed. The reporter is told."
	if uphold {
		text = "Upheld. The reporter is told."
	}
	t.site.Flash(w, r, webkit.Good, text)
	t.site.Redirect(w, r, operator.Home+"/reports")
	return nil
}
