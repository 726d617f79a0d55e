package web

import (
	"errors"
	"net/http"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
)

const (
	personCookie = "person"
	keepPerson   = 400 * 24 * time.Hour // the most that browsers allow
)

// person is who asks for a page. Somebody without an identity is nobody: Person{} with
// an address and a time zone, who can look but not answer.
func (web *Web) person(r *http.Request) askahuman.Person {
	token, ok := web.site.Cookie(r, personCookie)
	if !ok {
		return askahuman.Person{}
	}
	person, err := web.identify(r, token)
	if err != nil {
		return askahuman.Person{} // an identity of another secret is none
	}
	return person
}

func (web *Web) identify(r *http.Request, token string) (askahuman.Person, error) {
	east := 0
	zone, told := web.site.ToldZone(r)
	if told {
		_, east = web.service.Now().In(zone).Zone()
	}
	person, err := web.service.Identify(token, web.site.ClientIP(r).String(), east/60)
	person.ZoneUnknown = !told
	return person, err
}

// ensurePerson is who asks for a page, with a new identity if there is none yet. Identities
// are counted by address, so that nobody answers as a crowd.
func (web *Web) ensurePerson(w http.ResponseWriter, r *http.Request) (askahuman.Person, error) {
	if person := web.person(r); person.Hash != "" {
		return person, nil
	}
	if _, err := web.service.Allow(r.Context(), askahuman.LimitIdentity, web.network(r)); err != nil {
		return askahuman.Person{}, err
	}
	token := web.service.NewIdentity()
	web.keepIdentity(w, token)
	return web.identify(r, token)
}

// network returns where a request comes from, as far as it says who somebody is: a
// household has 64 bits of IPv6 addresses, and would have as many limits if each of them
// counted alone.
func (web *Web) network(r *http.Request) string {
	address := web.site.ClientIP(r).WithZone("").Unmap()
	if address.Is6() {
		if household, err := address.Prefix(64); err == nil {
			address = household.Addr()
		}
	}
	return address.String()
}

func (web *Web) keepIdentity(w http.ResponseWriter, token string) {
	web.site.SetCookie(w, personCookie, token, keepPerson)
}

// refreshIdentity keeps the identity of somebody who comes back from running out.
func (web *Web) refreshIdentity(w http.ResponseWriter, r *http.Request) {
	if token, ok := web.site.Cookie(r, personCookie); ok {
		web.keepIdentity(w, token)
	}
}

// ownAnswer is what a person answered to a question, if they did.
func (web *Web) ownAnswer(r *http.Request, person askahuman.Person, questionID string) (*askahumandb.Response, error) {
	if person.Hash == "" {
		return nil, nil
	}
	response, err := web.service.DB().GetOwnResponse(r.Context(), questionID, person.Hash)
	if errors.Is(err, access.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &response, nil
}
