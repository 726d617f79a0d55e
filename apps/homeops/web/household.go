package web

import (
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/ledger"
	"sortkey.dev/apps/homeops/understanding"
	"sortkey.dev/apps/homeops/vocabulary"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/webkit"
)

// searched is how far back a search looks.
const searched = 365 * 24 * time.Hour

// houseTabs returns the pages about the household.
func (f frame) houseTabs(current string) webkit.Tabs {
	tabs := webkit.Tabs{Label: f.word("nav.household")}
	for _, page := range []struct{ path, key string }{
		{"/household", "house.log"}, {"/household/words", "house.words"}, {"/household/habits", "house.habits"}, {"/household/settings", "house.settings"},
	} {
		tabs.Tabs = append(tabs.Tabs, webkit.Tab{Href: page.path, Text: f.word(page.key), Current: page.path == current})
	}
	return tabs
}

// householdView holds the data of household.html.
type householdView struct {
	frame
	Tabs   webkit.Tabs
	Query  string
	Found  int
	Days   []logDay[ledger.Fact]
	More   string
	Others []webkit.Option // households to change to
}

// household shows the shared log, or what a search finds in it. It shows facts and no efforts.
func (web *Web) household(w http.ResponseWriter, r *http.Request, f frame) error {
	view := householdView{frame: f, Tabs: f.houseTabs("/household"), Query: strings.TrimSpace(r.URL.Query().Get("q"))}
	var facts []ledger.Fact
	if view.Query != "" {
		found, err := web.Domain.Ledger.Search(r.Context(), f.Home, view.Query, f.now.Add(-searched))
		if err != nil {
			return err
		}
		facts, view.Found = found, len(found)
	} else {
		page, err := web.Domain.Ledger.Recent(r.Context(), f.Home, r.URL.Query().Get("cursor"))
		if err != nil {
			return err
		}
		facts = page.Items
		if page.Next != "" {
			view.More = "/household?cursor=" + url.QueryEscape(page.Next)
		}
	}
	view.Days = byDay(f.Home.Zone(), facts, func(e ledger.Fact) time.Time { return e.At })
	if len(f.Homes) > 1 {
		for _, home := range f.Homes {
			view.Others = append(view.Others, webkit.Option{Value: home.HouseholdID, Text: home.Name})
		}
	}
	web.Site.Render(w, r, http.StatusOK, "household.html", view)
	return nil
}

