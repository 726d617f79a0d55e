// Package openidtest is a small OpenID Connect provider for tests: it signs in one person without asking,
// and checks what a client sends as a provider does. Only tests import it.
package openidtest

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"
)

// ClientID and ClientSecret are the credentials of the only client.
const (
	ClientID     = "client"
	ClientSecret = "the secret of the client"
)

// A Provider is a provider that runs.
type Provider struct {
	URL    string
	Client *http.Client

	mu      sync.Mutex
	now     func() time.Time
	person  map[string]any // claims about the person
	change  func(header, claims map[string]any)
	kid     string
	keyPair pair
	useEC   bool
	codes   map[string]url.Values // of the requests that led to them
	reads   int
}

// Start starts a provider. Now is its clock.
func Start(t testing.TB, now func() time.Time) *Provider {
	t.Helper()
	p := &Provider{now: now, person: map[string]any{"sub": "17", "name": "Ada", "email": "ada@example.org", "email_verified": true}, codes: map[string]url.Values{}}
	keys, err := first()
	if err != nil {
		t.Fatal(err)
	}
	p.kid, p.keyPair = "first", keys
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", p.describe)
	mux.HandleFunc("GET /authorize", p.authorize)
	mux.HandleFunc("POST /token", p.token)
	mux.HandleFunc("GET /keys", p.keys)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	p.URL, p.Client = server.URL, server.Client()
	return p
}

// A pair is a key of each kind.
type pair struct {
	rsa *rsa.PrivateKey
	ec  *ecdsa.PrivateKey
}

// first returns the keys that every provider begins with, because making one takes a while.
var first = sync.OnceValues(newPair)

func newPair() (keys pair, err error) {
	if keys.rsa, err = rsa.GenerateKey(rand.Reader, 2048); err != nil {
		return keys, err
	}
	keys.ec, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	return keys, err
}

// NewKey changes the keys, as providers do from time to time.
func (p *Provider) NewKey(t testing.TB, kid string) {
	t.Helper()
	keys, err := newPair()
	if err != nil {
		t.Fatal(err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kid, p.keyPair = kid, keys
}

// Person sets a claim about the person.
func (p *Provider) Person(claim string, value any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.person[claim] = value
}

// Change changes the tokens before they are signed; nil changes nothing.
func (p *Provider) Change(change func(header, claims map[string]any)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.change = change
}

// UseES256 signs with ES256 instead of RS256.
func (p *Provider) UseES256() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.useEC = true
}

// KeyReads returns how often the keys were read.
func (p *Provider) KeyReads() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.reads
}

func (p *Provider) describe(w http.ResponseWriter, _ *http.Request) {
	answer(w, map[string]string{
		"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token", "jwks_uri": p.URL + "/keys",
	})
}

func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	back, err := url.Parse(query.Get("redirect_uri"))
	if err != nil || query.Get("client_id") != ClientID || query.Get("response_type") != "code" || query.Get("code_challenge_method") != "S256" {
		http.Error(w, "invalid_request", http.StatusBadRequest)
		return
	}
	code := rand.Text()
	p.mu.Lock()
	p.codes[code] = query
	p.mu.Unlock()
	back.RawQuery = url.Values{"code": {code}, "state": {query.Get("state")}, "iss": {p.URL}}.Encode()
	http.Redirect(w, r, back.String(), http.StatusFound)
}

func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	user, password, _ := r.BasicAuth()
	if user == "" {
		user, password = r.PostFormValue("client_id"), r.PostFormValue("client_secret")
	}
	w.Header().Set("Content-Type", "application/json")
	p.mu.Lock()
	defer p.mu.Unlock()
	asked, ok := p.codes[r.PostFormValue("code")]
	delete(p.codes, r.PostFormValue("code"))
	sum := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	if !ok || user != ClientID || password != url.QueryEscape(ClientSecret) && password != ClientSecret ||
		asked.Get("redirect_uri") != r.PostFormValue("redirect_uri") || asked.Get("code_challenge") != base64.RawURLEncoding.EncodeToString(sum[:]) {
		w.WriteHeader(http.StatusBadRequest)
		answer(w, map[string]string{"error": "invalid_grant"})
		return
	}
	answer(w, map[string]any{"access_token": rand.Text(), "token_type": "Bearer", "id_token": p.sign(asked.Get("nonce"))})
}

// sign returns an ID token.
func (p *Provider) sign(nonce string) string {
	header := map[string]any{"alg": "RS256", "kid": p.kid}
	if p.useEC {
		header = map[string]any{"alg": "ES256", "kid": p.kid + "-ec"}
	}
	claims := maps.Clone(p.person)
	maps.Copy(claims, map[string]any{"iss": p.URL, "aud": ClientID, "nonce": nonce, "iat": p.now().Unix(), "exp": p.now().Add(5 * time.Minute).Unix()})
	if p.change != nil {
		p.change(header, claims)
	}
	text := encode(header) + "." + encode(claims)
	sum := sha256.Sum256([]byte(text))
	var signature []byte
	if p.useEC {
		r, s, err := ecdsa.Sign(rand.Reader, p.keyPair.ec, sum[:])
		if err != nil {
			panic(err)
		}
		signature = append(r.FillBytes(make([]byte, 32)), s.FillBytes(make([]byte, 32))...)
	} else {
		var err error
		if signature, err = rsa.SignPKCS1v15(rand.Reader, p.keyPair.rsa, crypto.SHA256, sum[:]); err != nil {
			panic(err)
		}
	}
	return text + "." + base64.RawURLEncoding.EncodeToString(signature)
}

func (p *Provider) keys(w http.ResponseWriter, _ *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reads++
	point, err := p.keyPair.ec.PublicKey.Bytes()
	if err != nil {
		panic(err)
	}
	raw := base64.RawURLEncoding.EncodeToString
	answer(w, map[string]any{"keys": []map[string]string{
		{"kty": "RSA", "use": "enc", "kid": "for-encryption", "n": "AQAB", "e": "AQAB"},
		{"kty": "RSA", "use": "sig", "kid": p.kid, "n": raw(p.keyPair.rsa.N.Bytes()), "e": raw(big.NewInt(int64(p.keyPair.rsa.E)).Bytes())},
		{"kty": "EC", "crv": "P-256", "kid": p.kid + "-ec", "x": raw(point[1:33]), "y": raw(point[33:])},
	}})
}

func encode(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

func answer(w http.ResponseWriter, value any) {
	_ = json.NewEncoder(w).Encode(value)
}
