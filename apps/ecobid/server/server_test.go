package server_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/jpeg"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps"
	"sortkey.dev/apps/ecobid/client"
	"sortkey.dev/apps/ecobid/server"
	"sortkey.dev/apps/internal/accountpages"
	"sortkey.dev/apps/internal/apptest"
	"sortkey.dev/apps/internal/secret"
	"sortkey.dev/apps/internal/webtest"
)

// start opens the system and returns its URL.
func start(t *testing.T) string {
	t.Helper()
	base, _ := startSystem(t)
	return base
}

// startSystem opens the system and runs its background work until the test ends.
func startSystem(t *testing.T) (string, apps.System) {
	t.Helper()
	return startWith(t, nil, time.Now)
}

// startWith opens the system with settings and a clock.
func startWith(t *testing.T, settings map[string]string, now func() time.Time) (string, apps.System) {
	t.Helper()
	database := apptest.Open(t, nil)
	site, system := apptest.Serve(t, httptest.NewServer, func(ctx context.Context, base string) (apps.System, error) {
		return server.Open(ctx, apps.Config{
			CheapPasswords: true,
			DynamoDB:       database.DynamoDB, Streams: database.Streams, TablePrefix: database.Prefix,
			Secret: []byte("a secret of tests"), PublicURL: base, LocalURL: base,
			Setting: func(name string) string { return settings[name] }, Now: now,
		})
	})
	return site.URL, system
}

// outboxLink returns the path of the kept mail, whose key is made of the secret of all tests.
func outboxLink(t *testing.T) string {
	t.Helper()
	box, err := secret.NewBox([]byte("a secret of tests"))
	if err != nil {
		t.Fatal(err)
	}
	return accountpages.OutboxPath + "?key=" + box.Hash("outbox")
}

var mailLink = regexp.MustCompile(`href="[^"]*(/verify\?token=[^"]+)"`)

// signUp returns the browser of a new person with a verified address.
func signUp(t *testing.T, base, name string) *webtest.Visitor {
	t.Helper()
	return signUpWith(t, base, name, outboxLink(t))
}

// signUpWith returns the browser of a new person whose mail is kept at an address.
func signUpWith(t *testing.T, base, name, outbox string) *webtest.Visitor {
	t.Helper()
	b := webtest.NewVisitor(t, base)
	b.Open("/sign-up").Send(http.StatusOK, "/sign-up", "name", name, "address", name+"@example.org", "password", "correct horse battery",
		"username", name, "city", "Warsaw", "country", "PL", "currency", "PLN")
	link := mailLink.FindStringSubmatch(webtest.NewVisitor(t, base).Open(outbox).Page)
	if link == nil {
		t.Fatal("there is no mail")
	}
	_, token, _ := strings.Cut(link[1], "token=")
	b.Open(link[1]).Send(http.StatusOK, "/verify", "token", token)
	b.Open("/mine").Says("My things")
	return b
}