// chooseHousehold changes to another household of the member.
func (web *Web) chooseHousehold(w http.ResponseWriter, r *http.Request, f frame) error {
	home, err := web.Domain.Households.ForMember(r.Context(), webkit.ReadForm(r).Value("household"), f.Me)
	if err != nil {
		return err
	}
	web.Site.SetCookie(w, homeCookie, home.HouseholdID, keepChoice)
	web.Site.Redirect(w, r, "/household")
	return nil
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

func (web *Web) words(w http.ResponseWriter, r *http.Request, f frame) error {
	return web.showWords(w, r, f, http.StatusOK, nil)
}

func (web *Web) showWords(w http.ResponseWriter, r *http.Request, f frame, status int, form *webkit.Form) error {
	view := wordsView{frame: f, Tabs: f.houseTabs("/household/words"), Form: form}
	for _, a := range f.Home.Aliases {
		view.Words = append(view.Words, wordRow{Word: a.Alias, Activity: a.CanonicalActivity, Confirmed: a.Confirmations})
	}
	web.Site.Render(w, r, status, "words.html", view)
	return nil
}

// addWord teaches a word, whatever it stood for before.
func (web *Web) addWord(w http.ResponseWriter, r *http.Request, f frame) error {
	form := webkit.ReadForm(r)
	word, activity := strings.TrimSpace(form.Value("word")), form.Value("activity")
	if word == "" || utf8.RuneCountInString(word) > homeops.MaxActivity {
		form.Fail("word", f.word("words.bad"))
	}
	if _, known := understanding.Lookup(understanding.ActivityID(activity)); !known {
		form.Fail("activity", f.word("log.badActivity"))
	}
	if !form.Valid() {
		return web.showWords(w, r, f, http.StatusUnprocessableEntity, form)
	}
	_, err := web.Domain.Vocabulary.Correct(r.Context(), f.Home, vocabulary.Lesson{Surface: word, Activity: activity, UserID: f.Me, From: word})
	return web.done(w, r, f, err, "words.added", "/household/words")
}

func (web *Web) dropWord(w http.ResponseWriter, r *http.Request, f frame) error {
	err := web.Domain.Vocabulary.Forget(r.Context(), f.Home, f.Me, webkit.ReadForm(r).Value("word"))
	return web.done(w, r, f, err, "words.dropped", "/household/words")
}

// habitsView holds the data of habits.html.
type habitsView struct {
	frame
	Tabs webkit.Tabs
	Days []habitDay
	None bool
}

// A habitDay is a weekday with what is usual on it.
type habitDay struct {
	Weekday time.Weekday
	Today   bool
	Usual   []ledger.Usual
}

func (web *Web) habits(w http.ResponseWriter, r *http.Request, f frame) error {
	usual, err := web.Domain.Ledger.Calendar(r.Context(), f.Home)
	if err != nil {
		return err
	}
	view := habitsView{frame: f, Tabs: f.houseTabs("/household/habits"), None: len(usual) == 0}
	for i := range 7 { // Monday first
		day := habitDay{Weekday: time.Weekday((i + 1) % 7)}
		day.Today = day.Weekday == f.now.Weekday()
		for _, u := range usual {
			if u.Weekday == day.Weekday {
				day.Usual = append(day.Usual, u)
			}
		}
		view.Days = append(view.Days, day)
	}
	web.Site.Render(w, r, http.StatusOK, "habits.html", view)
	return nil
}

// settingsView holds the data of settings.html.
type settingsView struct {
	frame
	households.Settings
	Tabs      webkit.Tabs
	Owner     bool // the member is the owner
	OwnerName string
	Admin     bool
	People    []string
	HasModel  bool
	Invited   string // the link of a new invitation
	Until     time.Time
	Form      *webkit.Form
}

func (web *Web) settingsOf(f frame) settingsView {
	view := settingsView{frame: f, Settings: households.SettingsOf(f.Home), Tabs: f.houseTabs("/household/settings"), Admin: f.Home.BotIsAdmin, HasModel: web.HasModel}
	for _, m := range f.Home.Active() {
		view.People = append(view.People, m.DisplayName)
		if f.Home.IsOwner(m.UserID) {
			view.Owner, view.OwnerName = view.Owner || m.UserID == f.Me, m.DisplayName
		}
	}
	return view
}

func (web *Web) settings(w http.ResponseWriter, r *http.Request, f frame) error {
	web.Site.Render(w, r, http.StatusOK, "settings.html", web.settingsOf(f))
	return nil
}

// settingsFields maps the values of settings to the fields of the form.
var settingsFields = map[string]string{"name": "name", "time_zone": "zone", "locale": "language"}

func (web *Web) saveSettings(w http.ResponseWriter, r *http.Request, f frame) error {
	view := web.settingsOf(f)
	form := webkit.ReadForm(r).Label("name", f.word("settings.name")).Label("zone", f.word("settings.zone")).
		Label("quiet-from", f.word("preferences.from")).Label("quiet-to", f.word("preferences.to")).
		Label("cap", f.word("settings.cap")).Label("cooldown", f.word("settings.cooldown"))
	s := &view.Settings
	s.Name, s.TimeZone, s.Locale = strings.TrimSpace(form.Value("name")), form.Value("zone"), understanding.Locale(form.Value("language"))
	s.QuietFrom, s.QuietTo = form.Int("quiet-from", 0, 23), form.Int("quiet-to", 0, 23)
	s.DailyCap, s.CooldownMinutes = form.Int("cap", 0, 10), form.Int("cooldown", 1, 24*60)
	s.AcknowledgeText, s.ClosedMembership = form.Flag("ack-text"), form.Flag("closed")
	s.UseModel = web.HasModel && form.Flag("model")
	var err error
	if form.Valid() {
		_, err = web.Domain.Households.Change(r.Context(), f.Me, f.Home.HouseholdID, *s)
		if refused, ok := refusal.As(err, refusal.Invalid); ok && len(refused.Fields) > 0 {
			form.Fail(settingsFields[refused.Fields[0].Name], f.refusal(refused))
		}
	}
	if !form.Valid() {
		view.Form = form
		web.Site.Render(w, r, http.StatusUnprocessableEntity, "settings.html", view)
		return nil
	}
	return web.done(w, r, f, err, "settings.saved", "/household/settings")
}
