package server_test

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

// twice opens a page, sends the same form of it twice at the same time, and once more after that. No response is a
// refusal. It returns the paths to which the responses led.
func (b *browser) twice(page, path string, pairs ...string) []string {
	b.t.Helper()
	values := url.Values{"csrf": {b.get(page).token()}}
	for i := 0; i+1 < len(pairs); i += 2 {
		values.Add(pairs[i], pairs[i+1])
	}
	return b.repeat(path, "application/x-www-form-urlencoded", []byte(values.Encode()))
}

// repeat sends a request twice at the same time, and once more after that.
func (b *browser) repeat(path, kind string, body []byte) []string {
	b.t.Helper()
	tabs := []*browser{{}, {}, {}}
	for i := range tabs {
		tabs[i] = &browser{t: b.t, base: b.base, http: b.http, path: b.path}
	}
	var sent sync.WaitGroup
	for _, tab := range tabs[:2] {
		sent.Go(func() { tab.do(http.MethodPost, path, kind, bytes.NewReader(body), nil) })
	}
	sent.Wait()
	tabs[2].do(http.MethodPost, path, kind, bytes.NewReader(body), nil)
	var led []string
	for _, tab := range tabs {
		if tab.code != http.StatusOK {
			b.t.Errorf("POST %s: %d", path, tab.code)
		}
		led = append(led, tab.path)
	}
	return led
}

// same fails unless all paths are one.
func same(t *testing.T, paths []string) string {
	t.Helper()
	for _, path := range paths {
		if path != paths[0] {
			t.Errorf("the same form led to %q", paths)
		}
	}
	return paths[0]
}

func (b *browser) count(want int, words string) {
	b.t.Helper()
	if got := strings.Count(b.page, words); got != want {
		b.t.Errorf("the page at %s says %q %d times, want %d", b.path, words, got, want)
	}
}

// TestAFormSentTwiceActsOnce sends the forms of the system twice, as a double click and a resend do.
func TestAFormSentTwiceActsOnce(t *testing.T) {
	base := start(t)
	giver, taker := signUp(t, base, "greta"), signUp(t, base, "timo")
	photo := giver.photo()
	item := same(t, giver.twice("/post", "/post", "title", "Oak table", "category", "furniture", "condition", "good", "way", "first", "photo-id", photo))
	giver.get("/mine").count(1, "Oak table")

	pickup := same(t, taker.twice(item, item+"/reserve", "message", "Tonight?"))
	if !strings.HasPrefix(pickup, "/pickups/") {
		t.Fatalf("reserving led to %s", pickup)
	}
	giver.twice(pickup, pickup+"/confirm", "time", time.Now().Add(30*time.Hour).UTC().Format("2006-01-02T15:04"), "message", "Ring twice")
	taker.twice(pickup, pickup+"/message", "text", "On my way")
	taker.get(pickup).count(1, "On my way</p>")
	taker.post(http.StatusOK, pickup+"/message", "text", "On my way").count(2, "On my way</p>") // of another page
	code := pickupCode.FindStringSubmatch(giver.get(pickup).page)
	taker.twice(pickup, pickup+"/code", "code", code[1])
	taker.twice(pickup, pickup+"/rate", "stars", "5", "comment", "Lovely")

	draw := giver.give("Lamp", "draw")
	taker.twice(draw, draw+"/join", "message", "")
	taker.get(draw).shows("You have a ticket")
	queue := giver.give("Books", "queue")
	same(t, taker.twice(queue, queue+"/join", "message", ""))

	auction := giver.give("Blue bicycle", "auction", "min-bid", "5.00", "reserve", "", "hours", "24")
	taker.twice(auction, auction+"/bid", "maximum", "12.00")
	taker.get(auction).shows("1 bid", "You lead")
	taker.post(http.StatusOK, auction+"/bid", "maximum", "15.00").shows("15.00") // of another page
}

// TestAFormWithPhotosSentTwicePostsOnce posts without scripts: the photos are a part of the form.
func TestAFormWithPhotosSentTwicePostsOnce(t *testing.T) {
	giver := signUp(t, start(t), "greta")
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name, value := range map[string]string{
		"csrf": giver.get("/post").token(), "title": "Oak table", "category": "furniture", "condition": "good", "way": "first",
	} {
		if err := form.WriteField(name, value); err != nil {
			t.Fatal(err)
		}
	}
	file, err := form.CreateFormFile("photo", "table.jpg")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.Write(picture(t)); err != nil {
		t.Fatal(err)
	}
	if err := form.Close(); err != nil {
		t.Fatal(err)
	}
	same(t, giver.repeat("/post", form.FormDataContentType(), body.Bytes()))
	giver.get("/mine").count(1, "Oak table")
}
