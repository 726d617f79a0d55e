package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/access/provision"
	"sortkey.dev/apps"
	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/apps/ecobid/server"
	"sortkey.dev/engine"
)

// A system is EcoBid with a city of items.
type system struct {
	url   string
	meter *access.Meter // of the system's own database
	db    *engine.DB
	close func() error
}

// openSystem fills a new directory with items and serves it. Background work does not run: it would follow
// the changes that filled the city.
func openSystem(ctx context.Context, cfg config) (s system, err error) {
	directory, err := os.MkdirTemp(cfg.data, "ecobid-bench-")
	if err != nil {
		return system{}, err
	}
	undo := []func() error{func() error { return os.RemoveAll(directory) }}
	s.close = func() error {
		var errs []error
		for i := len(undo) - 1; i >= 0; i-- {
			errs = append(errs, undo[i]())
		}
		return errors.Join(errs...)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	// A crash may take the items, which are made up.
	if s.db, err = engine.Open(filepath.Join(directory, "data"), &engine.Options{Sync: engine.SyncRelaxed}); err != nil {
		return s, err
	}
	undo = append(undo, s.db.Close)
	if _, err := provision.Apply(ctx, s.db.API(), ecobiddb.Tables(), provision.Options{Poll: time.Millisecond}); err != nil {
		return s, err
	}
	if err := fill(ctx, cfg, s.db); err != nil {
		return s, fmt.Errorf("fill the city: %w", err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return s, err
	}
	s.url = "http://" + listener.Addr().String()
	opened, err := server.Open(ctx, apps.Config{
		DynamoDB: s.db.API(), Streams: s.db.Streams(), Secret: []byte(secret), PublicURL: s.url, Demo: true,
		Setting: func(name string) string {
			switch name {
			case "ECOBID_TRUST_PROXY": // each search has an address of its own
				return "1"
			case "ECOBID_FILES":
				return filepath.Join(directory, "files")
			}
			return ""
		},
		Log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})), Now: time.Now,
	})
	if err != nil {
		return s, errors.Join(fmt.Errorf("open the system: %w", err), listener.Close())
	}
	metered, ok := opened.(interface{ Meter() *access.Meter })
	if !ok {
		return s, errors.Join(errors.New("the system has no meter"), listener.Close())
	}
	s.meter = metered.Meter()
	front := &http.Server{Handler: opened, ReadHeaderTimeout: 10 * time.Second}
	ran := make(chan error, 1)
	go func() { ran <- front.Serve(listener) }()
	undo = append(undo, func() error {
		err := front.Close()
		<-ran
		return err
	})
	return s, nil
}

// secret is the secret of the system. The items are made up, so that it protects nothing.
const secret = "the secret of a bench that protects nothing"
