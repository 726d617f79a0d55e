package webkit_test

import (
	"bytes"
	"encoding/json"
	"image/png"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/apps/internal/webkit"
)

// visitor is a browser as far as cookies go.
type visitor struct {
	t      *testing.T
	client *http.Client
	base   string
}

func (g *gallery) visitor(t *testing.T) *visitor {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return &visitor{t, client, g.server.URL}
}

func (v *visitor) do(r *http.Request) (*http.Response, string) {
	v.t.Helper()
	answer, err := v.client.Do(r)
	if err != nil {
		v.t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	return answer, string(body)
}

func (v *visitor) get(path string) (*http.Response, string) {
	v.t.Helper()
	r, err := http.NewRequest(http.MethodGet, v.base+path, nil)
	if err != nil {
		v.t.Fatal(err)
	}
	return v.do(r)
}

func (v *visitor) post(path string, values url.Values, headers ...string) (*http.Response, string) {
	v.t.Helper()
	r, err := http.NewRequest(http.MethodPost, v.base+path, strings.NewReader(values.Encode()))
	if err != nil {
		v.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return v.do(r)
}

var tokenField = regexp.MustCompile(`name="csrf" value="([^"]+)"`)

func (v *visitor) token(body string) string {
	v.t.Helper()
	found := tokenField.FindStringSubmatch(body)
	if found == nil {
		v.t.Fatal("the page has no token")
	}
	return found[1]
}

func TestEveryAnswerIsGuarded(t *testing.T) {
	options := galleryOptions(t)
	options.PublicURL = "https://ask.example.org"
	g := newGallery(t, options)
	for _, path := range []string{"/", "/nowhere", "/fail", "/manifest.webmanifest"} {
		answer, _ := g.visitor(t).get(path)
		policy := answer.Header.Get("Content-Security-Policy")
		if !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: the policy is %q", path, policy)
		}
		for _, name := range []string{"X-Content-Type-Options", "Referrer-Policy", "Strict-Transport-Security", "X-Request-Id"} {
			if answer.Header.Get(name) == "" {
				t.Errorf("%s has no %s", path, name)
			}
		}
		for _, cookie := range answer.Cookies() {
			if !cookie.HttpOnly || !cookie.Secure || cookie.SameSite != http.SameSiteLaxMode {
				t.Errorf("%s: the cookie %s is not guarded", path, cookie)
			}
		}
	}
}

func TestForgedFormsAreRefused(t *testing.T) {
	g := newGallery(t, galleryOptions(t))
	mine, other := g.visitor(t), g.visitor(t)
	_, page := mine.get("/form")
	token := mine.token(page)
	_, page = other.get("/form")
	foreign := other.token(page)

	for name, test := range map[string]struct {
		values  url.Values
		headers []string
		want    int
	}{
		"with the token":            {formValues("csrf", token), nil, http.StatusSeeOther},
		"token in the header":       {nil, []string{"X-CSRF-Token", token}, http.StatusSeeOther},
		"no token":                  {nil, nil, http.StatusForbidden},
		"broken token":              {formValues("csrf", token+"0"), nil, http.StatusForbidden},
		"somebody else's token":     {formValues("csrf", foreign), nil, http.StatusForbidden},
		"token, but another site":   {formValues("csrf", token), []string{"Sec-Fetch-Site", "cross-site"}, http.StatusForbidden},
		"token, but another origin": {formValues("csrf", token), []string{"Origin", "https://evil.example"}, http.StatusForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			if answer, _ := mine.post("/remove", test.values, test.headers...); answer.StatusCode != test.want {
				t.Errorf("the answer is %d, want %d", answer.StatusCode, test.want)
			}
		})
	}
}

func TestTokensDifferFromPageToPage(t *testing.T) {
	v := newGallery(t, galleryOptions(t)).visitor(t)
	_, first := v.get("/form")
	_, second := v.get("/form")
	if v.token(first) == v.token(second) {
		t.Error("two pages have the same token")
	}
	if answer, _ := v.post("/remove", formValues("csrf", v.token(first))); answer.StatusCode != http.StatusSeeOther {
		t.Error("the token of the first page does not work after the second was seen")
	}
}

