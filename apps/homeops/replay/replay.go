// Package replay opens HomeOps on a clock that its caller moves, so that a year passes in minutes:
// the parts that the server wires, without pages, with a chat in place of Telegram, and with jobs
// that run when the caller says so. It is not a way to run the system for users. The bench calls
// it.
package replay

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps"
	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/api"
	"sortkey.dev/apps/homeops/conversation"
	"sortkey.dev/apps/homeops/domain"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/homeops/telegram/telegramtest"
	"sortkey.dev/apps/homeops/understanding/rules"
	"sortkey.dev/apps/homeops/worker"
	"sortkey.dev/apps/internal/platform"
)

// Options configures a System. DynamoDB and Now are required.
type Options struct {
	DynamoDB apps.DynamoDB
	Now      func() time.Time // the clock of the system and of its chat
	Log      *slog.Logger     // discards if nil
	Observer access.Observer  // of all calls of the database; may be nil
	Keep     int              // messages that the chat keeps; all if zero
}

// A System is HomeOps without pages, and a chat that reaches it through its webhook over HTTP.
type System struct {
	Domain  *domain.Domain
	Chat    *telegramtest.Server // without groups
	env     *homeops.Env
	servers []*http.Server
}

const (
	token  = "1:replay"
	secret = "replay"
)

// Open creates the tables and opens the system.
func Open(ctx context.Context, o Options) (_ *System, err error) {
	if o.DynamoDB == nil || o.Now == nil {
		return nil, errors.New("replay: a database and a clock are required")
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &System{Chat: telegramtest.New(telegramtest.Options{Token: token, Now: o.Now, Keep: o.Keep})}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	if err := s.openDomain(ctx, o); err != nil {
		return nil, err
	}
	if err := s.connect(ctx, o); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *System) openDomain(ctx context.Context, o Options) error {
	var observed []access.Option
	if o.Observer != nil {
		observed = append(observed, access.WithObserver(o.Observer))
	}
	config := apps.Config{DynamoDB: o.DynamoDB, Secret: []byte("a secret of a replay"), Log: o.Log, Now: o.Now}
	p, err := platform.Open(ctx, config, "homeops", observed...)
	if err != nil {
		return err
	}
	sealer, err := access.NewSealer(p.Box.Key("seal", 32))
	if err != nil {
		return err
	}
	db := homeopsdb.New(o.DynamoDB, append(observed, access.WithSealer(sealer))...)
	if _, err := config.MakeTables(ctx, db.Client(), homeopsdb.Tables()); err != nil {
		return fmt.Errorf("make the tables: %w", err)
	}
	if s.env, err = homeops.New(db, homeops.Options{Platform: p}); err != nil {
		return err
	}
	s.Domain = domain.New(s.env)
	return nil
}

// connect serves the Bot API and the webhook, and starts a worker that sends to the chat.
func (s *System) connect(ctx context.Context, o Options) error {
	botAPI, err := s.serve(s.Chat)
	if err != nil {
		return err
	}
	webhook, err := s.serve(api.New(api.Options{Domain: s.Domain, Log: o.Log, Secret: func(context.Context) (string, error) { return secret, nil }}))
	if err != nil {
		return err
	}
	client, err := telegram.New(telegram.Options{Token: token, BaseURL: botAPI, Now: o.Now, Limits: telegram.Limits{PerSecond: 1000, GroupPerMinute: 1000}})
	if err != nil {
		return err
	}
	work, err := worker.New(worker.Options{Env: s.env, Bot: client, Conversation: conversation.Options{
		Classifier: rules.New(), Bot: s.Chat.Bot(),
		SignInLink: func(token string) string { return "https://homeops.invalid/sign-in?token=" + token }, StartLink: "https://t.me/homeops_bot?start=onboard",
	}})
	if err != nil {
		return err
	}
	if err := work.Start(ctx); err != nil {
		return err
	}
	return client.SetWebhook(ctx, telegram.Webhook{URL: webhook + "/webhook", SecretToken: secret})
}

// serve serves a handler on this machine and returns its URL.
func (s *System) serve(handler http.Handler) (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	s.servers = append(s.servers, server)
	go func() { _ = server.Serve(listener) }() // returns when it is closed
	return "http://" + listener.Addr().String(), nil
}

// Step runs the jobs that are due, and those that they queue for now.
func (s *System) Step(ctx context.Context) error {
	_, err := s.env.Jobs.Step(ctx)
	return err
}

// Flush stores the counters, and returns an error if a job is dead.
func (s *System) Flush(ctx context.Context) error {
	if err := s.env.Metrics.Flush(ctx); err != nil {
		return err
	}
	dead, err := s.env.Jobs.Dead(ctx, 1, "")
	if err != nil {
		return err
	}
	for _, job := range dead.Items {
		return fmt.Errorf("job %s is dead: %s", job.ID, job.LastError)
	}
	return nil
}

// Close ends the servers. The database belongs to the caller.
func (s *System) Close() (err error) {
	for _, server := range s.servers {
		err = errors.Join(err, server.Close())
	}
	return err
}
