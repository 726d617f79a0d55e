package api_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sortkey.dev/apps/ecobid/api"
	"sortkey.dev/apps/ecobid/contract"
	"sortkey.dev/apps/ecobid/ecobidtest"
	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/mail"
	"sortkey.dev/apps/internal/openapi/openapitest"
)

// A site is the API of a world, over HTTP.
type site struct {
	*ecobidtest.World
	accounts *accounts.Accounts
	outbox   *mail.Outbox
	hub      *live.Hub
	url      string
	document *openapitest.Document
}

func open(t *testing.T) *site { return openWith(t, accounts.Options{}) }

// openWith returns a site whose accounts have options.
func openWith(t *testing.T, o accounts.Options) *site {
	t.Helper()
	s := &site{World: ecobidtest.Open(t), hub: new(live.Hub)}
	s.outbox = mail.NewOutbox(s.Platform, mail.Options{})
	o.Name, o.PublicURL, o.Mail, o.Argon = "EcoBid", "https://ecobid.example", s.outbox, accounts.Cheap
	var err error
	s.accounts, err = accounts.New(s.Platform, o)
	if err != nil {
		t.Fatal(err)
	}
	handler, err := api.New(api.Options{Domain: s.Domain, Accounts: s.accounts, Hub: s.hub})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	s.url = server.URL
	s.document = openapitest.Read(t, s.url+"/openapi.json")
	return s
}

// A user is a caller. Its token is "" for callers who are not signed in.
type user struct {
	*site
	id, token string
	key       string // the idempotency key of requests
}

// keyed returns the user, whose requests have an idempotency key.
func (u user) keyed(key string) user {
	u.key = key
	return u
}

// join signs a person up.
func (s *site) join(t *testing.T, name string) user {
	t.Helper()
	var tokens contract.Tokens
	u := user{site: s}
	u.must(t, "POST", "/v1/auth/register", contract.Registration{
		Email: strings.ToLower(name) + "@example.org", Password: "correct horse " + name, Username: name, City: "Warsaw", Country: "PL", Currency: "PLN",
	}, &tokens)
	return user{site: s, id: tokens.UserID, token: tokens.AccessToken}
}

// An answer is a response.
type answer struct {
	status int
	header http.Header
	text   string
}

// send sends a request, and compares the response with the document.
func (u user) send(t *testing.T, method, path string, body any) answer {
	t.Helper()
	var content io.Reader
	media := "application/json"
	switch body := body.(type) {
	case nil:
	case []byte:
		content, media = bytes.NewReader(body), "image/jpeg"
	default:
		text, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		content = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(t.Context(), method, u.url+path, content)
	if err != nil {
		t.Fatal(err)
	}
	if body != nil {
		r.Header.Set("Content-Type", media)
	}
	if u.token != "" {
		r.Header.Set("Authorization", "Bearer "+u.token)
	}
	if u.key != "" {
		r.Header.Set("Idempotency-Key", u.key)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if err := u.document.Check(method, r.URL.Path, response, text); err != nil {
		t.Errorf("the answer of %s %s (%d) is not as the document says: %v\n%s", method, path, response.StatusCode, err, text)
	}
	return answer{response.StatusCode, response.Header, string(text)}
}

// must sends a request that succeeds, and decodes the response.
func (u user) must(t *testing.T, method, path string, body, into any) {
	t.Helper()
	got := u.send(t, method, path, body)
	if got.status >= 300 {
		t.Fatalf("%s %s: %d %s", method, path, got.status, got.text)
	}
	if into != nil {
		if err := json.Unmarshal([]byte(got.text), into); err != nil {
			t.Fatal(err)
		}
	}
}

// refused sends a request that is refused with a status and a code.
func (u user) refused(t *testing.T, method, path string, body any, status int, code string) answer {
	t.Helper()
	got := u.send(t, method, path, body)
	if got.status != status || !strings.Contains(got.text, `"`+code+`"`) {
		t.Errorf("%s %s: %d %s, want %d %s", method, path, got.status, got.text, status, code)
	}
	return got
}

// table describes an item.
func (u user) table(t *testing.T) contract.NewItem {
	t.Helper()
	var photo contract.Uploaded
	u.must(t, "POST", "/v1/uploads", ecobidtest.Picture(t), &photo)
	return contract.NewItem{
		Title: "Oak table", Category: "furniture", Condition: "good", Photos: []string{photo.ID},
		Location: contract.ExactLocation{Lat: ecobidtest.Warsaw.Lat, Lon: ecobidtest.Warsaw.Lon, Address: new("Marszałkowska 1"), City: "Warsaw", Country: "PL"},
	}
}

// give publishes an item.
func (u user) give(t *testing.T) contract.Item {
	t.Helper()
	var item contract.Item
	u.must(t, "POST", "/v1/items", u.table(t), &item)
	return item
}
