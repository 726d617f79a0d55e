// Package server opens Ask-a-Human as one system: the JSON API, the pages, the MCP endpoint
// and the background worker, on one database. It only wires these together. The command
// line opens it; so do system tests.
package server

import (
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"runtime/debug"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/access/provision"
	"sortkey.dev/apps"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/api"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/demo"
	"sortkey.dev/apps/askahuman/domain"
	"sortkey.dev/apps/askahuman/mcpserver"
	"sortkey.dev/apps/askahuman/notices"
	"sortkey.dev/apps/askahuman/web"
	"sortkey.dev/apps/askahuman/worker"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/notify"
	"sortkey.dev/apps/internal/platform"
	"sortkey.dev/apps/internal/publichttp"
	"sortkey.dev/apps/internal/secret"
)

// Kind is Ask-a-Human as the command line knows it.
func Kind() apps.Kind {
	return apps.Kind{
		Name:    "ask-a-human",
		Title:   "Ask-a-Human",
		Summary: "software asks, people answer, on a phone and within minutes",
		Settings: []apps.Setting{
			{Name: settingOperator, Doc: "opens the operators' pages; without it one is made and shown at the start"},
			{Name: settingVAPID, Doc: "a mail address for push services: switches web push on; without it people have an inbox on the page"},
			{Name: settingFCM, Doc: "a file with a service account: switches Firebase Cloud Messaging on"},
			{Name: settingProxy, Doc: "1: believe X-Forwarded-For, because a proxy of ours sets it"},
			{Name: settingCallbacks, Doc: "1: webhooks may reach addresses that are not public"},
		},
		Pages: []apps.Page{
			{Path: "/", Doc: "questions to answer"},
			{Path: "/developers", Doc: "ask one, and see how programs do it"},
		},
		Open: Open,
	}
}

// A System is an open Ask-a-Human.
type System struct {
	config         apps.Config
	handler        http.Handler
	worker         *worker.Worker
	web            *web.Web
	meter          *access.Meter
	operatorSecret string
	chosenSecret   bool // set by a setting
}

// Open creates missing tables and wires the parts together. Long-lived connections, such as
// those of live pages, end with ctx.
func Open(ctx context.Context, config apps.Config) (apps.System, error) {
	chosen, err := readSettings(config)
	if err != nil {
		return nil, err
	}
	box, err := secret.NewBox(config.Secret)
	if err != nil {
		return nil, err
	}
	meter := new(access.Meter)
	db, err := openDB(ctx, config, box, meter)
	if err != nil {
		return nil, err
	}
	ground, err := platform.Open(ctx, config, tablesName, access.WithObserver(meter))
	if err != nil {
		return nil, err
	}
	env, err := askahuman.New(db, askahuman.Options{Platform: ground})
	if err != nil {
		return nil, err
	}
	s := &System{config: config, meter: meter}
	s.chosenSecret = chosen.operatorSecret != ""
	s.operatorSecret = cmp.Or(chosen.operatorSecret, hex.EncodeToString(box.Key("askahuman operator", 10)))
	hub := new(live.Hub)
	channels, err := openChannels(chosen, box)
	if err != nil {
		return nil, err
	}
	rooms, err := domain.New(env, domain.Options{
		Notices:   notices.Options{Senders: channels.senders, PublicURL: config.PublicURL, Hub: hub},
		Callbacks: publichttp.Options{AllowPrivate: chosen.privateCallbacks},
	})
	if err != nil {
		return nil, err
	}
	s.worker, err = worker.New(worker.Options{
		Domain: rooms, Hub: hub, DynamoDB: config.DynamoDB, Streams: config.Streams, Log: config.Log,
	})
	if err != nil {
		return nil, err
	}
	s.web, err = web.New(web.Options{
		Domain: rooms, Hub: hub, Box: box, Log: config.Log, PublicURL: config.PublicURL,
		VAPIDPublicKey: channels.vapidKey, FCM: channels.fcm, Proxies: chosen.proxies,
		OperatorSecret: s.operatorSecret, Loops: s.worker.Loops, Kick: s.worker.Kick, Meter: meter,
		Demo: config.Demo,
	})
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, s.web.Close)
	traffic := new(jsonapi.Traffic)
	s.handler = routes(config.Now, chosen.proxies, traffic, s.web, api.New(api.Options{
		Domain: rooms, Hub: hub, Log: config.Log, PublicURL: config.PublicURL,
		VAPIDPublicKey: channels.vapidKey, Proxies: chosen.proxies, Done: ctx.Done(),
		OperatorSecret: s.operatorSecret, Loops: s.worker.Loops, Traffic: traffic,
	}))
	return s, nil
}

