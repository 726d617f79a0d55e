package accountpages

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/openid"
	"sortkey.dev/apps/internal/webkit"
)

const (
	providerPath   = "/sign-in/with"
	providerCookie = "provider"
	providerKeep   = 15 * time.Minute
)

// provider returns the provider that a request names.
func (p *Pages) provider(r *http.Request) (*openid.Provider, bool) {
	for _, one := range p.o.Providers {
		if one.Name() == r.PathValue("provider") {
			return one, true
		}
	}
	return nil, false
}

// providerEnd returns the address that a provider leads back to.
func (p *Pages) providerEnd(provider *openid.Provider) string {
	return strings.TrimSuffix(p.o.PublicURL, "/") + providerPath + "/" + provider.Name() + "/end"
}

// beginProvider leads to the sign-in page of a provider. It is a link and not a form, because the policy of
// the pages allows no form to lead to another host.
func (p *Pages) beginProvider(w http.ResponseWriter, r *http.Request) error {
	provider, ok := p.provider(r)
	if !ok {
		p.site.NotFound(w, r)
		return nil
	}
	address, kept, err := provider.Begin(r.Context(), p.providerEnd(provider))
	if err != nil {
		return err
	}
	value := p.next(webkit.ReadForm(r)) + "\n" + kept
	purpose := providerCookie + " " + provider.Name()
	p.site.SetCookie(w, providerCookie, p.o.Box.Seal(purpose, value, p.o.Now().Add(providerKeep)), providerKeep)
	w.Header().Set("Cache-Control", "no-store")
	p.site.Redirect(w, r, address)
	return nil
}

// endProvider signs in a person whom a provider has identified.
func (p *Pages) endProvider(w http.ResponseWriter, r *http.Request) error {
	provider, ok := p.provider(r)
	if !ok {
		p.site.NotFound(w, r)
		return nil
	}
	sealed, _ := p.site.Cookie(r, providerCookie)
	p.site.DropCookie(w, providerCookie)
	value, err := p.o.Box.Unseal(providerCookie+" "+provider.Name(), sealed, p.o.Now())
	if err != nil {
		return p.providerRefused(w, r, openid.ErrRefused)
	}
	next, kept, _ := strings.Cut(value, "\n")
	person, err := provider.Finish(r.Context(), p.providerEnd(provider), kept, r.URL.Query())
	if err != nil {
		return p.providerRefused(w, r, err)
	}
	account, _, err := p.all.SignIns.WithExternal(r.Context(), accounts.External{
		Provider: provider.Name(), Subject: person.Subject, Name: person.Name, Address: person.Address, AddressVerified: person.AddressVerified,
	}, p.o.Closed, p.o.With)
	if errors.Is(err, accounts.ErrNoAccount) {
		return errClosed
	}
	if err != nil {
		return err
	}
	if err := p.begin(w, r, account); err != nil {
		return err
	}
	p.site.Redirect(w, r, webkit.LocalPath(next))
	return nil
}

// providerRefused shows the sign-in page again.
func (p *Pages) providerRefused(w http.ResponseWriter, r *http.Request, err error) error {
	if !errors.Is(err, openid.ErrRefused) {
		return err
	}
	form := webkit.NewForm(nil)
	form.Fail("", openid.ErrRefused.Message)
	p.renderSignIn(w, r, http.StatusUnprocessableEntity, form)
	return nil
}
