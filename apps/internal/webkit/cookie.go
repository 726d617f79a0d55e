package webkit

import (
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"sortkey.dev/apps/internal/secret"
)

const (
	csrfField   = "csrf"
	csrfHeader  = "X-CSRF-Token"
	csrfCookie  = "form"
	flashCookie = "flash"
	themeCookie = "theme"
	zoneCookie  = "tz"
	themePath   = "/theme"

	longTime = 400 * 24 * time.Hour // the most that browsers allow
)

// SetCookie sets a cookie: signed for its name, not readable by scripts, not sent with cross-site
// forms. A keep of 0 lasts until the browser closes.
func (s *Site) SetCookie(w http.ResponseWriter, name, value string, keep time.Duration) {
	expires := time.Time{}
	if keep > 0 {
		expires = s.options.Now().Add(keep)
	}
	s.setRawCookie(w, name, s.options.Box.Sign("cookie "+name, value, expires), keep)
}

// Cookie returns the value of a cookie of SetCookie. It returns "" and false if there is none, or
// if it is forged or expired.
func (s *Site) Cookie(r *http.Request, name string) (string, bool) {
	cookie, err := r.Cookie(name)
	if err != nil {
		return "", false
	}
	value, err := s.options.Box.Open("cookie "+name, cookie.Value, s.options.Now())
	return value, err == nil
}

// DropCookie deletes a cookie.
func (s *Site) DropCookie(w http.ResponseWriter, name string) { s.setRawCookie(w, name, "", -1) }

// setRawCookie sets a cookie and replaces an earlier one of the same name.
func (s *Site) setRawCookie(w http.ResponseWriter, name, value string, keep time.Duration) {
	header := w.Header()
	others := header.Values("Set-Cookie")
	header.Del("Set-Cookie")
	for _, other := range others {
		if !strings.HasPrefix(other, name+"=") {
			header.Add("Set-Cookie", other)
		}
	}
	cookie := &http.Cookie{Name: name, Value: value, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: s.secure}
	switch {
	case keep > 0:
		cookie.MaxAge = int(keep / time.Second)
	case keep < 0:
		cookie.MaxAge = -1
	}
	http.SetCookie(w, cookie)
}

// A Flash is a message for the next page this browser sees.
type Flash struct {
	Tone string `json:"t"`
	Text string `json:"m"`
}

const (
	maxFlashes   = 4
	maxFlashText = 300 // characters, so that the cookie stays small
)

// Flash shows a message on the next page, as after a form that was accepted. Call it before
// Redirect or Render.
func (s *Site) Flash(w http.ResponseWriter, r *http.Request, tone, text string) {
	state := stateOf(r)
	if utf8.RuneCountInString(text) > maxFlashText {
		text = string([]rune(text)[:maxFlashText-1]) + "…"
	}
	state.flashes = append(state.flashes, Flash{tone, text})
	if len(state.flashes) > maxFlashes {
		state.flashes = state.flashes[1:]
	}
	s.setCookies(w, r, state)
}

// takeFlashes moves pending messages to the page that is rendered, if a person sees that page. Messages stay pending for a page
// that a script, the service worker or an image asks for.
func (s *Site) takeFlashes(r *http.Request, state *state) {
	if !state.taken && isSeen(r) {
		state.taken = true
		state.shown = s.waitingFlashes(r)
	}
	state.shown = append(state.shown, state.flashes...)
	state.flashes = nil
}

// isSeen reports whether the browser shows the response of a request to a person as a page of its own. Browsers send
// Sec-Fetch-Mode only over HTTPS and to localhost. Without it the header Accept tells: a navigation names text/html, and fetch,
// EventSource and images do not. A program that sends neither header reads what it asks for.
func isSeen(r *http.Request) bool {
	if r.Method == http.MethodHead || strings.Contains(r.Header.Get("Sec-Purpose")+r.Header.Get("Purpose"), "prefetch") {
		return false
	}
	if mode := r.Header.Get("Sec-Fetch-Mode"); mode != "" {
		switch r.Header.Get("Sec-Fetch-Dest") {
		case "document", "empty", "": // empty is a navigation that passed the service worker
			return mode == "navigate"
		}
		return false // such as a frame
	}
	accept := r.Header.Get("Accept")
	return accept == "" || strings.Contains(accept, "text/html")
}

func (s *Site) waitingFlashes(r *http.Request) []Flash {
	value, ok := s.Cookie(r, flashCookie)
	if !ok {
		return nil
	}
	var flashes []Flash
	if json.Unmarshal([]byte(value), &flashes) != nil || len(flashes) > maxFlashes {
		return nil
	}
	return flashes
}

