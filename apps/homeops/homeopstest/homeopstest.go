// Package homeopstest opens HomeOps' domain for a test: a real database, the domain on it, and a
// clock that the test moves. Only tests import it.
package homeopstest

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/domain"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/ingest"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/homeops/understanding"
	"sortkey.dev/apps/homeops/worker"
	"sortkey.dev/apps/internal/apptest"
	"sortkey.dev/apps/internal/platform"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/secret"
)

// Start is the initial time of a new world's clock: a Monday at 10:00 in Stockholm. It is in the
// future, because a database deletes expired items by its own clock. The calendar of 2037 is that
// of 2026, with the same days on which the clock changes.
var Start = time.Date(2037, time.February, 16, 9, 0, 0, 0, time.UTC)

// The chat and the members of a new world's household.
const (
	Chat  = -1001
	Anna  = 42
	Erik  = 99
	Maja  = 7
	BotID = 5000
)

// A World is a system under test.
type World struct {
	Database apptest.Database
	DB       *homeopsdb.DB
	Env      *homeops.Env
	*domain.Domain
	Clock    *apptest.Clock
	Box      *secret.Box
	Worker   *worker.Worker
	Telegram *Telegram
	Script   *Script

	updates, messages int64
}

// Open returns a new world without households.
func Open(t testing.TB, options ...access.Option) *World {
	t.Helper()
	box, err := secret.NewBox([]byte("a secret of tests"))
	if err != nil {
		t.Fatal(err)
	}
	w := &World{Database: apptest.Open(t, slices.Concat(homeopsdb.Tables(), platformdb.Tables())), Clock: apptest.NewClock(Start), Box: box, messages: 100,
		Telegram: &Telegram{}, Script: &Script{meanings: make(map[string]func(understanding.Message) understanding.Meaning)}}
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
	options = append([]access.Option{access.WithSealer(sealer), access.WithTablePrefix(w.Database.Prefix), access.WithoutState()}, options...)
	other := *w
	other.DB = homeopsdb.New(dynamo, options...)
	ground, err := platform.New(platformdb.New(dynamo, options...), w.Box, nil, w.Clock.Now)
	if err != nil {
		t.Fatal(err)
	}
	if other.Env, err = homeops.New(other.DB, homeops.Options{Platform: ground}); err != nil {
		t.Fatal(err)
	}
	other.Domain = domain.New(other.Env)
	other.startWorker(t)
	return &other
}

// Home returns the household of Anna, its owner, and Erik, and creates it the first time.
func (w *World) Home(t testing.TB) households.Home {
	t.Helper()
	home, _, err := w.Households.Ensure(t.Context(), households.Group{ChatID: ChatID(Chat), Name: "Hemma"})
	if err != nil {
		t.Fatalf("create a household: %v", err)
	}
	for _, person := range []households.Person{{ID: Anna, Name: "Anna"}, {ID: Erik, Name: "Erik"}} {
		if home, err = w.Households.Join(t.Context(), home.HouseholdID, person); err != nil {
			t.Fatalf("join a household: %v", err)
		}
	}
	return home
}

// Set changes the settings of the world's household.
func (w *World) Set(t testing.TB, change func(*households.Settings)) households.Home {
	t.Helper()
	home := w.Home(t)
	settings := households.SettingsOf(home)
	change(&settings)
	home, err := w.Households.Change(t.Context(), Anna, home.HouseholdID, settings)
	if err != nil {
		t.Fatalf("change settings: %v", err)
	}
	return home
}

// Message returns a text message in the group, written now.
func (w *World) Message(userID int64, text string) *telegram.Message {
	w.messages++
	return &telegram.Message{
		MessageID: w.messages, From: User(userID), Date: telegram.Time{Time: w.Clock.Now()}, Text: text,
		Chat: telegram.Chat{ID: Chat, Type: telegram.Supergroup, Title: "Hemma"},
	}
}

// Private returns a text message to the bot, written now.
func (w *World) Private(userID int64, text string) *telegram.Message {
	m := w.Message(userID, text)
	m.Chat = telegram.Chat{ID: userID, Type: telegram.Private}
	return m
}

// Update returns an update with the next id.
func (w *World) Update(u telegram.Update) *telegram.Update {
	w.updates++
	u.UpdateID = w.updates
	return &u
}

// Deliver takes an update and fails the test if it cannot be stored.
func (w *World) Deliver(t testing.TB, u telegram.Update) ingest.Outcome {
	t.Helper()
	outcome, err := w.Ingest.Deliver(t.Context(), w.Update(u))
	if err != nil {
		t.Fatalf("deliver: %v", err)
	}
	return outcome
}

// Stored returns a message as it was stored.
func (w *World) Stored(t testing.TB, m *telegram.Message) homeopsdb.Message {
	t.Helper()
	stored, err := w.DB.GetMessage(t.Context(), ChatID(m.Chat.ID), m.MessageID)
	if err != nil {
		t.Fatalf("read a message: %v", err)
	}
	return stored
}

// User returns a Telegram user; the three members of the world have names.
func User(id int64) *telegram.User {
	names := map[int64]string{Anna: "Anna", Erik: "Erik", Maja: "Maja"}
	name := names[id]
	if name == "" {
		name = "User " + strconv.FormatInt(id, 10)
	}
	return &telegram.User{ID: id, FirstName: name, LanguageCode: "sv"}
}

// ChatID returns the id of a chat as it is stored.
func ChatID(id int64) string { return strconv.FormatInt(id, 10) }
