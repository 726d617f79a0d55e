// Package openid signs people in through an OpenID Connect provider: the authorization code flow with
// PKCE, discovery, and ID tokens that are verified with the provider's keys. It stores nothing and knows
// no accounts; package accountpages calls it and passes the result to package accounts.
package openid

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/oauth2"

	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/secret"
	"sortkey.dev/internal/lazyregexp"
)

// Options describes a provider. Name, Issuer and ClientID are required.
type Options struct {
	Name         string // in the system: letters, digits and -; it must never change
	Title        string // for people; Name by default
	Issuer       string // such as https://accounts.example.org
	ClientID     string
	ClientSecret string // "" for a public client
	Scopes       []string
	Client       *http.Client // nil: one with a timeout of 10 s
	Now          func() time.Time
}

// A Provider signs people in. It is safe for concurrent use.
type Provider struct {
	o Options

	mu     sync.Mutex
	config *discovered
	readAt time.Time // of config
	keys   map[string]key
	keysAt time.Time
}

const (
	configKeep = time.Hour
	keysKeep   = time.Hour
	keysPause  = time.Minute // between two reads of the keys because of an unknown one
	leeway     = time.Minute // between the provider's clock and ours
	maxAnswer  = 1 << 20
)

var nameForm = lazyregexp.New(`^[a-z0-9-]{1,40}$`)

// New returns a provider. Nothing is read from it before it is used.
func New(o Options) (*Provider, error) {
	issuer, err := url.Parse(o.Issuer)
	if err != nil || issuer.Host == "" || !nameForm.MatchString(o.Name) || o.Name == "password" || o.ClientID == "" {
		return nil, fmt.Errorf("openid: provider %q needs a name of small letters, an issuer and a client id", o.Name)
	}
	if o.Title == "" {
		o.Title = o.Name
	}
	if len(o.Scopes) == 0 {
		o.Scopes = []string{"openid", "email", "profile"}
	}
	if o.Client == nil {
		o.Client = &http.Client{Timeout: 10 * time.Second}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Provider{o: o}, nil
}

// Name returns the name of the provider in the system.
func (p *Provider) Name() string { return p.o.Name }

// Title returns the name of the provider for people.
func (p *Provider) Title() string { return p.o.Title }

// A Person is identified by a provider.
type Person struct {
	Subject         string
	Name            string
	Address         string // "" if the provider does not tell it
	AddressVerified bool
}

// ErrRefused is the refusal of a sign-in that the provider or the person did not finish.
var ErrRefused = refusal.New(refusal.Unauthenticated, "PROVIDER_REFUSED", "The other site did not sign you in. Try again, or sign in another way.")

// A keep holds the values that the browser keeps between Begin and Finish.
type keep struct {
	State    string `json:"s"`
	Nonce    string `json:"n"`
	Verifier string `json:"v"`
}

// Begin returns the address of the provider's sign-in page, and a text that the browser keeps, encrypted,
// for Finish. Redirect is the address that the provider leads back to.
func (p *Provider) Begin(ctx context.Context, redirect string) (address, kept string, err error) {
	config, err := p.discover(ctx)
	if err != nil {
		return "", "", err
	}
	k := keep{State: secret.NewID(), Nonce: secret.NewID(), Verifier: oauth2.GenerateVerifier()}
	text, err := json.Marshal(k)
	if err != nil {
		return "", "", err
	}
	return p.oauth(config, redirect).AuthCodeURL(k.State, oauth2.S256ChallengeOption(k.Verifier), oauth2.SetAuthURLParam("nonce", k.Nonce)), string(text), nil
}

// Finish returns the person, given the text of Begin and the query of the request that the provider led
// to. The error is ErrRefused if the provider refuses, or if the request does not belong to Begin.
func (p *Provider) Finish(ctx context.Context, redirect, kept string, query url.Values) (Person, error) {
	var k keep
	if json.Unmarshal([]byte(kept), &k) != nil || k.State == "" || subtle.ConstantTimeCompare([]byte(k.State), []byte(query.Get("state"))) != 1 {
		return Person{}, ErrRefused
	}
	if query.Get("error") != "" || query.Get("code") == "" || query.Has("iss") && query.Get("iss") != p.o.Issuer {
		return Person{}, ErrRefused
	}
	config, err := p.discover(ctx)
	if err != nil {
		return Person{}, err
	}
	ctx = context.WithValue(ctx, oauth2.HTTPClient, p.o.Client)
	token, err := p.oauth(config, redirect).Exchange(ctx, query.Get("code"), oauth2.VerifierOption(k.Verifier))
	var refused *oauth2.RetrieveError
	if errors.As(err, &refused) && refused.Response.StatusCode < http.StatusInternalServerError {
		return Person{}, ErrRefused
	}
	if err != nil {
		return Person{}, fmt.Errorf("openid: exchange a code at %s: %w", p.o.Name, err)
	}
	raw, _ := token.Extra("id_token").(string)
	c, err := p.verify(ctx, config, raw, k.Nonce)
	if err != nil {
		return Person{}, err
	}
	return Person{Subject: c.Subject, Name: c.Name, Address: c.Email, AddressVerified: bool(c.EmailVerified)}, nil
}

func (p *Provider) oauth(config *discovered, redirect string) *oauth2.Config {
	return &oauth2.Config{
		ClientID: p.o.ClientID, ClientSecret: p.o.ClientSecret, RedirectURL: redirect, Scopes: p.o.Scopes,
		Endpoint: oauth2.Endpoint{AuthURL: config.Authorization, TokenURL: config.Token},
	}
}

// A discovered is the provider's description of itself.
type discovered struct {
	Issuer        string `json:"issuer"`
	Authorization string `json:"authorization_endpoint"`
	Token         string `json:"token_endpoint"`
	Keys          string `json:"jwks_uri"`
}

func (p *Provider) discover(ctx context.Context) (*discovered, error) {
	p.mu.Lock()
	config, readAt := p.config, p.readAt
	p.mu.Unlock()
	if config != nil && p.o.Now().Sub(readAt) < configKeep {
		return config, nil
	}
	config = &discovered{}
	if err := p.read(ctx, strings.TrimSuffix(p.o.Issuer, "/")+"/.well-known/openid-configuration", config); err != nil {
		return nil, err
	}
	if config.Issuer != p.o.Issuer || config.Authorization == "" || config.Token == "" || config.Keys == "" {
		return nil, fmt.Errorf("openid: %s describes itself as %q, or incompletely", p.o.Issuer, config.Issuer)
	}
	p.mu.Lock()
	p.config, p.readAt = config, p.o.Now()
	p.mu.Unlock()
	return config, nil
}

// read reads a document of the provider.
func (p *Provider) read(ctx context.Context, address string, into any) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return fmt.Errorf("openid: %w", err)
	}
	response, err := p.o.Client.Do(r)
	if err != nil {
		return fmt.Errorf("openid: read %s: %w", address, err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("openid: read %s: %s", address, response.Status)
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, maxAnswer)).Decode(into); err != nil {
		return fmt.Errorf("openid: decode %s: %w", address, err)
	}
	return nil
}
