// Package ecobidtest opens EcoBid's domain for a test: a real database, the domain on it, a
// directory of files, and a clock that the test moves. Only tests import it.
package ecobidtest

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/jpeg"
	"slices"
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/domain"
	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/apps/ecobid/events"
	"sortkey.dev/apps/ecobid/geo"
	"sortkey.dev/apps/ecobid/listings"
	"sortkey.dev/apps/ecobid/people"
	"sortkey.dev/apps/internal/apptest"
	"sortkey.dev/apps/internal/files"
	"sortkey.dev/apps/internal/notify"
	"sortkey.dev/apps/internal/platform"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/platform/platformtest"
	"sortkey.dev/apps/internal/publichttp"
	"sortkey.dev/apps/internal/secret"
	"sortkey.dev/apps/internal/webhook"
)

// A World is a system under test.
type World struct {
	Database apptest.Database
	Platform *platform.Platform
	DB       *ecobiddb.DB
	Env      *ecobid.Env
	*domain.Domain
	Clock *apptest.Clock
	Box   *secret.Box
	Files files.Store
}

// Warsaw is the exact place of the items of tests.
var Warsaw = geo.Point{Lat: 52.2297, Lon: 21.0122}

// Open returns a new world without people and items.
func Open(t testing.TB, options ...access.Option) *World {
	t.Helper()
	box, err := secret.NewBox([]byte("a secret of tests"))
	if err != nil {
		t.Fatal(err)
	}
	store, err := files.Open("file://"+t.TempDir(), files.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := &World{
		Database: apptest.Open(t, slices.Concat(ecobiddb.Tables(), platformdb.Tables())),
		Clock:    apptest.NewClock(platformtest.Start), Box: box, Files: store,
	}
	return w.Through(t, w.Database.DynamoDB, options...)
}

// Through returns the world as another process sees it, through another connection to the same
// tables.
func (w *World) Through(t testing.TB, dynamo access.API, options ...access.Option) *World {
	t.Helper()
	sealer, err := access.NewSealer(w.Box.Key("seal", 32))
	if err != nil {
		t.Fatal(err)
	}
	options = append([]access.Option{
		access.WithSealer(sealer), access.WithTablePrefix(w.Database.Prefix), access.WithCursorKey(w.Box.Key("cursor", 32)), access.WithoutState(),
	}, options...)
	other := *w
	other.DB = ecobiddb.New(dynamo, options...)
	if other.Platform, err = platform.New(platformdb.New(dynamo, options...), w.Box, nil, w.Clock.Now); err != nil {
		t.Fatal(err)
	}
	if other.Env, err = ecobid.New(other.DB, ecobid.Options{Platform: other.Platform, Files: w.Files}); err != nil {
		t.Fatal(err)
	}
	notifier, err := notify.New(other.Platform, notify.Options{
		Queue: other.Env.Jobs, Lane: ecobid.LaneNotifications, Kinds: events.Kinds, Name: "EcoBid", PublicURL: "https://ecobid.example", SettingsLink: "/account",
		Senders: map[notify.Channel]notify.Sender{notify.ChannelFCM: silent{}},
	})
	if err != nil {
		t.Fatal(err)
	}
	hooks, err := webhook.New(other.Platform, webhook.Options{
		Queue: other.Env.Jobs, Lane: ecobid.LaneWebhooks, Events: ecobid.Kinds, HTTP: publichttp.Options{AllowPrivate: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	if other.Domain, err = domain.New(other.Env, notifier, hooks); err != nil {
		t.Fatal(err)
	}
	return &other
}

// silent is a sender of push messages that reach no device.
type silent struct{}

func (silent) Send(context.Context, notify.Target, notify.Message) error { return nil }

// Person registers a person and returns the id.
func (w *World) Person(t testing.TB, name string) string {
	t.Helper()
	with, err := w.People.Register(people.Profile{Username: name, City: "Warsaw", Country: "PL", Currency: "PLN"})
	if err != nil {
		t.Fatal(err)
	}
	id := access.NewULID(w.Clock.Now())
	tx := w.Platform.DB.Tx()
	if err := with(tx, platformdb.Account{AccountID: id}, nil); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	return id
}

// Picture returns a small JPEG file.
func Picture(t testing.TB) []byte {
	t.Helper()
	picture := image.NewRGBA(image.Rect(0, 0, 8, 6))
	for i := range 8 {
		picture.Set(i, i%6, color.White)
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, picture, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Photo uploads a photo of a person and returns its id.
func (w *World) Photo(t testing.TB, userID string) string {
	t.Helper()
	upload, err := w.Listings.Upload(t.Context(), userID, Picture(t))
	if err != nil {
		t.Fatal(err)
	}
	return upload.UploadID
}

// Table returns the draft of a table at a place.
func Table(at geo.Point, photos ...string) listings.Draft {
	return listings.Draft{
		Title: "Oak table", Description: "Seats six.", Category: ecobiddb.ItemCategoryFurniture, Condition: ecobiddb.ItemConditionGood,
		Photos: photos, WeightGrams: 30_000, Exact: at, Address: new("Marszałkowska 1"), City: "Warsaw", Country: "PL",
	}
}

// Draft stores a draft with a photo.
func (w *World) Draft(t testing.TB, userID string) ecobiddb.Item {
	t.Helper()
	item, err := w.Listings.Create(t.Context(), userID, Table(Warsaw, w.Photo(t, userID)))
	if err != nil {
		t.Fatal(err)
	}
	return item
}

// Item publishes an item that is given away as the allocation says.
func (w *World) Item(t testing.TB, userID string, allocation ecobiddb.ItemAllocation) ecobiddb.Item {
	t.Helper()
	item, err := w.Listings.Publish(t.Context(), userID, w.Draft(t, userID).ItemID, listings.Offer{Allocation: allocation})
	if err != nil {
		t.Fatal(err)
	}
	return item
}

// Step runs all background jobs that are due.
func (w *World) Step(t testing.TB) {
	t.Helper()
	if _, err := w.Env.Jobs.Step(t.Context()); err != nil {
		t.Fatal(err)
	}
	dead, err := w.Env.Jobs.Dead(t.Context(), 0, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, job := range dead.Items {
		t.Errorf("job %s is dead: %s", job.ID, job.LastError)
	}
}

// Advance moves the clock and runs the jobs that are due then.
func (w *World) Advance(t testing.TB, d time.Duration) {
	t.Helper()
	w.Clock.Advance(d)
	w.Step(t)
}

// Stored returns an item as it is stored.
func (w *World) Stored(t testing.TB, itemID string) ecobiddb.Item {
	t.Helper()
	item, err := w.DB.GetItem(t.Context(), itemID)
	if err != nil {
		t.Fatal(err)
	}
	return item
}
