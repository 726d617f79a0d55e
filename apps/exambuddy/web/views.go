package web

import "sortkey.dev/apps/internal/webkit"

// views declares the data of the pages.
var views = webkit.Views{
	"about.html":           nil,
	"admin-group.html":     groupView{},
	"admin-groups.html":    groupsView{},
	"admin-import.html":    reviewView{},
	"admin-imports.html":   importsView{},
	"admin-item.html":      analysisView{},
	"admin-live.html":      roomView{},
	"admin-preview.html":   editorView{},
	"admin-project.html":   projectView{},
	"admin-projects.html":  projectsView{},
	"admin-question.html":  editorView{},
	"admin-results.html":   statisticsView{},
	"admin-settings.html":  settingsView{},
	"certificate.html":     certificateView{},
	"exam.html":            examView{},
	"hand-in.html":         handInView{},
	"history.html":         historyView{},
	"home.html":            homeView{},
	"operator-people.html": peopleView{},
	"practice.html":        practiceView{},
	"ready.html":           readyView{},
	"result.html":          resultView{},
	"sit.html":             sitView{},
	"welcome.html":         nil,
}
