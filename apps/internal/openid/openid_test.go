package openid_test

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/internal/openid"
	"sortkey.dev/apps/internal/openid/openidtest"
)

const back = "https://small.example/sign-in/with/school/end"

type world struct {
	*openidtest.Provider
	client *openid.Provider
	now    time.Time
}

func open(t *testing.T) *world {
	t.Helper()
	w := &world{now: time.Date(2037, time.February, 2, 12, 0, 0, 0, time.UTC)}
	w.Provider = openidtest.Start(t, func() time.Time { return w.now })
	w.client = w.another(t, openidtest.ClientSecret)
	return w
}

func (w *world) another(t *testing.T, secret string) *openid.Provider {
	t.Helper()
	client, err := openid.New(openid.Options{
		Name: "school", Issuer: w.URL, ClientID: openidtest.ClientID, ClientSecret: secret, Client: w.Client, Now: func() time.Time { return w.now },
	})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// visit lets a browser go to the provider, and returns what it is led back with.
func (w *world) visit(t *testing.T, address string) url.Values {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := (&http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	to := response.Header.Get("Location")
	if response.StatusCode != http.StatusFound || !strings.HasPrefix(to, back+"?") {
		t.Fatalf("the provider answers %s, %s", response.Status, to)
	}
	parsed, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	return parsed.Query()
}

func (w *world) begin(t *testing.T) (query url.Values, kept string) {
	t.Helper()
	address, kept, err := w.client.Begin(t.Context(), back)
	if err != nil {
		t.Fatal(err)
	}
	return w.visit(t, address), kept
}

func TestSignIn(t *testing.T) {
	for name, elliptic := range map[string]bool{"RS256": false, "ES256": true} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			if elliptic {
				w.UseES256()
			}
			query, kept := w.begin(t)
			person, err := w.client.Finish(t.Context(), back, kept, query)
			if want := (openid.Person{Subject: "17", Name: "Ada", Address: "ada@example.org", AddressVerified: true}); err != nil || person != want {
				t.Fatalf("got %+v (%v)", person, err)
			}
			if _, err := w.client.Finish(t.Context(), back, kept, query); !errors.Is(err, openid.ErrRefused) {
				t.Errorf("the code again: %v", err)
			}
			w.Person("email_verified", "false")
			query, kept = w.begin(t)
			if person, err := w.client.Finish(t.Context(), back, kept, query); err != nil || person.AddressVerified {
				t.Errorf("an address that is not verified: %+v (%v)", person, err)
			}
		})
	}
}

func TestRequestsOfOtherSignIns(t *testing.T) {
	w := open(t)
	for name, change := range map[string]func(query url.Values, kept *string){
		"another state":      func(q url.Values, _ *string) { q.Set("state", "x") },
		"no state":           func(q url.Values, _ *string) { q.Del("state") },
		"nothing kept":       func(_ url.Values, kept *string) { *kept = "" },
		"kept by no one":     func(q url.Values, kept *string) { *kept = "{}"; q.Set("state", "") },
		"of another browser": func(_ url.Values, kept *string) { _, *kept = w.begin(t) },
		"no code":            func(q url.Values, _ *string) { q.Del("code") },
		"another code":       func(q url.Values, _ *string) { q.Set("code", "x") },
		"an error":           func(q url.Values, _ *string) { q.Set("error", "access_denied") },
		"another issuer":     func(q url.Values, _ *string) { q.Set("iss", "https://evil.example") },
	} {
		t.Run(name, func(t *testing.T) {
			query, kept := w.begin(t)
			change(query, &kept)
			if _, err := w.client.Finish(t.Context(), back, kept, query); !errors.Is(err, openid.ErrRefused) {
				t.Errorf("got %v", err)
			}
		})
	}
	query, kept := w.begin(t)
	if _, err := w.another(t, "wrong").Finish(t.Context(), back, kept, query); !errors.Is(err, openid.ErrRefused) {
		t.Errorf("a wrong secret of the client: %v", err)
	}
}

