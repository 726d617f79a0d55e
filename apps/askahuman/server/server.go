// Package server opens Ask-a-Human as one system: the JSON API, the pages, the MCP endpoint
// and the background worker, on one database. It only wires these together. The command
// line opens it; so do system tests.
package server

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"runtime/debug"

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
	"sortkey.dev/apps/internal/background"
	"sortkey.dev/apps/internal/host"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/metrics"
	"sortkey.dev/apps/internal/notify"
	"sortkey.dev/apps/internal/publichttp"
)

// prefix begins the names of the settings.
const prefix = "ASK_A_HUMAN"

var uses = host.Uses{Push: true, Callbacks: true}

// Kind is Ask-a-Human as the command line knows it.
func Kind() apps.Kind {
	return apps.Kind{
		Name: "ask-a-human", Title: "Ask-a-Human", Summary: "software asks, people answer, on a phone and within minutes",
		Settings: host.Settings(prefix, uses),
		Pages: []apps.Page{
			{Path: "/", Doc: "questions to answer"},
			{Path: "/developers", Doc: "ask one, and see how programs do it"},
			{Path: "/openapi.json", Doc: "the API for programs, described"},
			{Path: "/mcp", Doc: "the tools for language models (MCP)"},
		},
		Check: host.Check(prefix, uses),
		Open:  Open,
	}
}

// Open creates missing tables and wires the parts together. Long-lived connections, such as
// those of live pages, end with ctx.
func Open(ctx context.Context, config apps.Config) (apps.System, error) {
	h, err := host.Open(ctx, config, host.Options{
		System: "aah", Title: "Ask-a-Human", Prefix: prefix, Uses: uses,
		Lanes: askahuman.Lanes(), KeepDead: askahuman.KeepDeadJob, Metrics: askahuman.MetricOptions(),
	})
	if err != nil {
		return nil, err
	}
	db := askahumandb.New(config.DynamoDB, h.Access()...)
	if err := h.Provision(ctx, db.Client(), askahumandb.Tables(), askahumandb.Patterns); err != nil {
		return nil, err
	}
	env, err := askahuman.New(db, askahuman.Options{Platform: h.Platform, Audit: h.Trail, Jobs: h.Queue, Limits: h.Limiter, Metrics: h.Metrics, Parts: h.Chosen.Parts})
	if err != nil {
		return nil, err
	}
	push, err := openChannels(h)
	if err != nil {
		return nil, err
	}
	rooms, err := domain.New(env, domain.Options{
		Notices:   notices.Options{Senders: push.senders, PublicURL: h.Config.PublicURL, Hub: h.Hub},
		Callbacks: h.HTTP,
	})
	if err != nil {
		return nil, err
	}
	return open(ctx, h, rooms, push)
}

// open opens the doors and prepares the background work.
func open(ctx context.Context, h *host.Host, rooms *domain.Domain, push channels) (apps.System, error) {
	work, err := worker.New(worker.Options{
		Domain: rooms, Hub: h.Hub, DynamoDB: h.Config.DynamoDB, Streams: h.Config.Streams, Log: h.Config.Log,
	})
	if err != nil {
		return nil, err
	}
	site, err := h.Site(web.SiteOptions())
	if err != nil {
		return nil, err
	}
	pages, err := web.New(web.Options{
		Domain: rooms, Site: site, Hub: h.Hub, Box: h.Box, PublicURL: h.Config.PublicURL, ProgramURL: programURL(h.Config),
		VAPIDPublicKey: push.vapidKey, FCM: push.fcm, Demo: h.Config.Demo,
	})
	if err != nil {
		return nil, err
	}
	var system *host.System
	programs, err := api.New(api.Options{
		Domain: rooms, Hub: h.Hub, Log: h.Config.Log, PublicURL: h.Config.PublicURL,
		VAPIDPublicKey: push.vapidKey, Proxies: h.Chosen.Proxies, Done: ctx.Done(),
		Staff: h.Staff, Loops: func() []background.State { return system.Loops() }, Expose: func(ctx context.Context, page *metrics.Exposition) error { return system.ExposeData(ctx, page) }, Traffic: h.Traffic,
	})
	if err != nil {
		return nil, err
	}
	system, err = h.System(ctx, host.Front{
		Site: site, Pages: pages.Register, Handlers: handlers(h, programs), Edge: api.Edge,
		Operator: pages.Operator(), Loops: work.Loops(ctx),
		// Simulated users connect to this process, because the public URL may lead to another one.
		Play: func(ctx context.Context) error {
			return demo.Play(ctx, demo.Options{BaseURL: cmp.Or(h.Config.LocalURL, h.Config.PublicURL), Log: h.Config.Log, Seed: 1, Memory: h.Config.DemoMemory})
		},
		Hint: "flags, bans and live numbers",
	})
	if err != nil {
		return nil, err
	}
	return system, nil
}

// vapidPurpose is the purpose of the keys for push services. Browsers are subscribed with them.
const vapidPurpose = "askahuman vapid"

// channels holds the notification channels that the settings enable.
type channels struct {
	senders  map[notices.Channel]notify.Sender
	vapidKey string // "": no web push
	fcm      bool
}

func openChannels(h *host.Host) (channels, error) {
	c := channels{senders: make(map[notices.Channel]notify.Sender)}
	if h.Chosen.Contact != "" {
		keys, err := notify.NewVAPIDKeys(h.Box, vapidPurpose)
		if err != nil {
			return c, err
		}
		push, err := notify.NewWebPush(keys, h.Chosen.Contact, publichttp.NewClient(publichttp.Options{}))
		if err != nil {
			return c, fmt.Errorf("%s_VAPID_CONTACT cannot be used: %w", prefix, err)
		}
		c.senders[notices.ChannelWebpush], c.vapidKey = push, keys.Public
	}
	if h.Chosen.FCM != nil {
		fcm, err := notify.NewFCM(h.Chosen.FCM, notify.FCMOptions{})
		if err != nil {
			return c, fmt.Errorf("%s_FCM_CREDENTIALS cannot be used: %w", prefix, err)
		}
		c.senders[notices.ChannelFCM], c.fcm = fcm, true
	}
	return c, nil
}

// maxMCPBody is the maximum size of an MCP message in bytes: a question and its envelope.
const maxMCPBody = 2 * api.MaxBody

// handlers returns what is served beside the pages. The API counts its own responses.
func handlers(h *host.Host, programs http.Handler) map[string]http.Handler {
	mcp := http.NewCrossOriginProtection().Handler(mcpserver.Handler(insideClient(programs), version()))
	guarded := jsonapi.Guard(http.MaxBytesHandler(mcp, maxMCPBody), api.Edge, h.Config.Now, h.Chosen.Proxies)
	all := map[string]http.Handler{"/mcp": h.Traffic.Watch("/mcp", guarded)}
	for _, pattern := range []string{"/agent/", "/human/", "/openapi.json", "/health", "/metrics"} {
		all[pattern] = programs
	}
	return all
}

// version returns the version of the program.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// programURL returns the URL of the API in examples. A demo may have a public name below localhost, which browsers know
// and most programs do not.
func programURL(config apps.Config) string {
	if config.Demo {
		return cmp.Or(config.LocalURL, config.PublicURL)
	}
	return config.PublicURL
}
