package web

import (
	"errors"
	"net/http"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/webkit"
)

// changeEditors shares an exam with another admin, or ends that.
func (h *settingsPages) changeEditors(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	form := webkit.ReadForm(r).Label("email", "E-mail address")
	id, done := r.PathValue("id"), ""
	project, err := h.bank.Project(r.Context(), me, id)
	if err != nil {
		return err
	}
	switch form.Choice("do", "share", "unshare") {
	case "share":
		email := form.Line("email", 3, 254)
		if !form.Valid() {
			break
		}
		done = "Shared with " + email + "."
		var editor exambuddy.Admin
		if editor, err = h.people.Admin(r.Context(), email); err == nil {
			err = h.bank.AddEditor(r.Context(), me, id, editor)
		} else if errors.Is(err, accounts.ErrNoAccount) {
			form.Fail("email", "No admin has this address. An exam is shared with people who build exams.")
			err = nil
		}
	case "unshare":
		done = "No longer shared."
		err = h.bank.RemoveEditor(r.Context(), me, id, form.Value("editor"))
	}
	if failed := form.Refuse(err); failed != nil {
		return failed
	}
	if !form.Valid() {
		return h.showSettings(w, r, me, http.StatusUnprocessableEntity, settingsForm(project, h.site.Zone(r)), form)
	}
	h.site.Flash(w, r, webkit.Good, done)
	h.site.Redirect(w, r, projectPath(id)+"/settings#editors")
	return nil
}