// picture returns a small photo.
func picture(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	photo := image.NewRGBA(image.Rect(0, 0, 80, 60))
	for i := range photo.Pix {
		photo.Pix[i] = byte(i%7*20 + i/160)
	}
	if err := jpeg.Encode(&b, photo, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// photo uploads a photo and returns its id.
func photo(b *webtest.Visitor) string {
	b.T.Helper()
	b.Open("/post")
	b.Do(http.MethodPost, "/photos", "image/jpeg", bytes.NewReader(picture(b.T)), http.Header{"X-Csrf-Token": {b.CSRF}})
	if b.Code != http.StatusCreated {
		b.T.Fatalf("upload: %d", b.Code)
	}
	id := b.Page
	b.Open("/photos/" + id + "-small")
	return id
}

// give posts an item and returns the path of its page.
func give(b *webtest.Visitor, title, way string, more ...string) string {
	b.T.Helper()
	id := photo(b)
	b.Open("/post").Send(http.StatusOK, "/post", append([]string{
		"title", title, "category", "furniture", "condition", "good", "way", way, "photo-id", id, "address", "Marszałkowska 1", "kilos", "30",
	}, more...)...)
	if !strings.HasPrefix(b.Path, "/items/") {
		b.T.Fatalf("at %s after posting", b.Path)
	}
	return b.Path
}

var itemLink = regexp.MustCompile(`/items/[0-9A-Z]+`)

var pickupCode = regexp.MustCompile(`class="spoken num">([^<]+)<`)

func TestAThingGoesToANeighbour(t *testing.T) {
	base := start(t)
	giver, taker := signUp(t, base, "greta"), signUp(t, base, "timo")
	item := give(giver, "Oak table", "first")
	visitor := webtest.NewVisitor(t, base).Open("/").Says("Oak table", "under 0.5 km")
	visitor.Open(item).Says("Sign in and ask").Hides("Marszałkowska")
	visitor.Open("/?view=map").Says("1 item, under 0.5 km")
	visitor.Open(personLink(visitor.Open(item).Page)).Says("To have now", "Oak table").Hides("Marszałkowska")

	taker.Open(item).Send(http.StatusOK, item+"/reserve", "message", "Tonight at 7?")
	pickup := taker.Path
	taker.Says("greta answers next").Hides("Marszałkowska")
	giver.Open("/mine").Says("Your turn")
	giver.Open(pickup).Says("Tonight at 7?")
	giver.Send(http.StatusUnprocessableEntity, pickup+"/confirm", "message", "Ring twice").Says("Ring twice")
	giver.Send(http.StatusOK, pickup+"/confirm", "time", time.Now().Add(30*time.Hour).UTC().Format("2006-01-02T15:04"), "message", "Ring twice")
	code := pickupCode.FindStringSubmatch(giver.Page)
	if code == nil {
		t.Fatal("the giver sees no code")
	}
	taker.Open(pickup).Says("Marszałkowska 1", "Ring twice").Hides(code[1])
	taker.Send(http.StatusOK, pickup+"/message", "text", "On my way")
	giver.Open(pickup).Says("On my way")
	taker.Send(http.StatusUnprocessableEntity, pickup+"/code", "code", "WRONG1").Says("This is not the code")
	taker.Send(http.StatusOK, pickup+"/code", "code", code[1]).Says("Done")
	taker.Send(http.StatusOK, pickup+"/rate", "stars", "5", "comment", "Lovely")
	giver.Open(pickup).Send(http.StatusOK, pickup+"/rate", "stars", "4", "comment", "On time")

	stranger := signUp(t, base, "sven")
	stranger.Do(http.MethodGet, pickup, "", nil, nil)
	if stranger.Code != http.StatusNotFound {
		t.Errorf("a stranger at the pickup: %d", stranger.Code)
	}
}

func TestBidsAndDraws(t *testing.T) {
	base := start(t)
	seller, bidder := signUp(t, base, "selma"), signUp(t, base, "boris")
	auction := give(seller, "Blue bicycle", "auction", "min-bid", "5.00", "reserve", "", "hours", "24")
	bidder.Open(auction).Send(http.StatusUnprocessableEntity, auction+"/bid", "maximum", "1.00").Says("5.00")
	bidder.Send(http.StatusOK, auction+"/bid", "maximum", "12.00").Says("You lead", "12.00")
	seller.Open(auction).Hides("12.00")
	webtest.NewVisitor(t, base).Open(auction).Says("5.00").Hides("12.00")

	draw := give(seller, "Lamp", "draw")
	bidder.Open(draw).Send(http.StatusOK, draw+"/join", "message", "").Says("ticket")
	bidder.Send(http.StatusOK, draw+"/leave").Says("Take part in the draw")
}

// operatorSecretOf returns the secret of the first operator.
func operatorSecretOf(t *testing.T, system apps.System) string {
	t.Helper()
	secret := system.(apps.Guide).Pages()[0].Password
	if secret == "" {
		t.Fatal("no secret is shown at the start")
	}
	return secret
}

// personLink returns the first link to a person on a page.
func personLink(page string) string { return regexp.MustCompile(`/people/[^"]+`).FindString(page) }

func TestAModeratorDecidesAReport(t *testing.T) {
	base, system := startSystem(t)
	giver, other := signUp(t, base, "gustav"), signUp(t, base, "olga")
	item := give(giver, "Strange box", "first")
	other.Open(item).Send(http.StatusUnprocessableEntity, item+"/report", "reason", "", "note", "It ticks.").Says("It ticks.")
	other.Send(http.StatusOK, item+"/report", "reason", "A trap", "note", "It ticks.")

	moderator := webtest.NewVisitor(t, base)
	moderator.Open("/operator/sign-in").Send(http.StatusOK, "/operator/sign-in", "name", "operator", "secret", operatorSecretOf(t, system))
	moderator.Open("/operator/reports").Says("Strange box", "It ticks.")
	fields := regexp.MustCompile(`name="(target|reporter)" value="([^"]+)"`).FindAllStringSubmatch(moderator.Page, -1)
	if len(fields) != 2 {
		t.Fatalf("the form has %v", fields)
	}
	moderator.Send(http.StatusOK, "/operator/reports", fields[0][1], fields[0][2], fields[1][1], fields[1][2], "decision", "uphold").Says("Nothing to decide")
	other.Do(http.MethodGet, item, "", nil, nil)
	if other.Code != http.StatusNotFound {
		t.Errorf("a removed item: %d", other.Code)
	}
}

func TestWhatWasTypedIsKept(t *testing.T) {
	base := start(t)
	b := signUp(t, base, "vera")
	b.Open("/post").Send(http.StatusUnprocessableEntity, "/post", "title", "x", "description", "A long story", "category", "books", "condition", "good", "way", "first")
	b.Says("A long story")
	b.Open("/post").Send(http.StatusUnprocessableEntity, "/post", "title", "Books", "category", "books", "condition", "good", "way", "first").Says("Add a photo first")
	b.Open("/place").Send(http.StatusUnprocessableEntity, "/place", "city", "Atlantis").Says("Atlantis", "not in the list")
	b.Send(http.StatusOK, "/place", "city", "krakow", "next", "/").Says("Kraków")
	for _, path := range []string{"/notifications", "/settings/profile", "/settings/searches", "/settings/export", "/impact", "/about", "/account"} {
		b.Open(path)
	}
	b.Open("/settings/searches").Send(http.StatusOK, "/settings/searches", "words", "bicycle", "category", "any", "radius", "5").Says("bicycle")
}

// The API gives no tokens to an address that is not verified, as the pages give no session.
func TestRegistrationNeedsAVerifiedAddress(t *testing.T) {
	c := client.New(start(t))
	err := c.Register(t.Context(), client.Registration{Email: "eve@example.org", Password: "correct horse Eve", Username: "Eve", City: "Warsaw", Country: "PL", Currency: "PLN"})
	if !errors.Is(err, client.ErrVerifyAddress) || c.Tokens().AccessToken != "" {
		t.Errorf("%v, tokens %+v", err, c.Tokens())
	}
	if err := c.Login(t.Context(), "eve@example.org", "correct horse Eve"); err == nil || !strings.Contains(err.Error(), "e-mail address") {
		t.Errorf("sign-in before the address is verified: %v", err)
	}
}

// TestHEIC uploads a HEIC picture without and with a converter.
func TestHEIC(t *testing.T) {
	upload := func(settings map[string]string) *webtest.Visitor {
		base, _ := startWith(t, settings, time.Now)
		b := signUp(t, base, "heidi")
		b.Open("/post")
		b.Do(http.MethodPost, "/photos", "image/heic", strings.NewReader("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00"), http.Header{"X-Csrf-Token": {b.CSRF}})
		return b
	}
	if b := upload(nil); b.Code != http.StatusUnprocessableEntity {
		t.Errorf("without a converter: %d", b.Code)
	} else {
		b.Says("JPEG, PNG or WebP", "ECOBID_HEIC=heif-convert")
	}
	t.Setenv(convertVariable, "1")
	if b := upload(map[string]string{"ECOBID_HEIC": os.Args[0]}); b.Code != http.StatusCreated {
		t.Errorf("with a converter: %d %s", b.Code, b.Page)
	}
	_, err := server.Open(t.Context(), apps.Config{
		DynamoDB: apptest.Open(t, nil).DynamoDB, Secret: []byte("a secret of tests"), PublicURL: "http://localhost", Setting: func(name string) string {
			return map[string]string{"ECOBID_HEIC": "no-such-command-of-sortkey"}[name]
		},
	})
	if err == nil || !strings.Contains(err.Error(), "ECOBID_HEIC cannot be used") {
		t.Errorf("a converter that is missing: %v", err)
	}
}

// convertVariable makes the test program a converter that writes a picture.
const convertVariable = "SORTKEY_TEST_CONVERTER"

// convert writes a picture to a file.
func convert(to string) error {
	file, err := os.Create(to)
	if err != nil {
		return err
	}
	return errors.Join(jpeg.Encode(file, image.NewRGBA(image.Rect(0, 0, 64, 48)), nil), file.Close())
}
