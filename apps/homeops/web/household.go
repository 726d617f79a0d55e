package web

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/ledger"
	"sortkey.dev/apps/internal/webkit"
)

// householdPages shows the log of a household and its habits.
type householdPages struct {
	households *households.Service
	ledger     *ledger.Service
	site       *webkit.Site
}

func (pages *householdPages) pages() map[string]memberPage {
	return map[string]memberPage{
		"GET /household":         pages.household,
		"POST /household/choose": pages.chooseHousehold,
		"GET /household/habits":  pages.habits,
	}
}

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
func (pages *householdPages) household(w http.ResponseWriter, r *http.Request, f frame) error {
	view := householdView{frame: f, Tabs: f.houseTabs("/household"), Query: strings.TrimSpace(r.URL.Query().Get("q"))}
	var facts []ledger.Fact
	if view.Query != "" {
		found, err := pages.ledger.Search(r.Context(), f.Home, view.Query, f.now.Add(-searched))
		if err != nil {
			return err
		}
		facts, view.Found = found, len(found)
	} else {
		page, err := pages.ledger.Recent(r.Context(), f.Home, r.URL.Query().Get("cursor"))
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
	pages.site.Render(w, r, http.StatusOK, "household.html", view)
	return nil
}

// chooseHousehold changes to another household of the member.
func (pages *householdPages) chooseHousehold(w http.ResponseWriter, r *http.Request, f frame) error {
	home, err := pages.households.ForMember(r.Context(), webkit.ReadForm(r).Value("household"), f.Me)
	if err != nil {
		return err
	}
	pages.site.SetCookie(w, homeCookie, home.HouseholdID, keepChoice)
	pages.site.Redirect(w, r, "/household")
	return nil
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

func (pages *householdPages) habits(w http.ResponseWriter, r *http.Request, f frame) error {
	usual, err := pages.ledger.Calendar(r.Context(), f.Home)
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
	pages.site.Render(w, r, http.StatusOK, "habits.html", view)
	return nil
}
