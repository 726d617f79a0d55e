package web

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/people"
	"sortkey.dev/apps/internal/webkit"
)

// settingsPages serves the settings and the editors of an exam.
type settingsPages struct {
	bank   *bank.Service
	people *people.Service
	site   *webkit.Site
}

func (h *settingsPages) pages() map[string]adminPage {
	return map[string]adminPage{
		"GET /admin/projects/{id}/settings":  h.settings,
		"POST /admin/projects/{id}/settings": h.saveSettings,
		"POST /admin/projects/{id}/editors":  h.changeEditors,
	}
}

// settingsView holds the data of admin-settings.html.
type settingsView struct {
	frame
	Form         *webkit.Form
	Difficulties []webkit.Option
	Navigation   []webkit.Option
	Offline      []webkit.Option
	Reveal       []webkit.Option
	Overdue      []webkit.Option
	Groups       []webkit.Option
	Zone         string
	Share        *webkit.Form // of the address of a further editor
	Editors      []bank.Editor
}

const localTime = "2006-01-02T15:04"

func (h *settingsPages) settings(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	project, err := h.bank.Project(r.Context(), me, r.PathValue("id"))
	if err != nil {
		return err
	}
	return h.showSettings(w, r, me, http.StatusOK, settingsForm(project, h.site.Zone(r)), webkit.NewForm(nil))
}

// settingsForm returns the form of stored settings.
func settingsForm(p bank.Project, zone *time.Location) *webkit.Form {
	values := url.Values{
		"title": {p.Title}, "description": {p.Description}, "pass_mark": {strconv.FormatInt(p.PassMark, 10)}, "navigation": {p.Rules.Navigation}, "offline": {p.Rules.Offline},
		"reveal": {p.Rules.Reveal}, "overdue": {p.Rules.Overdue}, "groups": p.Rules.Groups, "version": {strconv.FormatInt(p.Version, 10)},
		"exam_difficulty": {value(p.Rules.ExamDifficulty)},
	}
	flag := func(name string, on bool) {
		if on {
			values.Set(name, "on")
		}
	}
	flag("practice", p.Rules.Practice)
	flag("certificates", p.Rules.Certificates)
	for name, n := range map[string]*int64{"exam_count": p.Rules.ExamCount, "max_attempts": p.Rules.MaxAttempts} {
		if n != nil {
			values.Set(name, strconv.FormatInt(*n, 10))
		}
	}
	for name, at := range map[string]*time.Time{"opens_at": p.Rules.OpensAt, "last_start_at": p.Rules.LastStartAt, "closes_at": p.Rules.ClosesAt} {
		if at != nil {
			values.Set(name, at.In(zone).Format(localTime))
		}
	}
	return webkit.NewForm(values)
}

func (h *settingsPages) showSettings(w http.ResponseWriter, r *http.Request, me exambuddy.Admin, status int, form, share *webkit.Form) error {
	f, err := frameOf(r, h.bank, me, "/settings")
	if err != nil {
		return err
	}
	groups, err := h.people.GroupsFor(r.Context(), me, f.Project.AdminID, f.Project.Rules.Groups)
	if err != nil {
		return err
	}
	editors, err := h.bank.Editors(r.Context(), me, f.Project)
	if err != nil {
		return err
	}
	view := settingsView{
		frame: f, Form: form, Share: share, Editors: editors, Difficulties: append([]webkit.Option{{Value: "", Text: "The candidate chooses"}}, clockOptions()...), Zone: h.site.Zone(r).String(),
		Navigation: []webkit.Option{
			{Value: bank.Forward, Text: "One after the other", Hint: "Each question has its own clock. There is no way back."},
			{Value: bank.Free, Text: "In any order", Hint: "One clock for the whole exam, and an overview before the hand-in."},
		},
		Offline: []webkit.Option{
			{Value: bank.Strict, Text: "An answer counts if it arrives in time"},
			{Value: bank.Tolerant, Text: "An answer counts if it was given in time", Hint: "By the clock of the candidate's device. Such answers are marked."},
		},
		Reveal: []webkit.Option{
			{Value: bank.RevealAtSubmit, Text: "After the candidate hands in"}, {Value: bank.RevealAtClose, Text: "After the exam closes and the last candidate has handed in"}, {Value: bank.RevealNever, Text: "Never"},
		},
		Overdue: []webkit.Option{{Value: bank.OverdueSubmit, Text: "Hand it in, and grade what was answered"}, {Value: bank.OverdueDiscard, Text: "Delete it; it counts as an attempt without a result"}},
	}
	for _, g := range groups {
		view.Groups = append(view.Groups, webkit.Option{Value: g.GroupID, Text: g.Name})
	}
	h.site.Render(w, r, status, "admin-settings.html", view)
	return nil
}

// readSettings reads the settings of a form.
func readSettings(form *webkit.Form, zone *time.Location) bank.Settings {
	form.Label("title", "Title").Label("description", "Description").Label("pass_mark", "Pass mark").Label("exam_count", "Number of questions").Label("max_attempts", "Attempts")
	in := bank.Settings{
		Title: form.Line("title", exambuddy.MinTitle, exambuddy.MaxTitle), Description: form.Text("description", 0, exambuddy.MaxDescription), PassMark: form.Int("pass_mark", 0, 100),
		Rules: bank.Rules{
			Practice: form.Flag("practice"), Certificates: form.Flag("certificates"), Navigation: form.Value("navigation"), Offline: form.Value("offline"), Reveal: form.Value("reveal"),
			Overdue: form.Value("overdue"), Groups: form.Values["groups"],
		},
	}
	if count, given := form.OptionalInt("exam_count", 1, exambuddy.MaxSessionQuestions); given {
		in.Rules.ExamCount = new(int64(count))
	}
	if attempts, given := form.OptionalInt("max_attempts", 1, 1000); given {
		in.Rules.MaxAttempts = new(int64(attempts))
	}
	if difficulty := form.Value("exam_difficulty"); difficulty != "" {
		in.Rules.ExamDifficulty = &difficulty
	}
	at := func(name string) *time.Time {
		if form.Value(name) == "" {
			return nil
		}
		return new(form.Time(name, zone).UTC())
	}
	in.Rules.OpensAt, in.Rules.LastStartAt, in.Rules.ClosesAt = at("opens_at"), at("last_start_at"), at("closes_at")
	return in
}

func (h *settingsPages) saveSettings(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	form := webkit.ReadForm(r)
	in := readSettings(form, h.site.Zone(r))
	version, _ := strconv.ParseInt(form.Value("version"), 10, 64)
	if form.Valid() {
		_, err := h.bank.Edit(r.Context(), me, r.PathValue("id"), version, in)
		if failed := form.Refuse(err); failed != nil {
			return failed
		}
	}
	if !form.Valid() {
		return h.showSettings(w, r, me, http.StatusUnprocessableEntity, form, webkit.NewForm(nil))
	}
	h.site.Flash(w, r, webkit.Good, "Saved. Running sessions keep the rules of their start.")
	h.site.Redirect(w, r, projectPath(r.PathValue("id"))+"/settings")
	return nil
}
