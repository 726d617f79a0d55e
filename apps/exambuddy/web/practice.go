package web

import (
	"net/http"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/learning"
	"sortkey.dev/apps/internal/webkit"
)

// practiceView holds the data of practice.html.
type practiceView struct {
	learning.Plan
	Chart *webkit.BarChart // of the weakest topics
}

// topicsShown is the number of topics on the page of practice.
const topicsShown = 8

// practice shows what a candidate should practise now.
func (web *Web) practice(w http.ResponseWriter, r *http.Request, me exambuddy.Candidate) error {
	plan, err := web.Domain.Learning.Plan(r.Context(), me)
	if err != nil {
		return err
	}
	view := practiceView{Plan: plan}
	if len(plan.Topics) > 0 {
		view.Chart = &webkit.BarChart{Title: "What you remember", Desc: "How likely you are to know the questions of a topic today, the weakest first.", Unit: "share", Format: "share", Max: 1}
		for _, topic := range plan.Topics[:min(len(plan.Topics), topicsShown)] {
			view.Chart.Bars = append(view.Chart.Bars, webkit.Bar{Label: topic.Tag, Value: float64(topic.Tenths) / 1000, Note: webkit.Number(topic.Answers)})
		}
	}
	web.Site.Render(w, r, http.StatusOK, "practice.html", view)
	return nil
}
