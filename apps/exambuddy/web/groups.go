package web

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/people"
	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/webkit"
	"sortkey.dev/internal/lazyregexp"
)

// groupPages serves groups and their members.
type groupPages struct {
	people *people.Service
	site   *webkit.Site
}

func (h *groupPages) pages() map[string]adminPage {
	return map[string]adminPage{
		"GET /admin/groups":       h.groups,
		"POST /admin/groups":      h.createGroup,
		"GET /admin/groups/{id}":  h.group,
		"POST /admin/groups/{id}": h.changeGroup,
	}
}

// groupsView holds the data of admin-groups.html.
type groupsView struct {
	Form   *webkit.Form
	Groups []people.Group
}

func (h *groupPages) groups(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	return h.showGroups(w, r, me, http.StatusOK, webkit.NewForm(nil))
}

func (h *groupPages) showGroups(w http.ResponseWriter, r *http.Request, me exambuddy.Admin, status int, form *webkit.Form) error {
	groups, err := h.people.Groups(r.Context(), me)
	if err != nil {
		return err
	}
	h.site.Render(w, r, status, "admin-groups.html", groupsView{Form: form, Groups: groups})
	return nil
}

func (h *groupPages) createGroup(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	form := webkit.ReadForm(r).Label("name", "Name")
	name := form.Line("name", 1, exambuddy.MaxGroupName)
	if form.Valid() {
		group, err := h.people.CreateGroup(r.Context(), me, name, exambuddy.Repeat{Key: form.Key()})
		if failed := form.Refuse(err); failed != nil {
			return failed
		}
		if err == nil {
			h.site.Redirect(w, r, "/admin/groups/"+group.GroupID)
			return nil
		}
	}
	return h.showGroups(w, r, me, http.StatusUnprocessableEntity, form)
}

// groupView holds the data of admin-group.html.
type groupView struct {
	Form    *webkit.Form
	Group   people.Group
	Members []memberRow
	Pager   webkit.Pager
	Added   int          // people who were just added
	Invited []invitedRow // people who were just invited
}

// An invitedRow is a person who was invited.
type invitedRow struct{ Address, Link string }

// A memberRow is a member of a group with the time factor in the exams of the admin.
type memberRow struct {
	people.Member
	Time people.Factor
}

func (h *groupPages) group(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	return h.showGroup(w, r, me, http.StatusOK, groupView{Form: webkit.NewForm(nil)})
}

func (h *groupPages) showGroup(w http.ResponseWriter, r *http.Request, me exambuddy.Admin, status int, view groupView) error {
	var err error
	if view.Group, err = h.people.Group(r.Context(), me, r.PathValue("id")); err != nil {
		return err
	}
	page, err := h.people.Members(r.Context(), me, view.Group.GroupID, exambuddy.MaxPage, r.URL.Query().Get("cursor"))
	if err != nil {
		return err
	}
	for _, member := range page.Items {
		row := memberRow{Member: member}
		if row.Time, err = h.people.TimeFactor(r.Context(), member.CandidateID, me.ID); err != nil {
			return err
		}
		view.Members = append(view.Members, row)
	}
	if page.Next != "" {
		view.Pager = webkit.Pager{Next: "/admin/groups/" + view.Group.GroupID + "?cursor=" + page.Next, More: true}
	}
	h.site.Render(w, r, status, "admin-group.html", view)
	return nil
}

// changeGroup adds, invites or removes a person, or renames or deletes the group.
func (h *groupPages) changeGroup(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	form := webkit.ReadForm(r).Label("email", "E-mail address").Label("name", "Name").Label("percent", "Time in per cent")
	id, to, done := r.PathValue("id"), "/admin/groups/"+r.PathValue("id"), "Saved."
	var err error
	switch form.Choice("do", "add", "remove", "rename", "delete", "time") {
	case "add":
		return h.addPeople(w, r, me, form)
	case "remove":
		done, err = "Removed from the group.", h.people.RemoveMember(r.Context(), me, id, form.Value("candidate"))
	case "rename":
		_, err = h.people.RenameGroup(r.Context(), me, id, form.Line("name", 1, exambuddy.MaxGroupName))
	case "delete":
		to, done = "/admin/groups", "Deleted."
		err = h.people.DeleteGroup(r.Context(), me, id)
	case "time":
		percent := form.Int("percent", exambuddy.LeastFactor, exambuddy.MostFactor)
		if form.Valid() {
			by := exambuddy.Caller{ID: me.ID, Name: me.Name, Email: me.Email, Role: exambuddy.RoleAdmin}
			err = h.people.SetTimeFactor(r.Context(), by, form.Value("email"), percent, "", nil)
		}
	}
	if failed := form.Refuse(err); failed != nil {
		return failed
	}
	if !form.Valid() {
		return h.showGroup(w, r, me, http.StatusUnprocessableEntity, groupView{Form: form})
	}
	h.site.Flash(w, r, webkit.Good, done)
	h.site.Redirect(w, r, to)
	return nil
}

// mostAdded is the number of addresses that can be added at once.
const mostAdded = 200

var addressText = lazyregexp.New(`[^\s<>,;"']+@[^\s<>,;"']+`)

// addPeople adds people with an account to a group, and invites those without. Addresses that are
// refused stay in the form, with the reason.
func (h *groupPages) addPeople(w http.ResponseWriter, r *http.Request, me exambuddy.Admin, form *webkit.Form) error {
	text := form.Text("email", 3, 60*mostAdded)
	addresses := addressText.FindAllString(text, mostAdded+1)
	switch {
	case !form.Valid():
	case len(addresses) == 0:
		form.Fail("email", "This is no e-mail address.")
	case len(addresses) > mostAdded:
		form.Fail("email", "Add at most "+strconv.Itoa(mostAdded)+" people at once.")
	}
	view, key := groupView{Form: form}, form.Key()
	if !form.Valid() {
		return h.showGroup(w, r, me, http.StatusUnprocessableEntity, view)
	}
	var left, reasons []string
	for _, address := range addresses {
		link, err := h.addPerson(r, me, address, key)
		refused, ok := refusal.As(err)
		switch {
		case err != nil && (!ok || refused.Kind == refusal.NotFound):
			return err
		case err != nil:
			left = append(left, address)
			reasons = append(reasons, address+": "+refused.Message)
		case link != "":
			view.Invited = append(view.Invited, invitedRow{address, link})
		default:
			view.Added++
		}
	}
	if len(left) > 0 {
		form.Values.Set("email", strings.Join(left, "\n"))
		form.Fail("email", strings.Join(reasons, " "))
		return h.showGroup(w, r, me, http.StatusUnprocessableEntity, view)
	}
	view.Form = webkit.NewForm(nil)
	if len(view.Invited) > 0 {
		return h.showGroup(w, r, me, http.StatusOK, view)
	}
	h.site.Flash(w, r, webkit.Good, "Added to the group.")
	h.site.Redirect(w, r, "/admin/groups/"+r.PathValue("id"))
	return nil
}

// addPerson adds a person to a group. A person without an account is invited; the link is returned.
func (h *groupPages) addPerson(r *http.Request, me exambuddy.Admin, address, key string) (link string, err error) {
	id := r.PathValue("id")
	_, err = h.people.AddMember(r.Context(), me, id, address)
	if errors.Is(err, accounts.ErrNoAccount) {
		return h.people.Invite(r.Context(), me, id, address, exambuddy.Repeat{Key: key})
	}
	return "", err
}
