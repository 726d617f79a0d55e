package webkit_test

import (
	"io/fs"
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
	options.More = []fs.FS{fstest.MapFS{"pages/both.html": page("replaced"), "pages/more.html": page("the package's"), "parts/mark.html": mark("replaced")}}
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