// setCookies writes the cookies of the request's state to the response.
func (s *Site) setCookies(w http.ResponseWriter, r *http.Request, state *state) {
	if state.newCSRF {
		s.SetCookie(w, csrfCookie, state.csrf, 0)
	}
	if len(state.flashes) > 0 {
		waiting := state.flashes
		if !state.taken {
			waiting = append(s.waitingFlashes(r), waiting...)
			waiting = waiting[max(0, len(waiting)-maxFlashes):]
		}
		value, err := json.Marshal(waiting)
		if err != nil { // two strings can always be written
			return
		}
		s.SetCookie(w, flashCookie, string(value), 10*time.Minute)
		return
	}
	if _, err := r.Cookie(flashCookie); err == nil && state.taken {
		s.DropCookie(w, flashCookie)
	}
}

// readCSRF reads this browser's CSRF secret or creates one.
func (s *Site) readCSRF(r *http.Request, state *state) {
	if id, ok := s.Cookie(r, csrfCookie); ok && id != "" {
		state.csrf = id
		return
	}
	state.csrf, state.newCSRF = secret.NewID(), true
}

// csrfToken is different on every page, so that its length under compression tells nothing
// about it.
func (s *Site) csrfToken(state *state) string {
	nonce := secret.NewID()
	return nonce + "." + s.options.Box.Hash("csrf", state.csrf, nonce)
}

// checkForged rejects forms of other sites with two checks: http.CrossOriginProtection, which
// trusts the browser (Sec-Fetch-Site, Origin), and a CSRF token for browsers that send neither.
func (s *Site) checkForged(r *http.Request, state *state) error {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
		return nil
	}
	if err := s.origin.Check(r); err != nil {
		return err
	}
	if state.newCSRF { // no token can be right, so that the body is not read
		return errNoToken
	}
	token := r.Header.Get(csrfHeader)
	if token == "" {
		if err := parseForm(r); err != nil {
			return fmt.Errorf("reading the form: %w", err)
		}
		token = r.PostFormValue(csrfField)
	}
	nonce, sum, _ := strings.Cut(token, ".")
	want := s.options.Box.Hash("csrf", state.csrf, nonce)
	if subtle.ConstantTimeCompare([]byte(sum), []byte(want)) != 1 {
		return errNoToken
	}
	return nil
}

var errNoToken = errors.New("the token is missing or not of this browser")

// Theme returns the viewer's theme.
func (s *Site) Theme(r *http.Request) Theme {
	if cookie, err := r.Cookie(themeCookie); err == nil {
		switch theme := Theme(cookie.Value); theme {
		case System, Light, Dark:
			return theme
		}
	}
	return s.options.Theme
}

// switchTheme handles the theme switch in the header. It works without scripts, too.
func (s *Site) switchTheme(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		s.problem(w, r, http.StatusMethodNotAllowed, Problem{Title: "That does not work here", Text: "Use the switch in the header."})
		return
	}
	switch theme := Theme(r.PostFormValue("theme")); theme {
	case System, Light, Dark:
		s.setRawCookie(w, themeCookie, string(theme), longTime)
	}
	if r.Header.Get(csrfHeader) != "" { // a script, which stays where it is
		w.WriteHeader(http.StatusNoContent)
		return
	}
	s.Redirect(w, r, LocalPath(r.PostFormValue("back")))
}

// LocalPath returns the requested path if it is on this site, or else "/".
func LocalPath(asked string) string {
	if !strings.HasPrefix(asked, "/") || strings.HasPrefix(asked, "//") || strings.ContainsAny(asked, "\\\r\n\t\x00") {
		return "/"
	}
	return asked
}

// Zone returns the time zone of the viewer's device, or UTC until the browser has sent it.
func (s *Site) Zone(r *http.Request) *time.Location {
	if zone, told := s.ToldZone(r); told {
		return zone
	}
	return time.UTC
}

// ToldZone returns the time zone of the viewer's device, if the browser has sent it. Browsers
// without scripts never do.
func (s *Site) ToldZone(r *http.Request) (zone *time.Location, told bool) {
	cookie, err := r.Cookie(zoneCookie)
	if err != nil || cookie.Value == "" || cookie.Value == "Local" || len(cookie.Value) > 64 {
		return nil, false
	}
	zone, err = time.LoadLocation(strings.ReplaceAll(cookie.Value, "%2F", "/"))
	return zone, err == nil
}
