package accountpages

import (
	"errors"
	"net/http"
	"net/url"

	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/openid"
	"sortkey.dev/apps/internal/webkit"
)

// signInView holds the data of sign-in.html.
type signInView struct {
	Form      *webkit.Form
	Next      string
	SignIn    string
	SignUp    string // "" if people cannot sign up
	Forgot    string
	Providers []*openid.Provider
}

func (p *Pages) showSignIn(w http.ResponseWriter, r *http.Request) error {
	form := webkit.ReadForm(r)
	if _, err := Current(r); err == nil {
		p.site.Redirect(w, r, p.next(form))
		return nil
	}
	p.renderSignIn(w, r, http.StatusOK, form)
	return nil
}

func (p *Pages) renderSignIn(w http.ResponseWriter, r *http.Request, status int, form *webkit.Form) {
	view := signInView{Form: form, Next: webkit.LocalPath(form.Value("next")), SignIn: p.paths.SignIn, Forgot: ForgotPath, Providers: p.o.Providers}
	if !p.o.Closed {
		view.SignUp = withNext(SignUpPath, view.Next)
	}
	p.site.Render(w, r, status, "account-sign-in.html", view)
}

func (p *Pages) signIn(w http.ResponseWriter, r *http.Request) error {
	form := labels(webkit.ReadForm(r))
	account, err := p.all.SignIns.WithPassword(r.Context(), accounts.Credentials{
		Address: form.Value("address"), Password: form.Value("password"), From: p.site.ClientIP(r),
	})
	if errors.Is(err, accounts.ErrUnverified) {
		p.remember(w, pending{Account: account.AccountID, Address: *account.Email, Next: p.next(form)})
		if err := p.all.Addresses.SendVerification(r.Context(), account); err != nil {
			return err
		}
		p.site.Redirect(w, r, MailPath)
		return nil
	}
	if err != nil {
		status, err := refuse(form, err)
		if err != nil {
			return err
		}
		p.renderSignIn(w, r, status, form)
		return nil
	}
	if err := p.begin(w, r, account); err != nil {
		return err
	}
	p.site.Redirect(w, r, p.next(form))
	return nil
}

func (p *Pages) signOut(w http.ResponseWriter, r *http.Request) error {
	if id, ok := p.site.Cookie(r, sessionCookie); ok {
		if err := p.all.Sessions.End(r.Context(), id); err != nil {
			return err
		}
	}
	p.site.DropCookie(w, sessionCookie)
	p.site.Flash(w, r, webkit.Good, "You are signed out.")
	p.site.Redirect(w, r, p.paths.SignIn)
	return nil
}

// forgotView holds the data of forgot.html and of reset.html.
type forgotView struct {
	Form   *webkit.Form
	Sent   bool
	Action string
	Token  string
	SignIn string
	Mail   keptMail
	Min    int
	// Address is the address of the account, for the browser's list of passwords.
	Address string
}

func (p *Pages) showForgot(w http.ResponseWriter, r *http.Request) error {
	p.site.Render(w, r, http.StatusOK, "account-forgot.html", forgotView{Form: webkit.NewForm(url.Values{"address": {r.FormValue("address")}}), Action: ForgotPath, SignIn: p.paths.SignIn})
	return nil
}

func (p *Pages) forgot(w http.ResponseWriter, r *http.Request) error {
	form := labels(webkit.ReadForm(r))
	view := forgotView{Form: form, Action: ForgotPath, SignIn: p.paths.SignIn, Mail: p.keptMail()}
	status := http.StatusOK
	if err := p.all.Passwords.Forgot(r.Context(), form.Value("address")); err != nil {
		if status, err = refuse(form, err); err != nil {
			return err
		}
	}
	view.Sent = form.Valid()
	p.site.Render(w, r, status, "account-forgot.html", view)
	return nil
}

func (p *Pages) showReset(w http.ResponseWriter, r *http.Request) error {
	token := r.FormValue("token")
	account, err := p.all.Passwords.LookReset(r.Context(), token)
	if err != nil {
		return p.brokenLink(w, r, err, webkit.Link{Href: ForgotPath, Text: "Ask for a new link"})
	}
	view := forgotView{Action: p.paths.Reset, Token: token, Min: accounts.MinPassword}
	if account.Email != nil {
		view.Address = *account.Email
	}
	w.Header().Set("Referrer-Policy", "no-referrer") // the token is in the address
	p.site.Render(w, r, http.StatusOK, "account-reset.html", view)
	return nil
}

func (p *Pages) reset(w http.ResponseWriter, r *http.Request) error {
	form := labels(webkit.ReadForm(r))
	token := form.Value("token")
	account, err := p.all.Passwords.Reset(r.Context(), token, form.Value("password"), p.site.ClientIP(r))
	if err != nil {
		if _, lookErr := p.all.Passwords.LookReset(r.Context(), token); lookErr != nil {
			return p.brokenLink(w, r, lookErr, webkit.Link{Href: ForgotPath, Text: "Ask for a new link"})
		}
		status, err := refuse(form, err)
		if err != nil {
			return err
		}
		p.site.Render(w, r, status, "account-reset.html", forgotView{Form: form, Action: p.paths.Reset, Token: token, Min: accounts.MinPassword})
		return nil
	}
	if err := p.begin(w, r, account); err != nil {
		return err
	}
	p.site.Flash(w, r, webkit.Good, "Your password is changed, and you are signed in. You were signed out everywhere else.")
	p.site.Redirect(w, r, p.o.Home)
	return nil
}
