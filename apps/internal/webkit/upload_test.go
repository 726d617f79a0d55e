package webkit_test

import (
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"testing/iotest"
)

// TestUploadsAreNotLeftBehind: a large file of a form is on the disk while the form is handled, and no longer.
func TestUploadsAreNotLeftBehind(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	options := galleryOptions(t)
	options.MaxBody = 8 << 20
	g := newGallery(t, options)
	v := g.visitor(t)
	_, page := v.get("/form")
	for name, test := range map[string]struct {
		path, token string
		status      int
	}{
		"a form":                {"/remove", v.token(page), http.StatusSeeOther},
		"a form that is forged": {"/remove", "forged", http.StatusForbidden},
		"a form for nothing":    {"/nowhere", v.token(page), http.StatusNotFound},
	} {
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		_ = form.WriteField("csrf", test.token)
		file, _ := form.CreateFormFile("photo", "home.jpg")
		_, _ = file.Write(make([]byte, 4<<20))
		_ = form.Close()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, v.base+test.path, &body)
		r.Header.Set("Content-Type", form.FormDataContentType())
		for _, cookie := range v.client.Jar.Cookies(r.URL) {
			r.AddCookie(cookie)
		}
		w := httptest.NewRecorder()
		g.server.Config.Handler.ServeHTTP(w, r)
		if w.Code != test.status {
			t.Errorf("%s: the answer is %d", name, w.Code)
		}
		left, err := os.ReadDir(folder)
		if err != nil || len(left) > 0 {
			t.Errorf("%s leaves %v (%v)", name, left, err)
		}
	}
}

func TestABodyWithoutATokenIsNotRead(t *testing.T) {
	g := newGallery(t, galleryOptions(t))
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/form", iotest.ErrReader(io.ErrUnexpectedEOF))
	r.Body = readBody{r.Body, t}
	r.Header.Set("Content-Type", "multipart/form-data; boundary=x")
	w := httptest.NewRecorder()
	g.server.Config.Handler.ServeHTTP(w, r)
	if w.Code != http.StatusForbidden {
		t.Errorf("the answer is %d", w.Code)
	}
}

// readBody fails the test if it is read.
type readBody struct {
	io.ReadCloser
	t *testing.T
}

func (b readBody) Read(p []byte) (int, error) {
	b.t.Error("the body is read")
	return b.ReadCloser.Read(p)
}
