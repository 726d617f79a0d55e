package main

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/replay"
	"sortkey.dev/apps/homeops/telegram"
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

// A system is HomeOps in this process.
type system struct {
	*replay.System
	clock     *clock
	meter     *access.Meter
	directory string
	closers   []func() error
}

// openSystem opens HomeOps on a new directory, with every commit synced, and adds the household to
// its chat.
func openSystem(ctx context.Context, below string) (s *system, err error) {
	s = &system{clock: &clock{now: begins}, meter: new(access.Meter)}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	if s.directory, err = os.MkdirTemp(below, "homeops-bench-"); err != nil {
		return s, err
	}
	s.closers = append(s.closers, func() error { return os.RemoveAll(s.directory) })
	database, err := engine.Open(s.directory, &engine.Options{Now: s.clock.Now})
	if err != nil {
		return s, err
	}
	s.closers = append(s.closers, database.Close)
	s.System, err = replay.Open(ctx, replay.Options{
		DynamoDB: database.API(), Now: s.clock.Now, Observer: s.meter, Keep: 200,
		Log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})),
	})
	if err != nil {
		return s, err
	}
	s.closers = append(s.closers, s.System.Close)
	s.Chat.AddGroup(family, "Hemma", telegram.StatusLeft, people...)
	for _, p := range people {
		s.Chat.AddPrivate(p)
	}
	return s, nil
}

// size returns the bytes of the data directory.
func (s *system) size() (bytes int64) {
	_ = filepath.WalkDir(s.directory, func(_ string, entry fs.DirEntry, err error) error {
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

// close ends everything, the last opened first.
func (s *system) close() (err error) {
	for i := len(s.closers) - 1; i >= 0; i-- {
		err = errors.Join(err, s.closers[i]())
	}
	s.closers = nil
	return err
}
