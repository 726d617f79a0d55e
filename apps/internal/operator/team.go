package operator

import (
	"net/http"

	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/staff"
	"sortkey.dev/apps/internal/webkit"
)

// teamView holds the data of operator-operators.html.
type teamView struct {
	Bar
	Form      *webkit.Form
	Operators []staff.Operator
	You       string // the id of the viewer
}

func (f *Frame) team(w http.ResponseWriter, r *http.Request, by staff.Operator) error {
	return f.renderTeam(w, r, http.StatusOK, by, nil)
}

func (f *Frame) renderTeam(w http.ResponseWriter, r *http.Request, status int, by staff.Operator, form *webkit.Form) error {
	list, err := f.o.Staff.List(r.Context())
	if err != nil {
		return err
	}
	view := teamView{Bar: f.machineBar(r, "Operators"), Form: form, Operators: list, You: by.ID}
	f.site.Render(w, r, status, "operator-operators.html", view)
	return nil
}

// secretView holds the data of operator-secret.html.
type secretView struct {
	Bar
	Operator staff.Operator
	Secret   string
	New      bool // the operator is new
	SignIn   string
}

// showSecret shows a secret once. The page is the answer to the form, because a secret must not
// be in an address or a cookie.
func (f *Frame) showSecret(w http.ResponseWriter, r *http.Request, operator staff.Operator, secret string, isNew bool) {
	view := secretView{Bar: f.machineBar(r, "Operators"), Operator: operator, Secret: secret, New: isNew, SignIn: signInPath}
	f.site.Render(w, r, http.StatusOK, "operator-secret.html", view)
}

func (f *Frame) addOperator(w http.ResponseWriter, r *http.Request, by staff.Operator) error {
	form := webkit.ReadForm(r).Label("name", "Name")
	operator, secret, err := f.o.Staff.Add(r.Context(), by.Name, form.Value("name"))
	if refused, ok := refusal.As(err, refusal.Invalid); ok {
		form.Fail("name", refused.Message)
		return f.renderTeam(w, r, http.StatusUnprocessableEntity, by, form)
	}
	if err != nil {
		return err
	}
	f.showSecret(w, r, operator, secret, true)
	return nil
}

func (f *Frame) changeOperator(w http.ResponseWriter, r *http.Request, by staff.Operator) error {
	id := r.PathValue("id")
	switch r.PostFormValue("action") {
	case "renew":
		operator, secret, err := f.o.Staff.Renew(r.Context(), by.Name, id)
		if err != nil {
			return err
		}
		f.showSecret(w, r, operator, secret, false)
		return nil
	case "disable":
		if err := f.o.Staff.Disable(r.Context(), by, id); err != nil {
			return err
		}
		f.site.Flash(w, r, webkit.Good, "The operator is disabled and signed out everywhere.")
	case "enable":
		if err := f.o.Staff.Enable(r.Context(), by.Name, id); err != nil {
			return err
		}
		f.site.Flash(w, r, webkit.Good, "The operator can sign in again.")
	default:
		return refusal.New(refusal.Invalid, "", "An operator can be renewed, disabled or enabled.")
	}
	f.site.Redirect(w, r, teamPath)
	return nil
}
