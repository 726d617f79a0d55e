package showcase_test

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps"
	"sortkey.dev/apps/internal/apptest"
	"sortkey.dev/apps/showcase"
)

func configOf(database apptest.Database) apps.Config {
	return apps.Config{
		DynamoDB: database.DynamoDB, Streams: database.Streams, TablePrefix: database.Prefix, Secret: []byte("a secret of tests"),
		Setting: func(string) string { return "" }, Demo: true, Log: slog.New(slog.DiscardHandler), Now: time.Now,
	}
}

// open runs all systems without simulated users, and waits until the last one is open.
func open(t *testing.T) (all *showcase.Showcase, ended <-chan struct{}) {
	t.Helper()
	database := apptest.Open(t, nil)
	all, err := showcase.New(showcase.Options{
		PublicURL: "http://localhost:8080", Secret: []byte("a secret of tests"), Now: time.Now, Quiet: true, Log: slog.New(slog.DiscardHandler),
		Report: func(w io.Writer, design string) error {
			_, err := io.WriteString(w, "<!doctype html><title>"+design+"</title>")
			return err
		},
		Guide:  func(name string) ([]byte, error) { return fs.ReadFile(apps.Designs, name) },
		Config: func(showcase.Subject) apps.Config { return configOf(database) },
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := all.Run(ctx); err != nil {
			t.Error(err)
		}
	}()
	t.Cleanup(func() {
		cancel()
		<-done
	})
	return all, done
}

// get returns the answer to a request for a page.
func get(h http.Handler, host, path string) (int, string) {
	r := httptest.NewRequest(http.MethodGet, "http://"+host+path, nil)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

// Every system answers at its name, in any case and with any port, and the front page elsewhere.
func TestSystemsByHost(t *testing.T) {
	all, ended := open(t)
	for _, subject := range showcase.Subjects() {
		eventually(t, ended, func() bool { code, _ := get(all, subject.Name+".localhost:8080", "/"); return code == http.StatusOK })
		if code, page := get(all, strings.ToUpper(subject.Name)+".demo.example.org", "/"); code != http.StatusOK || !strings.Contains(page, subject.Title) {
			t.Errorf("%s: %d", subject.Name, code)
		}
		if code, page := get(all.Handler(subject.Name), "127.0.0.1:4711", "/"); code != http.StatusOK || !strings.Contains(page, subject.Title) {
			t.Errorf("%s by its own address: %d", subject.Name, code)
		}
	}
	for _, host := range []string{"localhost:8080", "127.0.0.1", "demo.example.org", "ecobid", "other.localhost"} {
		code, page := get(all, host, "/")
		if code != http.StatusOK || !strings.Contains(page, "A DynamoDB design you can run") {
			t.Errorf("%s: %d: %.200s", host, code, page)
		}
	}
}

// The front page links to every system, its report, its patterns and its guide, and says whom to
// sign in as.
func TestFrontPage(t *testing.T) {
	all, ended := open(t)
	last := showcase.Subjects()[len(showcase.Subjects())-1]
	eventually(t, ended, func() bool { code, _ := get(all, last.Name+".localhost", "/"); return code == http.StatusOK })
	_, page := get(all, "localhost", "/")
	for _, subject := range showcase.Subjects() {
		for _, part := range []string{
			`href="http://` + subject.Name + `.localhost:8080"`, `href="/design/` + subject.Name + `"`, `href="/patterns/` + subject.Name + `"`,
			`href="/guide/` + subject.Guide + `"`, subject.Counted.Label, `src="/mark/` + subject.Name + `.svg"`,
		} {
			if !strings.Contains(page, part) {
				t.Errorf("%s: the front page has no %s", subject.Name, part)
			}
		}
		for _, visit := range subject.Visits {
			if !strings.Contains(page, visit.Doc) || !strings.Contains(page, visit.Name) || !strings.Contains(page, visit.Password) {
				t.Errorf("%s: the front page does not say how to visit as %s", subject.Name, visit.Role)
			}
		}
		for path, part := range map[string]string{
			"/design/" + subject.Name: subject.Design, "/patterns/" + subject.Name: "Access patterns of " + subject.Title, "/mark/" + subject.Name + ".svg": "<svg",
		} {
			if code, text := get(all, "localhost", path); code != http.StatusOK || !strings.Contains(text, part) {
				t.Errorf("%s: %d: %.200s", path, code, text)
			}
		}
	}
	if n := strings.Count(page, `sign in as <code>operator</code> with <code>`); n != len(showcase.Subjects()) {
		t.Errorf("the front page shows %d secrets of operators, want one for each system", n)
	}
	for _, path := range []string{"/design/other", "/patterns/other", "/mark/other.svg", "/mark/ecobid", "/guide/other.md", "/guide/..%2Fapps.go"} {
		if code, _ := get(all, "localhost", path); code != http.StatusNotFound {
			t.Errorf("%s: %d, want 404", path, code)
		}
	}
}

// The page of access patterns says by what it is ordered, and shows it.
func TestPatternsAreOrderedByTheirUnits(t *testing.T) {
	all, ended := open(t)
	eventually(t, ended, func() bool { code, _ := get(all, "ecobid.localhost", "/"); return code == http.StatusOK })
	var units []float64
	eventually(t, ended, func() bool {
		_, page := get(all, "localhost", "/patterns/ecobid")
		units = nil
		for _, row := range unitsOfRow.FindAllStringSubmatch(page, -1) {
			n, err := strconv.ParseFloat(row[1], 64)
			if err != nil {
				t.Fatal(err)
			}
			units = append(units, n)
		}
		return len(units) > 1 && strings.Contains(page, "that took most units in total come first")
	})
	if !slices.IsSortedFunc(units, func(a, b float64) int { return cmp.Compare(b, a) }) {
		t.Errorf("units of the rows: %v", units)
	}
}

// unitsOfRow matches the first number of a row of access patterns.
var unitsOfRow = regexp.MustCompile(`</th><td class="num">([0-9.]+)</td>`)

// A system that is not open yet says so, and the front page, too.
func TestBeforeTheSystemsAreOpen(t *testing.T) {
	var front, systems strings.Builder
	all, err := showcase.New(showcase.Options{
		PublicURL: "http://localhost", Secret: []byte("a secret of tests"), Now: time.Now, Log: slog.New(slog.NewTextHandler(&front, nil)),
		Config: func(showcase.Subject) apps.Config {
			return apps.Config{Log: slog.New(slog.NewTextHandler(&systems, nil))}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if code, text := get(all, "ecobid.localhost", "/"); code != http.StatusServiceUnavailable || !strings.Contains(text, "EcoBid is starting") {
		t.Errorf("%d: %s", code, text)
	}
	if _, page := get(all, "localhost", "/"); strings.Count(page, "Starting …") != len(showcase.Subjects()) {
		t.Errorf("the front page does not say that the systems start: %s", page)
	}
	if _, page := get(all, "localhost", "/patterns/ecobid"); !strings.Contains(page, "is being opened") {
		t.Errorf("the patterns do not say that the system starts: %s", page)
	}
	if !strings.Contains(front.String(), "path=/patterns/ecobid") || systems.Len() != 0 {
		t.Errorf("the front page logged %q, and as a system %q", front.String(), systems.String())
	}
}

// Who stops the showcase while systems are being opened gets no error.
func TestStoppedWhileASystemIsOpened(t *testing.T) {
	database := apptest.Open(t, nil)
	ctx, stop := context.WithCancelCause(t.Context())
	configs := 0
	all, err := showcase.New(showcase.Options{
		PublicURL: "http://localhost", Secret: []byte("a secret of tests"), Now: time.Now, Quiet: true, Log: slog.New(slog.DiscardHandler),
		Config: func(showcase.Subject) apps.Config {
			if configs++; configs == 2 {
				stop(errors.New("interrupted"))
			}
			return configOf(database)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := all.Run(ctx); err != nil || configs != 2 {
		t.Errorf("after %d configurations: %v", configs, err)
	}
}

// eventually waits until a condition holds. The test fails if the showcase ends before.
func eventually(t *testing.T, ended <-chan struct{}, holds func() bool) {
	t.Helper()
	for !holds() {
		select {
		case <-ended:
			t.FailNow()
		case <-time.After(20 * time.Millisecond):
		}
	}
}
