package web

import (
	"net/http"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/people"
	"sortkey.dev/apps/internal/operator"
	"sortkey.dev/apps/internal/staff"
	"sortkey.dev/apps/internal/webkit"
)

// peopleView holds the data of operator-people.html.
type peopleView struct {
	operator.Bar
	Form  *webkit.Form
	Role  exambuddy.Role
	Tabs  []webkit.Tab
	Users []people.User
	Pager webkit.Pager
	Link  string // of an invitation that was just made
	Open  bool   // everyone may sign up to build exams
}

const peoplePath = operator.Home + "/people"

// PeopleTab returns the operators' tab for admins and candidates.
func (web *Web) PeopleTab() operator.Tab {
	return operator.Tab{Name: "people", Title: "People", Pages: map[string]operator.Handler{"GET ": web.users, "POST ": web.changeUser}}
}

func (web *Web) users(w http.ResponseWriter, r *http.Request, by staff.Operator) error {
	return web.showUsers(w, r, by, http.StatusOK, peopleView{Form: webkit.NewForm(nil)})
}

func (web *Web) showUsers(w http.ResponseWriter, r *http.Request, by staff.Operator, status int, view peopleView) error {
	view.Bar, view.Open, view.Role = operator.NewBar(by, "People"), web.OpenAdmins, exambuddy.RoleAdmin
	if r.URL.Query().Get("role") == "candidates" {
		view.Role = exambuddy.RoleCandidate
	}
	candidates := view.Role == exambuddy.RoleCandidate
	view.Tabs = []webkit.Tab{{Href: peoplePath, Text: "Admins", Current: !candidates}, {Href: peoplePath + "?role=candidates", Text: "Candidates", Current: candidates}}
	page, err := web.Domain.People.Users(r.Context(), exambuddy.Operator{Name: by.Name}, view.Role, exambuddy.HistoryPage, r.URL.Query().Get("cursor"))
	if err != nil {
		return err
	}
	view.Users = page.Items
	if page.Next != "" {
		view.Pager = webkit.Pager{Next: peoplePath + "?cursor=" + page.Next, More: true}
		if candidates {
			view.Pager.Next += "&role=candidates"
		}
	}
	web.Site.Render(w, r, status, "operator-people.html", view)
	return nil
}

// changeUser invites an admin, or changes the role of a person.
func (web *Web) changeUser(w http.ResponseWriter, r *http.Request, by staff.Operator) error {
	form := webkit.ReadForm(r).Label("email", "E-mail address")
	email, who := form.Line("email", 3, 254), exambuddy.Operator{ID: by.Name, Name: by.Name}
	role := exambuddy.RoleAdmin
	switch form.Choice("do", "invite", "admin", "candidate") {
	case "invite":
		if !form.Valid() {
			break
		}
		link, err := web.Domain.People.InviteAdmin(r.Context(), who, email, form.Key())
		if failed := refuseForm(form, err); failed != nil {
			return failed
		}
		if err == nil {
			return web.showUsers(w, r, by, http.StatusOK, peopleView{Form: webkit.NewForm(nil), Link: link})
		}
	case "candidate":
		role = exambuddy.RoleCandidate
		fallthrough
	case "admin":
		if failed := refuseForm(form, web.Domain.People.SetRole(r.Context(), who, email, role)); failed != nil {
			return failed
		}
	}
	if !form.Valid() {
		return web.showUsers(w, r, by, http.StatusUnprocessableEntity, peopleView{Form: form})
	}
	web.Site.Flash(w, r, webkit.Good, email+" is now "+roleWords[role]+".")
	web.Site.Redirect(w, r, peoplePath)
	return nil
}

var roleWords = map[exambuddy.Role]string{exambuddy.RoleAdmin: "an admin", exambuddy.RoleCandidate: "a candidate"}
