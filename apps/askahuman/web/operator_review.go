package web

import (
	"net/http"
	"net/url"
	"strings"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/webkit"
)

// flagsView is what operator-flags.html shows.
type flagsView struct {
	Operator string
	Flags    []flagView
	Pager    webkit.Pager
	Later    bool // not the first page
	Cursor   string
	Undo     *personView // who was banned just now
}

// A flagView is one answer to judge.
type flagView struct {
	Anchor, Next    string // of this one and the one after it
	Question        askahumandb.Question
	Gone            bool // the question is kept no longer
	Answer          string
	Took, Sure      string
	Source          string
	Response        askahumandb.Response
	Reason          webkit.Badge
	Person          personRef
	Standing        webkit.Badge
	Stats           askahumandb.UserStats
	SamePerson      int // others of this person on the page
	Banned, Shadowy bool
	Post            string
}

func (web *Web) operatorFlags(w http.ResponseWriter, r *http.Request, operator string) error {
	query := r.URL.Query()
	view := flagsView{Operator: operator, Cursor: query.Get("cursor"), Later: query.Get("cursor") != ""}
	flagged, next, err := web.service.Flagged(r.Context(), operatorRows, view.Cursor)
	if err != nil {
		return err
	}
	view.Flags = flagViews(flagged)
	view.Pager = pagerTo("/operator/flags", next, "Later flags", view.Later)
	if short := query.Get("undo"); short != "" {
		person, err := web.personOf(r, short, query.Get("of"))
		if _, unknown := isRefusal(err, askahuman.CodeNotFound); err != nil && !unknown {
			return err
		}
		if err == nil && person.Stats.Standing != askahumandb.UserStatsStandingGood {
			view.Undo = &person
		}
	}
	web.site.Render(w, r, http.StatusOK, "operator-flags.html", view)
	return nil
}

// pagerTo leads to the next page of a list, and back to the first.
func pagerTo(path, next, label string, later bool) webkit.Pager {
	pager := webkit.Pager{Label: label}
	if next != "" {
		query := url.Values{"cursor": {next}}.Encode()
		if strings.Contains(path, "?") {
			pager.Next = path + "&" + query
		} else {
			pager.Next = path + "?" + query
		}
	}
	if later {
		pager.Previous = path
	}
	return pager
}

func flagViews(flagged []askahuman.Flagged) []flagView {
	byPerson := make(map[string]int)
	for _, f := range flagged {
		byPerson[f.Response.FingerprintHash]++
	}
	views := make([]flagView, len(flagged))
	for i, f := range flagged {
		response, hash := f.Response, f.Response.FingerprintHash
		views[i] = flagView{
			Anchor: "flag-" + response.QuestionID + "-" + shortHash(hash), Question: f.Question, Gone: f.Question.QuestionID == "",
			Answer: said(response, f.Question.Options), Took: answeredIn(response.ResponseTimeMs), Sure: confidenceText(response.Confidence),
			Source: string(response.Source), Response: response, Reason: reasonBadge(response.FlagReason),
			Person: personRef{hash, response.QuestionID}, Standing: standingBadge(f.Stats.Standing), Stats: f.Stats, SamePerson: byPerson[hash] - 1,
			Banned:  f.Stats.Standing == askahumandb.UserStatsStandingBanned,
			Shadowy: f.Stats.Standing == askahumandb.UserStatsStandingShadowBanned,
			Post:    "/operator/flags/" + url.PathEscape(response.QuestionID) + "/" + url.PathEscape(hash),
		}
	}
	for i := range len(views) - 1 {
		views[i].Next = views[i+1].Anchor
	}
	// The last one leads to the one before it, so that nobody loses their place.
	if n := len(views); n > 1 {
		views[n-1].Next = views[n-2].Anchor
	}
	return views
}

// decideFlag does what an operator decided about an answer. Who is banned has this answer
// rejected as well.
func (web *Web) decideFlag(w http.ResponseWriter, r *http.Request, operator string) error {
	form := webkit.ReadForm(r)
	question, hash := r.PathValue("question"), r.PathValue("person")
	action := form.Choice("action", "approve", "reject", "shadow", "ban")
	if !form.Valid() {
		return &askahuman.Error{Code: askahuman.CodeValidation, Message: "Choose what to do with the answer."}
	}
	back := url.Values{}
	if cursor := form.Value("cursor"); cursor != "" {
		back.Set("cursor", cursor)
	}
	text, err := web.judge(r, operator, action, question, hash)
	if err != nil {
		return err
	}
	if action == "shadow" || action == "ban" {
		back.Set("undo", shortHash(hash))
		back.Set("of", question)
	}
	web.hub.Tell("feed", live.Topic("question "+question))
	web.site.Flash(w, r, webkit.Good, text)
	to := url.URL{Path: "/operator/flags", RawQuery: back.Encode(), Fragment: form.Value("next")}
	web.site.Redirect(w, r, to.String())
	return nil
}

