package namespaces

import (
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
)

func TestNamespaceOfARequest(t *testing.T) {
	credential := func(c string) string {
		return "AWS4-HMAC-SHA256 Credential=" + c + ", SignedHeaders=host, Signature=0"
	}
	for authorization, want := range map[string]Name{
		"": {"", "eu-west-1"}, "nonsense": {"", "eu-west-1"}, credential("key"): {"", "eu-west-1"}, credential("a/b/c"): {"", "eu-west-1"},
		credential("key/20260101/us-east-1/dynamodb/aws4_request"): {"key", "us-east-1"},
		credential("k/e/y/20260101/local/dynamodb/aws4_request"):   {"k/e/y", "local"},
		credential("../../20260101/x/dynamodb/aws4_request"):       {"../..", "x"},
		"AWS4-HMAC-SHA256 Credential=a/1/r/dynamodb/aws4_request":  {"a", "r"},
	} {
		r := httptest.NewRequest(http.MethodPost, "/", nil)
		r.Header.Set("Authorization", authorization)
		if got, err := nameOf(r, "eu-west-1"); got != want || err != nil {
			t.Errorf("%q is %+v, error %v, want %+v", authorization, got, err, want)
		}
	}
	for _, bad := range []string{"key/20260101/../dynamodb/aws4_request", "key/20260101//dynamodb/aws4_request", "key/1/a:b/dynamodb/aws4_request", strings.Repeat("x", 129) + "/1/r/dynamodb/aws4_request"} {
		r := httptest.NewRequest(http.MethodPost, "/", nil)
		r.Header.Set("Authorization", credential(bad))
		if got, err := nameOf(r, ""); err == nil {
			t.Errorf("%q is %+v", bad, got)
		}
	}
}

func TestDirectoriesOfNamespaces(t *testing.T) {
	harmless := regexp.MustCompile(`^[a-z0-9_-]{1,40}\.[a-z0-9_-]{1,40}\.[0-9a-f]{16}$`)
	seen := map[string]Name{}
	for _, n := range []Name{
		{"", "us-east-1"}, {"anonymous", "us-east-1"}, {"AKIA", "us-east-1"}, {"akia", "us-east-1"}, {"akia", "us-east-2"}, {"akia", "US-EAST-2"},
		{"../../etc", "r"}, {"..", "r"}, {"a/b", "r"}, {"a_b", "r"}, {"\x00\n", "r"}, {"CON", "r"}, {"é", "r"}, {strings.Repeat("x", 128), strings.Repeat("y", 64)}, {strings.Repeat("x", 127), "r"},
	} {
		dir := n.Dir()
		if !harmless.MatchString(dir) {
			t.Errorf("%+v has the directory %q", n, dir)
		}
		if other, taken := seen[dir]; taken {
			t.Errorf("%+v and %+v share the directory %s", n, other, dir)
		}
		seen[dir] = n
	}
}

// fakeDatabase serves requests with a function and records that it was closed.
type fakeDatabase struct {
	http.HandlerFunc
	closed   bool
	failed   chan struct{}
	warnings []string
}

func (d *fakeDatabase) Failed() <-chan struct{} { return d.failed }
func (d *fakeDatabase) Warnings() []string      { return d.warnings }

func (d *fakeDatabase) Close() error {
	d.closed = true
	return nil
}

// newSet serves fakes that open returns.
func newSet(most int, open func(Name) (Database, error)) *Set {
	return New(Options{Most: most, Front: &fakeDatabase{}, Open: open, Log: slog.New(slog.DiscardHandler)})
}

func callAs(n *Set, key, region string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "/", nil)
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential="+key+"/20260101/"+region+"/dynamodb/aws4_request, Signature=0")
	w := httptest.NewRecorder()
	n.ServeHTTP(w, r)
	return w
}

// The health of a server is that of any namespace.
func TestHealthChecksReachANamespaceWithWarnings(t *testing.T) {
	says := func(text string, warnings ...string) *fakeDatabase {
		return &fakeDatabase{HandlerFunc: func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(text)) }, warnings: warnings}
	}
	n := New(Options{Most: 3, Front: says("front"), Log: slog.New(slog.DiscardHandler), Open: func(name Name) (Database, error) {
		if name.Region == "local" {
			return says("local", "the disk is nearly full"), nil
		}
		return says(name.Region), nil
	}})
	for _, step := range []struct{ region, want string }{{"us-east-1", "front"}, {"local", "local"}} {
		callAs(n, "key", step.region)
		w := httptest.NewRecorder()
		n.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
		if got := w.Body.String(); got != step.want || len(n.Warnings()) > 0 != (step.want == "local") {
			t.Errorf("with a namespace in %s the health check is answered by %s, warnings %q", step.region, got, n.Warnings())
		}
	}
}

func TestNamespacesAreOpenedOnceAndClosed(t *testing.T) {
	var opened sync.Map // databases, by Name
	n := newSet(3, func(name Name) (Database, error) {
		db := &fakeDatabase{HandlerFunc: func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(name.Region)) }}
		if _, again := opened.LoadOrStore(name, db); again {
			t.Errorf("%v was opened twice", name)
		}
		return db, nil
	})
	var wait sync.WaitGroup
	for range 20 {
		for _, region := range []string{"us-east-1", "eu-west-1", "local"} {
			wait.Go(func() {
				if w := callAs(n, "key", region); w.Body.String() != region {
					t.Errorf("%s was answered with %s", region, w.Body)
				}
			})
		}
	}
	wait.Wait()
	if w := callAs(n, "another", "local"); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "--namespaces") {
		t.Errorf("a fourth namespace: %d %s", w.Code, w.Body)
	}
	if err := n.Close(); err != nil {
		t.Fatal(err)
	}
	opened.Range(func(name, db any) bool {
		if !db.(*fakeDatabase).closed {
			t.Errorf("%v was not closed", name)
		}
		return true
	})
	if w := callAs(n, "another", "local"); w.Code != http.StatusInternalServerError {
		t.Errorf("after Close: %d %s", w.Code, w.Body)
	}
}

func TestNamespacesFailTogether(t *testing.T) {
	failing := make(chan struct{})
	fail := true
	n := newSet(3, func(name Name) (Database, error) {
		if name.Region == "closed" && fail {
			return nil, errors.New("no entry")
		}
		return &fakeDatabase{HandlerFunc: func(http.ResponseWriter, *http.Request) {}, failed: failing}, nil
	})
	if w := callAs(n, "key", "closed"); w.Code != http.StatusInternalServerError || !strings.Contains(w.Body.String(), "no entry") {
		t.Errorf("a namespace that cannot be opened: %d %s", w.Code, w.Body)
	}
	fail = false
	if w := callAs(n, "key", "closed"); w.Code != http.StatusOK {
		t.Errorf("a namespace that can be opened at last: %d %s", w.Code, w.Body)
	}
	close(failing)
	<-n.Failed()
	if err := n.Close(); err != nil {
		t.Fatal(err)
	}
}
