package web

import (
	"crypto/subtle"
	"errors"
	"net/http"
	"strings"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/internal/secret"
)

// A session of an operator is a token in a cookie: who it is, under an id of its own. It ends with
// its time, with another operator secret, or when the operator signs out; then its id is written
// down, so that a copy of the cookie is of no use either, at whatever process of the system.
const (
	operatorCookie = "operator"
	sessionTime    = 12 * time.Hour
)

// A session is what the cookie of an operator holds.
type session struct{ id, operator string }

// beginSession lets an operator in.
func (web *Web) beginSession(w http.ResponseWriter, operator string) {
	token := web.box.Sign(web.sessionPurpose(), secret.NewID()+" "+operator, web.service.Now().Add(sessionTime))
	web.keepSession(w, token, int(sessionTime/time.Second))
}

// endSession ends the session of a browser, if it has one, for all who have its cookie.
func (web *Web) endSession(w http.ResponseWriter, r *http.Request) error {
	if session, signed := web.session(r); signed {
		now := web.service.Now()
		_, err := web.service.DB().EndSession(r.Context(), askahumandb.EndedSession{
			SessionHash: web.sessionHash(session), EndedAt: now, TTL: now.Add(sessionTime),
		})
		if err != nil && !errors.Is(err, access.ErrExists) { // it may have been ended before
			return err
		}
	}
	web.keepSession(w, "", -1)
	return nil
}

// operator returns the name of who has signed in and not out again.
func (web *Web) operator(r *http.Request) (name string, known bool, err error) {
	session, signed := web.session(r)
	if !signed {
		return "", false, nil
	}
	_, err = web.service.DB().GetEndedSession(r.Context(), web.sessionHash(session))
	if errors.Is(err, access.ErrNotFound) {
		return session.operator, true, nil
	}
	return "", false, err
}

// session is what the cookie of a browser holds, even if the operator has signed out.
func (web *Web) session(r *http.Request) (session, bool) {
	cookie, err := r.Cookie(operatorCookie)
	if err != nil {
		return session{}, false
	}
	value, err := web.box.Open(web.sessionPurpose(), cookie.Value, web.service.Now())
	id, operator, _ := strings.Cut(value, " ")
	return session{id, operator}, err == nil && operator != ""
}

// sessionHash is what a session is written down by.
func (web *Web) sessionHash(s session) string { return web.box.Hash("operator out", s.id) }

// sessionPurpose is what sessions are signed for. It changes with the secret, so that a new secret
// ends all sessions.
func (web *Web) sessionPurpose() string {
	return "session of an operator " + web.box.Hash("operator secret", web.options.OperatorSecret)
}

// keepSession keeps a session in the browser, for the pages of operators only; below zero seconds it
// goes.
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