// judge carries a decision out and says what was done. A ban comes last: it is the part that
// can be taken back.
func (web *Web) judge(r *http.Request, operator, action, question, hash string) (string, error) {
	ctx := r.Context()
	if action == "approve" {
		return "Approved. The answer counts.", web.service.Approve(ctx, operator, question, hash)
	}
	if err := web.service.Reject(ctx, operator, question, hash); err != nil {
		return "", err
	}
	switch action {
	case "shadow":
		return "Rejected, and person " + shortHash(hash) + " is shadow-banned.", web.service.SetStanding(ctx, operator, hash, askahumandb.UserStatsStandingShadowBanned)
	case "ban":
		return "Rejected, and person " + shortHash(hash) + " is banned.", web.service.SetStanding(ctx, operator, hash, askahumandb.UserStatsStandingBanned)
	}
	return "Rejected. The answer is out of the results.", nil
}

// reportsView is what operator-reports.html shows.
type reportsView struct {
	Operator string
	Reports  []reportView
	Pager    webkit.Pager
	Later    bool
	Cursor   string
	Hidden   *askahumandb.Question // was hidden just now
}

// A reportView is one report to decide on.
type reportView struct {
	Anchor, Next string
	Report       askahumandb.QuestionReport
	Question     askahumandb.Question
	Gone         bool
	Person       personRef
	Post         string
}

func (web *Web) operatorReports(w http.ResponseWriter, r *http.Request, operator string) error {
	query := r.URL.Query()
	view := reportsView{Operator: operator, Cursor: query.Get("cursor"), Later: query.Get("cursor") != ""}
	reported, next, err := web.service.OpenReports(r.Context(), operatorRows, view.Cursor)
	if err != nil {
		return err
	}
	for _, report := range reported {
		id, hash := report.Report.QuestionID, report.Report.FingerprintHash
		view.Reports = append(view.Reports, reportView{
			Anchor: "report-" + id + "-" + shortHash(hash), Report: report.Report, Question: report.Question, Gone: report.Question.QuestionID == "",
			Person: personRef{hash, id}, Post: "/operator/reports/" + url.PathEscape(id) + "/" + url.PathEscape(hash),
		})
	}
	for i := range view.Reports {
		// After one that hides a question, its other reports are decided just as quickly.
		if later := i + 1; later < len(view.Reports) {
			view.Reports[i].Next = view.Reports[later].Anchor
		} else if i > 0 {
			view.Reports[i].Next = view.Reports[i-1].Anchor
		}
	}
	view.Pager = pagerTo("/operator/reports", next, "Later reports", view.Later)
	if id := query.Get("hidden"); id != "" {
		question, err := web.service.Question(r.Context(), id)
		if _, unknown := isRefusal(err, askahuman.CodeNoQuestion); err != nil && !unknown {
			return err
		}
		if err == nil && question.Hidden {
			view.Hidden = &question
		}
	}
	web.site.Render(w, r, http.StatusOK, "operator-reports.html", view)
	return nil
}

func (web *Web) decideReport(w http.ResponseWriter, r *http.Request, operator string) error {
	form := webkit.ReadForm(r)
	question, hash := r.PathValue("question"), r.PathValue("person")
	action := form.Choice("action", "hide", "keep")
	if !form.Valid() {
		return &askahuman.Error{Code: askahuman.CodeValidation, Message: "Choose whether to hide the question."}
	}
	if err := web.service.DecideReport(r.Context(), operator, question, hash, action == "hide"); err != nil {
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
	web.hub.Tell("feed", live.Topic("question "+question))
	web.site.Flash(w, r, webkit.Good, text)
	to := url.URL{Path: "/operator/reports", RawQuery: back.Encode(), Fragment: form.Value("next")}
	web.site.Redirect(w, r, to.String())
	return nil
}
