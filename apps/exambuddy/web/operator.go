package web

import (
	"net/http"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/people"
	"sortkey.dev/apps/internal/operator"
	"sortkey.dev/apps/internal/staff"
	"sortkey.dev/apps/internal/webkit"
)

// operatorPages serves the people to operators.
type operatorPages struct {
	people     *people.Service
	site       *webkit.Site
	openAdmins bool
}

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

func (h *operatorPages) users(w http.ResponseWriter, r *http.Request, by staff.Operator) error {
	return h.showUsers(w, r, by, http.StatusOK, peopleView{Form: webkit.NewForm(nil)})
}

func (h *operatorPages) showUsers(w http.ResponseWriter, r *http.Request, by staff.Operator, status int, view peopleView) error {
	view.Bar, view.Open, view.Role = operator.NewBar(by, "People"), h.openAdmins, exambuddy.RoleAdmin
	if r.URL.Query().Get("role") == "candidates" {
		view.Role = exambuddy.RoleCandidate
	}
	candidates := view.Role == exambuddy.RoleCandidate
	view.Tabs = []webkit.Tab{{Href: peoplePath, Text: "Admins", Current: !candidates}, {Href: peoplePath + "?role=candidates", Text: "Candidates", Current: candidates}}
	page, err := h.people.Users(r.Context(), exambuddy.Operator{Name: by.Name}, view.Role, exambuddy.HistoryPage, r.URL.Query().Get("cursor"))
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
	h.site.Render(w, r, status, "operator-people.html", view)
	return nil
}

// changeUser invites an admin, or changes the role of a person.
func (h *operatorPages) changeUser(w http.ResponseWriter, r *http.Request, by staff.Operator) error {
	form := webkit.ReadForm(r).Label("email", "E-mail address")
	email, who := form.Line("email", 3, 254), exambuddy.Operator{ID: by.Name, Name: by.Name}
	role := exambuddy.RoleAdmin
	switch form.Choice("do", "invite", "admin", "candidate") {
	case "invite":
		if !form.Valid() {
			break
		}
		link, err := h.people.InviteAdmin(r.Context(), who, email, exambuddy.Repeat{Key: form.Key()})
		if failed := form.Refuse(err); failed != nil {
			return failed
		}
		if err == nil {
			return h.showUsers(w, r, by, http.StatusOK, peopleView{Form: webkit.NewForm(nil), Link: link})
		}
	case "candidate":
		role = exambuddy.RoleCandidate
		fallthrough
	case "admin":
		if failed := form.Refuse(h.people.SetRole(r.Context(), who, email, role)); failed != nil {
			return failed
		}
	}
	if !form.Valid() {
		return h.showUsers(w, r, by, http.StatusUnprocessableEntity, peopleView{Form: form})
	}
	h.site.Flash(w, r, webkit.Good, email+" is now "+roleWords[role]+".")
	h.site.Redirect(w, r, peoplePath)
	return nil
}

var roleWords = map[exambuddy.Role]string{exambuddy.RoleAdmin: "an admin", exambuddy.RoleCandidate: "a candidate"}
