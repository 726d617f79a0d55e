// Package server opens HomeOps as one system: the webhook or the long poll of Telegram, the pages,
// the operators' pages and the background work, on one database. Without a token of Telegram it
// opens the simulated chat. It only wires these together. The command line opens it; so do system
// tests.
package server

import (
	"context"
	"encoding/hex"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"sortkey.dev/apps"
	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/api"
	"sortkey.dev/apps/homeops/chatroom"
	"sortkey.dev/apps/homeops/conversation"
	"sortkey.dev/apps/homeops/domain"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/homeops/understanding/rules"
	"sortkey.dev/apps/homeops/web"
	"sortkey.dev/apps/homeops/worker"
	"sortkey.dev/apps/internal/background"
	"sortkey.dev/apps/internal/host"
	"sortkey.dev/apps/internal/metrics"
	"sortkey.dev/apps/internal/operator"
	"sortkey.dev/apps/internal/webkit"
)

var uses = host.Uses{}

// Kind is HomeOps as the command line knows it.
func Kind() apps.Kind {
	return apps.Kind{
		Name: "homeops", Title: "HomeOps", Summary: "a quiet bot that remembers who did what at home",
		Settings: settings(),
		Pages:    []apps.Page{{Path: "/", Doc: "what it is"}},
		Check:    check,
		Open:     Open,
	}
}

// A system holds the parts while they are wired.
type system struct {
	*host.Host
	chosen chosen
	rooms  *domain.Domain
	work   *worker.Worker
	room   *chatroom.Room // nil with Telegram
	client *telegram.Client
	bot    telegram.User
	secret string // of the webhook; "" if there is none
}

// Open creates missing tables and wires the parts together.
func Open(ctx context.Context, config apps.Config) (apps.System, error) {
	if config.Setting == nil {
		config.Setting = func(string) string { return "" }
	}
	settings, err := read(config)
	if err != nil {
		return nil, err
	}
	h, err := host.Open(ctx, config, host.Options{
		System: "homeops", Title: "HomeOps", Prefix: prefix, Uses: uses, Lanes: homeops.Lanes(1), Metrics: metrics.Options{Counters: homeops.Counters()},
	})
	if err != nil {
		return nil, err
	}
	db := homeopsdb.New(config.DynamoDB, h.Access()...)
	if err := h.Provision(ctx, db.Client(), homeopsdb.Tables(), homeopsdb.Patterns); err != nil {
		return nil, err
	}
	env, err := homeops.New(db, homeops.Options{Platform: h.Platform, Jobs: h.Queue, Audit: h.Trail, Metrics: h.Metrics, Zone: settings.zone})
	if err != nil {
		return nil, err
	}
	s := &system{Host: h, chosen: settings, rooms: domain.New(env), secret: settings.secret}
	if err := s.openTelegram(ctx); err != nil {
		return nil, err
	}
	s.work, err = worker.New(worker.Options{Env: env, Bot: s.client, Conversation: conversation.Options{
		Classifier: rules.New(), Model: settings.model, Bot: s.bot,
		SignInLink: func(token string) string { return h.Config.PublicURL + "/sign-in?token=" + token }, StartLink: s.startLink("onboard"),
	}})
	if err != nil {
		return nil, err
	}
	if err := s.work.Start(ctx); err != nil {
		return nil, err
	}
	return s.open(ctx)
}

// openTelegram opens the client of Telegram, or the simulated chat if there is no token.
func (s *system) openTelegram(ctx context.Context) (err error) {
	if s.chosen.token == "" {
		s.room, err = chatroom.New(chatroom.Options{Now: s.Platform.Now, Changed: func(id int64) { s.Hub.Tell(web.ChatTopic(id)) }})
		if err != nil {
			return err
		}
		s.client, s.bot, s.secret = s.room.Client(), s.room.Bot(), hex.EncodeToString(s.Box.Key("homeops chatroom", 16))
		return nil
	}
	if s.client, err = telegram.New(telegram.Options{Token: s.chosen.token, BaseURL: s.chosen.api}); err != nil {
		return err
	}
	if s.bot, err = s.client.GetMe(ctx); err != nil {
		return fmt.Errorf("%s: Telegram does not know this bot: %w", settingToken, err)
	}
	return nil
}

