package web

import (
	"net/http"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/people"
	"sortkey.dev/apps/internal/webkit"
)

// visitors identifies the people who request pages, by a cookie.
type visitors struct {
	now    func() time.Time
	people *people.Service
	site   *webkit.Site
}

const (
	personCookie = "person"
	keepPerson   = 400 * 24 * time.Hour // the most that browsers allow
)

// person returns the person who requests a page. Without an identity it is anonymous: a
// Person with an address and a time zone only, who can read but not answer.
func (v *visitors) person(r *http.Request) askahuman.Person {
	token, ok := v.site.Cookie(r, personCookie)
	if !ok {
		return askahuman.Person{}
	}
	person, err := v.identify(r, token)
	if err != nil {
		return askahuman.Person{} // the identity was signed with another secret
	}
	return person
}

func (v *visitors) identify(r *http.Request, token string) (askahuman.Person, error) {
	east := 0
	zone, told := v.site.ToldZone(r)
	if told {
		_, east = v.now().In(zone).Zone()
	}
	person, err := v.people.Identify(token, v.site.ClientIP(r).String(), east/60)
	person.ZoneUnknown = !told
	return person, err
}

// ensurePerson returns the person who requests a page, and issues a new identity if there
// is none. Identities are not limited by address, which newcomers may share: answers are, and
// answers of a crowd are flagged.
func (v *visitors) ensurePerson(w http.ResponseWriter, r *http.Request) (askahuman.Person, error) {
	if person := v.person(r); person.Hash != "" {
		return person, nil
	}
	token := v.people.NewIdentity()
	v.keepIdentity(w, token)
	return v.identify(r, token)
}

// network returns the address for rate limits: the first 64 bits of an IPv6 address, which
// a household shares.
func (v *visitors) network(r *http.Request) string {
	address := v.site.ClientIP(r).WithZone("").Unmap()
	if address.Is6() {
		if household, err := address.Prefix(64); err == nil {
			address = household.Addr()
		}
	}
	return address.String()
}

func (v *visitors) keepIdentity(w http.ResponseWriter, token string) {
	v.site.SetCookie(w, personCookie, token, keepPerson)
}

// refreshIdentity extends the cookie of a returning person.
func (v *visitors) refreshIdentity(w http.ResponseWriter, r *http.Request) {
	if token, ok := v.site.Cookie(r, personCookie); ok {
		v.keepIdentity(w, token)
	}
}
