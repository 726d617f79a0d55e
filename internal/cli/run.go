package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"sortkey.dev/access/provision"
	"sortkey.dev/apps"
	"sortkey.dev/apps/showcase"
	"sortkey.dev/design"
	"sortkey.dev/internal/evolve"
	"sortkey.dev/internal/httpserver"
	"sortkey.dev/internal/lazyregexp"
)

// systems returns the programs that run starts, sorted by name.
func systems() []apps.Kind {
	var all []apps.Kind
	for _, subject := range showcase.Subjects() {
		all = append(all, subject.Kind)
	}
	return all
}

func runCommand() command {
	return command{
		name:    "run",
		summary: "run a system, such as ask-a-human",
		args:    "[SYSTEM]",
		about: `Without SYSTEM it lists the systems and their settings, which are environment variables.

A system runs on an embedded DynamoDB: in memory, or in the directory of --data, where it survives
a restart. With --endpoint it runs on any other DynamoDB, with --aws on AWS, where credentials
and the region come from the default chain of the AWS SDK. Missing tables are
created. Several processes may then run the same system; give all of them the same SORTKEY_SECRET.
Data of an older version of the system is brought to that of this program at the start. Where another
process may use it, or where something is deleted, that waits for --resume.
A setting that cannot be used is like a wrong flag: nothing is started, and the exit status is 2.

--demo fills it with simulated users, who call the same HTTP API as real ones.

SIGINT (Ctrl+C) and SIGTERM stop it: requests in flight are finished and the data is closed.`,
		setup: func(flags *flag.FlagSet) action {
			cfg := runConfig{logLevel: choice{value: "warn", allowed: []string{"debug", "info", "warn", "error"}}}
			flags.StringVar(&cfg.addr, "addr", "127.0.0.1:8080", "listen on `HOST:PORT`; port 0 takes a free one")
			flags.StringVar(&cfg.data, "data", "", "keep the data in `DIR`; without it, in memory")
			flags.BoolVar(&cfg.demo, "demo", false, "fill it with simulated users")
			flags.StringVar(&cfg.endpoint, "endpoint", "", "run on the DynamoDB at this `URL`")
			flags.BoolVar(&cfg.aws, "aws", false, "run on AWS")
			flags.StringVar(&cfg.region, "region", "", "the AWS `REGION`")
			flags.StringVar(&cfg.prefix, "table-prefix", "", "prefix every table name with this `TEXT`")
			flags.BoolVar(&cfg.accept, "accept-shape", false, "accept tables whose items this version would write otherwise; see sortkey help apply")
			flags.BoolVar(&cfg.resume, "resume", false, "let a migration of the data pass the step before which it waits")
			flags.Var(&cfg.late, "accept", "`WHAT`: late-requests, the endpoint does not refuse requests that come late; see sortkey help migrate")
			flags.StringVar(&cfg.publicURL, "public-url", "", "public `URL` of the system, if it differs from the address")
			flags.Var(&cfg.logLevel, "log-level", "log from this `LEVEL` up: debug, info, warn or error")
			flags.BoolVar(&cfg.asJSON, "json", false, "print the list or the address as one JSON line, and log as JSON")
			return func(s streams, args []string) error {
				if len(args) == 0 {
					return listSystems(s.out, cfg.asJSON)
				}
				kind, err := findSystem(args)
				if err != nil {
					return err
				}
				if err := cfg.check("run"); err != nil {
					return err
				}
				if err := notEmpty(flags, "run", "data", "endpoint"); err != nil {
					return err
				}
				ctx, stop := untilSignal()
				defer stop()
				return runSystem(ctx, s, cfg, kind)
			}
		},
	}
}

// runConfig holds the flags of run.
type runConfig struct {
	addr, data       string
	endpoint, region string
	prefix           string
	publicURL        string
	aws, demo        bool
	asJSON, accept   bool
	resume           bool // a migration of the data passes the step before which it waits
	late             words
	logLevel         choice
}

// check rejects invalid flags before anything is opened.
func (c runConfig) check(command string) error {
	if err := checkAddr(command, c.addr, "127.0.0.1:8080"); err != nil {
		return err
	}
	places := 0
	for _, chosen := range []bool{c.data != "", c.endpoint != "", c.aws} {
		if chosen {
			places++
		}
	}
	if places > 1 {
		return misuse(command+": --data, --endpoint and --aws are three places for the data; give one",
			"--data DIR is the embedded DynamoDB, --endpoint URL another one, --aws the service.")
	}
	if c.publicURL != "" && !isOrigin(c.publicURL) {
		return misuse(fmt.Sprintf("%s: --public-url must be a URL with only a host, got %q", command, c.publicURL),
			"For example --public-url https://ask.example.org, with nothing behind the host and the port.")
	}
	if !prefixPattern.MatchString(c.prefix) {
		return misuse(fmt.Sprintf("%s: --table-prefix cannot begin the name of a table: %q", command, c.prefix),
			"Use up to 100 letters, digits and _ - . such as --table-prefix test-")
	}
	return nil
}

