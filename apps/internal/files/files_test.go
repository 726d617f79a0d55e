package files_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/credentials"

	"sortkey.dev/apps/internal/files"
)

func TestSettingsOfStores(t *testing.T) {
	dir := t.TempDir()
	for setting, ok := range map[string]bool{
		"file://" + dir + "/new/one":                             true,
		"file://host" + dir:                                      false,
		"file:relative":                                          false,
		"s3://pictures?region=eu-north-1":                        true,
		"s3://pictures/a/b/?region=eu-north-1":                   true,
		"s3://pictures?region=auto&endpoint=http://10.0.0.1:900": true,
		"s3://pictures":                                          false,
		"s3://?region=eu-north-1":                                false,
		"s3://pictures/A?region=eu-north-1":                      false,
		"s3://pictures?region=auto&endpoint=10.0.0.1":            false,
		"ftp://pictures":                                         false,
		"":                                                       false,
		"%":                                                      false,
	} {
		if _, err := files.Open(setting, s3Options(files.Options{})); (err == nil) != ok {
			t.Errorf("%q: %v", setting, err)
		}
	}
	if _, err := files.Open("s3://pictures?region=eu-north-1", files.Options{}); err == nil {
		t.Error("a bucket opens without credentials")
	}
}

func TestTypesComeFromTheContent(t *testing.T) {
	for _, test := range []struct{ head, declared, want string }{
		{png, "text/html", "image/png"},
		{"\xff\xd8\xff\xe0", "", "image/jpeg"},
		{"GIF89a", "image/png", "image/gif"},
		{"%PDF-1.7", "", "application/pdf"},
		{"<html><script>", "image/png", "text/html"},
		{"  <!DOCTYPE html>", "text/plain", "text/html"},
		{"<svg xmlns='x'><script>", "image/png", "image/svg+xml"},
		{"<?xml version='1.0'?><!-- x --><SVG>", "", "image/svg+xml"},
		{"<!-- <svgs -->", "text/plain", "text/html"},
		{"<?xml version='1.0'?><a/>", "", "text/xml"},
		{"a,b\n1,2\n", "text/csv; charset=utf-8", "text/csv"},
		{"a,b\n1,2\n", "text/html", "text/plain"},
		{"a,b\n1,2\n", "", "text/plain"},
		{"a,b\n1,2\n", "nonsense;;", "text/plain"},
		{`{"a":1}`, "application/json", "application/json"},
		{"\x00\x01\x02", "image/png", "application/octet-stream"},
		{"PK\x03\x04", "", "application/zip"},
		{"PK\x03\x04", "application/vnd.oasis.opendocument.text", "application/vnd.oasis.opendocument.text"},
		{"PK\x03\x04", "text/html", "application/zip"},
		{"", "", "text/plain"},
	} {
		if got := files.Type([]byte(test.head), test.declared); got != test.want {
			t.Errorf("%q declared as %q: %q, want %q", test.head, test.declared, got, test.want)
		}
	}
	for kind, want := range map[string]bool{"image/png": true, "text/plain": true, "text/html": false, "image/svg+xml": false, "text/xml": false, "application/pdf": false, "": false} {
		if files.Inline(kind) != want {
			t.Errorf("%q is shown in place: %v", kind, !want)
		}
	}
}

func TestADirectoryHasNoURLs(t *testing.T) {
	store := openDirectory(t, files.Options{})
	put(t, store, "k", "x")
	if got, err := store.URL(t.Context(), "k", files.Download{}); err != nil || got != "" {
		t.Errorf("%q (%v)", got, err)
	}
}

