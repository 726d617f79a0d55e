// Command exambuddy puts load on ExamBuddy: many candidates who sit an exam at once over HTTP on
// this machine. It reports how often and how fast each endpoint answered, beside a server that does
// nothing in the same run, and what each access pattern took against what the design estimates.
//
// It is not a test: nothing fails because a machine is slow. Developers call it.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"sortkey.dev/bench/internal/appbench"
	"sortkey.dev/bench/internal/httpload"
)

func main() { appbench.Main("exambuddy", start) }

// config holds the flags.
type config struct {
	appbench.LoadConfig
	candidates int
	questions  int
}

func parseFlags(args []string) (config, error) {
	var cfg config
	flags := cfg.Flags("exambuddy", "--demo and EXAMBUDDY_TRUST_PROXY=1")
	flags.IntVar(&cfg.candidates, "candidates", 100, "`NUMBER` of candidates who sit at the same time")
	flags.IntVar(&cfg.questions, "questions", 10, "`NUMBER` of questions of a session")
	if err := appbench.Parse(flags, args); err != nil {
		return cfg, err
	}
	if cfg.candidates < 1 || cfg.Duration <= 0 || cfg.Rounds < 1 || cfg.questions < 1 || cfg.questions > bankSize {
		return cfg, fmt.Errorf("--candidates, --duration and --rounds want more than nothing, and --questions 1 to %d", bankSize)
	}
	return cfg, httpload.CheckLocal(cfg.URL)
}

// start measures and reports.
func start(ctx context.Context, args []string, out io.Writer) (err error) {
	cfg, err := parseFlags(args)
	if err != nil {
		return err
	}
	target, err := cfg.Target(ctx, openSystem)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	r, err := measure(ctx, cfg, target)
	if err != nil {
		return err
	}
	return cfg.Write(out, r.text(), r)
}

// measure puts load on the system and on the floor in turns.
func measure(ctx context.Context, cfg config, target *appbench.System) (*results, error) {
	r, record := newResults(cfg), httpload.NewRecorder()
	load, err := prepare(ctx, cfg, target, record)
	if err != nil {
		return nil, err
	}
	if err := r.Measure(ctx, cfg.LoadConfig, target, &record.Record, cfg.candidates, load.run); err != nil {
		return nil, err
	}
	r.finish()
	return r, nil
}
