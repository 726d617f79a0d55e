package web

import (
	"net/http"
	"time"

	"sortkey.dev/apps/askahuman"
)

const (
	personCookie = "person"
	keepPerson   = 400 * 24 * time.Hour // the most that browsers allow
)

// person returns the person who requests a page. Without an identity it is anonymous: a
// Person with an address and a time zone only, who can read but not answer.
func (web *Web) person(r *http.Request) askahuman.Person {
	token, ok := web.site.Cookie(r, personCookie)
	if !ok {
		return askahuman.Person{}
	}
	person, err := web.identify(r, token)
	if err != nil {
		return askahuman.Person{} // the identity was signed with another secret
	}
	return person
}

func (web *Web) identify(r *http.Request, token string) (askahuman.Person, error) {
	east := 0
	zone, told := web.site.ToldZone(r)
	if told {
		_, east = web.domain.Now().In(zone).Zone()
	}
	person, err := web.domain.People.Identify(token, web.site.ClientIP(r).String(), east/60)
	person.ZoneUnknown = !told
	return person, err
}

// ensurePerson returns the person who requests a page, and issues a new identity if there
// is none. Identities are not limited by address, which newcomers may share: answers are, and
// answers of a crowd are flagged.
func (web *Web) ensurePerson(w http.ResponseWriter, r *http.Request) (askahuman.Person, error) {
	if person := web.person(r); person.Hash != "" {
		return person, nil
	}
	token := web.domain.People.NewIdentity()
	web.keepIdentity(w, token)
	return web.identify(r, token)
}

// network returns the address for rate limits: the first 64 bits of an IPv6 address, which
// a household shares.
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

// refreshIdentity extends the cookie of a returning person.
func (web *Web) refreshIdentity(w http.ResponseWriter, r *http.Request) {
	if token, ok := web.site.Cookie(r, personCookie); ok {
		web.keepIdentity(w, token)
	}
}
