// Command bench measures the engine, in process and over HTTP, beside what it
// stands on (raw Pebble, an HTTP server that does nothing) and beside other
// engines that run already, all in one run on one machine, and prints ratios with
// the targets they have to reach: requests of all kinds, the consumption of a
// stream, the building of an index, the cost of large tables, the start of the
// server. README.md says how to read them.
//
// It is not a test: nothing fails because a machine is slow. Developers call it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime/pprof"
	"strconv"
	"strings"
	"syscall"
	"time"

	"sortkey.dev/bench/internal/httpload"
)

func main() {
	if err := start(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// start runs the command, or one of the servers that the command starts by
// calling itself.
func start(args []string) error {
	if len(args) > 0 {
		switch args[0] {
		case noopCommand:
			return serveNoop()
		case profiledCommand:
			return serveProfiled(args[1:])
		}
	}
	cfg, err := parseFlags(args)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // the second signal ends the program at once
	return run(ctx, cfg)
}

// config holds the flags.
type config struct {
	schedule
	callers       []int
	items         int
	readItems     int
	records       int
	backfillItems int
	sizes         []int
	memoryItems   int
	idle          time.Duration
	projection    string
	dir           string
	server        string
	peers         peerList
	only          *regexp.Regexp
	jsonFile      string
	profiles      string
}

func parseFlags(args []string) (config, error) {
	var cfg config
	var callers, sizes, only string
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.IntVar(&cfg.rounds, "rounds", 5, "measure every system this many `TIMES` in each row")
	flags.DurationVar(&cfg.slice, "slice", 400*time.Millisecond, "measure for this `TIME` in each round")
	flags.StringVar(&callers, "callers", "1,16,64", "measure with these `NUMBERS` of callers")
	flags.IntVar(&cfg.items, "items", 10000, "`NUMBER` of 1 KB items in a table")
	flags.IntVar(&cfg.readItems, "read-items", 100000, "`NUMBER` of 1 KB items in a table that is only read, in process")
	flags.IntVar(&cfg.records, "stream-records", 100000, "`NUMBER` of records in a stream that is consumed")
	flags.IntVar(&cfg.backfillItems, "backfill-items", 200000, "`NUMBER` of 1 KB items in a table that gets an index")
	flags.StringVar(&sizes, "sizes", "10000,100000,1000000,5000000", "with --only flat: compare tables of these `NUMBERS` of small items")
	flags.IntVar(&cfg.memoryItems, "memory-items", memoryItems, "with --only memory: `NUMBER` of 1 KB items in a table, with as many requests")
	flags.DurationVar(&cfg.idle, "idle", 30*time.Second, "with --only memory: read the memory again after this `TIME`")
	flags.StringVar(&cfg.projection, "projection", "KEYS_ONLY", "`TYPE` of the indexes' projection: KEYS_ONLY or ALL")
	flags.StringVar(&cfg.dir, "dir", "", "keep data in a new directory below `DIR`, which must be on a disk (default: one for temporary files)")
	flags.StringVar(&cfg.server, "server", "", "the sortkey `PROGRAM` to measure (default: build it)")
	flags.Var(&cfg.peers, "peer", "also measure the engine at `NAME=URL`; can be given more than once")
	flags.StringVar(&only, "only", "", "only rows that match `REGEXP`, such as 'http/put' or '^process/get/16$'")
	flags.StringVar(&cfg.jsonFile, "json", "", "write all results to `FILE`")
	flags.StringVar(&cfg.profiles, "profiles", "", "write profiles of time and memory into `DIR`; the server then runs inside a copy of this program")
	if err := flags.Parse(args); err != nil {
		return cfg, err
	}
	if flags.NArg() > 0 {
		return cfg, fmt.Errorf("unexpected argument %q; see bench -h", flags.Arg(0))
	}
	var err error
	if cfg.only, err = regexp.Compile(only); err != nil {
		return cfg, fmt.Errorf("--only: %w", err)
	}
	if cfg.callers, err = numbers(callers); err != nil {
		return cfg, fmt.Errorf("--callers: %w", err)
	}
	if cfg.sizes, err = numbers(sizes); err != nil {
		return cfg, fmt.Errorf("--sizes: %w", err)
	}
	return cfg, cfg.check()
}

// check refuses what cannot be measured.
func (c *config) check() error {
	if c.rounds < 1 || c.slice <= 0 {
		return errors.New("--rounds and --slice must be positive")
	}
	if c.projection != "KEYS_ONLY" && c.projection != "ALL" {
		return fmt.Errorf("--projection is KEYS_ONLY or ALL, not %q", c.projection)
	}
	for _, n := range append(c.sizes, c.items, c.readItems, c.records, c.backfillItems, c.memoryItems) {
		if n < pageItems || n%pageItems != 0 {
			return fmt.Errorf("a table cannot have %d items; the number must be a multiple of %d", n, pageItems)
		}
	}
	return nil
}

// numbers reads a list like 1,16,64.
func numbers(list string) ([]int, error) {
	var all []int
	for text := range strings.SplitSeq(list, ",") {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%q is not a positive number", text)
		}
		all = append(all, n)
	}
	return all, nil
}

// run measures and reports. What was measured is reported even if something
// failed later.
func run(ctx context.Context, cfg config) (err error) {
	dir, err := makeDirectory(cfg.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if cfg.profiles != "" {
		stop, profileErr := profileTo(filepath.Join(cfg.profiles, "bench"))
		if profileErr != nil {
			return profileErr
		}
		defer func() { err = errors.Join(err, stop()) }()
	}
	b := &bench{config: cfg, dir: dir, prefix: fmt.Sprintf("bench-%d", time.Now().UnixNano())}
	b.results = results{Started: time.Now().UTC().Truncate(time.Second), Machine: thisMachine(), Method: method{
		Rounds: cfg.rounds, Slice: cfg.slice, Items: cfg.items, ReadItems: cfg.readItems,
		StreamRecords: cfg.records, BackfillItems: cfg.backfillItems, Projection: cfg.projection, Directory: filepath.Dir(dir),
	}}
	runErr := b.run(ctx)
	b.results.Machine.LoadAfter = httpload.LoadAverage()
	if cfg.jsonFile != "" {
		runErr = errors.Join(runErr, b.results.writeJSON(cfg.jsonFile))
	}
	_, err = os.Stdout.WriteString(b.results.report())
	return errors.Join(runErr, err)
}

// makeDirectory makes a directory for the data. Durable writes mean nothing in
// memory, so a place that looks like a disk is taken if the user names none.
func makeDirectory(parent string) (string, error) {
	if parent == "" {
		for _, place := range []string{os.TempDir(), "/var/tmp", "."} {
			if !inMemory(place) {
				parent = place
				break
			}
		}
	} else if inMemory(parent) {
		return "", fmt.Errorf("--dir %s is in memory, where a sync costs nothing; name a directory on a disk", parent)
	}
	parent, err := filepath.Abs(parent)
	if err != nil {
		return "", err
	}
	return os.MkdirTemp(parent, "sortkey-bench-")
}

// profileTo writes a CPU profile of this process until stop is called, and then
// one of what it has allocated, to NAME.cpu.pprof and NAME.allocs.pprof.
func profileTo(name string) (stop func() error, err error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return nil, err
	}
	cpu, err := os.Create(name + ".cpu.pprof")
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(cpu); err != nil {
		return nil, errors.Join(err, cpu.Close())
	}
	return func() error {
		pprof.StopCPUProfile()
		allocs, err := os.Create(name + ".allocs.pprof")
		if err != nil {
			return errors.Join(err, cpu.Close())
		}
		return errors.Join(cpu.Close(), pprof.Lookup("allocs").WriteTo(allocs, 0), allocs.Close())
	}, nil
}
