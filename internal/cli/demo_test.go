package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"path"
	"strings"
	"testing"

	"sortkey.dev/apps"
	"sortkey.dev/apps/showcase"
	"sortkey.dev/design"
)

// The front page names designs, guides and access patterns that exist.
func TestShowcaseNamesWhatExists(t *testing.T) {
	for _, subject := range showcase.Subjects() {
		d, err := design.OpenFS(apps.Designs, subject.Design)
		if err != nil {
			t.Fatal(err)
		}
		for _, pattern := range subject.Counted.Patterns {
			if _, err := d.Explain(pattern, design.Workload{}); err != nil {
				t.Errorf("%s counts %s: %v", subject.Name, pattern, err)
			}
		}
		if _, err := readGuide(subject.Guide); err != nil {
			t.Errorf("%s: %v", subject.Name, err)
		}
		if path.Dir(subject.Design) == "." {
			t.Errorf("%s: %s", subject.Name, subject.Design)
		}
	}
}

// demo serves the front page at its address, all systems below it and at their own addresses, and the
// report of each design; then it stops cleanly.
func TestDemo(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	out, printed := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		cfg := runConfig{addr: "127.0.0.1:0", data: t.TempDir(), demo: true, asJSON: true, logLevel: choice{value: "error"}}
		ended <- runDemo(ctx, streams{strings.NewReader(""), printed, io.Discard}, cfg)
		printed.Close()
	}()
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err != nil {
		t.Fatal(errors.Join(err, <-ended))
	}
	var ready struct {
		URL     string
		Systems []struct{ Name, URL, Local string }
	}
	if err := json.Unmarshal(line, &ready); err != nil || len(ready.Systems) != len(systems()) {
		t.Fatalf("%v: %s", err, line)
	}
	if page := fetch(t, strings.Replace(ready.URL, "localhost", "127.0.0.1", 1)); !strings.Contains(page, "EcoBid") {
		t.Errorf("the front page: %s", page)
	}
	for _, system := range ready.Systems {
		if system.URL != strings.Replace(ready.URL, "localhost", system.Name+".localhost", 1) {
			t.Errorf("%s is at %s", system.Name, system.URL)
		}
		report := fetch(t, strings.Replace(ready.URL, "localhost", "127.0.0.1", 1)+"/design/"+system.Name)
		if !strings.Contains(report, "</html>") || strings.Contains(report, "An error") {
			t.Errorf("the report of %s: %.300s", system.Name, report)
		}
		fetch(t, system.Local+"/")
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// fetch returns a page. A system that is still starting is asked again.
func fetch(t *testing.T, url string) string {
	t.Helper()
	for {
		response, err := http.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(response.Body)
		response.Body.Close()
		switch {
		case err != nil:
			t.Fatal(err)
		case response.StatusCode == http.StatusServiceUnavailable && strings.Contains(string(text), "is starting"):
			continue
		case response.StatusCode != http.StatusOK:
			t.Fatalf("GET %s: %d: %.300s", url, response.StatusCode, text)
		}
		return string(text)
	}
}

// demo takes no argument: the hint names the command for one system.
func TestDemoTakesNoArgument(t *testing.T) {
	code, _, errs := runAlone("demo", "ecobid")
	if code != exitUsage || !strings.Contains(errs, "sortkey run ecobid --demo") {
		t.Errorf("exit code %d: %s", code, errs)
	}
}
