// Command homeops replays a year of a busy household in HomeOps: what five people write in their
// chat and ask the bot, through the webhook, with a clock that the program moves. It reports how
// fast messages are understood, how the heap and the data grow from month to month, and what each
// access pattern took against what the design estimates.
//
// It is not a test: nothing fails because a machine is slow. Developers call it.
package main

import (
	"context"
	"errors"
	"io"

	"sortkey.dev/bench/internal/appbench"
)

func main() { appbench.Main("homeops", start) }

// config holds the flags.
type config struct {
	appbench.Config
	messages int
	days     int
	seed     uint64
}

func parseFlags(args []string) (config, error) {
	var cfg config
	flags := cfg.Flags("homeops")
	flags.IntVar(&cfg.messages, "messages", 60_000, "`NUMBER` of messages")
	flags.IntVar(&cfg.days, "days", 365, "`NUMBER` of days in which they are written")
	flags.Uint64Var(&cfg.seed, "seed", 1, "random `SEED` of what is written, and when")
	if err := appbench.Parse(flags, args); err != nil {
		return cfg, err
	}
	if cfg.messages < 1 || cfg.days < 1 {
		return cfg, errors.New("--messages and --days want a number above 0")
	}
	return cfg, nil
}

// start replays the year and reports.
func start(ctx context.Context, args []string, out io.Writer) (err error) {
	cfg, err := parseFlags(args)
	if err != nil {
		return err
	}
	s, err := openSystem(ctx, cfg.Data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.store.Close()) }()
	r := newResults(cfg)
	if err := newYear(cfg, s, r).replay(ctx); err != nil {
		return err
	}
	r.finish(s.store.Meter)
	return cfg.Write(out, r.text(), r)
}
