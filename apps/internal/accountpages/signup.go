package accountpages

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"time"

	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/onetime"
	"sortkey.dev/apps/internal/openid"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/webkit"
)

// signUpView holds the data of sign-up.html.
type signUpView struct {
	Form      *webkit.Form
	Next      string
	SignIn    string
	Welcome   string
	Action    string
	Token     string // of the invitation; "" without one
	By        string // who invites
	Providers []*openid.Provider
	Min       int
	Invited   bool
}

var errClosed = refusal.New(refusal.Forbidden, "", "You can sign up here only with an invitation.")

func (p *Pages) showSignUp(w http.ResponseWriter, r *http.Request) error {
	form := webkit.ReadForm(r)
	if _, err := Current(r); err == nil {
		p.site.Redirect(w, r, p.next(form))
		return nil
	}
	if p.o.Closed {
		return errClosed
	}
	p.renderSignUp(w, r, http.StatusOK, signUpView{Form: form})
	return nil
}

func (p *Pages) renderSignUp(w http.ResponseWriter, r *http.Request, status int, view signUpView) {
	view.Next = webkit.LocalPath(view.Form.Value("next"))
	view.SignIn = withNext(p.paths.SignIn, view.Next)
	view.Welcome, view.Action, view.Min = p.o.Welcome, SignUpPath, accounts.MinPassword
	if !view.Invited {
		view.Providers = p.o.Providers
	}
	p.site.Render(w, r, status, "account-sign-up.html", view)
}

func (p *Pages) showInvitation(w http.ResponseWriter, r *http.Request) error {
	token := r.FormValue("token")
	invitation, err := p.all.Invitations.Look(r.Context(), token)
	if err != nil {
		return p.brokenLink(w, r, err, webkit.Link{Href: p.paths.SignIn, Text: "Sign in"})
	}
	w.Header().Set("Referrer-Policy", "no-referrer")
	form := webkit.NewForm(url.Values{"address": {invitation.Address}, "invitation": {token}})
	p.renderSignUp(w, r, http.StatusOK, signUpView{Form: form, Token: token, By: invitation.By, Invited: true})
	return nil
}

func (p *Pages) signUp(w http.ResponseWriter, r *http.Request) error {
	form := labels(webkit.ReadForm(r))
	token := form.Value("invitation")
	if p.o.Closed && token == "" {
		return errClosed
	}
	account, err := p.createAccount(r, form, token)
	switch {
	case errors.Is(err, accounts.ErrTaken):
		// The page does not tell who has an account. The mail does.
		if err := p.all.SignUps.AlreadyHere(r.Context(), form.Value("address")); err != nil {
			return err
		}
	case errors.Is(err, onetime.ErrUsed):
		return p.brokenLink(w, r, err, webkit.Link{Href: p.paths.SignIn, Text: "Sign in"})
	case err != nil:
		status, err := refuse(form, err)
		if err != nil {
			return err
		}
		p.renderSignUp(w, r, status, signUpView{Form: form, Token: token, Invited: token != ""})
		return nil
	case account.VerifiedAt != nil: // invited by mail
		if err := p.begin(w, r, account); err != nil {
			return err
		}
		p.site.Redirect(w, r, p.next(form))
		return nil
	}
	p.remember(w, pending{Account: account.AccountID, Address: form.Value("address"), Next: p.next(form)})
	p.site.Redirect(w, r, MailPath)
	return nil
}

// createAccount creates an account and the system's profile of it.
func (p *Pages) createAccount(r *http.Request, form *webkit.Form, token string) (platformdb.Account, error) {
	with := p.o.With
	if p.o.Profile != nil {
		var err error
		if with, err = p.o.Profile(form); err != nil {
			return platformdb.Account{}, err
		}
	}
	roles := p.o.Roles
	if p.o.RolesFor != nil && token == "" {
		roles = p.o.RolesFor(form)
	}
	account, err := p.all.SignUps.SignUp(r.Context(), accounts.NewAccount{
		Name: form.Value("name"), Address: form.Value("address"), Password: form.Value("password"),
		Roles: roles, From: p.site.ClientIP(r), Invitation: token,
	}, with)
	if err != nil && p.o.Collision != nil {
		err = p.o.Collision(err)
	}
	return account, err
}

const (
	pendingCookie = "pending"
	pendingKeep   = 24 * time.Hour
)

