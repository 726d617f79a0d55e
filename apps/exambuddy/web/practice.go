package web

import (
	"net/http"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/learning"
	"sortkey.dev/apps/internal/webkit"
)

// practicePages serves the plan of what to practise.
type practicePages struct {
	learning *learning.Service
	site     *webkit.Site
}

func (h *practicePages) pages() map[string]candidatePage {
	return map[string]candidatePage{
		"GET /practice": h.practice,
	}
}

// practiceView holds the data of practice.html.
type practiceView struct {
	learning.Plan
	Chart *webkit.BarChart // of the weakest topics
}

// topicsShown is the number of topics on the page of practice.
const topicsShown = 8

// practice shows what a candidate should practise now.
func (h *practicePages) practice(w http.ResponseWriter, r *http.Request, me exambuddy.Candidate) error {
	plan, err := h.learning.Plan(r.Context(), me)
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
	h.site.Render(w, r, http.StatusOK, "practice.html", view)
	return nil
}