// tablesName begins the names of all tables: the platform's is aah-platform.
const tablesName = "aah"

// openDB opens the database and creates missing tables.
func openDB(ctx context.Context, config apps.Config, box *secret.Box, meter *access.Meter) (*askahumandb.DB, error) {
	sealer, err := access.NewSealer(box.Key("seal", 32))
	if err != nil {
		return nil, err
	}
	db := askahumandb.New(config.DynamoDB, access.WithSealer(sealer), access.WithTablePrefix(config.TablePrefix),
		access.WithCursorKey(box.Key("cursor", 32)), access.WithObserver(meter))
	changes, err := provision.Apply(ctx, config.DynamoDB, askahumandb.Tables(), provision.Options{TableNames: db.Client().Table})
	if err != nil {
		return nil, fmt.Errorf("make the tables: %w", err)
	}
	for _, change := range changes {
		config.Log.Info("tables", slog.Any("change", change))
	}
	return db, nil
}

// vapidPurpose is the purpose of the keys for push services. Browsers are subscribed with them.
const vapidPurpose = "askahuman vapid"

// channels holds the notification channels that the settings enable.
type channels struct {
	senders  map[notices.Channel]notify.Sender
	vapidKey string // "": no web push
	fcm      bool
}

func openChannels(chosen chosen, box *secret.Box) (channels, error) {
	c := channels{senders: make(map[notices.Channel]notify.Sender)}
	if chosen.contact != "" {
		keys, err := notify.NewVAPIDKeys(box, vapidPurpose)
		if err != nil {
			return c, err
		}
		push, err := notify.NewWebPush(keys, chosen.contact, publichttp.NewClient(publichttp.Options{}))
		if err != nil {
			return c, fmt.Errorf("%s: %w", settingVAPID, err)
		}
		c.senders[notices.ChannelWebpush], c.vapidKey = push, keys.Public
	}
	if chosen.account != "" {
		account, err := os.ReadFile(chosen.account)
		if err != nil {
			return c, fmt.Errorf("%s: %w\n  %s", settingFCM, err, getAccount)
		}
		fcm, err := notify.NewFCM(account, notify.FCMOptions{})
		if err != nil {
			return c, fmt.Errorf("%s=%s: %w\n  %s", settingFCM, chosen.account, err, getAccount)
		}
		c.senders[notices.ChannelFCM], c.fcm = fcm, true
	}
	return c, nil
}

// maxMCPBody is the maximum size of an MCP message in bytes: a question and its envelope.
const maxMCPBody = 2 * api.MaxBody

// routes dispatches requests to the API and the pages. The API counts its own responses.
func routes(now func() time.Time, proxies int, traffic *jsonapi.Traffic, pages, programs http.Handler) http.Handler {
	mux := http.NewServeMux()
	guard := func(pattern string, handler http.Handler) {
		mux.Handle(pattern, traffic.Watch(pattern, jsonapi.Guard(handler, api.Edge, now, proxies)))
	}
	guard("/", pages)
	for _, prefix := range []string{"/agent/", "/human/", "/openapi.json", "/health", "/metrics"} {
		mux.Handle(prefix, programs)
	}
	mcp := http.NewCrossOriginProtection().Handler(mcpserver.Handler(insideClient(programs), version()))
	guard("/mcp", http.MaxBytesHandler(mcp, maxMCPBody))
	return mux
}

// version returns the version of the program.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// ServeHTTP serves the pages and the API.
func (s *System) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Run runs the background work.
func (s *System) Run(ctx context.Context) error { return s.worker.Run(ctx) }

// Meter returns the measured use of the access patterns next to the design's estimates.
func (s *System) Meter() *access.Meter { return s.meter }

// Play fills the system with simulated users. They connect to this process directly,
// because the public URL may lead to another one.
func (s *System) Play(ctx context.Context) error {
	return demo.Play(ctx, demo.Options{BaseURL: cmp.Or(s.config.LocalURL, s.config.PublicURL), Log: s.config.Log, Seed: 1})
}

// Pages returns the pages for operators.
func (s *System) Pages() []apps.Page {
	if s.chosenSecret {
		return []apps.Page{{Path: "/operator", Doc: "flags, bans and live numbers"}}
	}
	return []apps.Page{{Path: "/operator", Doc: "flags, bans and live numbers; the secret is " + s.operatorSecret}}
}
