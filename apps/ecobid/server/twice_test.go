package server_test

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
	"time"
)

func (b *browser) count(want int, words string) {
	b.T.Helper()
	if got := strings.Count(b.Page, words); got != want {
		b.T.Errorf("the page at %s says %q %d times, want %d", b.Path, words, got, want)
	}
}

// TestAFormSentTwiceActsOnce sends the forms of the system twice, as a double click and a resend do.
func TestAFormSentTwiceActsOnce(t *testing.T) {
	base := start(t)
	giver, taker := signUp(t, base, "greta"), signUp(t, base, "timo")
	photo := giver.photo()
	item := giver.Twice("/post", "/post", "title", "Oak table", "category", "furniture", "condition", "good", "way", "first", "photo-id", photo)[0].Path
	giver.get("/mine").count(1, "Oak table")

	pickup := taker.Twice(item, item+"/reserve", "message", "Tonight?")[0].Path
	if !strings.HasPrefix(pickup, "/pickups/") {
		t.Fatalf("reserving led to %s", pickup)
	}
	giver.Twice(pickup, pickup+"/confirm", "time", time.Now().Add(30*time.Hour).UTC().Format("2006-01-02T15:04"), "message", "Ring twice")
	taker.Twice(pickup, pickup+"/message", "text", "On my way")
	taker.get(pickup).count(1, "On my way</p>")
	taker.post(http.StatusOK, pickup+"/message", "text", "On my way").count(2, "On my way</p>") // of another page
	code := pickupCode.FindStringSubmatch(giver.get(pickup).Page)
	taker.Twice(pickup, pickup+"/code", "code", code[1])
	taker.Twice(pickup, pickup+"/rate", "stars", "5", "comment", "Lovely")

	draw := giver.give("Lamp", "draw")
	taker.Twice(draw, draw+"/join", "message", "")
	taker.get(draw).shows("You have a ticket")
	queue := giver.give("Books", "queue")
	taker.Twice(queue, queue+"/join", "message", "")

	auction := giver.give("Blue bicycle", "auction", "min-bid", "5.00", "reserve", "", "hours", "24")
	taker.Twice(auction, auction+"/bid", "maximum", "12.00")
	taker.get(auction).shows("1 bid", "You lead")
	taker.post(http.StatusOK, auction+"/bid", "maximum", "15.00").shows("15.00") // of another page
}

// TestAFormWithPhotosSentTwicePostsOnce posts without scripts: the photos are a part of the form.
func TestAFormWithPhotosSentTwicePostsOnce(t *testing.T) {
	giver := signUp(t, start(t), "greta")
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name, value := range map[string]string{
		"csrf": giver.get("/post").CSRF, "title": "Oak table", "category": "furniture", "condition": "good", "way": "first",
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
	giver.Repeat("/post", form.FormDataContentType(), body.Bytes())
	giver.get("/mine").count(1, "Oak table")
}
