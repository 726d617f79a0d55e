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

// groupsView holds the data of admin-groups.html.
type groupsView struct {
	Form   *webkit.Form
	Groups []people.Group
}

func (web *Web) groups(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	return web.showGroups(w, r, me, http.StatusOK, webkit.NewForm(nil))
}

func (web *Web) showGroups(w http.ResponseWriter, r *http.Request, me exambuddy.Admin, status int, form *webkit.Form) error {
	groups, err := web.Domain.People.Groups(r.Context(), me)
	if err != nil {
		return err
	}
	web.Site.Render(w, r, status, "admin-groups.html", groupsView{Form: form, Groups: groups})
	return nil
}

func (web *Web) createGroup(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	form := webkit.ReadForm(r).Label("name", "Name")
	name := form.Line("name", 1, exambuddy.MaxGroupName)
	if form.Valid() {
		group, err := web.Domain.People.CreateGroup(r.Context(), me, name, form.Key())
		if failed := refuseForm(form, err); failed != nil {
			return failed
		}
		if err == nil {
			web.Site.Redirect(w, r, "/admin/groups/"+group.GroupID)
			return nil
		}
	}
	return web.showGroups(w, r, me, http.StatusUnprocessableEntity, form)
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

func (web *Web) group(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	return web.showGroup(w, r, me, http.StatusOK, groupView{Form: webkit.NewForm(nil)})
}

func (web *Web) showGroup(w http.ResponseWriter, r *http.Request, me exambuddy.Admin, status int, view groupView) error {
	var err error
	if view.Group, err = web.Domain.People.Group(r.Context(), me, r.PathValue("id")); err != nil {
		return err
	}
	page, err := web.Domain.People.Members(r.Context(), me, view.Group.GroupID, exambuddy.MaxPage, r.URL.Query().Get("cursor"))
	if err != nil {
		return err
	}
	for _, member := range page.Items {
		row := memberRow{Member: member}
		if row.Time, err = web.Domain.People.TimeFactor(r.Context(), member.CandidateID, me.ID); err != nil {
			return err
		}
		view.Members = append(view.Members, row)
	}
	if page.Next != "" {
		view.Pager = webkit.Pager{Next: "/admin/groups/" + view.Group.GroupID + "?cursor=" + page.Next, More: true}
	}
	web.Site.Render(w, r, status, "admin-group.html", view)
	return nil
}

// changeGroup adds, invites or removes a person, or renames or deletes the group.
func (web *Web) changeGroup(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	form := webkit.ReadForm(r).Label("email", "E-mail address").Label("name", "Name").Label("percent", "Time in per cent")
	id, to, done := r.PathValue("id"), "/admin/groups/"+r.PathValue("id"), "Saved."
	var err error
	switch form.Choice("do", "add", "remove", "rename", "delete", "time") {
	case "add":
		return web.addPeople(w, r, me, form)
	case "remove":
		done, err = "Removed from the group.", web.Domain.People.RemoveMember(r.Context(), me, id, form.Value("candidate"))
	case "rename":
		_, err = web.Domain.People.RenameGroup(r.Context(), me, id, form.Line("name", 1, exambuddy.MaxGroupName))
	case "delete":
		to, done = "/admin/groups", "Deleted."
		err = web.Domain.People.DeleteGroup(r.Context(), me, id)
	case "time":
		percent := form.Int("percent", exambuddy.LeastFactor, exambuddy.MostFactor)
		if form.Valid() {
			by := exambuddy.Caller{ID: me.ID, Name: me.Name, Email: me.Email, Role: exambuddy.RoleAdmin}
			err = web.Domain.People.SetTimeFactor(r.Context(), by, form.Value("email"), percent, "", nil)
		}
	}
	if failed := refuseForm(form, err); failed != nil {
		return failed
	}
	if !form.Valid() {
		return web.showGroup(w, r, me, http.StatusUnprocessableEntity, groupView{Form: form})
	}
	web.Site.Flash(w, r, webkit.Good, done)
	web.Site.Redirect(w, r, to)
	return nil
}

// mostAdded is the number of addresses that can be added at once.
const mostAdded = 200

var addressText = lazyregexp.New(`[^\s<>,;"']+@[^\s<>,;"']+`)

// addPeople adds people with an account to a group, and invites those without. Addresses that are
// refused stay in the form, with the reason.
func (web *Web) addPeople(w http.ResponseWriter, r *http.Request, me exambuddy.Admin, form *webkit.Form) error {
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
		return web.showGroup(w, r, me, http.StatusUnprocessableEntity, view)
	}
	var left, reasons []string
	for _, address := range addresses {
		link, err := web.addPerson(r, me, address, key)
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
		return web.showGroup(w, r, me, http.StatusUnprocessableEntity, view)
	}
	view.Form = webkit.NewForm(nil)
	if len(view.Invited) > 0 {
		return web.showGroup(w, r, me, http.StatusOK, view)
	}
	web.Site.Flash(w, r, webkit.Good, "Added to the group.")
	web.Site.Redirect(w, r, "/admin/groups/"+r.PathValue("id"))
	return nil
}

// addPerson adds a person to a group. A person without an account is invited; the link is returned.
func (web *Web) addPerson(r *http.Request, me exambuddy.Admin, address, key string) (link string, err error) {
	id := r.PathValue("id")
	_, err = web.Domain.People.AddMember(r.Context(), me, id, address)
	if errors.Is(err, accounts.ErrNoAccount) {
		return web.Domain.People.Invite(r.Context(), me, id, address, key)
	}
	return "", err
}
