package web

import (
	"net/http"
	"strings"
	"unicode/utf8"

	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/understanding"
	"sortkey.dev/apps/homeops/vocabulary"
	"sortkey.dev/apps/internal/webkit"
)

// wordPages changes the words of a household.
type wordPages struct {
	site       *webkit.Site
	vocabulary *vocabulary.Service
}

func (pages *wordPages) pages() map[string]memberPage {
	return map[string]memberPage{
		"GET /household/words":       pages.words,
		"POST /household/words":      pages.addWord,
		"POST /household/words/drop": pages.dropWord,
	}
}

// wordsView holds the data of words.html.
type wordsView struct {
	frame
	Tabs  webkit.Tabs
	Words []wordRow
	Form  *webkit.Form
}

// A wordRow is an expression of the household.
type wordRow struct {
	Word, Activity string
	Confirmed      int64
}

func (pages *wordPages) words(w http.ResponseWriter, r *http.Request, f frame) error {
	return pages.showWords(w, r, f, http.StatusOK, nil)
}

func (pages *wordPages) showWords(w http.ResponseWriter, r *http.Request, f frame, status int, form *webkit.Form) error {
	view := wordsView{frame: f, Tabs: f.houseTabs("/household/words"), Form: form}
	for _, a := range f.Home.Aliases {
		view.Words = append(view.Words, wordRow{Word: a.Alias, Activity: a.CanonicalActivity, Confirmed: a.Confirmations})
	}
	pages.site.Render(w, r, status, "words.html", view)
	return nil
}

// addWord teaches a word, whatever it stood for before.
func (pages *wordPages) addWord(w http.ResponseWriter, r *http.Request, f frame) error {
	form := webkit.ReadForm(r)
	word, activity := strings.TrimSpace(form.Value("word")), form.Value("activity")
	if word == "" || utf8.RuneCountInString(word) > homeops.MaxActivity {
		form.Fail("word", f.word("words.bad"))
	}
	if _, known := understanding.Lookup(understanding.ActivityID(activity)); !known {
		form.Fail("activity", f.word("log.badActivity"))
	}
	if !form.Valid() {
		return pages.showWords(w, r, f, http.StatusUnprocessableEntity, form)
	}
	_, err := pages.vocabulary.Correct(r.Context(), f.Home, vocabulary.Lesson{Surface: word, Activity: activity, UserID: f.Me, From: word})
	return done(pages.site, w, r, f, err, "words.added", "/household/words")
}

func (pages *wordPages) dropWord(w http.ResponseWriter, r *http.Request, f frame) error {
	err := pages.vocabulary.Forget(r.Context(), f.Home, f.Me, webkit.ReadForm(r).Value("word"))
	return done(pages.site, w, r, f, err, "words.dropped", "/household/words")
}
