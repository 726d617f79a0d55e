package web

import (
	"net/http"
	"time"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/people"
	"sortkey.dev/apps/exambuddy/sitting"
	"sortkey.dev/apps/internal/webkit"
)

// roomPages serves the sessions that run now.
type roomPages struct {
	sitting *sitting.Service
	people  *people.Service
	bank    *bank.Service
	site    *webkit.Site
	now     func() time.Time
}

func (h *roomPages) pages() map[string]adminPage {
	return map[string]adminPage{
		"GET /admin/projects/{id}/live":  h.room,
		"POST /admin/projects/{id}/live": h.extend,
	}
}

// roomView holds the data of admin-live.html: the sessions that run now.
type roomView struct {
	frame
	Form     *webkit.Form
	Sessions []sessionRow
	Now      time.Time
}

// A sessionRow is a running session with the name of its candidate.
type sessionRow struct {
	sitting.Session
	Name   string
	Silent bool // no contact for a while
}

// silence is the time without contact after which a candidate may be offline.
const silence = time.Minute

func (h *roomPages) room(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	return h.showRoom(w, r, me, http.StatusOK, webkit.NewForm(nil))
}

func (h *roomPages) showRoom(w http.ResponseWriter, r *http.Request, me exambuddy.Admin, status int, form *webkit.Form) error {
	f, err := frameOf(r, h.bank, me, "/live")
	if err != nil {
		return err
	}
	view := roomView{frame: f, Form: form, Now: h.now().In(h.site.Zone(r))}
	running, err := h.sitting.Running(r.Context(), me, f.Project.ProjectID)
	if err != nil {
		return err
	}
	ids := make([]string, len(running))
	for i, session := range running {
		ids[i] = session.CandidateID
	}
	names, err := h.people.Names(r.Context(), me, ids)
	if err != nil {
		return err
	}
	for _, session := range running {
		view.Sessions = append(view.Sessions, sessionRow{Session: session, Name: names[session.CandidateID], Silent: view.Now.Sub(session.LastSeenAt) > silence})
	}
	h.site.Render(w, r, status, "admin-live.html", view)
	return nil
}

// extend gives one running session, or all of an exam, more time.
func (h *roomPages) extend(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	form := webkit.ReadForm(r).Label("minutes", "Minutes").Label("notice", "Message")
	minutes, notice := form.Int("minutes", 1, 240), form.Line("notice", 0, exambuddy.MaxNote)
	sessions := form.Values["session"]
	if len(sessions) == 0 {
		form.Fail("session", "Choose whose time is extended.")
	}
	extended := 0
	for _, id := range sessions {
		if !form.Valid() {
			break
		}
		err := h.sitting.Extend(r.Context(), me, id, time.Duration(minutes)*time.Minute, notice, exambuddy.Repeat{Key: form.Key()})
		if failed := form.Refuse(err); failed != nil {
			return failed
		}
		if err == nil {
			extended++
		}
	}
	if !form.Valid() && extended == 0 {
		return h.showRoom(w, r, me, http.StatusUnprocessableEntity, form)
	}
	text := "1 candidate has more time."
	if extended != 1 {
		text = webkit.Number(extended) + " candidates have more time."
	}
	if extended < len(sessions) {
		text += " The others have handed in."
	}
	h.site.Flash(w, r, webkit.Good, text)
	h.site.Redirect(w, r, projectPath(r.PathValue("id"))+"/live")
	return nil
}
