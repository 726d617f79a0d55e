package web

import (
	"net/http"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/images"
	"sortkey.dev/apps/internal/files/fileserve"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/webkit"
)

// An adminPage serves an admin.
type adminPage func(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error

func (web *Web) adminPages() map[string]adminPage {
	return map[string]adminPage{
		"GET /admin":                                            web.projects,
		"POST /admin/projects":                                  web.createProject,
		"GET /admin/projects/{id}":                              web.project,
		"POST /admin/projects/{id}/state":                       web.changeState,
		"GET /admin/projects/{id}/settings":                     web.settings,
		"POST /admin/projects/{id}/settings":                    web.saveSettings,
		"POST /admin/projects/{id}/editors":                     web.changeEditors,
		"GET /admin/projects/{id}/questions/new":                web.newQuestion,
		"POST /admin/projects/{id}/questions/new":               web.addQuestion,
		"POST /admin/projects/{id}/preview":                     web.preview,
		"GET /admin/projects/{id}/questions/{question}":         web.editQuestion,
		"POST /admin/projects/{id}/questions/{question}":        web.changeQuestion,
		"POST /admin/projects/{id}/questions/{question}/delete": web.deleteQuestion,
		"GET /admin/projects/{id}/import":                       web.imports,
		"POST /admin/projects/{id}/import":                      web.upload,
		"GET /admin/projects/{id}/import/{document}":            web.reviewImport,
		"POST /admin/projects/{id}/import/{document}":           web.saveImport,
		"POST /admin/projects/{id}/import/{document}/delete":    web.discardImport,
		"GET /admin/projects/{id}/import/{document}/file":       web.importFile,
		"GET /admin/projects/{id}/import/{document}/{n}":        web.editDraft,
		"POST /admin/projects/{id}/import/{document}/{n}":       web.changeDraft,
		"GET /admin/projects/{id}/results":                      web.statistics,
		"GET /admin/projects/{id}/results.csv":                  web.attemptsCSV,
		"POST /admin/projects/{id}/questions/{question}/move":   web.moveQuestion,
		"POST /admin/projects/{id}/questions/{question}/copy":   web.copyQuestion,
		"GET /admin/projects/{id}/export/{format}":              web.export,
		"GET /admin/projects/{id}/live":                         web.room,
		"POST /admin/projects/{id}/live":                        web.extend,
		"GET /admin/projects/{id}/items/{question}":             web.item,
		"POST /admin/projects/{id}/items/{question}/regrade":    web.regrade,
		"GET /admin/attempts/{id}":                              web.attempt,
		"GET /admin/groups":                                     web.groups,
		"POST /admin/groups":                                    web.createGroup,
		"GET /admin/groups/{id}":                                web.group,
		"POST /admin/groups/{id}":                               web.changeGroup,
	}
}

// admin lets a page serve only admins.
func (web *Web) admin(page adminPage) webkit.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		me, err := caller(r)
		if err != nil {
			return err
		}
		admin, err := me.Admin()
		if err != nil {
			return err
		}
		return page(w, r, admin)
	}
}

// image serves an image of a question. Its id cannot be guessed.
func (web *Web) image(w http.ResponseWriter, r *http.Request) error {
	key, err := images.Key(r.PathValue("file"))
	if err != nil {
		return err
	}
	return fileserve.Serve(w, r, web.Files, fileserve.File{Key: key, Cache: "private, max-age=86400"})
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

func (web *Web) projects(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	return web.showProjects(w, r, me, http.StatusOK, webkit.NewForm(nil))
}

func (web *Web) showProjects(w http.ResponseWriter, r *http.Request, me exambuddy.Admin, status int, form *webkit.Form) error {
	archived, cursor := r.URL.Query().Get("show") == "archived", r.URL.Query().Get("cursor")
	page, err := web.Domain.Bank.List(r.Context(), me, &archived, exambuddy.PageSize, cursor)
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
		if view.Shared, err = web.Domain.Bank.Shared(r.Context(), me); err != nil {
			return err
		}
	}
	web.Site.Render(w, r, status, "admin-projects.html", view)
	return nil
}

func (web *Web) createProject(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	form := webkit.ReadForm(r).Label("title", "Title")
	in := bank.Settings{Title: form.Line("title", exambuddy.MinTitle, exambuddy.MaxTitle), PassMark: exambuddy.DefaultPassMark, Rules: bank.DefaultRules(), Key: form.Key()}
	if form.Valid() {
		project, err := web.Domain.Bank.Create(r.Context(), me, in)
		if failed := refuseForm(form, err); failed != nil {
			return failed
		}
		if err == nil {
			web.Site.Redirect(w, r, projectPath(project.ProjectID))
			return nil
		}
	}
	return web.showProjects(w, r, me, http.StatusUnprocessableEntity, form)
}

func projectPath(id string) string { return "/admin/projects/" + id }

// A frame is what all pages of an exam show.
type frame struct {
	Project bank.Project
	Owner   bool // the reader owns the exam, and does not only edit it
	Tabs    []webkit.Tab
}

// frame reads the exam of a page.
func (web *Web) frame(r *http.Request, me exambuddy.Admin, current string) (frame, error) {
	project, err := web.Domain.Bank.Project(r.Context(), me, r.PathValue("id"))
	if err != nil {
		return frame{}, err
	}
	f := frame{Project: project, Owner: project.AdminID == me.ID}
	for _, tab := range []struct{ path, text string }{{"", "Questions"}, {"/import", "Import"}, {"/settings", "Settings"}, {"/live", "Live"}, {"/results", "Results"}} {
		f.Tabs = append(f.Tabs, webkit.Tab{Href: projectPath(project.ProjectID) + tab.path, Text: tab.text, Current: tab.path == current})
	}
	return f, nil
}

// changeState publishes an exam, hides it or deletes it.
func (web *Web) changeState(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	form := webkit.ReadForm(r)
	id, to, done := r.PathValue("id"), projectPath(r.PathValue("id")), ""
	var err error
	switch form.Choice("do", "publish", "unpublish", "archive", "restore", "delete") {
	case "publish":
		done = "Published. Candidates see it now."
		_, err = web.Domain.Bank.Publish(r.Context(), me, id)
	case "unpublish":
		done = "It is a draft again. Running sessions go on."
		_, err = web.Domain.Bank.Unpublish(r.Context(), me, id)
	case "archive":
		done = "Archived. Running sessions go on."
		_, err = web.Domain.Bank.Archive(r.Context(), me, id)
	case "restore":
		done = "Restored as a draft."
		_, err = web.Domain.Bank.Restore(r.Context(), me, id)
	case "delete":
		done, to = "Deleted. Results stay.", "/admin?show=archived"
		err = web.Domain.Bank.Delete(r.Context(), me, id)
	}
	if _, ok := refusal.As(err); ok || !form.Valid() {
		if failed := refuseForm(form, err); failed != nil {
			return failed
		}
		return web.showProject(w, r, me, http.StatusUnprocessableEntity, form)
	}
	if err != nil {
		return err
	}
	web.Site.Flash(w, r, webkit.Good, done)
	web.Site.Redirect(w, r, to)
	return nil
}
