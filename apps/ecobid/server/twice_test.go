package server_test

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestAFormSentTwiceActsOnce sends the forms of the system twice, as a double click and a resend do.
func TestAFormSentTwiceActsOnce(t *testing.T) {
	base := start(t)
	giver, taker := signUp(t, base, "greta"), signUp(t, base, "timo")
	picture := photo(giver)
	item := giver.Twice("/post", "/post", "title", "Oak table", "category", "furniture", "condition", "good", "way", "first", "photo-id", picture)[0].Path
	giver.Open("/mine").Counts(1, "Oak table")

	pickup := taker.Twice(item, item+"/reserve", "message", "Tonight?")[0].Path
	if !strings.HasPrefix(pickup, "/pickups/") {
		t.Fatalf("reserving led to %s", pickup)
	}
	giver.Twice(pickup, pickup+"/confirm", "time", time.Now().Add(30*time.Hour).UTC().Format("2006-01-02T15:04"), "message", "Ring twice")
	taker.Twice(pickup, pickup+"/message", "text", "On my way")
	taker.Open(pickup).Counts(1, "On my way</p>")
	taker.Send(http.StatusOK, pickup+"/message", "text", "On my way").Counts(2, "On my way</p>") // of another page
	code := pickupCode.FindStringSubmatch(giver.Open(pickup).Page)
	taker.Twice(pickup, pickup+"/code", "code", code[1])
	taker.Twice(pickup, pickup+"/rate", "stars", "5", "comment", "Lovely")

	draw := give(giver, "Lamp", "draw")
	taker.Twice(draw, draw+"/join", "message", "")
	taker.Open(draw).Says("You have a ticket")
	queue := give(giver, "Books", "queue")
	taker.Twice(queue, queue+"/join", "message", "")

	auction := give(giver, "Blue bicycle", "auction", "min-bid", "5.00", "reserve", "", "hours", "24")
	taker.Twice(auction, auction+"/bid", "maximum", "12.00")
	taker.Open(auction).Says("1 bid", "You lead")
	taker.Send(http.StatusOK, auction+"/bid", "maximum", "15.00").Says("15.00") // of another page
}

// TestAFormWithPhotosSentTwicePostsOnce posts without scripts: the photos are a part of the form.
func TestAFormWithPhotosSentTwicePostsOnce(t *testing.T) {
	giver := signUp(t, start(t), "greta")
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name, value := range map[string]string{
		"csrf": giver.Open("/post").CSRF, "title": "Oak table", "category": "furniture", "condition": "good", "way": "first",
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
	giver.Open("/mine").Counts(1, "Oak table")
}