func TestTokensThatProveNothing(t *testing.T) {
	for name, test := range map[string]struct {
		change func(w *world, header, claims map[string]any)
		valid  bool
	}{
		"as it is":                  {func(*world, map[string]any, map[string]any) {}, true},
		"another issuer":            {func(_ *world, _, c map[string]any) { c["iss"] = "https://evil.example" }, false},
		"another client":            {func(_ *world, _, c map[string]any) { c["aud"] = "another" }, false},
		"several clients":           {func(_ *world, _, c map[string]any) { c["aud"] = []string{"client", "another"} }, false},
		"several, issued to us":     {func(_ *world, _, c map[string]any) { c["aud"], c["azp"] = []string{"client", "another"}, "client" }, true},
		"issued to another":         {func(_ *world, _, c map[string]any) { c["azp"] = "another" }, false},
		"another nonce":             {func(_ *world, _, c map[string]any) { c["nonce"] = "x" }, false},
		"no nonce":                  {func(_ *world, _, c map[string]any) { delete(c, "nonce") }, false},
		"no subject":                {func(_ *world, _, c map[string]any) { delete(c, "sub") }, false},
		"no expiry":                 {func(_ *world, _, c map[string]any) { delete(c, "exp") }, false},
		"expired":                   {func(w *world, _, c map[string]any) { c["exp"] = w.now.Add(-time.Minute).Unix() }, false},
		"expired within the leeway": {func(w *world, _, c map[string]any) { c["exp"] = w.now.Add(-time.Minute + time.Second).Unix() }, true},
		"issued too early":          {func(w *world, _, c map[string]any) { c["iat"] = w.now.Add(time.Minute + time.Second).Unix() }, false},
		"issued within the leeway":  {func(w *world, _, c map[string]any) { c["iat"] = w.now.Add(time.Minute).Unix() }, true},
		"no algorithm":              {func(_ *world, h, _ map[string]any) { h["alg"] = "none" }, false},
		"a symmetric algorithm":     {func(_ *world, h, _ map[string]any) { h["alg"] = "HS256" }, false},
		"the algorithm of another":  {func(_ *world, h, _ map[string]any) { h["alg"] = "ES256" }, false},
		"the key of another":        {func(_ *world, h, _ map[string]any) { h["kid"] = "first-ec" }, false},
		"a key for encryption":      {func(_ *world, h, _ map[string]any) { h["kid"] = "for-encryption" }, false},
		"an unknown key":            {func(_ *world, h, _ map[string]any) { h["kid"] = "x" }, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			w.Change(func(header, claims map[string]any) { test.change(w, header, claims) })
			query, kept := w.begin(t)
			person, err := w.client.Finish(t.Context(), back, kept, query)
			if (err == nil) != test.valid || !test.valid && (person != openid.Person{} || errors.Is(err, openid.ErrRefused)) {
				t.Errorf("got %+v (%v)", person, err)
			}
		})
	}
}

func TestNewKeysAreRead(t *testing.T) {
	w := open(t)
	finish := func() error {
		query, kept := w.begin(t)
		_, err := w.client.Finish(t.Context(), back, kept, query)
		return err
	}
	for range 2 {
		if err := finish(); err != nil {
			t.Fatal(err)
		}
	}
	if w.KeyReads() != 1 {
		t.Errorf("the keys were read %d times", w.KeyReads())
	}
	w.NewKey(t, "second")
	w.now = w.now.Add(time.Minute - time.Second)
	if err := finish(); err == nil || w.KeyReads() != 1 {
		t.Errorf("within a minute the keys are read again (%v)", err)
	}
	w.now = w.now.Add(time.Second)
	if err := finish(); err != nil || w.KeyReads() != 2 {
		t.Errorf("a minute later: %v, read %d times", err, w.KeyReads())
	}
}

func TestOptionsOfAProvider(t *testing.T) {
	for _, o := range []openid.Options{
		{Issuer: "https://a.example", ClientID: "c"}, {Name: "a#b", Issuer: "https://a.example", ClientID: "c"}, {Name: "a", ClientID: "c"},
		{Name: "password", Issuer: "https://a.example", ClientID: "c"}, {Name: "a", Issuer: "https://a.example"},
	} {
		if _, err := openid.New(o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
	w := open(t)
	other, err := openid.New(openid.Options{Name: "other", Issuer: w.URL + "/", ClientID: "c", Client: w.Client})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := other.Begin(t.Context(), back); err == nil {
		t.Error("a provider that calls itself otherwise is accepted")
	}
}