func TestADirectoryNoticesDamage(t *testing.T) {
	dir := t.TempDir()
	store, err := files.Open("file://"+dir, files.Options{})
	if err != nil {
		t.Fatal(err)
	}
	put(t, store, "k", "content")
	whole, err := os.ReadFile(filepath.Join(dir, "k="))
	if err != nil {
		t.Fatal(err)
	}
	for _, damaged := range []string{"", "x", string(whole[:len(whole)-1]), string(whole[:len(whole)-4]) + "\xff\xff\xff\xff", strings.Repeat("\x00", 20)} {
		if err := os.WriteFile(filepath.Join(dir, "k="), []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := store.Get(t.Context(), "k"); err == nil || errors.Is(err, files.ErrNotFound) {
			t.Errorf("a file with %q: %v", damaged, err)
		}
	}
}

func TestADirectoryIsLeftClean(t *testing.T) {
	dir := t.TempDir()
	store, err := files.Open("file://"+dir, files.Options{})
	if err != nil {
		t.Fatal(err)
	}
	put(t, store, "a/b", "x")
	_, _ = store.Put(t.Context(), "a/c", "", strings.NewReader("x"), 2) // fails
	left := func() int {
		entries, err := os.ReadDir(filepath.Join(dir, ".tmp"))
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	if n := left(); n != 0 {
		t.Errorf("%d temporary files are left", n)
	}
	for name, age := range map[string]time.Duration{"old": 25 * time.Hour, "young": 23 * time.Hour} {
		file := filepath.Join(dir, ".tmp", name)
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, time.Time{}, time.Now().Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := files.Open("file://"+dir, files.Options{}); err != nil {
		t.Fatal(err)
	}
	if n := left(); n != 1 {
		t.Errorf("%d temporary files are left, want the young one", n)
	}
}

func TestALinkOutOfADirectoryIsNotFollowed(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	store, err := files.Open("file://"+dir, files.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "out")); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Put(t.Context(), "out/k", "", strings.NewReader("x"), 1); err == nil {
		t.Error("an object is written outside")
	}
	if entries, err := os.ReadDir(outside); err != nil || len(entries) > 0 {
		t.Errorf("outside are %v (%v)", entries, err)
	}
}

func TestADownloadURLWorksWithoutCredentials(t *testing.T) {
	service := newS3(t)
	store := openS3(t, service, "/shop", files.Options{})
	put(t, store, "exports/ann.csv", "a,b")
	link, err := store.URL(t.Context(), "exports/ann.csv", files.Download{Name: "Årsbok \"1\" & more.csv", Valid: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.Get(link)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || string(body) != "a,b" || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s (%v)", response.Status, body, err)
	}
	if got := response.Header.Get("Content-Disposition"); got != "attachment; filename*=utf-8''%C3%85rsbok%20%221%22%20&%20more.csv" {
		t.Errorf("the disposition is %q", got)
	}
	if !strings.Contains(link, "X-Amz-Expires=60") {
		t.Errorf("the link is %s", link)
	}
}

func TestABusyServiceIsAskedAgain(t *testing.T) {
	service := newS3(t)
	store := openS3(t, service, "", files.Options{})
	put(t, store, "k", "x")
	for _, test := range []struct {
		fail []int
		ok   bool
	}{{[]int{503, 500, 429}, true}, {[]int{503, 503, 503, 503}, false}, {[]int{400}, false}, {[]int{403}, false}} {
		service.fail, service.requests = test.fail, nil
		object, err := store.Get(t.Context(), "k")
		if (err == nil) != test.ok {
			t.Errorf("after %v: %v", test.fail, err)
		}
		if object != nil {
			_ = object.Close()
		}
		if got, want := len(service.requests), len(test.fail); !test.ok && got != want || test.ok && got != want+1 {
			t.Errorf("after %v: %d requests", test.fail, got)
		}
		service.fail = nil
	}
	service.fail = []int{503}
	_, err := store.Put(t.Context(), "k", "", strings.NewReader("x"), 1)
	if err == nil || !strings.Contains(err.Error(), "503 SlowDown No.") {
		t.Errorf("a failed upload: %v", err)
	}
}

func TestAServiceThatCannotBeReached(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	store, err := files.Open("s3://"+bucket+"?region="+region+"&endpoint="+gone.URL, s3Options(files.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Get(t.Context(), "k"); err == nil || errors.Is(err, files.ErrNotFound) {
		t.Errorf("got %v", err)
	}
}

// hosts answers all requests itself and records where they went.
type hosts struct{ urls []string }

func (h *hosts) RoundTrip(r *http.Request) (*http.Response, error) {
	h.urls = append(h.urls, r.URL.String())
	return &http.Response{StatusCode: http.StatusNotFound, Body: http.NoBody, Request: r}, nil
}

func TestBucketsOfAWSHaveTheirOwnHost(t *testing.T) {
	seen := &hosts{}
	options := files.Options{Credentials: credentials.NewStaticCredentialsProvider("a", "b", ""), HTTP: &http.Client{Transport: seen}}
	store, err := files.Open("s3://pictures/shop?region=eu-north-1", options)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Get(t.Context(), "a/b"); !errors.Is(err, files.ErrNotFound) {
		t.Fatal(err)
	}
	if len(seen.urls) != 1 || seen.urls[0] != "https://pictures.s3.eu-north-1.amazonaws.com/shop/a/b" {
		t.Errorf("asked %v", seen.urls)
	}
}
