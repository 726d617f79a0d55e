package web

import (
	"net/http"

	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/trust"
	"sortkey.dev/apps/internal/webkit"
)

// aboutPages explains the system and shows what was reused.
type aboutPages struct {
	site  *webkit.Site
	trust *trust.Service
}

func (p *aboutPages) public() map[string]webkit.Handler {
	return map[string]webkit.Handler{
		"GET /impact": p.impact,
		"GET /about":  p.about,
	}
}

// impactView holds the data of impact.html.
type impactView struct {
	City   string
	Months webkit.BarChart
	Items  int64
	Grams  int64
	CO2    int64
	Rules  []trust.Factor
}

func (p *aboutPages) impact(w http.ResponseWriter, r *http.Request) error {
	view := impactView{City: r.URL.Query().Get("city"), Rules: trust.Factors}
	figures, err := p.trust.Impact(r.Context(), view.City)
	if err != nil {
		return err
	}
	view.Months = webkit.BarChart{Title: "Things reused by month", Desc: "How many things were handed over in each month.", Unit: "things"}
	for _, month := range figures {
		view.Items, view.Grams, view.CO2 = view.Items+month.Items, view.Grams+month.Grams, view.CO2+month.Co2Grams
		view.Months.Bars = append(view.Months.Bars, webkit.Bar{Label: month.Month, Value: float64(month.Items)})
	}
	p.site.Render(w, r, http.StatusOK, "impact.html", view)
	return nil
}

// about explains the system.
func (p *aboutPages) about(w http.ResponseWriter, r *http.Request) error {
	p.site.Render(w, r, http.StatusOK, "about.html", aboutView{
		Answer: ecobid.AnswerWithin, Radii: ecobid.Radii, Photos: ecobid.MaxPhotos, Listed: ecobid.ListedFor,
	})
	return nil
}
