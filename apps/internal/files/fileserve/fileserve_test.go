package fileserve_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sortkey.dev/apps/internal/files"
	"sortkey.dev/apps/internal/files/fileserve"
)

const png = "\x89PNG\r\n\x1a\n0123456789"

// serve returns the URL of a handler on a directory.
func serve(t *testing.T, change func(*fileserve.Handler)) (files.Store, string) {
	t.Helper()
	store, err := files.Open("file://"+t.TempDir(), files.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h := &fileserve.Handler{Store: store, Find: func(r *http.Request) (fileserve.File, error) {
		return fileserve.File{Key: strings.TrimPrefix(r.URL.Path, "/"), Name: r.URL.Query().Get("name")}, nil
	}}
	if change != nil {
		change(h)
	}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return store, server.URL
}

func put(t *testing.T, store files.Store, key, content string) files.Info {
	t.Helper()
	info, err := store.Put(t.Context(), key, "", strings.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	return info
}

func ask(t *testing.T, method, url string, header ...string) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(body)
}

func TestObjectsCannotRunScripts(t *testing.T) {
	store, url := serve(t, nil)
	for key, test := range map[string]struct{ content, kind, disposition string }{
		"a.png":  {png, "image/png", "inline"},
		"a.txt":  {"hello", "text/plain; charset=utf-8", "inline"},
		"a.html": {"<html><script>alert(1)</script>", "text/html", "attachment"},
		"b.png":  {"<html><script>alert(1)</script>", "text/html", "attachment"},
		"a.svg":  {"<svg onload='alert(1)'>", "image/svg+xml", "attachment"},
		"a.pdf":  {"%PDF-1.7", "application/pdf", "attachment"},
		"a.bin":  {"\x00\x01", "application/octet-stream", "attachment"},
	} {
		put(t, store, key, test.content)
		response, body := ask(t, http.MethodGet, url+"/"+key)
		if response.StatusCode != http.StatusOK || body != test.content {
			t.Errorf("%s: %s, %q", key, response.Status, body)
		}
		for name, want := range map[string]string{
			"Content-Type": test.kind, "Content-Disposition": test.disposition + "; filename=" + key, "X-Content-Type-Options": "nosniff",
			"Content-Security-Policy": "default-src 'none'; sandbox", "Cache-Control": "private, no-cache",
		} {
			if got := response.Header.Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", key, name, got, want)
			}
		}
	}
}

// Only a PDF is shown in a viewer, and without a sandbox.
func TestViewer(t *testing.T) {
	store, _ := serve(t, nil)
	for key, test := range map[string]struct{ content, disposition, policy string }{
		"a.pdf":  {"%PDF-1.7", "inline", "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'"},
		"b.pdf":  {"<html><script>alert(1)</script>", "attachment", "default-src 'none'; sandbox"},
		"a.docx": {"\x00\x01", "attachment", "default-src 'none'; sandbox"},
	} {
		put(t, store, key, test.content)
		w := httptest.NewRecorder()
		if err := fileserve.Serve(w, httptest.NewRequest(http.MethodGet, "/", nil), store, fileserve.File{Key: key, Viewer: true}); err != nil {
			t.Fatal(err)
		}
		if got := w.Header().Get("Content-Disposition"); got != test.disposition+"; filename="+key {
			t.Errorf("%s: %s", key, got)
		}
		if got := w.Header().Get("Content-Security-Policy"); got != test.policy {
			t.Errorf("%s: %s", key, got)
		}
	}
}

func TestRangesAndCaching(t *testing.T) {
	store, url := serve(t, nil)
	info := put(t, store, "a", png)
	etag := `"` + info.ETag + `"`
	for name, test := range map[string]struct {
		method string
		header []string
		status int
		body   string
	}{
		"whole":                    {"GET", nil, 200, png},
		"head":                     {"HEAD", nil, 200, ""},
		"a range":                  {"GET", []string{"Range", "bytes=8-10"}, 206, "012"},
		"the end":                  {"GET", []string{"Range", "bytes=-2"}, 206, "89"},
		"beyond":                   {"GET", []string{"Range", "bytes=100-"}, 416, "invalid range: failed to overlap\n"},
		"unchanged":                {"GET", []string{"If-None-Match", etag}, 304, ""},
		"changed":                  {"GET", []string{"If-None-Match", `"other"`}, 200, png},
		"a range of this object":   {"GET", []string{"Range", "bytes=8-10", "If-Range", etag}, 206, "012"},
		"a range of another":       {"GET", []string{"Range", "bytes=8-10", "If-Range", `"other"`}, 200, png},
		"another method":           {"POST", nil, 405, "Method Not Allowed\n"},
		"a method that has no use": {"DELETE", nil, 405, "Method Not Allowed\n"},
	} {
		response, body := ask(t, test.method, url+"/a", test.header...)
		if response.StatusCode != test.status || body != test.body {
			t.Errorf("%s: %s with %q, want %d with %q", name, response.Status, body, test.status, test.body)
		}
		if test.status/100 == 2 && response.Header.Get("ETag") != etag {
			t.Errorf("%s: the ETag is %q", name, response.Header.Get("ETag"))
		}
	}
}

func TestNamesAndSwitches(t *testing.T) {
	store, url := serve(t, func(h *fileserve.Handler) {
		h.Find = func(r *http.Request) (fileserve.File, error) {
			return fileserve.File{Key: "k", Name: r.URL.Query().Get("name"), Download: r.URL.Query().Has("download"), Cache: "public, max-age=60"}, nil
		}
	})
	put(t, store, "k", png)
	for query, want := range map[string]string{
		"":                                "inline; filename=k",
		"?download":                       "attachment; filename=k",
		"?name=cat.png":                   "inline; filename=cat.png",
		"?name=My%20cat.png":              `inline; filename="My cat.png"`,
		"?name=k%C3%B6tt.png":             "inline; filename*=utf-8''k%C3%B6tt.png",
		"?name=..%2F..%5Cx%0D%0AEvil:%20": `inline; filename="....xEvil: "`,
		"?name=%0A":                       "inline; filename=file",
	} {
		response, _ := ask(t, http.MethodGet, url+"/"+query)
		if got := response.Header.Get("Content-Disposition"); got != want || response.Header.Get("Cache-Control") != "public, max-age=60" || response.Header.Get("Evil") != "" {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
}

func TestWhatCannotBeServed(t *testing.T) {
	broken := errors.New("no database")
	_, url := serve(t, func(h *fileserve.Handler) {
		h.Find = func(r *http.Request) (fileserve.File, error) {
			if r.URL.Path == "/broken" {
				return fileserve.File{}, broken
			}
			return fileserve.File{Key: strings.TrimPrefix(r.URL.Path, "/")}, nil
		}
	})
	for path, want := range map[string]int{"/none": 404, "/..%2f..%2fetc%2fpasswd": 404, "/broken": 500} {
		response, body := ask(t, http.MethodGet, url+path)
		if response.StatusCode != want || strings.Contains(body, "database") {
			t.Errorf("%s: %s with %q, want %d", path, response.Status, body, want)
		}
	}
	var failed error
	_, url = serve(t, func(h *fileserve.Handler) {
		h.Fail = func(w http.ResponseWriter, _ *http.Request, err error) {
			failed = err
			w.WriteHeader(http.StatusTeapot)
		}
	})
	if response, _ := ask(t, http.MethodGet, url+"/none"); response.StatusCode != http.StatusTeapot || !errors.Is(failed, files.ErrNotFound) {
		t.Errorf("%s after %v", response.Status, failed)
	}
}
