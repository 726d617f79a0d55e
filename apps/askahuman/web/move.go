package web

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/people"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/secret"
	"sortkey.dev/apps/internal/webkit"
)

// movePages moves an identity to another device.
type movePages struct {
	addresses *addresses
	allow     allow
	box       *secret.Box
	now       func() time.Time
	people    *people.Service
	site      *webkit.Site
	visitors  *visitors
}

func (p *movePages) pages() map[string]page {
	return map[string]page{
		"POST /me/move": p.offerMove,
		"GET /move":     p.confirmMove,
		"POST /move":    p.move,
	}
}

// A link that moves an identity to another device can be used once and expires soon.
const movePurpose = "move identity"

const moveTime = 15 * time.Minute

// limitMove allows each link once. Its window is much longer than a link is valid.
var limitMove = askahuman.Limit{Name: "move", Most: 1, Window: 30 * 24 * time.Hour}

var errMoveGone = refusal.New(refusal.NotFound, "", "This link was used or is too old. Make a new one on the device you come from; it is good for 15 minutes.")

// moveView holds the data of move.html.
type moveView struct {
	Link    string // to be opened on the other device
	Until   time.Time
	Token   string // that was brought here
	Here    people.Stats
	Brought people.Stats
	Same    bool
}

func (p *movePages) offerMove(w http.ResponseWriter, r *http.Request) error {
	identity, ok := p.site.Cookie(r, personCookie)
	if !ok {
		p.site.Flash(w, r, webkit.Info, "There is nothing to move yet. Answer a question first.")
		p.site.Redirect(w, r, "/me/settings")
		return nil
	}
	until := p.now().Add(moveTime)
	token := p.box.Sign(movePurpose, secret.NewID()+" "+p.seal(identity), until)
	w.Header().Set("Cache-Control", "no-store")
	p.site.Render(w, r, http.StatusOK, "move.html", moveView{Link: p.addresses.base(r) + "/move?" + url.Values{"token": {token}}.Encode(), Until: until})
	return nil
}

// seal encrypts an identity in a link, so that an old link reveals nothing.
func (p *movePages) seal(identity string) string {
	aead := p.sealer()
	nonce := make([]byte, aead.NonceSize())
	_, _ = rand.Read(nonce) // never fails; crypto/rand ends the program instead
	return base64.RawURLEncoding.EncodeToString(aead.Seal(nonce, nonce, []byte(identity), nil))
}

func (p *movePages) unseal(sealed string) (string, bool) {
	aead := p.sealer()
	raw, err := base64.RawURLEncoding.DecodeString(sealed)
	if err != nil || len(raw) < aead.NonceSize() {
		return "", false
	}
	identity, err := aead.Open(nil, raw[:aead.NonceSize()], raw[aead.NonceSize():], nil)
	return string(identity), err == nil
}

func (p *movePages) sealer() cipher.AEAD {
	block, err := aes.NewCipher(p.box.Key(movePurpose, 32))
	if err == nil {
		var aead cipher.AEAD
		if aead, err = cipher.NewGCM(block); err == nil {
			return aead
		}
	}
	panic("web: a key of 32 bytes is refused: " + err.Error()) // cannot be: the length is fixed
}

// opened returns the identity in a link and the name of the link.
func (p *movePages) opened(token string) (name, identity string, err error) {
	value, err := p.box.Open(movePurpose, token, p.now())
	if err != nil {
		return "", "", errMoveGone
	}
	name, sealed, _ := strings.Cut(value, " ")
	identity, ok := p.unseal(sealed)
	if !ok {
		return "", "", errMoveGone
	}
	return name, identity, nil
}

// confirmMove asks for confirmation before an identity is replaced. Viewing does not use
// up the link.
func (p *movePages) confirmMove(w http.ResponseWriter, r *http.Request) error {
	view := moveView{Token: r.URL.Query().Get("token")}
	_, identity, err := p.opened(view.Token)
	if err != nil {
		return err
	}
	brought, err := p.visitors.identify(r, identity)
	if err != nil {
		return err
	}
	if view.Brought, err = p.people.Stats(r.Context(), brought); err != nil {
		return err
	}
	if view.Here, err = p.visitors.statsOf(r); err != nil {
		return err
	}
	view.Same = p.visitors.person(r).Hash == brought.Hash
	w.Header().Set("Cache-Control", "no-store")
	p.site.Render(w, r, http.StatusOK, "move.html", view)
	return nil
}

func (p *movePages) move(w http.ResponseWriter, r *http.Request) error {
	name, identity, err := p.opened(webkit.ReadForm(r).Value("token"))
	if err != nil {
		return err
	}
	if _, err := p.allow(r.Context(), limitMove, name); err != nil {
		if _, used := refusal.As(err, refusal.TooMany); used {
			return errMoveGone
		}
		return err
	}
	p.visitors.keepIdentity(w, identity)
	p.site.Flash(w, r, webkit.Good, "Your points and badges are on this device now, too.")
	p.site.Redirect(w, r, "/me")
	return nil
}