func TestErrorPages(t *testing.T) {
	var log bytes.Buffer
	options := galleryOptions(t)
	options.Log = slog.New(slog.NewTextHandler(&log, nil))
	g := newGallery(t, options)
	v := g.visitor(t)
	for _, test := range []struct {
		path   string
		status int
		says   string
	}{
		{"/nowhere", 404, "There is nothing here"},
		{"/gone", 410, "kept for 30 days"},
		{"/fast", 429, "Wait 1 min 30 s"},
		{"/fail", 500, "It is our fault"},
		{"/panic", 500, "It is our fault"},
		{"/broken", 500, "It is our fault"},
		{"/theme", 405, "Use the switch"},
		{"/remove", 405, "cannot be used in this way"},
	} {
		answer, body := v.get(test.path)
		if answer.StatusCode != test.status || !strings.Contains(body, test.says) || strings.Count(body, "<html") != 1 {
			t.Errorf("%s is %d and does not say %q once:\n%s", test.path, answer.StatusCode, test.says, body)
		}
		for _, inner := range []string{"disk is on fire", "out of cheese", "gallery.html"} {
			if strings.Contains(body, inner) {
				t.Errorf("%s tells the viewer %q", test.path, inner)
			}
		}
		id := answer.Header.Get("X-Request-Id")
		if test.status == 500 && (!strings.Contains(body, id) || !strings.Contains(log.String(), id)) {
			t.Errorf("%s: the id %s is not on the page and in the log", test.path, id)
		}
	}
	if answer, _ := v.get("/fast"); answer.Header.Get("Retry-After") != "90" {
		t.Errorf("Retry-After is %q", answer.Header.Get("Retry-After"))
	}
}

func TestTooLargeAForm(t *testing.T) {
	options := galleryOptions(t)
	options.MaxBody = 1000
	v := newGallery(t, options).visitor(t)
	_, page := v.get("/form")
	answer, body := v.post("/form", formValues("csrf", v.token(page), "prompt", strings.Repeat("x", 2000)))
	if answer.StatusCode != http.StatusRequestEntityTooLarge || !strings.Contains(body, "at most 1 KB") {
		t.Errorf("the answer is %d: %s", answer.StatusCode, body)
	}
}

func TestAFormComesBackAsItWasSent(t *testing.T) {
	v := newGallery(t, galleryOptions(t)).visitor(t)
	_, page := v.get("/form")
	answer, body := v.post("/form", formValues("csrf", v.token(page), "prompt", "<b>short", "people", "many", "audience", "tech", "kind", "choice", "tags", "b", "urgency", "high"))
	if answer.StatusCode != http.StatusUnprocessableEntity {
		t.Fatalf("the answer is %d", answer.StatusCode)
	}
	for _, want := range []string{
		"Your question: Write 2 more characters.", "How many people: Write a whole number from 1 to 50.",
		"&lt;b&gt;short</textarea>", `value="many"`, `value="tech" selected`, `value="choice" checked`, `value="b" checked`, `value="high" checked`,
		`href="#f-prompt"`, `aria-invalid="true"`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("the page does not have %q", want)
		}
	}
	if strings.Contains(body, `value="on" checked`) {
		t.Error("a box that was not ticked comes back ticked")
	}
}

func TestThemeWithoutScript(t *testing.T) {
	v := newGallery(t, galleryOptions(t)).visitor(t)
	_, page := v.get("/form")
	if strings.Contains(page, "data-theme=") {
		t.Error("a theme is set before one is chosen")
	}
	answer, _ := v.post("/theme", formValues("csrf", v.token(page), "theme", "dark", "back", "/form?x=1"))
	if got := answer.Header.Get("Location"); got != "/form?x=1" {
		t.Errorf("the switch leads to %q", got)
	}
	if _, page = v.get("/form"); !strings.Contains(page, `data-theme="dark"`) {
		t.Error("the next page is not dark")
	}
	answer, _ = v.post("/theme", formValues("csrf", v.token(page), "theme", "pink", "back", "//evil.example"))
	if got := answer.Header.Get("Location"); got != "/" {
		t.Errorf("the switch leads away to %q", got)
	}
	if _, page = v.get("/form"); !strings.Contains(page, `data-theme="dark"`) {
		t.Error("a theme that does not exist was taken")
	}
}

// TestTheSwitchGoesAroundWithoutScript presses the button of the header as a browser without scripts does.
func TestTheSwitchGoesAroundWithoutScript(t *testing.T) {
	v := newGallery(t, galleryOptions(t)).visitor(t)
	button := regexp.MustCompile(`<button name="theme" value="(\w+)" data-now="(\w+)" aria-label="([^"]+)"`)
	var said []string
	for range 4 {
		_, page := v.get("/form")
		found := button.FindStringSubmatch(page)
		if found == nil {
			t.Fatal("the page has no switch")
		}
		said = append(said, found[3])
		v.post("/theme", formValues("csrf", v.token(page), "theme", found[1], "back", "/form"))
	}
	want := []string{"Brightness: as on this device", "Brightness: light", "Brightness: dark", "Brightness: as on this device"}
	if !slices.Equal(said, want) {
		t.Errorf("the switch says %q, want %q", said, want)
	}
}

