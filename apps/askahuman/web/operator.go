package web

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/serve"
	"sortkey.dev/apps/internal/webkit"
)

const (
	operatorHome    = "/operator"
	operatorSignIn  = "/operator/sign-in"
	maxOperatorName = 40
	operatorRows    = 20 // rows of a list
)

// operatorRoutes registers the routes of operators. Without a secret there are none.
func (web *Web) operatorRoutes(mux *http.ServeMux) {
	if web.options.OperatorSecret == "" {
		return
	}
	mux.Handle("GET "+operatorSignIn, web.handle(web.askOperator))
	mux.Handle("POST "+operatorSignIn, web.handle(web.signInOperator))
	mux.Handle("POST /operator/sign-out", web.handle(web.signOutOperator))
	for pattern, next := range map[string]operatorPage{
		"GET /operator":      web.operatorOverview,
		"GET /operator/{$}":  web.operatorOverview,
		"GET /operator/live": web.watchOperator,

		"GET /operator/flags":                        web.operatorFlags,
		"POST /operator/flags/{question}/{person}":   web.decideFlag,
		"GET /operator/reports":                      web.operatorReports,
		"POST /operator/reports/{question}/{person}": web.decideReport,
		"GET /operator/questions":                    web.findQuestions,
		"POST /operator/questions":                   web.changeQuestions,
		"GET /operator/questions/{id}":               web.inspectQuestion,
		"POST /operator/questions/{id}":              web.changeQuestion,
		"POST /operator/agents":                      web.changeAgent,
		"GET /operator/people/{person}":              web.inspectPerson,
		"POST /operator/people/{person}":             web.changePerson,
		"GET /operator/jobs":                         web.operatorJobs,
		"POST /operator/jobs":                        web.reviveJob,
		"POST /operator/loops":                       web.kickLoop,
		"GET /operator/patterns":                     web.operatorPatterns,
		"GET /operator/audit":                        web.operatorAudit,
	} {
		mux.Handle(pattern, web.handle(web.asOperator(next)))
	}
}

// operatorNav returns the navigation of operators.
func (web *Web) operatorNav(r *http.Request) []webkit.Link {
	// Ended sessions are not checked here: their links lead to the sign-in.
	if sessionToken(r) == "" {
		return []webkit.Link{{Href: "/", Text: "Questions"}}
	}
	return []webkit.Link{
		{Href: operatorHome, Text: "Overview"}, {Href: "/operator/flags", Text: "Flags"}, {Href: "/operator/reports", Text: "Reports"},
		{Href: "/operator/questions", Text: "Questions"}, {Href: "/operator/jobs", Text: "Jobs"},
		{Href: "/operator/patterns", Text: "Patterns"}, {Href: "/operator/audit", Text: "Audit"},
	}
}

// An operatorPage is a page for a signed-in operator.
type operatorPage func(w http.ResponseWriter, r *http.Request, operator string) error

// asOperator requires a signed-in operator. An error of the domain redirects back with its
// message.
func (web *Web) asOperator(next operatorPage) page {
	return func(w http.ResponseWriter, r *http.Request) error {
		w.Header().Set("Cache-Control", "no-store")
		operator, known, err := web.operator(r)
		if err != nil {
			return err
		}
		if !known {
			web.sendToSignIn(w, r)
			return nil
		}
		err = next(w, r, operator)
		var refused *refusal.Error
		switch {
		case !errors.As(err, &refused):
			return err
		case r.Method == http.MethodPost:
			web.site.Flash(w, r, webkit.Bad, refused.Message)
			web.site.Redirect(w, r, operatorBack(r))
		default:
			web.site.Problem(w, r, serve.Status(refused.Kind), webkit.Problem{
				Title: "That cannot be shown", Text: refused.Message,
				Actions: []webkit.Link{{Href: operatorHome, Text: "Overview"}, {Href: "/operator/questions", Text: "Find a question"}},
			})
		}
		return nil
	}
}

