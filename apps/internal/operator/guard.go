package operator

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/secret"
	"sortkey.dev/apps/internal/serve"
	"sortkey.dev/apps/internal/staff"
	"sortkey.dev/apps/internal/webkit"
)

const (
	sessionCookie = "operator"
	browserCookie = "operator-browser" // says that an operator signed in here before
	browserKeep   = 180 * 24 * time.Hour
)

type operatorKey struct{}

// Current returns the operator who made a request to a page of the frame.
func Current(r *http.Request) (staff.Operator, bool) {
	by, ok := r.Context().Value(operatorKey{}).(staff.Operator)
	return by, ok
}

// require lets a handler serve only signed-in operators. Others sign in first.
func (f *Frame) require(next Handler) webkit.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		w.Header().Set("Cache-Control", "no-store")
		token, _ := f.site.Cookie(r, sessionCookie)
		by, err := f.o.Staff.Resolve(r.Context(), token)
		if errors.Is(err, staff.ErrSignedOut) {
			f.sendToSignIn(w, r)
			return nil
		}
		if err != nil {
			return err
		}
		r = r.WithContext(context.WithValue(r.Context(), operatorKey{}, by))
		err = next(w, r, by)
		if r.Method == http.MethodPost {
			f.forgetBadges()
		}
		refused, ok := refusal.As(err)
		switch {
		case !ok:
			return err
		case r.Method == http.MethodPost:
			f.site.Flash(w, r, webkit.Bad, refused.Message)
			f.site.Redirect(w, r, Back(r))
		default:
			f.site.Problem(w, r, serve.Status(refused.Kind), webkit.Problem{
				Title: "That cannot be shown", Text: refused.Message, Actions: []webkit.Link{{Href: Home, Text: "Overview"}},
			})
		}
		return nil
	}
}

// sendToSignIn redirects to the sign-in and from there to the requested page. A submitted form is
// not executed.
func (f *Frame) sendToSignIn(w http.ResponseWriter, r *http.Request) {
	back := ""
	if r.Method == http.MethodGet && r.URL.Path != Home+"/live" {
		back = r.URL.RequestURI()
	} else if r.Method == http.MethodPost {
		back = Back(r)
		f.site.Flash(w, r, webkit.Warn, "Your session was over, so nothing was changed. Sign in and send it again.")
	}
	if back == "" || back == Home {
		f.site.Redirect(w, r, signInPath)
		return
	}
	f.site.Redirect(w, r, signInPath+"?"+url.Values{"back": {back}}.Encode())
}

// Back returns the operators' page that a form was sent from, by its field back.
func Back(r *http.Request) string { return localPath(r.PostFormValue("back")) }

// localPath returns the requested path if it is an operators' page, or else the overview.
func localPath(asked string) string {
	asked = webkit.LocalPath(asked)
	if path, _, _ := strings.Cut(asked, "?"); !isPath(path) || path == signInPath {
		return Home
	}
	return asked
}

func isPath(path string) bool { return leadsTo(Home, path) }

// signInView holds the data of operator-sign-in.html.
type signInView struct {
	Form  *webkit.Form
	Back  string
	First bool // no operator but the first one exists
}

func (f *Frame) askSignIn(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Cache-Control", "no-store")
	back := localPath(r.URL.Query().Get("back"))
	token, _ := f.site.Cookie(r, sessionCookie)
	_, err := f.o.Staff.Resolve(r.Context(), token)
	switch {
	case err == nil:
		f.site.Redirect(w, r, back)
		return nil
	case !errors.Is(err, staff.ErrSignedOut):
		return err
	}
	return f.renderSignIn(w, r, http.StatusOK, signInView{Back: back})
}

func (f *Frame) renderSignIn(w http.ResponseWriter, r *http.Request, status int, view signInView) error {
	list, err := f.o.Staff.List(r.Context())
	if err != nil {
		return err
	}
	view.First = len(list) == 1
	f.site.Render(w, r, status, "operator-sign-in.html", view)
	return nil
}

func (f *Frame) signIn(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Cache-Control", "no-store")
	form := webkit.ReadForm(r).Label("name", "Your name").Label("secret", "Your secret")
	c := staff.Credentials{
		Name: form.Line("name", 1, staff.MaxName), Secret: form.Line("secret", 1, staff.MaxSecret),
		Network: serve.Network(f.site.ClientIP(r)), Device: webkit.Cut(r.UserAgent(), 120),
	}
	status := http.StatusUnprocessableEntity
	if form.Valid() {
		c.Browser = f.browserOf(r, c.Name)
		token, by, err := f.o.Staff.SignIn(r.Context(), c)
		if err == nil {
			f.site.SetCookie(w, sessionCookie, token, staff.SessionTime)
			f.remember(w, c.Browser, by)
			f.site.Redirect(w, r, Back(r))
			return nil
		}
		refused, ok := refusal.As(err)
		if !ok {
			return err
		}
		form.Fail("", refused.Message)
		if refused.Kind == refusal.TooMany {
			status = http.StatusTooManyRequests
			w.Header().Set("Retry-After", strconv.Itoa(webkit.WaitSeconds(refused.Wait)))
		}
	}
	return f.renderSignIn(w, r, status, signInView{Form: form, Back: Back(r)})
}

// browserOf returns the id of a browser in which the operator signed in before; "" otherwise.
func (f *Frame) browserOf(r *http.Request, name string) string {
	value, _ := f.site.Cookie(r, browserCookie)
	id, browser, _ := strings.Cut(value, "/")
	if id != staff.ID(name) {
		return ""
	}
	return browser
}

// remember marks the browser as one of an operator.
func (f *Frame) remember(w http.ResponseWriter, browser string, by staff.Operator) {
	if browser == "" {
		browser = secret.NewID()
	}
	f.site.SetCookie(w, browserCookie, by.ID+"/"+browser, browserKeep)
}

func (f *Frame) signOut(w http.ResponseWriter, r *http.Request) error {
	token, _ := f.site.Cookie(r, sessionCookie)
	if err := f.o.Staff.SignOut(r.Context(), token); err != nil {
		return err // do not report a sign-out that failed
	}
	f.site.DropCookie(w, sessionCookie)
	f.site.Flash(w, r, webkit.Good, "You are signed out.")
	f.site.Redirect(w, r, signInPath)
	return nil
}
