// Command askahuman puts load on Ask-a-Human: agents that ask and poll, people who read the
// feed, answer and look at the leaderboard, all over HTTP on this machine. It reports how often
// and how fast each endpoint answered, beside a server that does nothing in the same run, and
// what each access pattern took against what the design estimates.
//
// It is not a test: nothing fails because a machine is slow. Developers call it.
package main

import (
	"context"
	"errors"
	"io"
	"time"

	"sortkey.dev/bench/internal/appbench"
	"sortkey.dev/bench/internal/httpload"
)

func main() { appbench.Main("askahuman", start) }

// config holds the flags.
type config struct {
	appbench.LoadConfig
	agents, people int
	requests       int
}

func parseFlags(args []string) (config, error) {
	var cfg config
	flags := cfg.Flags("askahuman", "ASK_A_HUMAN_TRUST_PROXY=1")
	flags.IntVar(&cfg.agents, "agents", 8, "`NUMBER` of agents that ask and poll at the same time")
	flags.IntVar(&cfg.people, "people", 8, "`NUMBER` of people who read and answer at the same time")
	flags.IntVar(&cfg.requests, "requests", 200_000, "send at most this `NUMBER` of requests to the system")
	if err := appbench.Parse(flags, args); err != nil {
		return cfg, err
	}
	if cfg.agents < 1 || cfg.people < 1 || cfg.Duration <= 0 || cfg.Rounds < 1 || cfg.requests < cfg.Rounds {
		return cfg, errors.New("--agents, --people, --duration and --rounds want more than nothing, and --requests one for each round")
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
	results, err := measure(ctx, cfg, target)
	if err != nil {
		return err
	}
	return cfg.Write(out, results.text(), results)
}

// measure puts load on the system and on the floor in turns.
func measure(ctx context.Context, cfg config, target *appbench.System) (*results, error) {
	r := newResults(cfg)
	load := &load{url: target.URL, recorder: httpload.NewRecorder(), agents: cfg.agents, people: cfg.people}
	err := r.Measure(ctx, cfg.LoadConfig, target, &load.recorder.Record, cfg.agents+cfg.people, func(ctx context.Context, d time.Duration) (time.Duration, error) {
		load.left.Store(int64(cfg.requests / cfg.Rounds))
		return load.run(ctx, d)
	})
	if err != nil {
		return nil, err
	}
	r.finish(cfg)
	return r, nil
}
