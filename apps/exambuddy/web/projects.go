package web

import (
	"net/http"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/internal/webkit"
)

// projectPages serves the list of exams of an admin.
type projectPages struct {
	bank *bank.Service
	site *webkit.Site
}

func (h *projectPages) pages() map[string]adminPage {
	return map[string]adminPage{
		"GET /admin":           h.projects,
		"POST /admin/projects": h.createProject,
	}
}

// projectsView holds the data of admin-projects.html.
type projectsView struct {
	Form     *webkit.Form
	Projects []bank.Project
	Shared   []bank.Project
	Archived bool
	Tabs     []webkit.Tab
	Pager    webkit.Pager
	First    bool
}

func (h *projectPages) projects(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	return h.showProjects(w, r, me, http.StatusOK, webkit.NewForm(nil))
}

func (h *projectPages) showProjects(w http.ResponseWriter, r *http.Request, me exambuddy.Admin, status int, form *webkit.Form) error {
	archived, cursor := r.URL.Query().Get("show") == "archived", r.URL.Query().Get("cursor")
	page, err := h.bank.List(r.Context(), me, &archived, exambuddy.PageSize, cursor)
	if err != nil {
		return err
	}
	view := projectsView{
		Form: form, Projects: page.Items, Archived: archived, First: cursor == "",
		Tabs: []webkit.Tab{{Href: "/admin", Text: "Active", Current: !archived}, {Href: "/admin?show=archived", Text: "Archived", Current: archived}},
	}
	if page.Next != "" {
		view.Pager = webkit.Pager{Next: "/admin?cursor=" + page.Next, More: true}
		if archived {
			view.Pager.Next += "&show=archived"
		}
	}
	if !archived && cursor == "" {
		if view.Shared, err = h.bank.Shared(r.Context(), me); err != nil {
			return err
		}
	}
	h.site.Render(w, r, status, "admin-projects.html", view)
	return nil
}

func (h *projectPages) createProject(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	form := webkit.ReadForm(r).Label("title", "Title")
	in := bank.Settings{Title: form.Line("title", exambuddy.MinTitle, exambuddy.MaxTitle), PassMark: exambuddy.DefaultPassMark, Rules: bank.DefaultRules(), Repeat: exambuddy.Repeat{Key: form.Key()}}
	if form.Valid() {
		project, err := h.bank.Create(r.Context(), me, in)
		if failed := form.Refuse(err); failed != nil {
			return failed
		}
		if err == nil {
			h.site.Redirect(w, r, projectPath(project.ProjectID))
			return nil
		}
	}
	return h.showProjects(w, r, me, http.StatusUnprocessableEntity, form)
}

func projectPath(id string) string { return "/admin/projects/" + id }
