package web

import (
	"crypto/subtle"
	"net/http"
	"strings"
	"time"

	"sortkey.dev/apps/internal/secret"
)

// A session of an operator is a signed token in a cookie, with the operator's name and a session
// id. It ends with its expiry, with a new operator secret, or when the operator signs out; then
// its id is stored, so that a copy of the cookie is invalid in every process.
const (
	operatorCookie = "operator"
	sessionTime    = 12 * time.Hour
)

// A session is the content of an operator's cookie.
type session struct{ id, operator string }

// beginSession signs an operator in.
func (web *Web) beginSession(w http.ResponseWriter, operator string) {
	token := web.box.Sign(web.sessionPurpose(), secret.NewID()+" "+operator, web.domain.Now().Add(sessionTime))
	web.keepSession(w, token, int(sessionTime/time.Second))
}

// endSession ends the browser's session for all copies of its cookie.
func (web *Web) endSession(w http.ResponseWriter, r *http.Request) error {
	if session, signed := web.session(r); signed {
		if err := web.domain.Operators.EndSession(r.Context(), web.sessionHash(session), sessionTime); err != nil {
			return err
		}
	}
	web.keepSession(w, "", -1)
	return nil
}

// operator returns the name of the signed-in operator.
func (web *Web) operator(r *http.Request) (name string, known bool, err error) {
	session, signed := web.session(r)
	if !signed {
		return "", false, nil
	}
	ended, err := web.domain.Operators.SessionEnded(r.Context(), web.sessionHash(session))
	if err != nil || ended {
		return "", false, err
	}
	return session.operator, true, nil
}

// session returns the content of the browser's cookie, even if the operator has signed out.
func (web *Web) session(r *http.Request) (session, bool) {
	cookie, err := r.Cookie(operatorCookie)
	if err != nil {
		return session{}, false
	}
	value, err := web.box.Open(web.sessionPurpose(), cookie.Value, web.domain.Now())
	id, operator, _ := strings.Cut(value, " ")
	return session{id, operator}, err == nil && operator != ""
}

// sessionHash returns the hash under which an ended session is stored.
func (web *Web) sessionHash(s session) string { return web.box.Hash("operator out", s.id) }

// sessionPurpose returns the purpose that session tokens are signed with. It depends on the
// secret, so that a new secret ends all sessions.
func (web *Web) sessionPurpose() string {
	return "session of an operator " + web.box.Hash("operator secret", web.options.OperatorSecret)
}

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
