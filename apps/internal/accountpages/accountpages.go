// Package accountpages serves the pages that every system with accounts needs: sign-in, sign-up,
// verification, reset, the account itself, invitations, and the outbox while there is no mail server.
// It tells handlers who is signed in. It holds no rules; package accounts does. The systems' web
// packages mount it:
//
//	site, err := webkit.New(webkit.Options{..., More: []webkit.Pages{accountpages.Templates}})
//	people, err := accountpages.New(accountpages.Options{Site: site, Box: box, Accounts: all})
//	people.Register(mux)
//	mux.Handle("GET /exams", site.Page(people.Require(exams, "student")))
//	return people.Identify(site.Handler(mux))
package accountpages

import (
	"context"
	"embed"
	"errors"
	"net/http"
	"net/url"
	"time"

	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/mail"
	"sortkey.dev/apps/internal/openid"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/secret"
	"sortkey.dev/apps/internal/webkit"
)

//go:embed pages parts
var files embed.FS

// Templates holds the pages, for webkit.Options.More.
var Templates = webkit.Pages{Files: files, Views: webkit.Views{
	"account.html":            accountView{},
	"account-check-mail.html": checkMailView{},
	"account-confirm.html":    confirmView{},
	"account-delete.html":     accountView{},
	"account-forgot.html":     forgotView{},
	"account-outbox.html":     outboxView{},
	"account-password.html":   accountView{},
	"account-reset.html":      forgotView{},
	"account-sessions.html":   accountView{},
	"account-sign-in.html":    signInView{},
	"account-sign-up.html":    signUpView{},
}}

// Options configures the pages. Site, Box and Accounts are required.
type Options struct {
	Site     *webkit.Site
	Box      *secret.Box
	Accounts *accounts.Accounts
	Now      func() time.Time

	Home    string // the page after sign-in; "/" by default
	Welcome string // a sentence on the page where people sign up
	// Closed refuses sign-up without an invitation.
	Closed bool
	// Roles are the roles of people who sign up.
	Roles []string
	// RolesFor returns the roles of a person who signs up without an invitation, by what the person
	// chose in the form, instead of Roles. May be nil.
	RolesFor func(form *webkit.Form) []string
	// With writes the system's profile of a new person, and Erase deletes it. Both may be nil.
	With, Erase accounts.With
	// Leave deletes what the system keeps about a person, before the account is erased. A refusal is
	// shown on the page and keeps the account. It can be repeated. May be nil.
	Leave func(ctx context.Context, accountID string) error
	// Profile reads the system's own fields of the page where people sign up, and returns the
	// function that writes the profile, instead of With. The fields are in a part of the system,
	// parts/account-profile.html. May be nil.
	Profile func(form *webkit.Form) (accounts.With, error)
	// Collision returns the refusal of a sign-up that failed because of the system's own writes, such as
	// those of a name that is taken, and other errors as they are. It comes before the answer to an
	// address that has an account, which otherwise would differ. May be nil.
	Collision func(err error) error
	// Export leads to the data of the signed-in person, if the system has such a page.
	Export string
	// Links lead from the page of the account to further settings of the system.
	Links []webkit.Link
	// Providers lists other ways to sign in. They lead back to PublicURL.
	Providers []*openid.Provider
	PublicURL string
	// Outbox holds the mail of a system without a mail server, and is shown at OutboxLink. Nil, or an
	// outbox that sends, leaves the page out.
	Outbox *mail.Outbox
	// OpenOutbox shows the mail to everyone at OutboxPath, as in a demo.
	OpenOutbox bool
}

// Paths of the pages that no mail leads to; accounts.Paths has the others.
const (
	SignUpPath  = "/sign-up"
	SignOutPath = "/sign-out"
	ForgotPath  = "/forgot"
	MailPath    = "/check-mail"
	AccountPath = "/account"
	DeletePath  = AccountPath + "/delete"
	OutboxPath  = "/outbox"
)

// EntryPaths returns the paths at which a person signs in where a system keeps the default paths, for
// webkit.App.Enter.
func EntryPaths() []string {
	return []string{"/sign-in", SignUpPath, "/verify", "/reset", providerPath + "/"}
}