// notEmpty rejects flags with an empty value, such as an unset shell variable: the data would be
// kept in memory, and lost at the end.
func notEmpty(flags *flag.FlagSet, command string, names ...string) (err error) {
	flags.Visit(func(f *flag.Flag) {
		if f.Value.String() == "" && slices.Contains(names, f.Name) {
			err = misuse(fmt.Sprintf("%s: --%s is empty", command, f.Name), "Give it a value, or leave it out to keep the data in memory.")
		}
	})
	return err
}

// prefixPattern matches valid prefixes of table names. Table names have at most 255 characters, and a
// system needs some of them.
var prefixPattern = lazyregexp.New(`^[a-zA-Z0-9_.-]{0,100}$`)

// isOrigin reports whether a text is a URL with only a scheme and a host: all pages are at
// the root, and links are made by appending a path.
func isOrigin(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && u.User == nil &&
		strings.Trim(u.Path, "/") == "" && !strings.ContainsAny(text, "?#")
}

// findSystem returns the system that the arguments name.
func findSystem(args []string) (apps.Kind, error) {
	if len(args) > 1 {
		return apps.Kind{}, misuse(fmt.Sprintf("run starts one system, got %q after %q", args[1], args[0]),
			`Flags start with two dashes. Run "sortkey help run" to see them.`)
	}
	all := systems()
	i := slices.IndexFunc(all, func(k apps.Kind) bool { return k.Name == args[0] })
	if i >= 0 {
		return all[i], nil
	}
	names := make([]string, len(all))
	for i, kind := range all {
		names[i] = kind.Name
	}
	next := []string{`Run "sortkey run" to see all systems.`}
	if near, ok := design.Nearest(args[0], names); ok {
		next = slices.Insert(next, 0, fmt.Sprintf("Did you mean %q?", near))
	}
	return apps.Kind{}, misuse(fmt.Sprintf("run: unknown system %q", args[0]), next...)
}

// runSystem opens a system and serves it until ctx is done. It binds the address first, so
// that a port in use does not cost the opening of a database.
func runSystem(ctx context.Context, s streams, cfg runConfig, kind apps.Kind) error {
	logger := serveConfig{logLevel: cfg.logLevel, asJSON: cfg.asJSON}.logger(s)
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", cfg.addr)
	if err != nil {
		return listenFailure("run "+kind.Name, cfg.addr, err)
	}
	defer listener.Close() // closing the listener twice is harmless
	local := "http://" + reachable(listener.Addr())
	config := apps.Config{
		TablePrefix: cfg.prefix,
		AcceptShape: cfg.accept,
		PublicURL:   strings.TrimRight(cmp.Or(cfg.publicURL, local), "/"),
		LocalURL:    local,
		Setting:     os.Getenv,
		Demo:        cfg.demo,
		Log:         logger,
		Now:         time.Now,
	}
	if err := checkSettings(kind, config); err != nil {
		return err
	}
	tell := newProgressLine(s.err)
	store, err := openStore(ctx, cfg, logger, tell)
	if err != nil {
		return err
	}
	config.DynamoDB, config.Streams, config.Secret = store.dynamodb, store.streams, store.secret
	starting := &starting{title: kind.Title}
	config.Keeper = evolve.New(cfg.keeping(store, logger, dataProgress{tell: tell, out: s.out, asJSON: cfg.asJSON, page: starting}.tellProgress))
	keepIn(cfg.data, kind.Name, &config)
	ctx, cancel := untilFailed(ctx, store.failed)
	defer cancel()
	err = errors.Join(live(ctx, s, cfg, kind, config, listener, starting), explainFailure(store.failed, store.close()))
	if err == nil && !cfg.asJSON {
		fmt.Fprintln(s.out, "sortkey has stopped.")
	}
	return err
}

// checkSettings rejects settings that a system cannot use, before anything is opened.
func checkSettings(kind apps.Kind, config apps.Config) error {
	if kind.Check == nil {
		return nil
	}
	return settingFailure(kind.Check(config))
}

// settingFailure returns the error of a system; that of a setting or of a table with the next step.
func settingFailure(err error) error {
	if wrong, ok := errors.AsType[*apps.SettingError](err); ok {
		return misuse(fmt.Sprintf("%s %v", wrong.Name, wrong.Err), wrong.Advice)
	}
	if refused, ok := errors.AsType[*provision.RefusedError](err); ok {
		return cannotApply(refused)
	}
	return err
}

