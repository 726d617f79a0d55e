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
	"sortkey.dev/apps/exambuddy/images"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/internal/files"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/webkit"
)

// questionPages serves the questions of an exam and their editor.
type questionPages struct {
	bank   *bank.Service
	images *images.Service
	site   *webkit.Site
}

func (h *questionPages) pages() map[string]adminPage {
	return map[string]adminPage{
		"GET /admin/projects/{id}":                              h.project,
		"POST /admin/projects/{id}/state":                       h.changeState,
		"GET /admin/projects/{id}/questions/new":                h.newQuestion,
		"POST /admin/projects/{id}/questions/new":               h.addQuestion,
		"POST /admin/projects/{id}/preview":                     h.preview,
		"GET /admin/projects/{id}/questions/{question}":         h.editQuestion,
		"POST /admin/projects/{id}/questions/{question}":        h.changeQuestion,
		"POST /admin/projects/{id}/questions/{question}/delete": h.deleteQuestion,
		"POST /admin/projects/{id}/questions/{question}/move":   h.moveQuestion,
		"POST /admin/projects/{id}/questions/{question}/copy":   h.copyQuestion,
		"GET /admin/projects/{id}/export/{format}":              h.export,
	}
}

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

func (h *questionPages) project(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	return h.showProject(w, r, me, http.StatusOK, webkit.NewForm(nil))
}

// readFilter reads the filter of a query.
func readFilter(query url.Values) bank.Filter {
	return bank.Filter{
		Type: question.Type(query.Get("type")), Tag: query.Get("tag"), Text: strings.TrimSpace(query.Get("q")), Unanswered: query.Get("state") == "unanswered",
	}
}

func (h *questionPages) showProject(w http.ResponseWriter, r *http.Request, me exambuddy.Admin, status int, form *webkit.Form) error {
	f, err := frameOf(r, h.bank, me, "")
	if err != nil {
		return err
	}
	query := r.URL.Query()
	view := projectView{frame: f, Form: form, Filter: readFilter(query), Kinds: kindOptions()}
	found, err := h.bank.Search(r.Context(), me, f.Project.ProjectID, view.Filter)
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
	h.site.Render(w, r, status, "admin-project.html", view)
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
func (h *questionPages) moveQuestion(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	form := webkit.ReadForm(r)
	place, _ := strconv.Atoi(form.Value("place"))
	err := h.bank.Reorder(r.Context(), me, r.PathValue("id"), r.PathValue("question"), place)
	if failed := form.Refuse(err); failed != nil {
		return failed
	}
	if err != nil {
		return h.showProject(w, r, me, http.StatusUnprocessableEntity, form)
	}
	to := projectPath(r.PathValue("id"))
	if from := (place - 1) / perPage * perPage; from > 0 {
		to += "?from=" + strconv.Itoa(from)
	}
	h.site.Redirect(w, r, to+"#q-"+r.PathValue("question"))
	return nil
}

// copyQuestion adds a copy of a question and opens it.
func (h *questionPages) copyQuestion(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	item, err := h.bank.Duplicate(r.Context(), me, r.PathValue("id"), r.PathValue("question"), exambuddy.Repeat{Key: webkit.ReadForm(r).Key()})
	if err != nil {
		return err
	}
	h.site.Flash(w, r, webkit.Good, "Copied. Change the text of the copy.")
	h.site.Redirect(w, r, projectPath(r.PathValue("id"))+"/questions/"+item.ID)
	return nil
}

// export writes the questions of an exam as a file.
func (h *questionPages) export(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	project, err := h.bank.Project(r.Context(), me, r.PathValue("id"))
	if err != nil {
		return err
	}
	format := exchange.Format(r.PathValue("format"))
	if !slices.Contains(exchange.Exports(), format) {
		return refusal.New(refusal.NotFound, "", "There is no such format.")
	}
	found, err := h.bank.Search(r.Context(), me, project.ProjectID, bank.Filter{})
	if err != nil {
		return err
	}
	drafts := make([]draft.Draft, len(found.Items))
	for i, item := range found.Items {
		drafts[i] = draft.Draft{Question: item.Question, Key: item.Key, ID: item.ID, DuplicateOf: -1}
	}
	content, problems, err := exchange.Export(format, drafts, h.imageFile(r.Context()))
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

// changeState publishes an exam, hides it or deletes it.
func (h *questionPages) changeState(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	form := webkit.ReadForm(r)
	id, to, done := r.PathValue("id"), projectPath(r.PathValue("id")), ""
	var err error
	switch form.Choice("do", "publish", "unpublish", "archive", "restore", "delete") {
	case "publish":
		done = "Published. Candidates see it now."
		_, err = h.bank.Publish(r.Context(), me, id)
	case "unpublish":
		done = "It is a draft again. Running sessions go on."
		_, err = h.bank.Unpublish(r.Context(), me, id)
	case "archive":
		done = "Archived. Running sessions go on."
		_, err = h.bank.Archive(r.Context(), me, id)
	case "restore":
		done = "Restored as a draft."
		_, err = h.bank.Restore(r.Context(), me, id)
	case "delete":
		done, to = "Deleted. Results stay.", "/admin?show=archived"
		err = h.bank.Delete(r.Context(), me, id)
	}
	if _, ok := refusal.As(err); ok || !form.Valid() {
		if failed := form.Refuse(err); failed != nil {
			return failed
		}
		return h.showProject(w, r, me, http.StatusUnprocessableEntity, form)
	}
	if err != nil {
		return err
	}
	h.site.Flash(w, r, webkit.Good, done)
	h.site.Redirect(w, r, to)
	return nil
}
