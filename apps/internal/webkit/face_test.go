package webkit_test

import (
	"bytes"
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"sortkey.dev/apps/internal/webkit"
	"sortkey.dev/apps/internal/webtest"
)

var faces = map[string]webkit.Face{
	"ask-a-human": webkit.AskAHuman, "homeops": webkit.HomeOps, "exambuddy": webkit.ExamBuddy, "ecobid": webkit.EcoBid,
}

// TestFaces looks at an empty list and at the gallery in every face.
func TestFaces(t *testing.T) {
	t.Parallel()
	for name, face := range faces {
		options := galleryOptions(t)
		options.Name, options.Accent, options.Face, options.App = name, "", &face, nil
		g := newGallery(t, options)
		tab := webtest.Open(t, g.server.URL+"/list?empty", webtest.Phone, webtest.Light)
		for _, size := range []webtest.Size{webtest.Phone, webtest.Desktop} {
			tab.Resize(size)
			for _, theme := range []webtest.Theme{webtest.Light, webtest.Dark} {
				tab.Prefer(theme)
				tab.Goto("/list?empty")
				tab.WaitTrue(`document.querySelector(".brand-mark") && document.querySelector(".empty .motif") && document.fonts.check("400 1rem Figtree")`)
				tab.Readable()
				tab.Screenshot("face-" + name)
			}
		}
		tab.Goto("/")
		tab.Readable()
		tab.Screenshot("face-gallery-" + name)
	}
}

// TestAFaceHasIcons: also on a site that is not installable.
func TestAFaceHasIcons(t *testing.T) {
	options := galleryOptions(t)
	options.Accent, options.Face, options.App = "", &webkit.EcoBid, nil
	options.Files = fstest.MapFS{"pages/page.html": {Data: []byte(`{{define "main"}}<h1>{{.Accent}}</h1>{{ui "empty" "Title" "Nothing"}}{{ui "empty" "Title" "Nothing" "Icon" "leaf"}}{{end}}`)}}
	site, err := webkit.New(options)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) { site.Render(w, r, http.StatusOK, "page.html", nil) })
	get := func(path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		site.Handler(mux).ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		return w
	}
	page := get("/").Body.String()
	if strings.Count(page, `class="motif"`) != 1 || !strings.Contains(page, `<h1>green</h1>`) || !strings.Contains(page, `href="/icon.svg"`) || strings.Contains(page, "manifest") {
		t.Errorf("the page: %s", page)
	}
	if svg := get("/icon.svg"); svg.Code != http.StatusOK || !strings.Contains(svg.Body.String(), "#1c723a") {
		t.Errorf("the icon: %d %s", svg.Code, svg.Body)
	}
	for path, size := range map[string]int{"/favicon.ico": 48, "/icon-maskable-180.png": 180} {
		answer := get(path)
		picture, err := png.Decode(bytes.NewReader(answer.Body.Bytes()))
		if err != nil || picture.Bounds().Dx() != size {
			t.Errorf("%s: %d, %v", path, answer.Code, err)
		}
	}
	if answer := get("/offline"); answer.Code != http.StatusNotFound {
		t.Errorf("the page of an installable site: %d", answer.Code)
	}
	options.Face = nil
	if site, err = webkit.New(options); err != nil {
		t.Fatal(err)
	}
	if page := get("/").Body.String(); strings.Contains(page, "motif") || !strings.Contains(page, "brand-dot") {
		t.Errorf("a site without a face: %s", page)
	}
}

// TestTheTypefaceIsSmallAndKept: browsers load it once.
func TestTheTypefaceIsSmallAndKept(t *testing.T) {
	g := newGallery(t, galleryOptions(t))
	response, err := http.Get(g.server.URL + "/form")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	var page bytes.Buffer
	if _, err := page.ReadFrom(response.Body); err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(page.String(), `rel="preload" href="`)
	path, _, _ := strings.Cut(rest, `"`)
	if !found || !strings.HasSuffix(path, "/kit/figtree.woff2") {
		t.Fatalf("the typeface is not loaded early: %s", path)
	}
	total := 0
	for _, name := range []string{path, strings.Replace(path, "figtree", "figtree-ext", 1)} {
		w := httptest.NewRecorder()
		g.Handler(http.NewServeMux()).ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, name, nil))
		total += w.Body.Len()
		if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "font/woff2" || !strings.Contains(w.Header().Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %d %v", name, w.Code, w.Header())
		}
	}
	if total == 0 || total > 120<<10 {
		t.Errorf("the typeface has %d bytes, want at most 120 KB", total)
	}
}