// live opens the system, serves requests and runs its background jobs, until ctx is done or one
// of them fails. Until the system is open, the address says that it is starting.
func live(ctx context.Context, s streams, cfg runConfig, kind apps.Kind, config apps.Config, listener net.Listener, front *starting) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 1)
	server := httpserver.Server{Log: config.Log}
	go func() {
		defer cancel() // the system stops, too
		ended <- server.Serve(ctx, listener, front, func() error { return nil })
	}()
	err := openAndRun(ctx, cancel, s, cfg, kind, config, front)
	cancel()
	return errors.Join(err, <-ended)
}

// openAndRun opens the system and runs its background jobs.
func openAndRun(ctx context.Context, cancel context.CancelFunc, s streams, cfg runConfig, kind apps.Kind, config apps.Config, front *starting) error {
	system, err := kind.Open(ctx, config)
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		return nil // stopped before it was open
	}
	if err != nil {
		return endpointFailure(cfg.endpoint, settingFailure(cfg.dataFailure(kind, fmt.Errorf("open %s: %w", kind.Name, err))))
	}
	ended := make(chan error, 2)
	running := 1
	go func() {
		defer cancel() // stop serving if the background jobs fail
		ended <- system.Run(ctx)
	}()
	if demo, ok := system.(apps.Demo); ok && cfg.demo {
		running++
		go func() { ended <- demo.Play(ctx) }()
	}
	front.opened(system)
	if err = announceSystem(s.out, cfg, kind, pagesOf(kind, system), config.PublicURL); err != nil {
		err = fmt.Errorf("print the address: %w", err)
		cancel()
	}
	for range running {
		if workErr := <-ended; workErr != nil && !errors.Is(workErr, context.Canceled) {
			err = errors.Join(err, workErr)
		}
	}
	return err
}

// pagesOf returns the pages to show first.
func pagesOf(kind apps.Kind, system apps.System) []apps.Page {
	pages := slices.Clone(kind.Pages)
	if guide, ok := system.(apps.Guide); ok {
		pages = append(pages, guide.Pages()...)
	}
	return pages
}

// announceSystem prints that a system is ready, and its pages.
func announceSystem(w io.Writer, cfg runConfig, kind apps.Kind, pages []apps.Page, url string) error {
	if cfg.asJSON {
		return json.NewEncoder(w).Encode(struct {
			Event  string `json:"event"`
			System string `json:"system"`
			URL    string `json:"url"`
			Data   string `json:"data,omitempty"` // empty: in memory
		}{"listening", kind.Name, url, cmp.Or(cfg.data, cfg.endpoint)})
	}
	paint := painter(w)
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n\n", paint(bold, kind.Title+" is ready at"), paint(cyan, url))
	wide := 5
	for _, page := range pages {
		wide = max(wide, len(page.Path))
	}
	line := func(label, text string) {
		fmt.Fprintf(&b, "  %s %s\n", paint(dim, fmt.Sprintf("%-*s", wide, label)), text)
	}
	for _, page := range pages {
		line(page.Path, page.Text())
	}
	b.WriteString("\n")
	switch {
	case cfg.aws:
		line("data", "AWS")
	case cfg.endpoint != "":
		line("data", cfg.endpoint)
	case cfg.data != "":
		line("data", cfg.data)
	default:
		line("data", "in memory, lost when this process ends; use --data DIR to keep it")
	}
	if cfg.demo {
		line("demo", "the other people and programs are invented")
	}
	line("stop", "Ctrl+C")
	b.WriteString("\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// listSystems prints the available systems.
func listSystems(w io.Writer, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w).Encode(struct {
			Systems []systemJSON `json:"systems"`
		}{systemsJSON()})
	}
	paint := painter(w)
	var b strings.Builder
	for i, kind := range systems() {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "%s  %s\n", paint(bold, kind.Name), kind.Summary)
		fmt.Fprintf(&b, "  sortkey run %s --demo\n", kind.Name)
		wide := 0
		for _, setting := range kind.Settings {
			wide = max(wide, len(setting.Name))
		}
		if wide > 0 {
			b.WriteString("\n  Settings (environment variables):\n")
		}
		for _, setting := range kind.Settings {
			fmt.Fprintf(&b, "  %s  %s\n", paint(dim, fmt.Sprintf("%-*s", wide, setting.Name)), setting.Doc)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// systemJSON describes a system in JSON.
type systemJSON struct {
	Name     string        `json:"name"`
	Title    string        `json:"title"`
	Summary  string        `json:"summary"`
	Settings []settingJSON `json:"settings"`
}

type settingJSON struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
}

func systemsJSON() []systemJSON {
	all := []systemJSON{}
	for _, kind := range systems() {
		system := systemJSON{kind.Name, kind.Title, kind.Summary, []settingJSON{}}
		for _, setting := range kind.Settings {
			system.Settings = append(system.Settings, settingJSON(setting))
		}
		all = append(all, system)
	}
	return all
}
