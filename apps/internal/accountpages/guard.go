package accountpages

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/webkit"
)

const (
	sessionCookie = "session"
	sessionKeep   = 90 * 24 * time.Hour // the session itself may end before
)

type viewerKey struct{}

// A viewer is the person who made a request. The session is read when a handler asks for it.
type viewer struct {
	sessions *accounts.Sessions
	id       string // "" without a session
	once     sync.Once
	signed   accounts.Signed
	err      error
}

func (v *viewer) resolve(ctx context.Context) (accounts.Signed, error) {
	v.once.Do(func() { v.signed, v.err = v.sessions.Resolve(ctx, v.id) })
	return v.signed, v.err
}

// Identify lets the handlers behind it ask who is signed in.
func (p *Pages) Identify(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id, _ := p.site.Cookie(r, sessionCookie)
		v := &viewer{sessions: p.all.Sessions, id: id}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), viewerKey{}, v)))
	})
}

// Current returns the signed-in account of a request. The error is accounts.ErrSignedOut if there is none,
// or a failure of the database.
func Current(r *http.Request) (accounts.Signed, error) {
	v, ok := r.Context().Value(viewerKey{}).(*viewer)
	if !ok {
		return accounts.Signed{}, accounts.ErrSignedOut
	}
	return v.resolve(r.Context())
}

// Nav returns the links of the header for a request: those of the account, or to sign in. It is for
// webkit.Options.NavFor.
func (p *Pages) Nav(r *http.Request) []webkit.Link {
	if signed, err := Current(r); err == nil {
		return []webkit.Link{{Href: AccountPath, Text: signed.Account.Name}}
	}
	return []webkit.Link{{Href: p.paths.SignIn, Text: "Sign in"}}
}

var errRole = refusal.New(refusal.Forbidden, "", "Your account may not open this page.")

// Require lets a handler serve only people who are signed in and have at least one of the roles, if there
// are any. Others sign in first and come back.
func (p *Pages) Require(page webkit.Handler, roles ...string) webkit.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		signed, err := Current(r)
		if errors.Is(err, accounts.ErrSignedOut) {
			p.askToSignIn(w, r)
			return nil
		}
		if err != nil {
			return err
		}
		if len(roles) > 0 && !slices.ContainsFunc(signed.Account.Roles, func(role string) bool { return slices.Contains(roles, role) }) {
			return errRole
		}
		w.Header().Set("Cache-Control", "private, no-store") // not for who uses the browser next
		return page(w, r)
	}
}

// askToSignIn leads to the page that was asked for by way of the sign-in page. After a form, that is the
// page with the form.
func (p *Pages) askToSignIn(w http.ResponseWriter, r *http.Request) {
	asked := r.URL.RequestURI()
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		asked = p.o.Home
		if from, err := url.Parse(r.Referer()); err == nil && from.Host == r.Host {
			asked = webkit.LocalPath(from.RequestURI())
		}
		p.site.Flash(w, r, webkit.Warn, "You were signed out, so nothing was changed. Sign in and try again.")
	}
	p.site.Redirect(w, r, withNext(p.paths.SignIn, asked))
}

// begin signs a browser in.
func (p *Pages) begin(w http.ResponseWriter, r *http.Request, account platformdb.Account) error {
	if old, ok := p.site.Cookie(r, sessionCookie); ok { // of the session before
		if err := p.all.Sessions.End(r.Context(), old); err != nil {
			return err
		}
	}
	id, err := p.all.Sessions.Open(r.Context(), account, device(r.UserAgent()))
	if err != nil {
		return err
	}
	p.site.SetCookie(w, sessionCookie, id, sessionKeep)
	p.site.DropCookie(w, pendingCookie)
	return nil
}