// Pages serves the pages. It is safe for concurrent use.
type Pages struct {
	o     Options
	site  *webkit.Site
	all   *accounts.Accounts
	paths accounts.Paths
}

// New returns the pages.
func New(options Options) (*Pages, error) {
	if options.Site == nil || options.Box == nil || options.Accounts == nil {
		return nil, errors.New("accountpages: Site, Box and Accounts are required")
	}
	if options.Home == "" {
		options.Home = "/"
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	if options.Outbox != nil && options.Outbox.Sends() {
		options.Outbox = nil
	}
	return &Pages{o: options, site: options.Site, all: options.Accounts, paths: options.Accounts.Paths}, nil
}

// Register adds the pages to a mux.
func (p *Pages) Register(mux *http.ServeMux) {
	pages := map[string]webkit.Handler{
		"GET " + p.paths.SignIn:                   p.showSignIn,
		"POST " + p.paths.SignIn:                  p.signIn,
		"POST " + SignOutPath:                     p.signOut,
		"GET " + SignUpPath:                       p.showSignUp,
		"POST " + SignUpPath:                      p.signUp,
		"GET " + p.paths.Invited:                  p.showInvitation,
		"GET " + MailPath:                         p.showCheckMail,
		"POST " + MailPath:                        p.sendAgain,
		"GET " + p.paths.Verify:                   p.showVerify,
		"POST " + p.paths.Verify:                  p.verify,
		"GET " + ForgotPath:                       p.showForgot,
		"POST " + ForgotPath:                      p.forgot,
		"GET " + p.paths.Reset:                    p.showReset,
		"POST " + p.paths.Reset:                   p.reset,
		"GET " + p.paths.Address:                  p.showMove,
		"POST " + p.paths.Address:                 p.move,
		"GET " + AccountPath:                      p.Require(p.showAccount),
		"POST " + AccountPath + "/name":           p.Require(p.rename),
		"POST " + AccountPath + "/address":        p.Require(p.requestMove),
		"GET " + AccountPath + "/password":        p.Require(p.showPassword),
		"POST " + AccountPath + "/password":       p.Require(p.changePassword),
		"GET " + AccountPath + "/sessions":        p.Require(p.showSessions),
		"POST " + AccountPath + "/sessions":       p.Require(p.endSession),
		"GET " + DeletePath:                       p.Require(p.showDelete),
		"POST " + DeletePath:                      p.Require(p.delete),
		"GET " + providerPath + "/{provider}":     p.beginProvider,
		"GET " + providerPath + "/{provider}/end": p.endProvider,
	}
	if p.o.Outbox != nil {
		pages["GET "+OutboxPath] = p.showOutbox
	}
	p.site.Handle(mux, pages)
}

// labels are the labels of the fields, for error messages.
func labels(form *webkit.Form) *webkit.Form {
	return form.Label("name", "Name").Label("address", "E-mail address").Label("password", "Password").Label("current", "Current password")
}

// refuse puts a refusal into a form, and returns the status of the page that shows the form again. Any
// other error is returned. Passwords are never shown again; everything else that was typed is.
func refuse(form *webkit.Form, err error) (int, error) {
	refused, ok := errors.AsType[*refusal.Error](err)
	if !ok {
		return 0, err
	}
	for _, field := range refused.Fields {
		message := field.Message
		if message == "" {
			message = refused.Message
		}
		form.Fail(field.Name, message)
	}
	if len(refused.Fields) == 0 {
		form.Fail("", refused.Message)
	}
	if refused.Kind == refusal.TooMany {
		return http.StatusTooManyRequests, nil
	}
	return http.StatusUnprocessableEntity, nil
}

// withNext adds the page to return to.
func withNext(path, next string) string {
	if next == "" || next == "/" {
		return path
	}
	return path + "?next=" + url.QueryEscape(next)
}

// next returns the page to go to after sign-in.
func (p *Pages) next(form *webkit.Form) string {
	if asked := webkit.LocalPath(form.Value("next")); asked != "/" {
		return asked
	}
	return p.o.Home
}
