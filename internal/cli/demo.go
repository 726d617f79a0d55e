package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path"
	"runtime/debug"
	"strings"
	"time"

	"sortkey.dev/apps"
	"sortkey.dev/apps/showcase"
	"sortkey.dev/design"
	"sortkey.dev/docs"
	"sortkey.dev/internal/evolve"
	"sortkey.dev/internal/httpserver"
)

func demoCommand() command {
	return command{
		name:    "demo",
		summary: "run all systems with simulated users, behind one front page",
		about: `One process runs all systems on one embedded DynamoDB, in memory or in the directory of --data.
The front page is at the address; each system is at a name below it, such as
http://ecobid.localhost:8080. Browsers look names below localhost up themselves; for other
programs every system also has a port of its own, which is printed.

"sortkey run" without a name lists the settings of the systems. One that cannot be used is like a
wrong flag: nothing is started, and the exit status is 2.

SIGINT (Ctrl+C) and SIGTERM stop it: requests in flight are finished and the data is closed.`,
		setup: func(flags *flag.FlagSet) action {
			cfg := runConfig{demo: true, logLevel: choice{value: "warn", allowed: []string{"debug", "info", "warn", "error"}}}
			flags.StringVar(&cfg.addr, "addr", "127.0.0.1:8080", "listen on `HOST:PORT`; port 0 takes a free one")
			flags.StringVar(&cfg.data, "data", "", "keep the data in `DIR`; without it, in memory")
			flags.BoolVar(&cfg.accept, "accept-shape", false, "accept tables whose items this version would write otherwise; see sortkey help apply")
			flags.StringVar(&cfg.publicURL, "public-url", "", "public `URL` of the front page, if it differs from the address; systems are at names below its host")
			flags.Var(&cfg.logLevel, "log-level", "log from this `LEVEL` up: debug, info, warn or error")
			flags.BoolVar(&cfg.asJSON, "json", false, "print the addresses as one JSON line, and log as JSON")
			return func(s streams, args []string) error {
				if len(args) > 0 {
					return misuse(fmt.Sprintf("demo runs all systems and takes no argument, got %q", args[0]), "For one system: sortkey run "+args[0]+" --demo")
				}
				if err := cfg.check("demo"); err != nil {
					return err
				}
				if err := notEmpty(flags, "demo", "data"); err != nil {
					return err
				}
				ctx, stop := untilSignal()
				defer stop()
				return runDemo(ctx, s, cfg)
			}
		},
	}
}

// demoMemory is the memory beyond which the garbage collector works harder: a visitor's machine has other
// things to do. The hash of a password takes much for a moment.
const demoMemory = 112 << 20

// runDemo serves all systems until ctx is done. The front page is there before the systems are open.
func runDemo(ctx context.Context, s streams, cfg runConfig) error {
	logger := serveConfig{logLevel: cfg.logLevel, asJSON: cfg.asJSON}.logger(s)
	doors, err := listenAll(ctx, cfg)
	if err != nil {
		return err
	}
	defer doors.close()
	front := strings.TrimRight(cmp.Or(cfg.publicURL, "http://"+named(doors.front.Addr())), "/")
	if err := checkDemoSettings(front); err != nil {
		return err
	}
	tell := newProgressLine(s.err)
	store, err := openStore(ctx, cfg, logger, tell)
	if err != nil {
		return err
	}
	keeper := evolve.New(cfg.keeping(store, logger, dataProgress{tell: tell, out: s.out, asJSON: cfg.asJSON}.tellProgress))
	all, err := showcase.New(showcase.Options{
		PublicURL: front, Secret: store.secret, Log: logger, Now: time.Now, Report: writeReport, Guide: readGuide,
		Config: func(subject showcase.Subject) apps.Config {
			config := apps.Config{
				AcceptShape: cfg.accept, Keeper: keeper, DynamoDB: store.dynamodb, Streams: store.streams, Secret: store.secret,
				LocalURL: doors.local(subject.Name), Setting: os.Getenv, Demo: true, Log: logger.With("system", subject.Name), Now: time.Now,
			}
			keepIn(cfg.data, subject.Name, &config)
			return config
		},
	})
	if err != nil {
		return errors.Join(err, store.close())
	}
	ctx, cancel := untilFailed(ctx, store.failed)
	defer cancel()
	go collectWithRoom(ctx, 0)
	debug.SetMemoryLimit(demoMemory)
	time.AfterFunc(10*time.Second, forgetStartup) // when the systems have started, too
	err = serveDemo(ctx, all, doors, logger, func() error { return announceDemo(s.out, cfg, front, doors) })
	err = errors.Join(cfg.dataFailure(apps.Kind{}, err), explainFailure(store.failed, store.close()))
	if err == nil && !cfg.asJSON {
		fmt.Fprintln(s.out, "sortkey has stopped.")
	}
	return err
}

