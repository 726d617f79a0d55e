package webkit_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"sortkey.dev/apps/internal/webkit"
)

var viewed = fstest.MapFS{
	"pages/one.html": {Data: []byte(`{{define "main"}}{{with .Data}}{{.Text}}{{end}}{{end}}`)},
	"pages/two.html": {Data: []byte(`{{define "main"}}Two{{end}}`)},
}

type oneView struct{ Text string }

type otherView struct{ Text string }

func TestRenderRefusesDataThatIsNotDeclared(t *testing.T) {
	site, err := webkit.New(webkit.Options{Name: "Test", Box: newBox(t), Files: viewed, Views: webkit.Views{"one.html": webkit.OneOf{oneView{}, nil}, "two.html": nil}})
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	for name, test := range map[string]struct {
		page string
		data any
		want string
	}{
		"the first type":  {"one.html", oneView{"Hello"}, ""},
		"the second type": {"one.html", nil, ""},
		"another type":    {"one.html", otherView{"Hello"}, "rendered with webkit_test.otherView"},
		"a pointer":       {"one.html", &oneView{"Hello"}, "rendered with *webkit_test.oneView"},
		"data for none":   {"two.html", oneView{}, "rendered with webkit_test.oneView"},
		"no data":         {"two.html", nil, ""},
	} {
		var out bytes.Buffer
		err := site.Execute(&out, r, test.page, test.data)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
		w := httptest.NewRecorder()
		site.Render(w, r, http.StatusOK, test.page, test.data)
		if (w.Code == http.StatusOK) != (test.want == "") {
			t.Errorf("%s: status %d", name, w.Code)
		}
	}
}

func TestViewsAndPagesMustMatch(t *testing.T) {
	for name, views := range map[string]webkit.Views{
		"a page is missing": {"one.html": oneView{}},
		"a page too many":   {"one.html": oneView{}, "two.html": nil, "three.html": nil},
	} {
		if _, err := webkit.New(webkit.Options{Name: "Test", Box: newBox(t), Files: viewed, Views: views}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
