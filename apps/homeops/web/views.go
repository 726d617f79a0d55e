package web

import "sortkey.dev/apps/internal/webkit"

// views declares the data of the pages.
var views = webkit.Views{
	"chat.html":             chatView{},
	"habits.html":           habitsView{},
	"household.html":        householdView{},
	"join.html":             joinView{},
	"language.html":         languageView{},
	"log.html":              logView{},
	"operator-sandbox.html": sandboxView{},
	"preferences.html":      preferencesView{},
	"promises.html":         promisesView{},
	"settings.html":         settingsView{},
	"setup.html":            setupView{},
	"sign-in.html":          signInView{},
	"start.html":            startView{},
	"week.html":             weekView{},
	"words.html":            wordsView{},
}
