package appbench

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps"
	"sortkey.dev/engine"
)

// A System is the system that is measured.
type System struct {
	URL       string
	Meter     *access.Meter // of the system's own database; nil of a system in another process
	Directory string
	DB        *engine.DB
	closers   []func() error
}

// Open opens a database in a new directory below another one.
func Open(below, name string, options *engine.Options) (s *System, err error) {
	s = new(System)
	if s.Directory, err = os.MkdirTemp(below, name+"-bench-"); err != nil {
		return nil, err
	}
	s.OnClose(func() error { return os.RemoveAll(s.Directory) })
	if s.DB, err = engine.Open(filepath.Join(s.Directory, "data"), options); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.OnClose(s.DB.Close)
	return s, nil
}

// OnClose adds what Close calls first.
func (s *System) OnClose(f func() error) { s.closers = append(s.closers, f) }

// Close ends what was opened, the last first, and removes the directory.
func (s *System) Close() (err error) {
	for _, f := range slices.Backward(s.closers) {
		err = errors.Join(err, f())
	}
	s.closers = nil
	return err
}

// Log returns a log of warnings on standard error.
func Log() *slog.Logger {
	return slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
}

// Serve opens the system of a kind on the database, as "sortkey run" does, and serves it on a free
// port of this machine. A demo verifies no addresses; no users are simulated.
func (s *System) Serve(ctx context.Context, open func(context.Context, apps.Config) (apps.System, error), demo bool, settings map[string]string) (apps.System, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s.URL = "http://" + listener.Addr().String()
	ctx, cancel := context.WithCancel(ctx)
	s.OnClose(func() error { cancel(); return nil })
	opened, err := open(ctx, apps.Config{
		DynamoDB: s.DB.API(), Streams: s.DB.Streams(), Secret: []byte(rand.Text() + rand.Text()), PublicURL: s.URL, Demo: demo,
		Setting: func(name string) string { return settings[name] }, Log: Log(), Now: time.Now,
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the system: %w", err), listener.Close())
	}
	metered, ok := opened.(interface{ Meter() *access.Meter })
	if !ok {
		return nil, errors.Join(errors.New("the system has no meter"), listener.Close())
	}
	s.Meter = metered.Meter()
	front := &http.Server{Handler: opened, ReadHeaderTimeout: 10 * time.Second}
	s.until(func() error { return front.Serve(listener) }, front.Close)
	return opened, nil
}

// Run does the background work of a system until Close.
func (s *System) Run(ctx context.Context, opened apps.System) {
	ctx, cancel := context.WithCancel(ctx)
	s.until(func() error { return opened.Run(ctx) }, func() error { cancel(); return nil })
}

// until runs what Close stops and waits for.
func (s *System) until(run, stop func() error) {
	ran := make(chan error, 1)
	go func() { ran <- run() }()
	s.OnClose(func() error {
		err := stop()
		if ended := <-ran; !errors.Is(ended, http.ErrServerClosed) && !errors.Is(ended, context.Canceled) {
			err = errors.Join(err, ended)
		}
		return err
	})
}