// checkDemoSettings rejects settings that a system cannot use, before anything is opened.
func checkDemoSettings(front string) error {
	for _, kind := range systems() {
		at, err := showcase.URL(front, kind.Name)
		if err != nil {
			return err
		}
		if err := checkSettings(kind, apps.Config{PublicURL: at, Setting: os.Getenv, Demo: true}); err != nil {
			return err
		}
	}
	return nil
}

// serveDemo serves the front page and the systems at all addresses, and runs the systems, until ctx is
// done or one of these fails.
func serveDemo(ctx context.Context, all *showcase.Showcase, doors *demoDoors, logger *slog.Logger, ready func() error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	server := httpserver.Server{Log: logger}
	ended := make(chan error)
	running := 0
	start := func(work func() error) {
		running++
		go func() {
			defer cancel() // the others stop, too
			ended <- work()
		}()
	}
	start(func() error { return all.Run(ctx) })
	for _, door := range doors.systems {
		start(func() error {
			return server.Serve(ctx, door.listener, all.Handler(door.name), func() error { return nil })
		})
	}
	start(func() error { return server.Serve(ctx, doors.front, http.Handler(all), ready) })
	var failures []error
	for range running {
		failures = append(failures, <-ended)
	}
	return errors.Join(failures...)
}

// demoDoors holds the listeners of a demo: the front page's, and one for each system.
type demoDoors struct {
	front   net.Listener
	systems []demoDoor
}

// A demoDoor is the listener of one system, on this machine only.
type demoDoor struct {
	name     string
	listener net.Listener
}

// listenAll binds all addresses, so that a port in use does not cost the opening of a database.
func listenAll(ctx context.Context, cfg runConfig) (*demoDoors, error) {
	listen := &net.ListenConfig{}
	front, err := listen.Listen(ctx, "tcp", cfg.addr)
	if err != nil {
		return nil, listenFailure("demo", cfg.addr, err)
	}
	doors := &demoDoors{front: front}
	for _, kind := range systems() {
		own, err := listen.Listen(ctx, "tcp", "127.0.0.1:0")
		if err != nil {
			doors.close()
			return nil, listenFailure("demo", "127.0.0.1:0", err)
		}
		doors.systems = append(doors.systems, demoDoor{kind.Name, own})
	}
	return doors, nil
}

// close closes the listeners; closing one twice is harmless.
func (d *demoDoors) close() {
	d.front.Close()
	for _, door := range d.systems {
		door.listener.Close()
	}
}

// local returns the URL of a system by its own port.
func (d *demoDoors) local(system string) string {
	for _, door := range d.systems {
		if door.name == system {
			return "http://" + door.listener.Addr().String()
		}
	}
	return ""
}

// named returns an address with a host name, below which systems can have names of their own.
func named(addr net.Addr) string {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok || !tcp.IP.IsLoopback() && !tcp.IP.IsUnspecified() {
		return addr.String()
	}
	return fmt.Sprintf("localhost:%d", tcp.Port)
}

// writeReport writes the report of a design of this program.
func writeReport(w io.Writer, file string) error {
	d, err := design.OpenFS(apps.Designs, file)
	if err != nil {
		return err
	}
	return d.Report(w, design.ReportOptions{Format: "html"})
}

// readGuide returns the text of a guide of this program.
func readGuide(name string) ([]byte, error) {
	return fs.ReadFile(docs.Guides, path.Join("guide", name))
}

// announceDemo prints that the front page is ready, and where the systems are.
func announceDemo(w io.Writer, cfg runConfig, front string, doors *demoDoors) error {
	if cfg.asJSON {
		type system struct {
			Name  string `json:"name"`
			URL   string `json:"url"`
			Local string `json:"local"`
		}
		line := struct {
			Event   string   `json:"event"`
			URL     string   `json:"url"`
			Systems []system `json:"systems"`
			Data    string   `json:"data,omitempty"` // empty: in memory
		}{Event: "listening", URL: front, Data: cfg.data}
		for _, door := range doors.systems {
			at, err := showcase.URL(front, door.name)
			if err != nil {
				return err
			}
			line.Systems = append(line.Systems, system{door.name, at, doors.local(door.name)})
		}
		return json.NewEncoder(w).Encode(line)
	}
	paint := painter(w)
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n\n", paint(bold, "Four systems are ready at"), paint(cyan, front))
	for _, door := range doors.systems {
		at, err := showcase.URL(front, door.name)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "  %s %s %s\n", paint(dim, fmt.Sprintf("%-11s", door.name)), at, paint(dim, "or "+doors.local(door.name)))
	}
	fmt.Fprintf(&b, "\n  %s %s\n", paint(dim, "data       "), cmp.Or(cfg.data, "in memory, lost when this process ends; use --data DIR to keep it"))
	fmt.Fprintf(&b, "  %s the other people and programs are invented\n", paint(dim, "demo       "))
	fmt.Fprintf(&b, "  %s Ctrl+C\n\n", paint(dim, "stop       "))
	_, err := io.WriteString(w, b.String())
	return err
}
