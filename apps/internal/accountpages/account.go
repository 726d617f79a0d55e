package accountpages

import (
	"errors"
	"net/http"

	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/webkit"
)

// accountView holds the data of the pages of the signed-in account.
type accountView struct {
	Account     platformdb.Account
	Form        *webkit.Form
	Current     string // the handle of this browser's session
	Sessions    []accounts.Session
	HasPassword bool
	Address     string
	Verified    bool
	Export      string
	Links       []webkit.Link
	Min         int
	SignOut     string
}

func (p *Pages) view(r *http.Request) (accountView, error) {
	signed, err := Current(r)
	if err != nil {
		return accountView{}, err
	}
	has, err := p.all.Passwords.Has(r.Context(), signed.Account)
	view := accountView{
		Account: signed.Account, Current: signed.Session.Handle, HasPassword: has, Verified: signed.Account.VerifiedAt != nil,
		Export: p.o.Export, Links: p.o.Links, Min: accounts.MinPassword, SignOut: SignOutPath,
	}
	if signed.Account.Email != nil {
		view.Address = *signed.Account.Email
	}
	return view, err
}

// again shows a page with a form that was refused.
func (p *Pages) again(w http.ResponseWriter, r *http.Request, page string, view accountView, err error) error {
	status, err := refuse(view.Form, err)
	if err != nil {
		return err
	}
	p.site.Render(w, r, status, page, view)
	return nil
}

func (p *Pages) showAccount(w http.ResponseWriter, r *http.Request) error {
	view, err := p.view(r)
	if err != nil {
		return err
	}
	p.site.Render(w, r, http.StatusOK, "account.html", view)
	return nil
}

func (p *Pages) rename(w http.ResponseWriter, r *http.Request) error {
	view, err := p.view(r)
	if err != nil {
		return err
	}
	view.Form = labels(webkit.ReadForm(r))
	if _, err := p.all.People.Rename(r.Context(), view.Account.AccountID, view.Form.Value("name")); err != nil {
		return p.again(w, r, "account.html", view, err)
	}
	p.site.Flash(w, r, webkit.Good, "Your name is changed.")
	p.site.Redirect(w, r, AccountPath)
	return nil
}

// confirmed checks the password of the signed-in person before a change that cannot be taken back.
func (p *Pages) confirmed(r *http.Request, view accountView) error {
	if !view.HasPassword {
		return nil
	}
	_, err := p.all.SignIns.WithPassword(r.Context(), accounts.Credentials{
		Address: view.Address, Password: view.Form.Value("current"), From: p.site.ClientIP(r),
	})
	if errors.Is(err, accounts.ErrUnverified) { // it was the right one
		err = nil
	}
	if errors.Is(err, accounts.ErrWrong) {
		view.Form.Fail("current", "This is not your password.")
	}
	return err
}

func (p *Pages) requestMove(w http.ResponseWriter, r *http.Request) error {
	view, err := p.view(r)
	if err != nil {
		return err
	}
	view.Form = labels(webkit.ReadForm(r))
	address := view.Form.Value("address")
	if err := p.confirmed(r, view); err != nil {
		return p.againConfirmed(w, r, "account.html", view, err)
	}
	if err := p.all.Addresses.RequestChange(r.Context(), view.Account, address); err != nil {
		return p.again(w, r, "account.html", view, err)
	}
	p.site.Flash(w, r, webkit.Good, "Open the link in the mail we sent to "+address+". Until then your address stays as it is.")
	p.site.Redirect(w, r, AccountPath)
	return nil
}

// againConfirmed is again after a refusal of confirmed, which has its own words for a wrong password.
func (p *Pages) againConfirmed(w http.ResponseWriter, r *http.Request, page string, view accountView, err error) error {
	if errors.Is(err, accounts.ErrWrong) {
		p.site.Render(w, r, http.StatusUnprocessableEntity, page, view)
		return nil
	}
	return p.again(w, r, page, view, err)
}

func (p *Pages) showMove(w http.ResponseWriter, r *http.Request) error {
	token := r.FormValue("token")
	address, _, err := p.all.Addresses.LookChange(r.Context(), token)
	if err != nil {
		return p.brokenLink(w, r, err, webkit.Link{Href: AccountPath, Text: "Go to your account"})
	}
	p.renderConfirm(w, r, confirmView{"Confirm your new e-mail address", "Use " + address + " for your account from now on?", "Yes, use it", p.paths.Address, token})
	return nil
}

