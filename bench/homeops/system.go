package main

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"sync"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/replay"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/bench/internal/appbench"
	"sortkey.dev/engine"
)

// A clock is the clock of the system, of its database and of the chat. The replay moves it.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now
}

// The household: its chat and the people in it.
const family = -1001

var (
	zone   = homeops.Zone(homeops.DefaultZone)
	begins = time.Date(2026, time.January, 1, 0, 0, 0, 0, zone)
	people = []telegram.User{person(1, "Anna"), person(2, "Erik"), person(3, "Maja"), person(4, "Olle"), person(5, "Ingrid")}
)

func person(id int64, name string) telegram.User {
	return telegram.User{ID: id, FirstName: name, LanguageCode: "sv"}
}

// A system is HomeOps in this process, on a directory.
type system struct {
	*replay.System
	store *appbench.System
	clock *clock
}

// openSystem opens HomeOps on a new directory, with every commit synced, and adds the household to
// its chat.
func openSystem(ctx context.Context, below string) (*system, error) {
	c := &clock{now: begins}
	store, err := appbench.Open(below, "homeops", &engine.Options{Now: c.Now})
	if err != nil {
		return nil, err
	}
	store.Meter = new(access.Meter)
	opened, err := replay.Open(ctx, replay.Options{DynamoDB: store.DB.API(), Now: c.Now, Observer: store.Meter, Keep: 200, Log: appbench.Log()})
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	store.OnClose(opened.Close)
	opened.Chat.AddGroup(family, "Hemma", telegram.StatusLeft, people...)
	for _, p := range people {
		opened.Chat.AddPrivate(p)
	}
	return &system{opened, store, c}, nil
}

// size returns the bytes of the data directory.
func (s *system) size() (bytes int64) {
	_ = filepath.WalkDir(s.store.Directory, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil // a file that the store deleted meanwhile
		}
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			bytes += info.Size()
		}
		return nil
	})
	return bytes
}
