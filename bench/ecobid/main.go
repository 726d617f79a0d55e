// Command ecobid measures EcoBid's searches around a point: it fills a city with items, searches over
// HTTP on this machine at every radius, and reports latency, queries and units of a search against
// what the design estimates and against a scan of the table.
//
// It is not a test: nothing fails because a machine is slow. Developers call it.
package main

import (
	"context"
	"errors"
	"io"

	"sortkey.dev/bench/internal/appbench"
)

func main() { appbench.Main("ecobid", start) }

// config holds the flags.
type config struct {
	appbench.Config
	items    int
	searches int
	atOnce   int
	seed     uint64
}

func parseFlags(args []string) (config, error) {
	var cfg config
	flags := cfg.Flags("ecobid")
	flags.IntVar(&cfg.items, "items", 100_000, "`NUMBER` of items in the city")
	flags.IntVar(&cfg.searches, "searches", 200, "`NUMBER` of searches of each kind")
	flags.IntVar(&cfg.atOnce, "at-once", 2, "`NUMBER` of searches at the same time")
	flags.Uint64Var(&cfg.seed, "seed", 1, "`SEED` of the places of items and searches")
	if err := appbench.Parse(flags, args); err != nil {
		return cfg, err
	}
	if cfg.items < 1 || cfg.searches < 1 || cfg.atOnce < 1 {
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
	defer func() { err = errors.Join(err, target.Close()) }()
	r := newResults(cfg)
	if err := r.measure(ctx, cfg, target); err != nil {
		return err
	}
	return cfg.Write(out, r.text(), r)
}
