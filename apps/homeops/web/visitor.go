package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"sortkey.dev/access"
	"sortkey.dev/apps/homeops/chatroom"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/speech"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/homeops/understanding"
	"sortkey.dev/apps/internal/webkit"
)

// visitors finds out who requests a page, and guards the pages of members.
type visitors struct {
	bot        telegram.User
	demo       bool
	households *households.Service
	now        func() time.Time
	room       *chatroom.Room
	site       *webkit.Site
}

// Cookies of the pages.
const (
	memberCookie = "member"
	homeCookie   = "home"
	langCookie   = "lang"
	keepSignedIn = 30 * 24 * time.Hour
	keepChoice   = 365 * 24 * time.Hour
)

// A visitor is the person behind a request. It is loaded when a page first asks.
type visitor struct {
	once  sync.Once
	frame frame
	err   error
}

type visitorKey struct{}

// Identify lets pages know the visitor of a request, for host.Front.
func (web *Web) Identify(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), visitorKey{}, new(visitor))))
	})
}

// Lang returns the language of a request: English for operators, and otherwise that of the visitor.
func (web *Web) Lang(r *http.Request) string {
	if strings.HasPrefix(r.URL.Path, "/operator") {
		return string(understanding.English)
	}
	return string(web.visitors.frame(r).Lang)
}

// A frame holds what every page knows of its visitor. The data of every page embeds it.
type frame struct {
	Lang      understanding.Locale
	Me        int64 // 0 for a visitor who is not signed in
	Name      string
	Home      households.Home   // the chosen household; empty if there is none
	Homes     []households.Home // all of the visitor
	Simulated bool
	Demo      bool
	Bot       string // the user name of the bot
	now       time.Time
}

// frame returns the frame of a request's page. A failure to load it shows on pages that need it.
func (vs *visitors) frame(r *http.Request) frame {
	f, _ := vs.visit(r)
	return f
}

func (vs *visitors) visit(r *http.Request) (frame, error) {
	v, ok := r.Context().Value(visitorKey{}).(*visitor)
	if !ok {
		v = new(visitor)
	}
	v.once.Do(func() { v.frame, v.err = vs.load(r) })
	return v.frame, v.err
}

// load reads the visitor's profile and households.
func (vs *visitors) load(r *http.Request) (frame, error) {
	f := frame{Lang: vs.askedLanguage(r), Simulated: vs.room != nil, Demo: vs.demo, Bot: vs.bot.Username, now: vs.now()}
	text, ok := vs.site.Cookie(r, memberCookie)
	id, err := strconv.ParseInt(text, 10, 64)
	if !ok || err != nil {
		return f, nil
	}
	profile, err := vs.households.Profile(r.Context(), id)
	if errors.Is(err, households.ErrNoMember) { // erased since
		return f, nil
	}
	if err != nil {
		return f, err
	}
	if f.Homes, err = vs.households.OfUser(r.Context(), id); err != nil {
		return f, err
	}
	f.Me, f.Name, f.Lang = id, profile.DisplayName, understanding.Locale(profile.Locale)
	chosen, _ := vs.site.Cookie(r, homeCookie)
	for i, home := range f.Homes {
		if i == 0 || home.HouseholdID == chosen {
			f.Home = home
		}
	}
	f.now = f.now.In(f.Home.Zone())
	return f, nil
}

// askedLanguage returns the language of a visitor who is not known: the chosen one, or that of the
// browser.
func (vs *visitors) askedLanguage(r *http.Request) understanding.Locale {
	if chosen, ok := vs.site.Cookie(r, langCookie); ok && understanding.Locale(chosen).Valid() {
		return understanding.Locale(chosen)
	}
	if strings.HasPrefix(strings.ToLower(r.Header.Get("Accept-Language")), "sv") {
		return understanding.Swedish
	}
	return understanding.English
}

// A memberPage serves a member of a household.
type memberPage func(w http.ResponseWriter, r *http.Request, f frame) error

// guard lets only members of a household see a page.
func (vs *visitors) guard(page memberPage) webkit.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		f, err := vs.visit(r)
		if err != nil {
			return err
		}
		switch {
		case f.Home.HouseholdID != "":
			return page(w, r, f)
		case f.Me != 0: // left the household; what is theirs is left
			vs.site.Redirect(w, r, "/preferences")
		default:
			vs.site.Redirect(w, r, "/?asked="+url.QueryEscape(r.URL.Path))
		}
		return nil
	}
}

