package web

import (
	"net/http"
	"strconv"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/web/questionform"
	"sortkey.dev/apps/internal/webkit"
)

// importPath returns the path of the review of an import.
func importPath(r *http.Request) string {
	return projectPath(r.PathValue("id")) + "/import/" + r.PathValue("document")
}

// editDraft shows the editor of a draft, of any type.
func (h *importPages) editDraft(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	draft, err := h.draft(r, me)
	if err != nil {
		return err
	}
	form := webkit.NewForm(questionform.Values(draft.Question, draft.Key))
	form.Values.Set("version", strconv.FormatInt(draft.Version, 10))
	if kind := r.URL.Query().Get("kind"); kind != "" {
		form.Values.Set("kind", questionform.KindOf(kind).Name)
	}
	return h.showDraft(w, r, me, http.StatusOK, form)
}

func (h *importPages) draft(r *http.Request, me exambuddy.Admin) (bank.Draft, error) {
	position, err := strconv.Atoi(r.PathValue("n"))
	if err != nil {
		return bank.Draft{}, exambuddy.ErrNoDocument
	}
	return h.bank.Draft(r.Context(), me, r.PathValue("id"), r.PathValue("document"), position)
}

func (h *importPages) showDraft(w http.ResponseWriter, r *http.Request, me exambuddy.Admin, status int, form *webkit.Form) error {
	f, err := frameOf(r, h.bank, me, "/import")
	if err != nil {
		return err
	}
	view := editorView{frame: f, Title: "Question " + r.PathValue("n") + " of the import", Back: webkit.Link{Href: importPath(r), Text: "Review"}, Form: form, CanChangeKind: true}
	view.fill()
	h.site.Render(w, r, status, "admin-question.html", view)
	return nil
}

// changeDraft saves a draft as the admin wrote it, and takes it.
func (h *importPages) changeDraft(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	draft, err := h.draft(r, me)
	if err != nil {
		return err
	}
	form := webkit.ReadForm(r)
	q, k, err := readEditor(r, h.images, me, form)
	if err != nil {
		return err
	}
	if form.Valid() {
		choice := draft.Choice
		if choice == bank.Skip {
			choice = bank.Take
		}
		version, _ := strconv.ParseInt(form.Value("version"), 10, 64)
		_, err := h.bank.EditDraft(r.Context(), me, r.PathValue("id"), r.PathValue("document"), draft.Position, version, q, k, choice)
		if failed := form.Refuse(err); failed != nil {
			return failed
		}
	}
	if !form.Valid() {
		return h.showDraft(w, r, me, http.StatusUnprocessableEntity, form)
	}
	h.site.Flash(w, r, webkit.Good, "Saved. It is imported with the others.")
	h.site.Redirect(w, r, importPath(r)+"#d"+strconv.Itoa(draft.Position))
	return nil
}
