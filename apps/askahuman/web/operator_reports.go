package web

import (
	"errors"
	"net/http"
	"net/url"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/operators"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/operator"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/staff"
	"sortkey.dev/apps/internal/webkit"
)

// reportTab decides reports of questions.
type reportTab struct {
	hub       *live.Hub
	operators *operators.Service
	questions *questions.Service
	site      *webkit.Site
}

// reportsView holds the data of operator-reports.html.
type reportsView struct {
	operator.Bar
	Reports []reportView
	Pager   webkit.Pager
	Later   bool
	Cursor  string
	Hidden  *questions.Question // the question just hidden
}

// A reportView is an open report.
type reportView struct {
	Anchor, Next string
	Report       operators.Report
	Question     questions.Question
	Gone         bool
	Person       personRef
	Post         string
}

func (t *reportTab) operatorReports(w http.ResponseWriter, r *http.Request, by staff.Operator) error {
	query := r.URL.Query()
	view := reportsView{Bar: operator.NewBar(by, "Reported questions"), Cursor: query.Get("cursor"), Later: query.Get("cursor") != ""}
	reported, next, err := t.operators.OpenReports(r.Context(), operatorRows, view.Cursor)
	if err != nil {
		return err
	}
	for _, report := range reported {
		id, hash := report.Report.QuestionID, report.Report.FingerprintHash
		view.Reports = append(view.Reports, reportView{
			Anchor: "report-" + id + "-" + shortHash(hash), Report: report.Report, Question: report.Question, Gone: report.Question.QuestionID == "",
			Person: personRef{hash, id}, Post: reportsPath + "/" + url.PathEscape(id) + "/" + url.PathEscape(hash),
		})
	}
	for i := range view.Reports {
		// After a report that hides a question, the question's other reports are decided, too.
		if later := i + 1; later < len(view.Reports) {
			view.Reports[i].Next = view.Reports[later].Anchor
		} else if i > 0 {
			view.Reports[i].Next = view.Reports[i-1].Anchor
		}
	}
	view.Pager = pagerTo(reportsPath, next, "Later reports", view.Later)
	if id := query.Get("hidden"); id != "" {
		question, err := t.questions.Question(r.Context(), id)
		if err != nil && !errors.Is(err, askahuman.ErrNoQuestion) {
			return err
		}
		if err == nil && question.Hidden {
			view.Hidden = &question
		}
	}
	t.site.Render(w, r, http.StatusOK, "operator-reports.html", view)
	return nil
}

func (t *reportTab) decideReport(w http.ResponseWriter, r *http.Request, by staff.Operator) error {
	form := webkit.ReadForm(r)
	question, hash := r.PathValue("question"), r.PathValue("person")
	action := form.Choice("action", "hide", "keep")
	if !form.Valid() {
		return refusal.New(refusal.Invalid, "", "Choose whether to hide the question.")
	}
	if err := t.operators.DecideReport(r.Context(), by.Name, question, hash, action == "hide"); err != nil {
		return err
	}
	back := url.Values{}
	if cursor := form.Value("cursor"); cursor != "" {
		back.Set("cursor", cursor)
	}
	text := "Kept. People see the question."
	if action == "hide" {
		text = "Hidden. Nobody sees the question any more."
		back.Set("hidden", question)
	}
	t.hub.Tell(askahuman.FeedTopic, askahuman.QuestionTopic(question))
	t.site.Flash(w, r, webkit.Good, text)
	to := url.URL{Path: reportsPath, RawQuery: back.Encode(), Fragment: form.Value("next")}
	t.site.Redirect(w, r, to.String())
	return nil
}