// startLink returns the link to the private chat with the bot, which sends an argument to it.
func (s *system) startLink(argument string) string {
	if s.room != nil {
		return s.Config.PublicURL + "/chat?view=private"
	}
	return "https://t.me/" + s.bot.Username + "?start=" + argument
}

// open opens the pages and the webhook.
func (s *system) open(ctx context.Context) (apps.System, error) {
	var pages *web.Web
	options := web.SiteOptions()
	options.NavFor = func(r *http.Request) []webkit.Link { return pages.Nav(r) }
	options.LangFor = func(r *http.Request) string { return pages.Lang(r) }
	site, err := s.Site(options)
	if err != nil {
		return nil, err
	}
	pages, err = web.New(web.Options{
		Domain: s.rooms, Site: site, Hub: s.Hub, Bot: s.bot, Room: s.room, Talk: s.work.Conversation(), HasModel: s.chosen.model != nil,
		StartLink: s.startLink, PublicURL: s.Config.PublicURL, Demo: s.Config.Demo && s.room != nil,
	})
	if err != nil {
		return nil, err
	}
	hook := api.New(api.Options{Domain: s.rooms, Log: s.Platform.Log, Secret: func(context.Context) (string, error) { return s.secret, nil }})
	loops, err := s.connect(ctx, hook)
	if err != nil {
		return nil, err
	}
	return s.System(ctx, host.Front{
		Site: site, Pages: pages.Register, Wrap: pages.Identify, Handlers: map[string]http.Handler{"/webhook": hook}, Loops: loops,
		Operator: operator.Options{Tabs: pages.Tabs(), Kinds: kinds, Overview: overview},
		Settings: s.chosen.shown(), Hint: "the classifier's sandbox, jobs and live numbers", Guide: s.guide(), Play: s.play,
	})
}

// connect has updates delivered: by the simulated chat, to the webhook, or by polling.
func (s *system) connect(ctx context.Context, hook http.Handler) ([]background.Loop, error) {
	switch {
	case s.room != nil:
		return nil, s.room.Connect(ctx, hook, s.secret)
	case s.secret != "":
		if err := s.client.SetWebhook(ctx, telegram.Webhook{URL: s.Config.PublicURL + "/webhook", SecretToken: s.secret, MaxConnections: 10}); err != nil {
			return nil, fmt.Errorf("tell Telegram the webhook: %w", err)
		}
		return nil, nil
	}
	if err := s.client.DeleteWebhook(ctx); err != nil {
		return nil, fmt.Errorf("begin to poll Telegram: %w", err)
	}
	return []background.Loop{{Name: "telegram", Every: 5 * time.Second, Listens: true, Do: s.poll}}, nil
}

// poll takes updates from Telegram until ctx is done.
func (s *system) poll(ctx context.Context) error {
	err := s.client.Poll(ctx, func(ctx context.Context, u telegram.Update) error {
		_, err := s.rooms.Ingest.Deliver(ctx, &u)
		return err
	}, func(err error) { s.Platform.Log.WarnContext(ctx, "Telegram was not polled", slog.Any("error", err)) })
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// kinds names the jobs for operators.
var kinds = map[string]string{
	homeops.JobMessage: "Understand a message", homeops.JobUpdate: "Handle a button or a reaction", homeops.JobSend: "Send a message", homeops.JobSettle: "Look for an answer",
	homeops.JobPromise: "Look at a promise", homeops.JobDay: "Close a day", homeops.JobWeek: "Close a week", homeops.JobSweep: "Look for overdue promises", homeops.JobErase: "Erase a member",
}

// overview holds the numbers of the operators' overview.
var overview = operator.Overview{
	Counters: []operator.Counter{{Name: homeops.CountMessages, Label: "Messages"}, {Name: homeops.CountLogged, Label: "Logged"}, {Name: homeops.CountSent, Label: "Sent"}, {Name: homeops.CountCorrections, Label: "Corrections"}, {Name: homeops.CountTokens, Label: "Model tokens"}},
	Charts: []operator.Chart{{Title: "Messages by the hour", Desc: "What members wrote, what was logged of it, and what the bot sent.", Counters: []operator.Counter{
		{Name: homeops.CountMessages, Label: "Messages"}, {Name: homeops.CountLogged, Label: "Logged"}, {Name: homeops.CountSent, Label: "Sent"},
	}}},
}