func (p *Pages) move(w http.ResponseWriter, r *http.Request) error {
	if _, err := p.all.Addresses.ConfirmChange(r.Context(), r.PostFormValue("token")); err != nil {
		return p.brokenLink(w, r, err, webkit.Link{Href: AccountPath, Text: "Go to your account"})
	}
	p.site.Flash(w, r, webkit.Good, "Your e-mail address is changed.")
	p.site.Redirect(w, r, AccountPath)
	return nil
}

func (p *Pages) showPassword(w http.ResponseWriter, r *http.Request) error {
	view, err := p.view(r)
	if err != nil {
		return err
	}
	if !view.HasPassword {
		p.site.Redirect(w, r, AccountPath)
		return nil
	}
	p.site.Render(w, r, http.StatusOK, "account-password.html", view)
	return nil
}

func (p *Pages) changePassword(w http.ResponseWriter, r *http.Request) error {
	view, err := p.view(r)
	if err != nil {
		return err
	}
	view.Form = labels(webkit.ReadForm(r))
	account, err := p.all.Passwords.Change(r.Context(), view.Account.AccountID, view.Form.Value("current"), view.Form.Value("password"), p.site.ClientIP(r))
	if err != nil {
		if errors.Is(err, accounts.ErrWrong) {
			view.Form.Fail("current", "This is not your password.")
		}
		return p.againConfirmed(w, r, "account-password.html", view, err)
	}
	if err := p.begin(w, r, account); err != nil {
		return err
	}
	p.site.Flash(w, r, webkit.Good, "Your password is changed. You were signed out everywhere else.")
	p.site.Redirect(w, r, AccountPath)
	return nil
}

func (p *Pages) showSessions(w http.ResponseWriter, r *http.Request) error {
	view, err := p.view(r)
	if err != nil {
		return err
	}
	if view.Sessions, err = p.all.Sessions.List(r.Context(), view.Account); err != nil {
		return err
	}
	p.site.Render(w, r, http.StatusOK, "account-sessions.html", view)
	return nil
}

func (p *Pages) endSession(w http.ResponseWriter, r *http.Request) error {
	signed, err := Current(r)
	if err != nil {
		return err
	}
	if handle := r.PostFormValue("session"); handle != "" {
		if err := p.all.Sessions.EndOne(r.Context(), signed.Account, handle); err != nil {
			return err
		}
		p.site.Flash(w, r, webkit.Good, "Signed out there.")
	} else {
		account, err := p.all.Sessions.EndAll(r.Context(), signed.Account.AccountID)
		if err != nil {
			return err
		}
		if err := p.begin(w, r, account); err != nil {
			return err
		}
		p.site.Flash(w, r, webkit.Good, "Signed out everywhere else.")
	}
	p.site.Redirect(w, r, AccountPath+"/sessions")
	return nil
}

func (p *Pages) showDelete(w http.ResponseWriter, r *http.Request) error {
	view, err := p.view(r)
	if err != nil {
		return err
	}
	p.site.Render(w, r, http.StatusOK, "account-delete.html", view)
	return nil
}

func (p *Pages) delete(w http.ResponseWriter, r *http.Request) error {
	view, err := p.view(r)
	if err != nil {
		return err
	}
	view.Form = labels(webkit.ReadForm(r))
	if !view.Form.Flag("sure") {
		view.Form.Fail("sure", "Tick the box if you are sure.")
		p.site.Render(w, r, http.StatusUnprocessableEntity, "account-delete.html", view)
		return nil
	}
	if err := p.confirmed(r, view); err != nil {
		return p.againConfirmed(w, r, "account-delete.html", view, err)
	}
	if p.o.Leave != nil {
		if err := p.o.Leave(r.Context(), view.Account.AccountID); err != nil {
			return p.again(w, r, "account-delete.html", view, err)
		}
	}
	if err := p.all.People.Erase(r.Context(), view.Account.AccountID, view.Account.AccountID, p.o.Erase); err != nil {
		return err
	}
	p.site.DropCookie(w, sessionCookie)
	w.Header().Set("Clear-Site-Data", `"cache", "storage"`) // drafts, kept answers and pages are data of the account, too
	p.site.Flash(w, r, webkit.Good, "Your account is deleted.")
	p.site.Redirect(w, r, p.paths.SignIn)
	return nil
}
