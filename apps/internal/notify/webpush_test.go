package notify

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/platform/platformtest"
	"sortkey.dev/apps/internal/publichttp"
	"sortkey.dev/apps/internal/secret"
)

var example = Message{
	ID: "01", Kind: "question", Title: "Help an AI decide", Body: "It takes about 30 seconds.", URL: "https://ask.example/q/01",
	TTL: 40 * time.Minute, Data: map[string]string{"topic": "ethics"},
}

func webPush(t *testing.T) (*WebPush, VAPIDKeys) {
	t.Helper()
	box, err := secret.NewBox([]byte("a secret of tests"))
	if err != nil {
		t.Fatal(err)
	}
	keys, err := NewVAPIDKeys(box, "vapid")
	if err != nil {
		t.Fatal(err)
	}
	sender, err := NewWebPush(keys, "mailto:ops@ask.example", publichttp.NewClient(publichttp.Options{AllowPrivate: true}))
	if err != nil {
		t.Fatal(err)
	}
	return sender, keys
}

func TestABrowserReadsAWebPush(t *testing.T) {
	type delivery struct {
		header http.Header
		path   string
		body   []byte
	}
	got := make(chan delivery, 1)
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- delivery{r.Header, r.Method + " " + r.URL.Path, body}
		w.WriteHeader(http.StatusCreated)
	}))
	defer service.Close()
	sender, keys := webPush(t)
	someone := newBrowser(t)
	if err := sender.Send(t.Context(), someone.target(service.URL+"/push/abc"), example); err != nil {
		t.Fatal(err)
	}
	d := <-got
	if d.path != "POST /push/abc" || d.header.Get("Content-Encoding") != "aes128gcm" || d.header.Get("TTL") != "2400" {
		t.Errorf("the service got %s with %v", d.path, d.header)
	}
	if topic := d.header.Get("Topic"); len(topic) != 32 || strings.Trim(topic, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
		t.Errorf("the topic is %q", topic)
	}
	plain, err := someone.open(d.body)
	if err != nil {
		t.Fatalf("the browser cannot open the message: %v", err)
	}
	var message any
	if err := json.Unmarshal(plain, &message); err != nil {
		t.Fatalf("%v: %s", err, plain)
	}
	want := map[string]any{
		"title": "Help an AI decide", "body": "It takes about 30 seconds.",
		"tag": "01", "data": map[string]any{"id": "01", "url": "https://ask.example/q/01", "kind": "question", "topic": "ethics"},
	}
	if diff := cmp.Diff(any(want), message); diff != "" {
		t.Errorf("the message (-want +got):\n%s", diff)
	}
	if _, err := newBrowser(t).open(d.body); err == nil {
		t.Error("another browser can open the message")
	}
	claims, err := openVAPID(d.header.Get("Authorization"), keys.Public)
	if err != nil {
		t.Fatal(err)
	}
	if claims["aud"] != service.URL || claims["sub"] != "mailto:ops@ask.example" {
		t.Errorf("the claims are %v", claims)
	}
	expires, _ := claims["exp"].(float64)
	if left := time.Until(time.Unix(int64(expires), 0)); left <= 0 || left > 24*time.Hour {
		t.Errorf("the token expires in %v, which push services refuse", left)
	}
}

