package web

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/understanding"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/webkit"
)

// settingsPages changes the settings of a household and invites members.
type settingsPages struct {
	hasModel   bool
	households *households.Service
	public     string
	site       *webkit.Site
}

func (pages *settingsPages) pages() map[string]memberPage {
	return map[string]memberPage{
		"POST /household/invite":   pages.invite,
		"GET /household/settings":  pages.settings,
		"POST /household/settings": pages.saveSettings,
	}
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

func (pages *settingsPages) settingsOf(f frame) settingsView {
	view := settingsView{frame: f, Settings: households.SettingsOf(f.Home), Tabs: f.houseTabs("/household/settings"), Admin: f.Home.BotIsAdmin, HasModel: pages.hasModel}
	for _, m := range f.Home.Active() {
		view.People = append(view.People, m.DisplayName)
		if f.Home.IsOwner(m.UserID) {
			view.Owner, view.OwnerName = view.Owner || m.UserID == f.Me, m.DisplayName
		}
	}
	return view
}

func (pages *settingsPages) settings(w http.ResponseWriter, r *http.Request, f frame) error {
	pages.site.Render(w, r, http.StatusOK, "settings.html", pages.settingsOf(f))
	return nil
}

// settingsFields maps the values of settings to the fields of the form.
var settingsFields = map[string]string{"name": "name", "time_zone": "zone", "locale": "language"}

func (pages *settingsPages) saveSettings(w http.ResponseWriter, r *http.Request, f frame) error {
	view := pages.settingsOf(f)
	form := webkit.ReadForm(r).Label("name", f.word("settings.name")).Label("zone", f.word("settings.zone")).
		Label("quiet-from", f.word("preferences.from")).Label("quiet-to", f.word("preferences.to")).
		Label("cap", f.word("settings.cap")).Label("cooldown", f.word("settings.cooldown"))
	s := &view.Settings
	s.Name, s.TimeZone, s.Locale = strings.TrimSpace(form.Value("name")), form.Value("zone"), understanding.Locale(form.Value("language"))
	s.QuietFrom, s.QuietTo = form.Int("quiet-from", 0, 23), form.Int("quiet-to", 0, 23)
	s.DailyCap, s.CooldownMinutes = form.Int("cap", 0, 10), form.Int("cooldown", 1, 24*60)
	s.AcknowledgeText, s.ClosedMembership = form.Flag("ack-text"), form.Flag("closed")
	s.UseModel = pages.hasModel && form.Flag("model")
	var err error
	if form.Valid() {
		_, err = pages.households.Change(r.Context(), f.Me, f.Home.HouseholdID, *s)
		if refused, ok := refusal.As(err, refusal.Invalid); ok && len(refused.Fields) > 0 {
			form.Fail(settingsFields[refused.Fields[0].Name], f.refusal(refused))
		}
	}
	if !form.Valid() {
		view.Form = form
		pages.site.Render(w, r, http.StatusUnprocessableEntity, "settings.html", view)
		return nil
	}
	return done(pages.site, w, r, f, err, "settings.saved", "/household/settings")
}

// invite makes an invitation and shows its link, which only the same form can show again.
func (pages *settingsPages) invite(w http.ResponseWriter, r *http.Request, f frame) error {
	token, err := pages.households.Invite(r.Context(), f.Me, f.Home.HouseholdID, webkit.ReadForm(r).Key())
	if err != nil {
		return err
	}
	view := pages.settingsOf(f)
	view.Invited = pages.public + "/join?token=" + url.QueryEscape(token)
	view.Until = f.now.Add(households.InviteValid)
	w.Header().Set("Cache-Control", "no-store")
	pages.site.Render(w, r, http.StatusOK, "settings.html", view)
	return nil
}