// A pending is a sign-up whose address is not verified yet. The browser keeps it, encrypted. Account is
// "" if the address had an account; the browser cannot tell.
type pending struct {
	Account string `json:"a"`
	Address string `json:"m"`
	Next    string `json:"n"`
}

func (p *Pages) remember(w http.ResponseWriter, who pending) {
	if who.Account == "" { // as long as an id, because its length can be seen
		who.Account = "00000000000000000000000000"
	}
	text, err := json.Marshal(who)
	if err != nil { // three texts can always be encoded
		return
	}
	p.site.SetCookie(w, pendingCookie, p.o.Box.Seal(pendingCookie, string(text), p.o.Now().Add(pendingKeep)), pendingKeep)
}

func (p *Pages) pending(r *http.Request) (who pending, ok bool) {
	sealed, ok := p.site.Cookie(r, pendingCookie)
	if !ok {
		return who, false
	}
	text, err := p.o.Box.Unseal(pendingCookie, sealed, p.o.Now())
	return who, err == nil && json.Unmarshal([]byte(text), &who) == nil
}

// checkMailView holds the data of check-mail.html.
type checkMailView struct {
	Address, Action, SignUp string
	Mail                    keptMail
}

func (p *Pages) showCheckMail(w http.ResponseWriter, r *http.Request) error {
	who, ok := p.pending(r)
	if !ok {
		p.site.Redirect(w, r, p.paths.SignIn)
		return nil
	}
	p.site.Render(w, r, http.StatusOK, "account-check-mail.html", checkMailView{who.Address, MailPath, SignUpPath, p.keptMail()})
	return nil
}

func (p *Pages) sendAgain(w http.ResponseWriter, r *http.Request) error {
	who, ok := p.pending(r)
	if !ok {
		p.site.Redirect(w, r, p.paths.SignIn)
		return nil
	}
	account, err := p.all.People.Get(r.Context(), who.Account)
	switch {
	case errors.Is(err, accounts.ErrNoAccount):
		err = p.all.SignUps.AlreadyHereAgain(r.Context(), who.Address)
	case err == nil:
		err = p.all.Addresses.SendVerification(r.Context(), account)
	}
	if err != nil {
		return err
	}
	p.site.Flash(w, r, webkit.Good, "We sent it again.")
	p.site.Redirect(w, r, MailPath)
	return nil
}

// confirmView holds the data of confirm.html: programs that check mail follow links, too, so that a link
// does nothing before a person presses a button.
type confirmView struct{ Title, Text, Button, Action, Token string }

func (p *Pages) renderConfirm(w http.ResponseWriter, r *http.Request, view confirmView) {
	w.Header().Set("Referrer-Policy", "no-referrer")
	p.site.Render(w, r, http.StatusOK, "account-confirm.html", view)
}

func (p *Pages) showVerify(w http.ResponseWriter, r *http.Request) error {
	token := r.FormValue("token")
	account, err := p.all.Addresses.LookVerification(r.Context(), token)
	if err != nil {
		return p.brokenLink(w, r, err, webkit.Link{Href: p.paths.SignIn, Text: "Sign in to get a new link"})
	}
	p.renderConfirm(w, r, confirmView{"Confirm your e-mail address", "Is " + *account.Email + " your address?", "Yes, confirm", p.paths.Verify, token})
	return nil
}

func (p *Pages) verify(w http.ResponseWriter, r *http.Request) error {
	account, err := p.all.Addresses.Verify(r.Context(), r.PostFormValue("token"))
	if err != nil {
		return p.brokenLink(w, r, err, webkit.Link{Href: p.paths.SignIn, Text: "Sign in"})
	}
	p.site.Flash(w, r, webkit.Good, "Your e-mail address is confirmed.")
	// Only the browser that signed up is signed in: a link must not sign others in.
	if who, ok := p.pending(r); ok && who.Account == account.AccountID {
		if err := p.begin(w, r, account); err != nil {
			return err
		}
		p.site.Redirect(w, r, webkit.LocalPath(who.Next))
		return nil
	}
	p.site.Redirect(w, r, p.paths.SignIn)
	return nil
}

// brokenLink renders the page of a link that does not work, with the next step.
func (p *Pages) brokenLink(w http.ResponseWriter, r *http.Request, err error, next webkit.Link) error {
	if !errors.Is(err, onetime.ErrUsed) {
		return err
	}
	p.site.Problem(w, r, http.StatusGone, webkit.Problem{
		Title: "This link does not work any more", Text: "It was used before, or it has expired.", Actions: []webkit.Link{next},
	})
	return nil
}
