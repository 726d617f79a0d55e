// Command ecobid measures EcoBid's searches around a point: it fills a city with items, searches over
// HTTP on this machine at every radius, and reports latency, queries and units of a search against
// what the design estimates and against a scan of the table.
//
// It is not a test: nothing fails because a machine is slow. Developers call it.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := start(ctx, os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "ecobid:", err)
		os.Exit(1)
	}
}

// config holds the flags.
type config struct {
	items    int
	searches int
	atOnce   int
	seed     uint64
	data     string
	jsonFile string
}

func parseFlags(args []string) (config, error) {
	var cfg config
	flags := flag.NewFlagSet("ecobid", flag.ContinueOnError)
	flags.IntVar(&cfg.items, "items", 100_000, "`NUMBER` of items in the city")
	flags.IntVar(&cfg.searches, "searches", 200, "`NUMBER` of searches of each kind")
	flags.IntVar(&cfg.atOnce, "at-once", 2, "`NUMBER` of searches at the same time")
	flags.Uint64Var(&cfg.seed, "seed", 1, "`SEED` of the places of items and searches")
	flags.StringVar(&cfg.data, "data", "", "keep the data of the system in a new directory below `DIR` (default: one for temporary files)")
	flags.StringVar(&cfg.jsonFile, "json", "", "write all results to `FILE`")
	if err := flags.Parse(args); err != nil {
		return cfg, err
	}
	switch {
	case flags.NArg() > 0:
		return cfg, fmt.Errorf("there are no arguments, got %q", flags.Arg(0))
	case cfg.items < 1 || cfg.searches < 1 || cfg.atOnce < 1:
		return cfg, errors.New("--items, --searches and --at-once want more than nothing")
	}
	return cfg, nil
}

// start fills a city, measures and reports.
func start(ctx context.Context, args []string, out io.Writer) (err error) {
	cfg, err := parseFlags(args)
	if err != nil {
		return err
	}
	target, err := openSystem(ctx, cfg)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, target.close()) }()
	r := newResults(cfg)
	if err := r.measure(ctx, cfg, target); err != nil {
		return err
	}
	if _, err := io.WriteString(out, r.text()); err != nil {
		return err
	}
	if cfg.jsonFile == "" {
		return nil
	}
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(cfg.jsonFile, append(text, '\n'), 0o644)
}