// guardOwn lets a person see a page about themselves, also after they left their household.
func (vs *visitors) guardOwn(page memberPage) webkit.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		f, err := vs.visit(r)
		if err != nil {
			return err
		}
		if f.Me == 0 {
			vs.site.Redirect(w, r, "/?asked="+url.QueryEscape(r.URL.Path))
			return nil
		}
		return page(w, r, f)
	}
}

// Activity returns the name of an activity.
func (f frame) Activity(key string) string { return speech.Activity(key, f.Lang) }

// Clock returns the time of day in the household.
func (f frame) Clock(at time.Time) string { return at.In(f.now.Location()).Format("15:04") }

// DayInText is Day within a sentence: Swedish days begin with a small letter there.
func (f frame) DayInText(at time.Time) string {
	day := f.Day(at)
	if f.Lang == understanding.Swedish {
		first, size := utf8.DecodeRuneInString(day)
		day = string(unicode.ToLower(first)) + day[size:]
	}
	return day
}

// Day names a day: today, yesterday, or the weekday and the date.
func (f frame) Day(at time.Time) string {
	at = at.In(f.now.Location())
	switch at.Format(time.DateOnly) {
	case f.now.Format(time.DateOnly):
		return f.word("day.today")
	case f.now.AddDate(0, 0, -1).Format(time.DateOnly):
		return f.word("day.yesterday")
	case f.now.AddDate(0, 0, 1).Format(time.DateOnly):
		return f.word("day.tomorrow")
	}
	text := f.Weekday(at.Weekday()) + " " + strconv.Itoa(at.Day()) + " " + f.word("month."+strconv.Itoa(int(at.Month())))
	if at.Year() != f.now.Year() {
		text += " " + strconv.Itoa(at.Year())
	}
	return text
}

// Within names a day inside a sentence.
func (f frame) Within(at time.Time) string {
	text := f.Day(at)
	if first := f.Weekday(at.In(f.now.Location()).Weekday()); f.Lang == understanding.English && strings.HasPrefix(text, first) {
		return text // English names of days keep their capital letter
	}
	return strings.ToLower(text)
}

// Range names the days of a week: "16–22 November", or with both months.
func (f frame) Range(from, to time.Time) string {
	from, to = from.In(f.now.Location()), to.In(f.now.Location())
	month := func(t time.Time) string { return " " + f.word("month."+strconv.Itoa(int(t.Month()))) }
	text := strconv.Itoa(from.Day())
	if from.Month() != to.Month() {
		text += month(from) + " "
	}
	text += "–"
	if from.Month() != to.Month() {
		text += " "
	}
	text += strconv.Itoa(to.Day()) + month(to)
	if to.Year() != f.now.Year() {
		text += " " + strconv.Itoa(to.Year())
	}
	return text
}

// WeekName names a week by its number, with the year if it is not the current one.
func (f frame) WeekName(week access.Week) (string, error) {
	year, number, _ := strings.Cut(string(week), "-W")
	text, err := f.T("week.number", strings.TrimPrefix(number, "0"))
	if year != strconv.Itoa(f.now.Year()) {
		text += " " + year
	}
	return text, err
}

// Weekday returns the name of a weekday with a capital letter.
func (f frame) Weekday(day time.Weekday) string {
	name := speech.In(f.Lang).Weekday(day)
	first := []rune(name)[:1]
	return strings.ToUpper(string(first)) + strings.TrimPrefix(name, string(first))
}

// Efforts returns the choices of how heavy something was.
func (f frame) Efforts() []webkit.Option {
	return []webkit.Option{{Value: "low", Text: f.word("effort.low")}, {Value: "medium", Text: f.word("effort.medium")}, {Value: "high", Text: f.word("effort.high")}}
}

// Activities returns the activities of the catalogue to choose from, and the current one if it is
// none of them.
func (f frame) Activities(current string) []webkit.Option {
	var options []webkit.Option
	found := current == ""
	for _, d := range understanding.Catalogue() {
		options = append(options, webkit.Option{Value: string(d.ID), Text: d.Noun(f.Lang)})
		found = found || string(d.ID) == current
	}
	if !found {
		options = append([]webkit.Option{{Value: current, Text: current}}, options...)
	}
	return options
}
