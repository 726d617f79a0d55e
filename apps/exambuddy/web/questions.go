package web

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/exchange"
	"sortkey.dev/apps/exambuddy/exchange/draft"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/internal/files"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/webkit"
)

// projectView holds the data of admin-project.html.
type projectView struct {
	frame
	Form    *webkit.Form
	Rows    []questionRow
	Found   int
	Total   int
	Ordered bool // all questions are shown, so that they can be moved
	Filter  bank.Filter
	Types   []webkit.Option
	Tags    []webkit.Option
	States  []webkit.Option
	Kinds   []webkit.Option
	Exports []webkit.Link
	Pager   webkit.Pager
}

// A questionRow is a question of the bank at its place.
type questionRow struct {
	bank.Item
	Place int
}

// perPage is the number of questions of a page of the bank.
const perPage = 50

func (web *Web) project(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	return web.showProject(w, r, me, http.StatusOK, webkit.NewForm(nil))
}

// readFilter reads the filter of a query.
func readFilter(query url.Values) bank.Filter {
	return bank.Filter{
		Type: question.Type(query.Get("type")), Tag: query.Get("tag"), Text: strings.TrimSpace(query.Get("q")), Unanswered: query.Get("state") == "unanswered",
	}
}

func (web *Web) showProject(w http.ResponseWriter, r *http.Request, me exambuddy.Admin, status int, form *webkit.Form) error {
	f, err := web.frame(r, me, "")
	if err != nil {
		return err
	}
	query := r.URL.Query()
	view := projectView{frame: f, Form: form, Filter: readFilter(query), Kinds: kindOptions()}
	found, err := web.Domain.Bank.Search(r.Context(), me, f.Project.ProjectID, view.Filter)
	if err != nil {
		return err
	}
	view.Found, view.Total, view.Ordered = len(found.Items), found.Total, view.Filter.Empty()
	from, _ := strconv.Atoi(query.Get("from"))
	from = max(0, min(from, len(found.Items)))
	for i, item := range found.Items[from:min(from+perPage, len(found.Items))] {
		view.Rows = append(view.Rows, questionRow{Item: item, Place: from + i + 1})
	}
	if next := from + perPage; next < len(found.Items) {
		query.Set("from", strconv.Itoa(next))
		view.Pager = webkit.Pager{Next: projectPath(f.Project.ProjectID) + "?" + query.Encode(), More: true}
	}
	view.choices(found.Tags)
	web.Site.Render(w, r, status, "admin-project.html", view)
	return nil
}

// choices fills in what the filter offers.
func (v *projectView) choices(tags []string) {
	v.Types = []webkit.Option{{Text: "All types"}}
	for _, t := range question.Types() {
		v.Types = append(v.Types, webkit.Option{Value: string(t), Text: t.Label()})
	}
	v.Tags = []webkit.Option{{Text: "All topics"}}
	for _, tag := range tags {
		v.Tags = append(v.Tags, webkit.Option{Value: tag, Text: tag})
	}
	v.States = []webkit.Option{{Text: "With or without a key"}, {Value: "unanswered", Text: "Without a key"}}
	for _, format := range exchange.Exports() {
		v.Exports = append(v.Exports, webkit.Link{Href: projectPath(v.Project.ProjectID) + "/export/" + string(format), Text: formatNames[format]})
	}
}

var formatNames = map[exchange.Format]string{exchange.JSON: "JSON", exchange.CSV: "CSV", exchange.GIFT: "GIFT", exchange.Aiken: "Aiken", exchange.QTI: "QTI 2.1"}

// moveQuestion gives a question another place.
func (web *Web) moveQuestion(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	form := webkit.ReadForm(r)
	place, _ := strconv.Atoi(form.Value("place"))
	err := web.Domain.Bank.Reorder(r.Context(), me, r.PathValue("id"), r.PathValue("question"), place)
	if failed := refuseForm(form, err); failed != nil {
		return failed
	}
	if err != nil {
		return web.showProject(w, r, me, http.StatusUnprocessableEntity, form)
	}
	to := projectPath(r.PathValue("id"))
	if from := (place - 1) / perPage * perPage; from > 0 {
		to += "?from=" + strconv.Itoa(from)
	}
	web.Site.Redirect(w, r, to+"#q-"+r.PathValue("question"))
	return nil
}

// copyQuestion adds a copy of a question and opens it.
func (web *Web) copyQuestion(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	item, err := web.Domain.Bank.Duplicate(r.Context(), me, r.PathValue("id"), r.PathValue("question"), webkit.ReadForm(r).Key())
	if err != nil {
		return err
	}
	web.Site.Flash(w, r, webkit.Good, "Copied. Change the text of the copy.")
	web.Site.Redirect(w, r, projectPath(r.PathValue("id"))+"/questions/"+item.ID)
	return nil
}

// export writes the questions of an exam as a file.
func (web *Web) export(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	project, err := web.Domain.Bank.Project(r.Context(), me, r.PathValue("id"))
	if err != nil {
		return err
	}
	format := exchange.Format(r.PathValue("format"))
	if !slices.Contains(exchange.Exports(), format) {
		return refusal.New(refusal.NotFound, "", "There is no such format.")
	}
	found, err := web.Domain.Bank.Search(r.Context(), me, project.ProjectID, bank.Filter{})
	if err != nil {
		return err
	}
	drafts := make([]draft.Draft, len(found.Items))
	for i, item := range found.Items {
		drafts[i] = draft.Draft{Question: item.Question, Key: item.Key, ID: item.ID, DuplicateOf: -1}
	}
	content, problems, err := exchange.Export(format, drafts, web.imageFile(r.Context()))
	if err != nil {
		return err
	}
	ending, mediaType := format.File()
	w.Header().Set("Content-Type", mediaType)
	w.Header().Set("Content-Disposition", files.Disposition("attachment", project.Title+ending))
	w.Header().Set("X-Left-Out", strconv.Itoa(len(problems)))
	_, err = w.Write(content)
	return err
}