func TestAssetsAreKeptForEver(t *testing.T) {
	g := newGallery(t, galleryOptions(t))
	v := g.visitor(t)
	address, err := g.Asset("app.css")
	if err != nil {
		t.Fatal(err)
	}
	answer, body := v.get(address)
	if !strings.Contains(answer.Header.Get("Cache-Control"), "immutable") || !strings.Contains(body, "gallery-label") || answer.Header.Get("Content-Type") != "text/css; charset=utf-8" {
		t.Errorf("%s: %v", address, answer.Header)
	}
	if answer, _ = v.get("/assets/old/app/app.css"); answer.StatusCode != 200 || answer.Header.Get("Cache-Control") != "no-cache" {
		t.Errorf("an old address: %d %v", answer.StatusCode, answer.Header)
	}
	if answer, _ = v.get("/assets/old/app/../../secret"); answer.StatusCode == 200 {
		t.Error("a path leads out of the assets")
	}
	r, err := http.NewRequest(http.MethodGet, g.server.URL+address, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("If-None-Match", answer.Header.Get("ETag"))
	first, _ := v.get(address)
	r.Header.Set("If-None-Match", first.Header.Get("ETag"))
	if answer, _ = v.do(r); answer.StatusCode != http.StatusNotModified {
		t.Errorf("an asset that did not change is %d", answer.StatusCode)
	}
	if _, err := g.Asset("missing.js"); err == nil {
		t.Error("an asset that does not exist has an address")
	}
}

func TestInstallable(t *testing.T) {
	g := newGallery(t, galleryOptions(t))
	v := g.visitor(t)
	_, text := v.get("/manifest.webmanifest")
	var manifest struct {
		Name  string
		Icons []struct{ Src, Sizes, Type string }
	}
	if err := json.Unmarshal([]byte(text), &manifest); err != nil {
		t.Fatal(err)
	}
	if manifest.Name != "Ask-a-Human" || len(manifest.Icons) != 7 {
		t.Errorf("the manifest is %+v", manifest)
	}
	for _, icon := range manifest.Icons {
		answer, body := v.get(icon.Src)
		if answer.Header.Get("Content-Type") != icon.Type {
			t.Errorf("%s is %s", icon.Src, answer.Header.Get("Content-Type"))
		}
		if icon.Type == "image/png" {
			if _, err := png.Decode(strings.NewReader(body)); err != nil {
				t.Errorf("%s: %v", icon.Src, err)
			}
		}
	}
	answer, body := v.get("/service-worker.js")
	if answer.Header.Get("Cache-Control") != "no-cache" || !strings.Contains(body, `"/offline"`) || !strings.Contains(body, "/kit/kit.css") {
		t.Error("the service worker does not know the offline page and the assets")
	}

	options := galleryOptions(t)
	options.App = nil
	if answer, _ := newGallery(t, options).visitor(t).get("/service-worker.js"); answer.StatusCode != 404 {
		t.Error("a site that is not installable has a worker")
	}
}

func TestClientIP(t *testing.T) {
	for name, test := range map[string]struct {
		proxies int
		header  string
		want    string
	}{
		"nobody is believed":       {0, "1.2.3.4", "127.0.0.1"},
		"one proxy":                {1, "6.6.6.6, 1.2.3.4", "1.2.3.4"},
		"two proxies":              {2, "6.6.6.6, 1.2.3.4, 10.0.0.1", "1.2.3.4"},
		"with a port":              {1, "[2001:db8::1]:443", "2001:db8::1"},
		"the header is too short":  {3, "1.2.3.4", "127.0.0.1"},
		"the header is no address": {1, "unknown", "127.0.0.1"},
		"a zone is not kept":       {1, "fe80::1%eth0", "fe80::1"},
		"nor one with a port":      {1, "[fe80::1%25]:443", "fe80::1"},
	} {
		t.Run(name, func(t *testing.T) {
			options := galleryOptions(t)
			options.Proxies = test.proxies
			g := newGallery(t, options)
			r, err := http.NewRequest(http.MethodGet, g.server.URL+"/ip", nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("X-Forwarded-For", test.header)
			if _, got := g.visitor(t).do(r); got != test.want {
				t.Errorf("the client is %s, want %s", got, test.want)
			}
		})
	}
}

func TestMistakesAreFoundAtTheStart(t *testing.T) {
	for name, files := range map[string]fstest.MapFS{
		"no main":         {"pages/a.html": {Data: []byte(`{{define "title"}}x{{end}}`)}},
		"broken template": {"pages/a.html": {Data: []byte(`{{define "main"}}{{if}}{{end}}`)}},
		"broken part":     {"parts/a.html": {Data: []byte(`{{nofunction}}`)}},
	} {
		options := galleryOptions(t)
		options.Files = files
		if _, err := webkit.New(options); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := webkit.New(webkit.Options{Name: "No box"}); err == nil {
		t.Error("a site without a secret works")
	}
}

func TestUnknownComponentsAndFieldsAreErrors(t *testing.T) {
	for name, test := range map[string]struct {
		main string
		want int
	}{
		"good":              {`{{ui "badge" "Text" "Open"}}`, 200},
		"number for a text": {`{{ui "badge" "Text" 7}}`, 200},
		"no component":      {`{{ui "bagde" "Text" "Open"}}`, 500},
		"no field":          {`{{ui "badge" "Txet" "Open"}}`, 500},
		"wrong kind":        {`{{ui "progress" "Max" "many"}}`, 500},
		"no pair":           {`{{ui "badge" "Text"}}`, 500},
		"no icon":           {`{{ui "icon" "Name" "unicorn"}}`, 500},
	} {
		options := galleryOptions(t)
		options.Files = fstest.MapFS{"pages/a.html": {Data: []byte(`{{define "main"}}` + test.main + `{{end}}`)}}
		site, err := webkit.New(options)
		if err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		site.Render(w, httptest.NewRequest(http.MethodGet, "/", nil), 200, "a.html", nil)
		if w.Code != test.want {
			t.Errorf("%s: %d, want %d", name, w.Code, test.want)
		}
	}
}

func TestSignedCookies(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	options := galleryOptions(t)
	options.Now = func() time.Time { return now }
	site, err := webkit.New(options)
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	site.SetCookie(w, "person", "p-1", time.Hour)
	site.SetCookie(w, "person", "p-2", time.Hour)
	if got := len(w.Result().Cookies()); got != 1 {
		t.Fatalf("%d cookies of one name", got)
	}
	read := func(name, value string) string {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.AddCookie(&http.Cookie{Name: name, Value: value})
		got, ok := site.Cookie(r, name)
		if !ok {
			return "refused"
		}
		return got
	}
	value := w.Result().Cookies()[0].Value
	got := []string{read("person", value), read("other", value), read("person", value+"x"), read("person", "")}
	now = now.Add(2 * time.Hour)
	got = append(got, read("person", value))
	if diff := cmp.Diff([]string{"p-2", "refused", "refused", "refused", "refused"}, got); diff != "" {
		t.Errorf("right, other name, changed, empty, old (-want +got):\n%s", diff)
	}
}

func TestZone(t *testing.T) {
	site, err := webkit.New(galleryOptions(t))
	if err != nil {
		t.Fatal(err)
	}
	for value, want := range map[string]string{
		"Europe%2FStockholm": "Europe/Stockholm", "America/New_York": "America/New_York", "Local": "UTC", "": "UTC", "../etc/passwd": "UTC", "Moon%2FBase": "UTC",
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.AddCookie(&http.Cookie{Name: "tz", Value: value})
		if got := site.Zone(r).String(); got != want {
			t.Errorf("%q is %s, want %s", value, got, want)
		}
	}
}

// The dark tokens stand twice in the stylesheet: for those whose device is dark and for those who chose it.
func TestBothDarkThemesAreAlike(t *testing.T) {
	text, err := os.ReadFile("kit/tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	_, dark, _ := strings.Cut(string(text), "@media screen and (prefers-color-scheme: dark) {")
	device, chosen, found := strings.Cut(dark, "\n}\n")
	chosen, screen := strings.CutPrefix(chosen, "@media screen {")
	if !found || !screen {
		t.Fatal("the stylesheet has another form")
	}
	chosen = strings.TrimSuffix(strings.TrimSpace(chosen), "}")
	plain := func(text, selector string) string {
		return strings.Join(strings.Fields(strings.ReplaceAll(text, selector, "")), " ")
	}
	if diff := cmp.Diff(plain(device, `:root:not([data-theme="light"])`), plain(chosen, `:root[data-theme="dark"]`)); diff != "" {
		t.Errorf("device and chosen differ:\n%s", diff)
	}
}
