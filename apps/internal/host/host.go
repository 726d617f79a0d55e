// Package host holds the part that the servers of all systems have in common: it reads the common
// settings, opens the platform and its rooms on one database with one meter, runs the background
// loops, follows streams, serves health and metrics, and mounts pages, API and operators' pages
// behind one guard. A system's server package says what is special about it:
//
//	func Open(ctx context.Context, config apps.Config) (apps.System, error) {
//		h, err := host.Open(ctx, config, host.Options{System: "exambuddy", Title: "ExamBuddy", Prefix: prefix, Uses: uses, ...})
//		db := exambuddydb.New(config.DynamoDB, h.Access()...)
//		err = h.Provision(ctx, db.Client(), exambuddydb.Tables(), exambuddydb.Patterns)
//		site, err := h.Site(webkit.Options{Name: "ExamBuddy", Files: web.Files})
//		pages := web.New(domain.New(db, h.Platform), site)
//		return h.System(ctx, host.Front{Site: site, Pages: pages.Register, Operator: operator.Options{Tabs: pages.Tabs()}})
//	}
//
// It knows no system and holds no rules of one. The systems' server packages call it.
package host

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/access/provision"
	"sortkey.dev/apps"
	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/audit"
	"sortkey.dev/apps/internal/files"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/limits"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/mail"
	"sortkey.dev/apps/internal/metrics"
	"sortkey.dev/apps/internal/notify"
	"sortkey.dev/apps/internal/openid"
	"sortkey.dev/apps/internal/operator"
	"sortkey.dev/apps/internal/platform"
	"sortkey.dev/apps/internal/publichttp"
	"sortkey.dev/apps/internal/secret"
	"sortkey.dev/apps/internal/staff"
	"sortkey.dev/apps/internal/webhook"
)

// Options describes a system. System, Title and Prefix are required.
type Options struct {
	System string // begins the names of its tables and metrics: exambuddy
	Title  string // as people know it
	Prefix string // begins the names of its settings: EXAM_BUDDY
	Uses   Uses   // the optional settings that it has

	// Lanes are the lanes of the system's own jobs. The rooms have theirs.
	Lanes []jobs.Lane
	// KeepDead is the time after which dead jobs are deleted; see jobs.Options.
	KeepDead time.Duration
	Metrics  metrics.Options
	Audit    audit.Options
	// Accounts, Notify and Webhooks open these rooms. Name, PublicURL, Mail, Queue, Hub and the
	// like are filled in. Nil leaves a room out.
	Accounts *accounts.Options
	Notify   *notify.Options
	Webhooks *webhook.Options
	// Timer is for tests; see jobs.Options.
	Timer func(d time.Duration) (<-chan time.Time, func() bool)
}

// A Host holds the parts of an open system that every system has.
type Host struct {
	Config   apps.Config
	Chosen   Chosen
	Platform *platform.Platform
	Box      *secret.Box
	Meter    *access.Meter
	Hub      *live.Hub
	Traffic  *jsonapi.Traffic

	Trail    *audit.Trail
	Limiter  *limits.Limiter
	Queue    *jobs.Queue
	Metrics  *metrics.Metrics
	Staff    *staff.Staff
	Mail     *mail.Outbox       // nil without Uses.Mail
	Accounts *accounts.Accounts // nil without Options.Accounts
	Notifier *notify.Notifier   // nil without Options.Notify
	Hooks    *webhook.Hooks     // nil without Options.Webhooks
	Files    files.Store        // nil without Uses.Files
	Sign     []*openid.Provider // providers to sign in with
	VAPIDKey string             // public key of web push; "" if it is off
	HTTP     publichttp.Options // for requests to addresses that callers name

	removeFiles func() // removes the directory of files that is not kept; nil if there is none

	o       Options
	first   string // the first operator's secret
	own     []*access.Pattern
	data    []apps.Data      // of the system's own design and of the platform's
	clients []*access.Client // of the system's own designs
	frame   *operator.Frame
}

// Open reads the settings and opens the platform and its rooms. Missing tables are created. A
// setting that cannot be used is an error that says what to do.
func Open(ctx context.Context, config apps.Config, o Options) (*Host, error) {
	if o.System == "" || o.Title == "" || o.Prefix == "" {
		return nil, errors.New("host: System, Title and Prefix are required")
	}
	if config.Now == nil {
		config.Now = time.Now
	}
	if config.Log == nil {
		config.Log = slog.New(slog.DiscardHandler)
	}
	if config.Setting == nil {
		config.Setting = func(string) string { return "" }
	}
	chosen, err := Read(config, o.Prefix, o.Uses)
	if err != nil {
		return nil, err
	}
	h := &Host{Config: config, Chosen: chosen, Meter: new(access.Meter), Hub: new(live.Hub), Traffic: new(jsonapi.Traffic), o: o}
	if h.Box, err = secret.NewBox(config.Secret); err != nil {
		return nil, err
	}
	if h.Platform, err = platform.Open(ctx, config, o.System, access.WithObserver(h.Meter)); err != nil {
		return nil, err
	}
	h.HTTP = publichttp.Options{AllowPrivate: chosen.PrivateCallbacks}
	if err := h.openRooms(ctx); err != nil {
		return nil, err
	}
	return h, nil
}

// Access returns the options of the system's own database: the sealer and the cursor key of the
// secret, the prefix of the tables, and the meter.
func (h *Host) Access() []access.Option {
	sealer, err := access.NewSealer(h.Box.Key("seal", 32))
	if err != nil { // only for another length of the key
		panic(fmt.Sprintf("host: %v", err))
	}
	return []access.Option{
		access.WithSealer(sealer), access.WithCursorKey(h.Box.Key("cursor", 32)),
		access.WithTablePrefix(h.Config.TablePrefix), access.WithObserver(h.Meter),
	}
}

// Provision makes the tables of the system's own design ready for its client. The patterns of the design are for the
// operators' page.
func (h *Host) Provision(ctx context.Context, client *access.Client, tables []provision.Table, patterns []*access.Pattern) error {
	data, err := h.Config.MakeTables(ctx, client, tables)
	if err != nil {
		return fmt.Errorf("make the tables of %s: %w", h.o.System, err)
	}
	for _, d := range []apps.Data{data, h.Platform.Data} {
		if d != nil {
			h.data = append(h.data, d)
		}
	}
	h.own, h.clients = append(h.own, patterns...), append(h.clients, client)
	return nil
}

// Passing reports whether a failure is temporary, such as an unavailable database.
func Passing(err error) bool { return access.Contended(err) || access.Unavailable(err) }

// Outdated reports whether a failure means that this process has an older version of a design than its data, or is
// fenced for another reason that time alone does not mend.
func Outdated(err error) bool {
	fenced, ok := errors.AsType[*access.FencedError](err)
	return ok && !fenced.Overtaken && fenced.Cause == nil
}

// outdated returns why this process may not use the data of one of its designs, or nil.
func (h *Host) outdated(ctx context.Context) error {
	for _, c := range append([]*access.Client{h.Platform.DB.Client()}, h.clients...) {
		if _, err := c.Begin(ctx); Outdated(err) {
			return err
		}
	}
	return nil
}

// firstSecret returns the secret of the first operator: the chosen one, or one that is derived
// from the system's secret and therefore stays the same.
func (h *Host) firstSecret() string {
	if h.Chosen.OperatorSecret != "" {
		return h.Chosen.OperatorSecret
	}
	return hex.EncodeToString(h.Box.Key(h.o.System+" operator", 10))
}
