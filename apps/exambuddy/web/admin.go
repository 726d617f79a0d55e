package web

import (
	"net/http"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/internal/webkit"
)

// An adminPage serves an admin.
type adminPage func(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error

// adminOnly lets a page serve only admins.
func adminOnly(page adminPage) webkit.Handler {
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

// A frame is what all pages of an exam show.
type frame struct {
	Project bank.Project
	Owner   bool // the reader owns the exam, and does not only edit it
	Tabs    []webkit.Tab
}

// frameOf reads the exam of a page.
func frameOf(r *http.Request, b *bank.Service, me exambuddy.Admin, current string) (frame, error) {
	project, err := b.Project(r.Context(), me, r.PathValue("id"))
	if err != nil {
		return frame{}, err
	}
	f := frame{Project: project, Owner: project.AdminID == me.ID}
	for _, tab := range []struct{ path, text string }{{"", "Questions"}, {"/import", "Import"}, {"/settings", "Settings"}, {"/live", "Live"}, {"/results", "Results"}} {
		f.Tabs = append(f.Tabs, webkit.Tab{Href: projectPath(project.ProjectID) + tab.path, Text: tab.text, Current: tab.path == current})
	}
	return f, nil
}
