package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"syscall"
	"time"

	"sortkey.dev/internal/httpserver"
	"sortkey.dev/internal/lazyregexp"
)

func serveCommand() command {
	return command{
		name:    "serve",
		summary: "run a DynamoDB endpoint for any AWS SDK",
		about: `Without --data everything is kept in memory and lost when the process ends.
With --data one process at a time can use the directory. A write is on disk when it is acknowledged; with
--sync relaxed it is acknowledged before, and a crash can lose the last writes.
Requests are not authenticated: any credentials are accepted, so keep the address local.

SIGINT (Ctrl+C) and SIGTERM stop the server: requests in flight are finished, the data is
closed, and the exit code is 0. A second signal ends the process at once.`,
		setup: func(flags *flag.FlagSet) action {
			cfg := serveConfig{
				sync:     choice{value: "every-commit", allowed: []string{"every-commit", "relaxed"}},
				wording:  choice{value: "current", allowed: []string{"current", "older"}},
				logLevel: choice{value: "warn", allowed: []string{"debug", "info", "warn", "error"}},
			}
			flags.StringVar(&cfg.addr, "addr", "127.0.0.1:8000", "listen on `HOST:PORT`; port 0 takes a free one")
			flags.StringVar(&cfg.data, "data", "", "keep the data in `DIR`; without it, in memory")
			flags.Var(&cfg.sync, "sync", "when writes are acknowledged, the `POLICY`: every-commit or relaxed")
			flags.Var(&cfg.cache, "cache", "memory `SIZE` for data read from disk, such as 256MiB (default 32MiB)")
			flags.StringVar(&cfg.region, "region", "", "AWS `REGION` in ARNs (default us-east-1)")
			flags.StringVar(&cfg.account, "account", "", "AWS `ACCOUNT` in ARNs, 12 digits (default 123456789012)")
			flags.IntVar(&cfg.namespaces, "namespaces", 0, "keep tables apart by access key and region, for up to `N` pairs; 0 shares all tables")
			flags.StringVar(&cfg.allowOrigin, "allow-origin", "", "allow calls from web pages of this `ORIGIN`, or of all with *")
			flags.Var(&cfg.wording, "wording", "reject requests in this `WORDING` of AWS: current or older")
			flags.DurationVar(&cfg.expiryInterval, "expiry-interval", time.Second, "look for expired items every `TIME`, such as 500ms or 1m")
			flags.StringVar(&cfg.bulkDir, "bulk-dir", "", "the folders in `DIR` are the buckets of bulk operations")
			flags.StringVar(&cfg.kinesisDir, "kinesis-dir", "", "append the records of Kinesis destinations to files in `DIR`")
			flags.Var(&cfg.logLevel, "log-level", "log from this `LEVEL` up: debug, info, warn or error")
			flags.BoolVar(&cfg.asJSON, "json", false, "print the address as one JSON line, and log as JSON")
			return func(s streams, args []string) error {
				if err := noArguments("serve", args); err != nil {
					return err
				}
				if err := notEmpty(flags, "serve", "data"); err != nil {
					return err
				}
				if err := cfg.check(); err != nil {
					return err
				}
				ctx, stop := untilSignal()
				defer stop()
				open := openEngine
				if cfg.namespaces > 0 {
					open = openNamespaces
				}
				return serve(ctx, s, cfg, open)
			}
		},
	}
}

var (
	accountPattern = lazyregexp.New(`^[0-9]{12}$`)
	regionPattern  = lazyregexp.New(`^[a-zA-Z0-9-]{0,64}$`)
)

// maxNamespaces limits the number of databases, so that a typing error does not open too many.
const maxNamespaces = 1000

// serveConfig holds the flags of serve.
type serveConfig struct {
	addr, data      string
	region, account string
	allowOrigin     string
	bulkDir         string
	kinesisDir      string
	namespaces      int // their maximum number; 0: one database for all
	sync, logLevel  choice
	wording         choice
	cache           byteSize
	expiryInterval  time.Duration
	asJSON          bool
	readTimeout     time.Duration // for a client to send a request; 0: as httpserver has it
	grace           time.Duration // for requests in flight after the signal to stop; 0: as httpserver has it
}

