package web

import (
	"sortkey.dev/apps/askahuman/people"
	"sortkey.dev/apps/internal/webkit"
)

// views declares the data of the pages.
var views = webkit.Views{
	"agent.html":       agentView{},
	"answers.html":     ownAnswersView{},
	"developers.html":  developersView{},
	"done.html":        doneView{},
	"feed.html":        feedView{},
	"forget.html":      people.Stats{},
	"guide.html":       guideView{},
	"late.html":        lateView{},
	"leaderboard.html": boardView{},
	"me.html":          meView{},
	"move.html":        moveView{},
	"question.html":    questionView{},
	"queued.html":      nil,
	"result.html":      resultView{},
	"settings.html":    settingsView{},

	"operator-agents.html":    agentPage{},
	"operator-flags.html":     flagsView{},
	"operator-people.html":    peopleView{},
	"operator-person.html":    personPage{},
	"operator-question.html":  inspectorView{},
	"operator-questions.html": searchView{},
	"operator-reports.html":   reportsView{},
}
