package webkit_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"sortkey.dev/apps/internal/webkit"
)

func TestPagesOfOtherPackages(t *testing.T) {
	page := func(text string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(`{{define "main"}}<h1>` + text + ` {{template "mark"}}</h1>{{end}}`)}
	}
	mark := func(text string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(`{{define "mark"}}` + text + `{{end}}`)}
	}
	options := galleryOptions(t)
	options.Files = fstest.MapFS{"pages/both.html": page("the system's"), "parts/mark.html": mark("of the system")}
	options.More = []webkit.Pages{{Files: fstest.MapFS{"pages/both.html": page("replaced"), "pages/more.html": page("the package's"), "parts/mark.html": mark("replaced")}}}
	site, err := webkit.New(options)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"both.html": "the system's of the system", "more.html": "the package's of the system"} {
		mux := http.NewServeMux()
		mux.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) { site.Render(w, r, http.StatusOK, name, nil) })
		w := httptest.NewRecorder()
		site.Handler(mux).ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil))
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "<h1>"+want+"</h1>") {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
}

func TestAssetsOfOtherPackages(t *testing.T) {
	options := galleryOptions(t)
	options.App = nil
	options.Files = fstest.MapFS{"assets/both.css": {Data: []byte("the system's")}}
	options.More = []webkit.Pages{{Files: fstest.MapFS{"assets/both.css": {Data: []byte("replaced")}, "assets/more.css": {Data: []byte("the package's")}}}, {Files: fstest.MapFS{}}}
	site, err := webkit.New(options)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"both.css": "the system's", "more.css": "the package's"} {
		address, err := site.Asset(name)
		if err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		site.Handler(http.NewServeMux()).ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, address, nil))
		if w.Code != http.StatusOK || w.Body.String() != want {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
}

func TestALinkIsCurrentOnItsFurtherPaths(t *testing.T) {
	options := galleryOptions(t)
	options.Nav = []webkit.Link{{Href: "/desk", Text: "Overview"}, {Href: "/desk/jobs", Text: "Machine", Within: []string{"/desk/audit"}}}
	options.Files = fstest.MapFS{"pages/page.html": {Data: []byte(`{{define "main"}}<h1>{{range .Nav}}{{if .Current}}{{.Text}}{{end}}{{end}}</h1>{{end}}`)}}
	site, err := webkit.New(options)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) { site.Render(w, r, http.StatusOK, "page.html", nil) })
	for path, want := range map[string]string{
		"/desk": "Overview", "/desk/other": "Overview", "/desk/jobs": "Machine", "/desk/audit": "Machine", "/desk/audit/7": "Machine", "/desk/auditor": "Overview", "/other": "",
	} {
		w := httptest.NewRecorder()
		site.Handler(mux).ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		if !strings.Contains(w.Body.String(), "<h1>"+want+"</h1>") {
			t.Errorf("%s: not %q", path, want)
		}
	}
}
