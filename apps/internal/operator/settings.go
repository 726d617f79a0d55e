package operator

import (
	"net/http"

	"sortkey.dev/apps/internal/staff"
)

// A Setting says what is on and what is off in this process. It never holds a secret.
type Setting struct {
	Title string // "Web push"
	On    bool
	Text  string // what that means: "People are notified on their devices."
	Value string // the chosen value, if it may be shown: "mail.example.org"
	Name  string // of the setting that changes it
}

// settingsView holds the data of operator-settings.html.
type settingsView struct {
	Bar
	Settings []Setting
	Token    string
}

func (f *Frame) settings(w http.ResponseWriter, r *http.Request, _ staff.Operator) error {
	f.site.Render(w, r, http.StatusOK, "operator-settings.html", settingsView{
		Bar: f.machineBar(r, "Settings"), Settings: f.o.Settings, Token: f.o.Staff.Token(),
	})
	return nil
}
