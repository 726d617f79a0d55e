// Package server opens EcoBid as one system: the JSON API, the pages, the operators' pages and the
// background work, on one database. It only wires these together. The command line opens it; so do system
// tests.
package server

import (
	"cmp"
	"context"
	"fmt"
	"net/http"

	"sortkey.dev/apps"
	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/api"
	"sortkey.dev/apps/ecobid/demo"
	"sortkey.dev/apps/ecobid/domain"
	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/apps/ecobid/events"
	"sortkey.dev/apps/ecobid/people"
	"sortkey.dev/apps/ecobid/web"
	"sortkey.dev/apps/ecobid/worker"
	"sortkey.dev/apps/internal/accountpages"
	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/host"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/notify"
	"sortkey.dev/apps/internal/operator"
	"sortkey.dev/apps/internal/photo"
	"sortkey.dev/apps/internal/webhook"
	"sortkey.dev/apps/internal/webkit"
)

const (
	prefix      = "ECOBID"
	settingHEIC = prefix + "_HEIC"
)

var uses = host.Uses{Mail: true, Providers: true, Push: true, Files: true, Callbacks: true}

// Kind is EcoBid as the command line knows it.
func Kind() apps.Kind {
	return apps.Kind{
		Name: "ecobid", Title: "EcoBid", Summary: "give it to a neighbour, or sell it in a small auction",
		Settings: append(host.Settings(prefix, uses), apps.Setting{
			Name: settingHEIC, Doc: "a command that converts HEIC pictures to JPEG, such as heif-convert: it gets both file names; without it such pictures are refused",
		}),
		Pages: []apps.Page{{Path: "/", Doc: "what is given away near you"}, {Path: "/post", Doc: "give something away"}, {Path: "/openapi.json", Doc: "the API"}},
		Check: check,
		Open:  Open,
	}
}

// check reads all settings.
func check(config apps.Config) error {
	if _, err := readConverter(config); err != nil {
		return err
	}
	return host.Check(prefix, uses)(config)
}

// readConverter returns the converter of the setting; nil without one.
func readConverter(config apps.Config) (*photo.Converter, error) {
	command := config.Setting(settingHEIC)
	if command == "" {
		return nil, nil
	}
	converter, err := photo.NewConverter(command)
	if err != nil {
		return nil, &apps.SettingError{
			Name: settingHEIC, Err: fmt.Errorf("cannot be used: %w", err),
			Advice: "Name a command that converts HEIC pictures to JPEG, such as heif-convert, or leave the setting out.",
		}
	}
	return converter, nil
}

// Open creates missing tables and wires the parts together.
func Open(ctx context.Context, config apps.Config) (apps.System, error) {
	var h *host.Host
	// address returns where the digest of a person goes: to a verified address only.
	address := func(ctx context.Context, person string) (string, error) {
		account, err := h.Accounts.People.Get(ctx, person)
		if err != nil || account.Email == nil || account.VerifiedAt == nil {
			return "", err
		}
		return *account.Email, nil
	}
	h, err := host.Open(ctx, config, host.Options{
		System: "ecobid", Title: "EcoBid", Prefix: prefix, Uses: uses, Lanes: ownLanes(),
		// Invented people have no mail.
		Accounts: &accounts.Options{RequireVerified: !config.Demo},
		Notify:   &notify.Options{Kinds: events.Kinds, SettingsLink: "/settings/notifications", Address: address},
		Webhooks: &webhook.Options{Events: ecobid.Kinds, UserAgent: "EcoBid"},
	})
	if err != nil {
		return nil, err
	}
	db := ecobiddb.New(config.DynamoDB, h.Access()...)
	if err := h.Provision(ctx, db.Client(), ecobiddb.Tables(), ecobiddb.Patterns); err != nil {
		return nil, err
	}
	converter, err := readConverter(h.Config)
	if err != nil {
		return nil, err
	}
	env, err := ecobid.New(db, ecobid.Options{Platform: h.Platform, Files: h.Files, Jobs: h.Queue, Audit: h.Trail, Limits: h.Limiter, Photos: converter})
	if err != nil {
		return nil, err
	}
	rooms, err := domain.New(env, h.Notifier, h.Hooks)
	if err != nil {
		return nil, err
	}
	work, err := worker.New(worker.Options{Env: env, Domain: rooms, Hub: h.Hub, Streams: config.Streams, DB: config.DynamoDB})
	if err != nil {
		return nil, err
	}
	if err := work.Prepare(ctx); err != nil {
		return nil, err
	}
	return open(ctx, h, rooms, work)
}

// open opens the pages.
func open(ctx context.Context, h *host.Host, rooms *domain.Domain, work *worker.Worker) (apps.System, error) {
	var pages *web.Web
	options := web.SiteOptions()
	options.NavFor = func(r *http.Request) []webkit.Link { return pages.Nav(r) }
	site, err := h.Site(options)
	if err != nil {
		return nil, err
	}
	people, err := accountpages.New(accountpages.Options{
		Site: site, Box: h.Box, Accounts: h.Accounts, Now: h.Platform.Now, Providers: h.Sign, PublicURL: h.Config.PublicURL,
		Welcome: "Give what you do not need, take what you do. Your address is never shown in a list.",
		Profile: web.Profile(rooms.People), Collision: people.NameTaken, Leave: rooms.Erase, Export: "/settings/export",
		Links:  []webkit.Link{{Href: "/settings/profile", Text: "Profile"}, {Href: "/settings/searches", Text: "Saved searches"}, {Href: "/settings/notifications", Text: "Notifications"}, {Href: "/settings/blocks", Text: "Blocked people"}, {Href: "/settings/webhooks", Text: "Webhooks"}},
		Outbox: h.Mail, OpenOutbox: h.Config.Demo,
	})
	if err != nil {
		return nil, err
	}
	if pages, err = web.New(web.Options{Domain: rooms, Site: site, People: people, Hub: h.Hub, Files: h.Files, PublicURL: h.Config.PublicURL, PushKey: h.VAPIDKey, Digests: h.Mail != nil, Demo: h.Config.Demo}); err != nil {
		return nil, err
	}
	programs, err := api.New(api.Options{
		Domain: rooms, Accounts: h.Accounts, Hub: h.Hub, Log: h.Config.Log, PublicURL: h.Config.PublicURL,
		PushKey: h.VAPIDKey, Done: ctx.Done(), Proxies: h.Chosen.Proxies, Traffic: h.Traffic,
	})
	if err != nil {
		return nil, err
	}
	return h.System(ctx, host.Front{
		Site: site, Pages: pages.Register, Wrap: people.Identify, Loops: work.Loops(),
		Handlers: map[string]http.Handler{"/v1/": programs, "/openapi.json": programs},
		Operator: operator.Options{Tabs: []operator.Tab{pages.Reports()}},
		Hint:     "reports, jobs and live numbers", Outbox: people.OutboxLink(),
		Play: func(ctx context.Context) error {
			return demo.Play(ctx, demo.Options{BaseURL: cmp.Or(h.Config.LocalURL, h.Config.PublicURL), Log: h.Config.Log, Seed: 1})
		},
	})
}

// ownLanes returns the lanes of EcoBid's own jobs; the host has those of notifications and
// webhooks.
func ownLanes() []jobs.Lane {
	var own []jobs.Lane
	for _, lane := range ecobid.Lanes() {
		if lane.Name != ecobid.LaneNotifications && lane.Name != ecobid.LaneWebhooks {
			own = append(own, lane)
		}
	}
	return own
}