// sendToSignIn redirects to the sign-in and from there to the requested page. A submitted form is
// not executed.
func (web *Web) sendToSignIn(w http.ResponseWriter, r *http.Request) {
	back := ""
	if r.Method == http.MethodGet && r.URL.Path != "/operator/live" {
		back = r.URL.RequestURI()
	} else if r.Method == http.MethodPost {
		back = operatorBack(r)
		web.site.Flash(w, r, webkit.Warn, "Your session was over, so nothing was done. Sign in and do it again.")
	}
	if back == "" || back == operatorHome {
		web.site.Redirect(w, r, operatorSignIn)
		return
	}
	web.site.Redirect(w, r, operatorSignIn+"?"+url.Values{"back": {back}}.Encode())
}

// operatorPath returns the requested path if it is an operator's page, or else the overview.
func operatorPath(asked string) string {
	asked = webkit.LocalPath(asked)
	if path, _, _ := strings.Cut(asked, "?"); !isOperatorPath(path) {
		return operatorHome
	}
	return asked
}

func isOperatorPath(path string) bool {
	return path == operatorHome || strings.HasPrefix(path, operatorHome+"/")
}

// operatorBack returns the page a form was sent from.
func operatorBack(r *http.Request) string { return operatorPath(r.PostFormValue("back")) }

// signInView holds the data of operator-sign-in.html.
type signInView struct {
	Form *webkit.Form
	Back string
}

func (web *Web) askOperator(w http.ResponseWriter, r *http.Request) error {
	back := operatorPath(r.URL.Query().Get("back"))
	_, known, err := web.operator(r)
	if err != nil {
		return err
	}
	if known {
		web.site.Redirect(w, r, back)
		return nil
	}
	web.site.Render(w, r, http.StatusOK, "operator-sign-in.html", signInView{Back: back})
	return nil
}

func (web *Web) signInOperator(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Cache-Control", "no-store")
	form := webkit.ReadForm(r).Label("name", "Your name").Label("secret", "Operator secret")
	name, given := form.Line("name", 1, maxOperatorName), form.Line("secret", 1, 200)
	status := http.StatusUnprocessableEntity
	if form.Valid() {
		right := web.isOperatorSecret(given)
		err := web.mayTry(r, name, right)
		refused, full := refusal.As(err, refusal.TooMany)
		switch {
		case full:
			setRetryAfter(w, refused)
			form.Fail("", refused.Message)
			status = http.StatusTooManyRequests
		case err != nil:
			return err
		case !right:
			form.Fail("secret", "This is not the operator secret.")
		default:
			if err := web.domain.Operators.RecordAuditEvent(r.Context(), name, "sign in", ""); err != nil {
				return err // a sign-in must be in the audit log
			}
			if err := web.beginSession(w, r, name); err != nil {
				return err
			}
			web.site.Redirect(w, r, operatorBack(r))
			return nil
		}
	}
	web.site.Render(w, r, status, "operator-sign-in.html", signInView{Form: form, Back: operatorBack(r)})
	return nil
}

// mayTry applies the rate limits of wrong secrets, also to the right secret, or else guessing
// could go on. Only wrong secrets count, so that operators do not lock each other out.
func (web *Web) mayTry(r *http.Request, name string, right bool) error {
	from := web.network(r)
	try := func(limit askahuman.Limit, subject string) error {
		if right {
			return web.domain.Allows(r.Context(), limit, subject)
		}
		_, err := web.domain.Allow(r.Context(), limit, subject)
		return err
	}
	if err := try(askahuman.LimitSignIn, strings.ToLower(name)+" "+from); err != nil {
		return err
	}
	return try(askahuman.LimitSignInFrom, from)
}

func (web *Web) signOutOperator(w http.ResponseWriter, r *http.Request) error {
	if err := web.endSession(w, r); err != nil {
		return err // do not report a sign-out that failed
	}
	web.site.Flash(w, r, webkit.Good, "You are signed out.")
	web.site.Redirect(w, r, operatorSignIn)
	return nil
}
