// Command askahuman puts load on Ask-a-Human: agents that ask and poll, people who read the
// feed, answer and look at the leaderboard, all over HTTP on this machine. It reports how often
// and how fast each endpoint answered, beside a server that does nothing in the same run, and
// what each access pattern took against what the design estimates.
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
	"time"

	"sortkey.dev/bench/internal/httpload"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := start(ctx, os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "askahuman:", err)
		os.Exit(1)
	}
}

// config holds the flags.
type config struct {
	agents, people int
	duration       time.Duration
	rounds         int
	requests       int
	url            string
	data           string
	jsonFile       string
}

func parseFlags(args []string) (config, error) {
	var cfg config
	flags := flag.NewFlagSet("askahuman", flag.ContinueOnError)
	flags.IntVar(&cfg.agents, "agents", 8, "`NUMBER` of agents that ask and poll at the same time")
	flags.IntVar(&cfg.people, "people", 8, "`NUMBER` of people who read and answer at the same time")
	flags.DurationVar(&cfg.duration, "duration", 10*time.Second, "put load on the system for this `TIME`")
	flags.IntVar(&cfg.rounds, "rounds", 5, "measure system and floor in turns, this many `TIMES`")
	flags.IntVar(&cfg.requests, "requests", 200_000, "send at most this `NUMBER` of requests to the system")
	flags.StringVar(&cfg.url, "url", "", "measure the system that runs at this `URL` of this machine, with ASK_A_HUMAN_TRUST_PROXY=1 (default: start one in this process)")
	flags.StringVar(&cfg.data, "data", "", "keep the data of the system in a new directory below `DIR` (default: one for temporary files)")
	flags.StringVar(&cfg.jsonFile, "json", "", "write all results to `FILE`")
	if err := flags.Parse(args); err != nil {
		return cfg, err
	}
	switch {
	case flags.NArg() > 0:
		return cfg, fmt.Errorf("there are no arguments, got %q", flags.Arg(0))
	case cfg.agents < 1 || cfg.people < 1 || cfg.duration <= 0 || cfg.rounds < 1 || cfg.requests < cfg.rounds:
		return cfg, errors.New("--agents, --people, --duration and --rounds want more than nothing, and --requests one for each round")
	}
	return cfg, httpload.CheckLocal(cfg.url)
}

// start measures and reports.
func start(ctx context.Context, args []string, out io.Writer) (err error) {
	cfg, err := parseFlags(args)
	if err != nil {
		return err
	}
	target := system{url: cfg.url}
	if cfg.url == "" {
		if target, err = openSystem(ctx, cfg.data); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, target.close()) }()
	}
	results, err := measure(ctx, cfg, target)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(out, results.text()); err != nil {
		return err
	}
	if cfg.jsonFile == "" {
		return nil
	}
	text, err := json.MarshalIndent(results, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(cfg.jsonFile, append(text, '\n'), 0o644)
}

// measure puts load on the system and on the floor in turns.
func measure(ctx context.Context, cfg config, target system) (*results, error) {
	r := newResults(cfg)
	ours := newRecorder(target.url)
	floor, err := httpload.OpenFloor()
	if err != nil {
		return nil, err
	}
	defer floor.Close()
	load := &load{recorder: ours, agents: cfg.agents, people: cfg.people}
	slice := cfg.duration / time.Duration(cfg.rounds)
	for round := range cfg.rounds {
		fmt.Fprintf(os.Stderr, "round %d of %d\n", round+1, cfg.rounds)
		ours.allow(cfg.requests / cfg.rounds)
		before := ours.Requests()
		took, err := load.run(ctx, slice)
		if err != nil {
			return nil, err
		}
		r.addRate(&r.Rates, ours.Requests()-before, took)
		requests, took, err := floor.Run(ctx, ours.Samples(), cfg.agents+cfg.people, took/4)
		if err != nil {
			return nil, err
		}
		r.addRate(&r.FloorRates, requests, took)
	}
	r.finish(ours, floor, target)
	return r, nil
}