func TestVAPIDKeysComeFromTheSecretAlone(t *testing.T) {
	keys := func(text string) VAPIDKeys {
		box, err := secret.NewBox([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		keys, err := NewVAPIDKeys(box, "vapid")
		if err != nil {
			t.Fatal(err)
		}
		return keys
	}
	if first, second := keys("a secret of tests"), keys("a secret of tests"); first != second {
		t.Error("the same secret makes other keys")
	}
	if keys("a secret of tests").Public == keys("another secret of tests").Public {
		t.Error("two secrets make the same keys")
	}
	if got := len(keys("a secret of tests").Public); got != 87 { // 65 bytes in base64url
		t.Errorf("the public key has %d characters, want 87", got)
	}
}

// fate returns what becomes of a message: it is sent, its target is gone, or what the queue does
// with the job that sent it.
func fate(t *testing.T, outcome error) string {
	t.Helper()
	if outcome == nil {
		return "sent"
	}
	if errors.As(outcome, new(*GoneError)) {
		return "gone"
	}
	w := platformtest.Open(t)
	queue, err := jobs.New(w.Platform, jobs.Options{Lanes: []jobs.Lane{{Name: "lane"}}, Random: func() float64 { return 0 }})
	if err != nil {
		t.Fatal(err)
	}
	queue.Handle("kind", "lane", jobs.Policy{}, func(context.Context, jobs.Job) error { return outcome })
	if _, err := queue.Add(t.Context(), jobs.Job{ID: "job", Kind: "kind"}); err != nil {
		t.Fatal(err)
	}
	if _, err := queue.Step(t.Context()); err != nil {
		t.Fatal(err)
	}
	job, err := w.DB.GetJob(t.Context(), "job")
	switch {
	case err != nil:
		t.Fatal(err)
	case job.Status == jobs.Dead:
		return "final"
	}
	return "retry " + job.DueAt.Sub(w.Now()).String()
}

func TestWhatPushServicesAnswer(t *testing.T) {
	for _, test := range []struct {
		status     int
		retryAfter string
		want       string
	}{
		{status: 200, want: "sent"},
		{status: 201, want: "sent"},
		{status: 202, want: "sent"},
		{status: 404, want: "gone"},
		{status: 410, want: "gone"},
		{status: 429, retryAfter: "120", want: "retry 2m0s"},
		{status: 429, want: "retry 15s"},
		{status: 500, want: "retry 15s"},
		{status: 503, retryAfter: "70", want: "retry 1m10s"},
		{status: 503, retryAfter: "Mon, 02 Jan 2006 15:04:05 GMT", want: "retry 15s"}, // long over
		{status: 503, retryAfter: "-5", want: "retry 15s"},
		{status: 503, retryAfter: "soon", want: "retry 15s"},
		{status: 400, want: "final"},
		{status: 401, want: "final"},
		{status: 403, want: "final"},
		{status: 413, want: "final"},
		{status: 302, want: "final"}, // redirects are not followed
	} {
		service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if test.retryAfter != "" {
				w.Header().Set("Retry-After", test.retryAfter)
			}
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(test.status)
		}))
		sender, _ := webPush(t)
		got := fate(t, sender.Send(t.Context(), newBrowser(t).target(service.URL), example))
		if got != test.want {
			t.Errorf("status %d with Retry-After %q: %s, want %s", test.status, test.retryAfter, got, test.want)
		}
		service.Close()
	}
}

func TestRetryAfterMayBeADate(t *testing.T) {
	now := time.Date(2026, 2, 2, 12, 0, 0, 0, time.UTC)
	header := http.Header{"Retry-After": {"Mon, 02 Feb 2026 12:01:30 GMT"}}
	if got := retryAfter(header, now); got != 90*time.Second {
		t.Errorf("got %v, want 1m30s", got)
	}
}

func TestSubscriptionsThatCanNeverWorkAreGone(t *testing.T) {
	sender, _ := webPush(t)
	good := newBrowser(t).target("https://push.example/abc")
	for name, change := range map[string]func(*Target){
		"no endpoint":          func(to *Target) { to.Endpoint = "" },
		"no URL":               func(to *Target) { to.Endpoint = "ftp://push.example" },
		"no key":               func(to *Target) { to.P256DH = "" },
		"key not in base64":    func(to *Target) { to.P256DH = "!" },
		"key not on the curve": func(to *Target) { to.P256DH = "BAAA" },
		"short secret":         func(to *Target) { to.Auth = "AAAA" },
		"secret not in base64": func(to *Target) { to.Auth = "!" },
	} {
		to := good
		change(&to)
		if got := fate(t, sender.Send(t.Context(), to, example)); got != "gone" {
			t.Errorf("%s: %s, want gone", name, got)
		}
	}
}

func TestAPushServiceThatCannotBeReachedIsTriedAgain(t *testing.T) {
	service := httptest.NewServer(http.NotFoundHandler())
	service.Close()
	sender, _ := webPush(t)
	if got := fate(t, sender.Send(t.Context(), newBrowser(t).target(service.URL), example)); got != "retry 15s" {
		t.Errorf("%s, want retry", got)
	}
}

func TestPrivatePushEndpointIsGone(t *testing.T) {
	service := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("a private address was reached")
	}))
	defer service.Close()
	_, keys := webPush(t)
	sender, err := NewWebPush(keys, "ops@ask.example", publichttp.NewClient(publichttp.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	if got := fate(t, sender.Send(t.Context(), newBrowser(t).target(service.URL), example)); got != "gone" {
		t.Errorf("%s, want gone", got)
	}
}

func TestWebPushNeedsAContact(t *testing.T) {
	if _, err := NewWebPush(VAPIDKeys{}, "", publichttp.NewClient(publichttp.Options{AllowPrivate: true})); err == nil {
		t.Error("no error")
	}
}