// check rejects invalid flags before anything is opened.
func (c serveConfig) check() error {
	if err := checkAddr("serve", c.addr, "127.0.0.1:8000"); err != nil {
		return err
	}
	if c.expiryInterval <= 0 {
		return misuse(fmt.Sprintf("serve: --expiry-interval must be a duration above zero, got %s", c.expiryInterval),
			"For example --expiry-interval 500ms. To keep expired items, switch off the table's time to live.")
	}
	if c.namespaces < 0 || c.namespaces > maxNamespaces {
		return misuse(fmt.Sprintf("serve: --namespaces must be a number from 1 to %d, got %d", maxNamespaces, c.namespaces),
			"Each pair of access key and region takes memory and files of its own.")
	}
	if c.account != "" && !accountPattern.MatchString(c.account) {
		return misuse(fmt.Sprintf("serve: --account must be 12 digits, got %q", c.account),
			"For example --account 123456789012. It only appears in ARNs.")
	}
	if !regionPattern.MatchString(c.region) {
		return misuse(fmt.Sprintf("serve: --region must be letters, digits and hyphens, got %q", c.region),
			"For example --region eu-central-1. It appears in ARNs.")
	}
	return nil
}

// checkAddr rejects an --addr that no machine could listen on. A port may be a name, such as http.
func checkAddr(command, addr, example string) error {
	next := fmt.Sprintf("For example --addr %s, or --addr 127.0.0.1:0 for any free port.", example)
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return misuse(fmt.Sprintf("%s: --addr must be HOST:PORT, got %q", command, addr), next)
	}
	if _, err := net.LookupPort("tcp", port); err != nil {
		return misuse(fmt.Sprintf("%s: the port of --addr must be a number from 0 to 65535, got %q", command, port), next)
	}
	return nil
}

// logger returns a logger with the format and level of the flags.
func (c serveConfig) logger(s streams) *slog.Logger {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.logLevel.value)); err != nil {
		level = slog.LevelWarn // cannot happen: choice accepts only level names
	}
	opts := &slog.HandlerOptions{Level: level}
	if c.asJSON {
		return slog.New(slog.NewJSONHandler(s.err, opts))
	}
	return slog.New(slog.NewTextHandler(s.err, opts))
}

// database is the part of an open engine that serve uses.
type database interface {
	http.Handler
	Failed() <-chan struct{}
	Warnings() []string
	Close() error
}

// serve serves requests until ctx is done, then finishes those in flight and
// closes the database. It binds the address first, so that a port in use does not cost
// the recovery of a large directory.
func serve(ctx context.Context, s streams, cfg serveConfig, open func(serveConfig, *slog.Logger) (database, error)) error {
	logger := cfg.logger(s)
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", cfg.addr)
	if err != nil {
		return listenFailure("serve", cfg.addr, err)
	}
	defer listener.Close() // closing the listener twice is harmless
	db, err := open(cfg, logger)
	if err != nil {
		return err
	}
	ctx, cancel := untilFailed(ctx, db.Failed())
	defer cancel()
	go collectWithRoom(ctx, cfg.storeMemory())
	err = errors.Join(
		answer(ctx, s, cfg, listener, db, logger),
		explainFailure(db.Failed(), db.Close()),
	)
	if err == nil && !cfg.asJSON {
		fmt.Fprintln(s.out, "sortkey has stopped.")
	}
	return err
}

// answer serves the database on listener until ctx is done.
func answer(ctx context.Context, s streams, cfg serveConfig, listener net.Listener, db database, logger *slog.Logger) error {
	server := httpserver.Server{ReadTimeout: cfg.readTimeout, Grace: cfg.grace, Plain: true, Log: logger, Settle: func() { settle(cfg.storeMemory()) }}
	return server.Serve(ctx, listener, db, func() error {
		time.AfterFunc(time.Second, forgetStartup) // when the store has started, too
		return announce(s.out, cfg, listener.Addr())
	})
}

// listenFailure explains why the address of a command cannot be bound, and the next step.
func listenFailure(command, addr string, err error) error {
	host, port, _ := net.SplitHostPort(addr)
	another := fmt.Sprintf("Or take any free port: sortkey %s --addr %s", command, net.JoinHostPort(host, "0"))
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return advise(fmt.Errorf("another program already listens on %s", addr),
			fmt.Sprintf("See which one: lsof -nP -iTCP:%s -sTCP:LISTEN", port), another)
	case errors.Is(err, os.ErrPermission):
		return advise(fmt.Errorf("no permission to listen on %s", addr),
			"Ports below 1024 are for privileged programs.", another)
	}
	return advise(fmt.Errorf("cannot listen: %w", err),
		"--addr must name an address of this machine, such as 127.0.0.1:8000.")
}
