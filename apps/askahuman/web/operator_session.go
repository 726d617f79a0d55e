package web

import (
	"crypto/subtle"
	"net/http"
	"strings"
	"time"
)

// A session of an operator is a token in a cookie. It ends with its expiry, with a new operator
// secret, or when the operator signs out, for all copies of the cookie and in every process.
const (
	operatorCookie = "operator"
	sessionTime    = 12 * time.Hour
)

// beginSession signs an operator in.
func (web *Web) beginSession(w http.ResponseWriter, r *http.Request, operator string) error {
	token, err := web.domain.Operators.BeginSession(r.Context(), web.realm(), operator, sessionTime)
	if err != nil {
		return err
	}
	web.keepSession(w, token, int(sessionTime/time.Second))
	return nil
}

// endSession ends the browser's session.
func (web *Web) endSession(w http.ResponseWriter, r *http.Request) error {
	if token := sessionToken(r); token != "" {
		if err := web.domain.Operators.EndSession(r.Context(), web.realm(), token); err != nil {
			return err
		}
	}
	web.keepSession(w, "", -1)
	return nil
}

// operator returns the name of the signed-in operator.
func (web *Web) operator(r *http.Request) (name string, known bool, err error) {
	token := sessionToken(r)
	if token == "" {
		return "", false, nil
	}
	name, err = web.domain.Operators.Session(r.Context(), web.realm(), token)
	return name, name != "", err
}

// sessionToken returns the token of the browser's session, even if it is over; "" if there is
// none.
func sessionToken(r *http.Request) string {
	cookie, err := r.Cookie(operatorCookie)
	if err != nil {
		return ""
	}
	return cookie.Value
}

// realm depends on the secret, so that a new secret ends all sessions.
func (web *Web) realm() string { return web.box.Hash("operator secret", web.options.OperatorSecret) }

// keepSession sets the session cookie for the operators' pages; negative seconds delete it.
func (web *Web) keepSession(w http.ResponseWriter, token string, seconds int) {
	http.SetCookie(w, &http.Cookie{
		Name: operatorCookie, Value: token, Path: operatorHome, MaxAge: seconds,
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: strings.HasPrefix(web.options.PublicURL, "https:"),
	})
}

// isOperatorSecret compares hashes, which have one length, in constant time.
func (web *Web) isOperatorSecret(given string) bool {
	got, want := web.box.Hash("operator secret", given), web.box.Hash("operator secret", web.options.OperatorSecret)
	return subtle.ConstantTimeCompare([]byte(got), []byte(want)) == 1
}
