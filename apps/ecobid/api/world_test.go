package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"sortkey.dev/apps/ecobid/api"
	"sortkey.dev/apps/ecobid/ecobidtest"
	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/mail"
)

// A site is the API of a world, over HTTP.
type site struct {
	*ecobidtest.World
	accounts *accounts.Accounts
	outbox   *mail.Outbox
	hub      *live.Hub
	url      string
	document *document
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
	s.document = readDocument(t, s.url)
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
	var tokens api.Tokens
	u := user{site: s}
	u.must(t, "POST", "/v1/auth/register", api.Registration{
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
	if err := u.document.check(method, r.URL.Path, response, text); err != nil {
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
func (u user) table(t *testing.T) api.NewItem {
	t.Helper()
	var photo api.Uploaded
	u.must(t, "POST", "/v1/uploads", ecobidtest.Picture(t), &photo)
	return api.NewItem{
		Title: "Oak table", Category: "furniture", Condition: "good", Photos: []string{photo.ID},
		Location: api.ExactLocation{Lat: ecobidtest.Warsaw.Lat, Lon: ecobidtest.Warsaw.Lon, Address: new("Marszałkowska 1"), City: "Warsaw", Country: "PL"},
	}
}

// give publishes an item.
func (u user) give(t *testing.T) api.Item {
	t.Helper()
	var item api.Item
	u.must(t, "POST", "/v1/items", u.table(t), &item)
	return item
}

// A document is the OpenAPI document that the API serves.
type document struct {
	root     map[string]any
	compiler *jsonschema.Compiler
	paths    map[string]*regexp.Regexp

	mu   sync.Mutex
	seen map[string]bool // operations that succeeded
}

func readDocument(t *testing.T, url string) *document {
	t.Helper()
	response, err := http.Get(url + "/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	root, err := jsonschema.UnmarshalJSON(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	d := &document{root: root.(map[string]any), compiler: jsonschema.NewCompiler(), paths: map[string]*regexp.Regexp{}, seen: map[string]bool{}}
	d.compiler.DefaultDraft(jsonschema.Draft2020)
	d.compiler.AssertFormat()
	if err := d.compiler.AddResource("openapi.json", root); err != nil {
		t.Fatal(err)
	}
	braces := regexp.MustCompile(`\\\{[a-z]+\\\}`)
	for path := range d.root["paths"].(map[string]any) {
		d.paths[path] = regexp.MustCompile("^" + braces.ReplaceAllString(regexp.QuoteMeta(path), "[^/]+") + "$")
	}
	return d
}

// operation finds the template of a path: the one with the fewest parameters that matches.
func (d *document) operation(method, path string) string {
	best := ""
	for template, pattern := range d.paths {
		operations := d.root["paths"].(map[string]any)[template].(map[string]any)
		if operations[strings.ToLower(method)] == nil || !pattern.MatchString(path) {
			continue
		}
		if best == "" || strings.Count(template, "{") < strings.Count(best, "{") {
			best = template
		}
	}
	return best
}

// check compares a response with the document.
func (d *document) check(method, path string, response *http.Response, text []byte) error {
	template := d.operation(method, path)
	if template == "" {
		return fmt.Errorf("there is no such operation")
	}
	escape := strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D")
	status := strconv.Itoa(response.StatusCode)
	responses := d.root["paths"].(map[string]any)[template].(map[string]any)[strings.ToLower(method)].(map[string]any)["responses"].(map[string]any)
	if responses[status] == nil {
		if response.StatusCode < 400 {
			return fmt.Errorf("the status is not there")
		}
		status = "default"
	} else {
		d.mu.Lock()
		d.seen[method+" "+template] = true
		d.mu.Unlock()
	}
	content, _ := responses[status].(map[string]any)["content"].(map[string]any)
	media, _, _ := strings.Cut(response.Header.Get("Content-Type"), ";")
	switch {
	case len(content) == 0 && len(text) == 0:
		return nil
	case content[media] == nil:
		return fmt.Errorf("the content type %q is not there", media)
	case media != "application/json":
		return nil
	}
	schema, err := d.compiler.Compile("openapi.json#/paths/" + escape.Replace(template) + "/" + strings.ToLower(method) + "/responses/" + status + "/content/application~1json/schema")
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return schema.Validate(value)
}
