// Command homeops replays a year of a busy household in HomeOps: what five people write in their
// chat and ask the bot, through the webhook, with a clock that the program moves. It reports how
// fast messages are understood, how the heap and the data grow from month to month, and what each
// access pattern took against what the design estimates.
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
		fmt.Fprintln(os.Stderr, "homeops:", err)
		os.Exit(1)
	}
}

// config holds the flags.
type config struct {
	messages int
	days     int
	seed     uint64
	data     string
	jsonFile string
}

func parseFlags(args []string) (config, error) {
	var cfg config
	flags := flag.NewFlagSet("homeops", flag.ContinueOnError)
	flags.IntVar(&cfg.messages, "messages", 60_000, "`NUMBER` of messages")
	flags.IntVar(&cfg.days, "days", 365, "`NUMBER` of days in which they are written")
	flags.Uint64Var(&cfg.seed, "seed", 1, "random `SEED` of what is written, and when")
	flags.StringVar(&cfg.data, "data", "", "keep the data of the system in a new directory below `DIR` (default: one for temporary files)")
	flags.StringVar(&cfg.jsonFile, "json", "", "write all results to `FILE`")
	if err := flags.Parse(args); err != nil {
		return cfg, err
	}
	switch {
	case flags.NArg() > 0:
		return cfg, fmt.Errorf("there are no arguments, got %q", flags.Arg(0))
	case cfg.messages < 1 || cfg.days < 1:
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
	s, err := openSystem(ctx, cfg.data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	r := newResults(cfg)
	if err := newYear(cfg, s, r).replay(ctx); err != nil {
		return err
	}
	r.finish(s.meter)
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
