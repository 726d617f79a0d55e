// Package server opens ExamBuddy as one system: the JSON API, the pages, the operators' pages and the
// background work, on one database. It only wires these together. The command line opens it; so do system
// tests.
package server

import (
	"cmp"
	"context"
	"fmt"
	"net/http"

	"sortkey.dev/apps"
	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/api"
	"sortkey.dev/apps/exambuddy/demo"
	"sortkey.dev/apps/exambuddy/domain"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/exambuddy/people"
	"sortkey.dev/apps/exambuddy/web"
	"sortkey.dev/apps/exambuddy/worker"
	"sortkey.dev/apps/internal/accountpages"
	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/audit"
	"sortkey.dev/apps/internal/host"
	"sortkey.dev/apps/internal/operator"
	"sortkey.dev/apps/internal/webkit"
)

const prefix = "EXAMBUDDY"

// settingAdmins is the setting that says who can become an admin.
const settingAdmins = prefix + "_ADMINS"

// openAdmins reads the setting. A demo is open, so that its simulated users need no invitation.
func openAdmins(config apps.Config) (bool, error) {
	switch value := config.Setting(settingAdmins); value {
	case "":
		return config.Demo, nil
	case "invited", "open":
		return value == "open", nil
	default:
		return false, &apps.SettingError{
			Name: settingAdmins, Err: fmt.Errorf("is neither invited nor open: %q", value),
			Advice: "Say invited if operators invite those who build exams, open if everyone may.",
		}
	}
}

// check reads all settings.
func check(config apps.Config) error {
	if _, err := openAdmins(config); err != nil {
		return err
	}
	return host.Check(prefix, uses)(config)
}

var uses = host.Uses{Mail: true, Providers: true, Files: true}

// Kind is ExamBuddy as the command line knows it.
func Kind() apps.Kind {
	return apps.Kind{
		Name: "exambuddy", Title: "ExamBuddy", Summary: "build an exam, sit it, learn from it",
		Settings: append([]apps.Setting{{Name: settingAdmins, Doc: "who can sign up to build exams: invited (operators invite them; the default) or open (everyone)"}}, host.Settings(prefix, uses)...),
		Pages:    []apps.Page{{Path: "/", Doc: "exams to sit"}, {Path: "/admin", Doc: "build exams and see results"}, {Path: "/openapi.json", Doc: "the API"}},
		Check:    check,
		Open:     Open,
	}
}

// Open creates missing tables and wires the parts together.
func Open(ctx context.Context, config apps.Config) (apps.System, error) {
	open, err := openAdmins(config)
	if err != nil {
		return nil, err
	}
	h, err := host.Open(ctx, config, host.Options{
		System: "exambuddy", Title: "ExamBuddy", Prefix: prefix, Uses: uses, Lanes: exambuddy.Lanes(), Audit: audit.Options{Keep: exambuddy.KeepAudit},
		// Simulated people have no mail.
		Accounts: &accounts.Options{RequireVerified: !config.Demo},
	})
	if err != nil {
		return nil, err
	}
	db := exambuddydb.New(config.DynamoDB, h.Access()...)
	if err := h.Provision(ctx, db.Client(), exambuddydb.Tables(), exambuddydb.Patterns); err != nil {
		return nil, err
	}
	env, err := exambuddy.New(db, exambuddy.Options{Platform: h.Platform, Jobs: h.Queue, Audit: h.Trail, Limits: h.Limiter})
	if err != nil {
		return nil, err
	}
	rooms := domain.New(env, h.Accounts, h.Files)
	parser := parser{files: h.Files, images: rooms.Images}
	work, err := worker.New(worker.Options{Env: env, Domain: rooms, Parse: parser.parse, Forget: parser.forget, Streams: config.Streams, DB: config.DynamoDB})
	if err != nil {
		return nil, err
	}
	if err := work.Prepare(ctx); err != nil {
		return nil, err
	}
	return openPages(ctx, h, rooms, work, open)
}

// openPages opens the pages.
func openPages(ctx context.Context, h *host.Host, rooms *domain.Domain, work *worker.Worker, openAdmins bool) (apps.System, error) {
	var pages *web.Web
	options := web.SiteOptions(openAdmins)
	var guide []apps.Page
	if h.Config.Demo {
		options.Funcs["demo"] = func() string { return demoNotice }
		guide = []apps.Page{{Path: "/sign-in", Doc: fmt.Sprintf("sign in as %s (builds exams) or %s (sits them) with the password %q", demo.Admin, demo.Candidate, demo.Password)}}
	}
	options.NavFor = func(r *http.Request) []webkit.Link { return pages.Nav(r) }
	site, err := h.Site(options)
	if err != nil {
		return nil, err
	}
	people, err := accountpages.New(accountpages.Options{
		Site: site, Box: h.Box, Accounts: h.Accounts, Now: h.Platform.Now, Providers: h.Sign, PublicURL: h.Config.PublicURL,
		Welcome: welcome(openAdmins), RolesFor: web.RolesFor(openAdmins), With: rooms.People.With, Collision: people.AddressTaken, Erase: rooms.Privacy.Erase, Export: "/account/data.json",
		Outbox: h.Mail, OpenOutbox: h.Config.Demo,
	})
	if err != nil {
		return nil, err
	}
	if pages, err = web.New(web.Options{Domain: rooms, Site: site, People: people, Files: h.Files, PublicURL: h.Config.PublicURL, OpenAdmins: openAdmins}); err != nil {
		return nil, err
	}
	programs, err := api.New(api.Options{
		Domain: rooms, Accounts: h.Accounts, Files: h.Files, Log: h.Config.Log, PublicURL: h.Config.PublicURL, OpenAdmins: openAdmins,
		Proxies: h.Chosen.Proxies, Traffic: h.Traffic,
	})
	if err != nil {
		return nil, err
	}
	return h.System(ctx, host.Front{
		Site: site, Pages: pages.Register, Wrap: people.Identify, Loops: work.Loops(),
		Handlers: map[string]http.Handler{"/v1/": programs, "/openapi.json": programs}, Edge: api.Edge,
		Operator: operator.Options{Tabs: []operator.Tab{pages.PeopleTab()}, Kinds: map[string]string{
			exambuddy.JobParse: "Read a file", exambuddy.JobPublish: "Import questions", exambuddy.JobDiscard: "Delete a paper", exambuddy.JobRegrade: "Regrade an exam", exambuddy.JobErase: "Erase a person",
			exambuddy.JobLearn: "Make the cards of an attempt", exambuddy.JobRelearn: "Make the cards of an exam",
		}},
		Settings: []operator.Setting{{Title: "Admins", On: openAdmins, Text: adminsText(openAdmins), Name: settingAdmins}},
		Hint:     "invite admins; jobs, audit trail and live numbers", Guide: guide, Outbox: people.OutboxLink(),
		Play: func(ctx context.Context) error {
			return demo.Play(ctx, demo.Options{BaseURL: cmp.Or(h.Config.LocalURL, h.Config.PublicURL), Log: h.Config.Log, Seed: 1, Memory: h.Config.DemoMemory})
		},
	})
}

// demoNotice tells visitors of a demo how to look around.
const demoNotice = "This is a demo: the people and their results are invented. Sign in as " + demo.Candidate + " to sit exams, or as " + demo.Admin +
	" to see them from the other side. The password is “" + demo.Password + "”."

func welcome(openAdmins bool) string {
	if openAdmins {
		return "Sit exams, or build them for others."
	}
	return "Sit exams, and learn from them."
}

func adminsText(open bool) string {
	if open {
		return "Everyone can sign up to build exams."
	}
	return "Operators invite the people who build exams."
}
