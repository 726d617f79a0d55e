package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps"
	"sortkey.dev/apps/exambuddy/server"
	"sortkey.dev/engine"
)

// A system is the system under load.
type system struct {
	url   string
	meter *access.Meter
	close func() error
}

// openSystem starts ExamBuddy in this process, on a directory, as "sortkey run" does.
// It believes X-Forwarded-For, so that the load can come from many addresses.
func openSystem(ctx context.Context, below string) (system, error) {
	directory, err := os.MkdirTemp(below, "exambuddy-bench-")
	if err != nil {
		return system{}, err
	}
	remove := func() error { return os.RemoveAll(directory) }
	db, err := engine.Open(directory, nil)
	if err != nil {
		return system{}, errors.Join(err, remove())
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return system{}, errors.Join(err, db.Close(), remove())
	}
	ctx, cancel := context.WithCancel(ctx)
	url := "http://" + listener.Addr().String()
	opened, err := server.Open(ctx, apps.Config{
		DynamoDB: db.API(), Streams: db.Streams(), Secret: []byte(rand.Text() + rand.Text()), PublicURL: url, Demo: true, // addresses need no verification; no users are simulated
		Setting: func(name string) string {
			if name == "EXAMBUDDY_TRUST_PROXY" {
				return "1"
			}
			return ""
		},
		Log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})), Now: time.Now,
	})
	if err != nil {
		cancel()
		return system{}, errors.Join(fmt.Errorf("open the system: %w", err), listener.Close(), db.Close(), remove())
	}
	front := &http.Server{Handler: opened, ReadHeaderTimeout: 10 * time.Second}
	ran := make(chan error, 2)
	go func() { ran <- opened.Run(ctx) }()
	go func() { ran <- front.Serve(listener) }()
	s := system{url: url, close: func() error {
		cancel()
		errs := []error{front.Close()}
		for range 2 {
			if err := <-ran; !errors.Is(err, http.ErrServerClosed) && !errors.Is(err, context.Canceled) {
				errs = append(errs, err)
			}
		}
		return errors.Join(append(errs, db.Close(), remove())...)
	}}
	if metered, ok := opened.(interface{ Meter() *access.Meter }); ok {
		s.meter = metered.Meter()
	}
	return s, nil
}
