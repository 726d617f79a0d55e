// Command exambuddy puts load on ExamBuddy: many candidates who sit an exam at once over HTTP on
// this machine. It reports how often and how fast each endpoint answered, beside a server that does
// nothing in the same run, and what each access pattern took against what the design estimates.
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
		fmt.Fprintln(os.Stderr, "exambuddy:", err)
		os.Exit(1)
	}
}

// config holds the flags.
type config struct {
	candidates int
	questions  int
	duration   time.Duration
	rounds     int
	url        string
	data       string
	jsonFile   string
}

func parseFlags(args []string) (config, error) {
	var cfg config
	flags := flag.NewFlagSet("exambuddy", flag.ContinueOnError)
	flags.IntVar(&cfg.candidates, "candidates", 100, "`NUMBER` of candidates who sit at the same time")
	flags.IntVar(&cfg.questions, "questions", 10, "`NUMBER` of questions of a session")
	flags.DurationVar(&cfg.duration, "duration", 10*time.Second, "put load on the system for this `TIME`")
	flags.IntVar(&cfg.rounds, "rounds", 5, "measure system and floor in turns, this many `TIMES`")
	flags.StringVar(&cfg.url, "url", "", "measure the system that runs at this `URL` of this machine, with --demo and EXAMBUDDY_TRUST_PROXY=1 (default: start one in this process)")
	flags.StringVar(&cfg.data, "data", "", "keep the data of the system in a new directory below `DIR` (default: one for temporary files)")
	flags.StringVar(&cfg.jsonFile, "json", "", "write all results to `FILE`")
	if err := flags.Parse(args); err != nil {
		return cfg, err
	}
	switch {
	case flags.NArg() > 0:
		return cfg, fmt.Errorf("there are no arguments, got %q", flags.Arg(0))
	case cfg.candidates < 1 || cfg.duration <= 0 || cfg.rounds < 1 || cfg.questions < 1 || cfg.questions > bankSize:
		return cfg, fmt.Errorf("--candidates, --duration and --rounds want more than nothing, and --questions 1 to %d", bankSize)
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
	r, err := measure(ctx, cfg, target)
	if err != nil {
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

// measure puts load on the system and on the floor in turns.
func measure(ctx context.Context, cfg config, target system) (*results, error) {
	r, record := newResults(cfg), newRecorder()
	load, err := prepare(ctx, cfg, target, record)
	if err != nil {
		return nil, err
	}
	floor, err := httpload.OpenFloor()
	if err != nil {
		return nil, err
	}
	defer floor.Close()
	for round := range cfg.rounds {
		fmt.Fprintf(os.Stderr, "round %d of %d\n", round+1, cfg.rounds)
		before := record.Requests()
		took, err := load.run(ctx, cfg.duration/time.Duration(cfg.rounds))
		if err != nil {
			return nil, err
		}
		r.Duration += took
		r.Rates = append(r.Rates, float64(record.Requests()-before)/took.Seconds())
		requests, took, err := floor.Run(ctx, record.Samples(), cfg.candidates, took/4)
		if err != nil {
			return nil, err
		}
		r.FloorRates = append(r.FloorRates, float64(requests)/took.Seconds())
	}
	r.finish(record, floor, target)
	return r, nil
}
