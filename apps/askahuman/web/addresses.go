package web

import (
	"cmp"
	"net/http"
)

// addresses knows the URLs of the site and of the API.
type addresses struct {
	programs string
	public   string
}

// base returns the public URL of the site.
func (a *addresses) base(r *http.Request) string {
	if a.public == "" {
		return "http://" + r.Host
	}
	return a.public
}

// programBase returns the URL by which programs reach the API.
func (a *addresses) programBase(r *http.Request) string {
	return cmp.Or(a.programs, a.base(r))
}
