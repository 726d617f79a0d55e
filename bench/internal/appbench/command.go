// Package appbench has what the commands that measure a system share: flags, a system that is opened
// on a directory of its own and served on a free port, rounds in which the system and a server that
// does nothing take turns, and the report. It measures with httpload. It plays no load and knows no
// system; the commands beside it do, and call it.
package appbench

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
)

// Main runs a command with the arguments of the process. A signal to stop ends its context.
func Main(name string, start func(ctx context.Context, args []string, out io.Writer) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := start(ctx, os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, name+":", err)
		os.Exit(1)
	}
}

// Config holds the flags of every command.
type Config struct {
	Data string
	JSON string
}

// Flags returns a flag set with the flags of every command.
func (c *Config) Flags(name string) *flag.FlagSet {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.StringVar(&c.Data, "data", "", "keep the data of the system in a new directory below `DIR` (default: one for temporary files)")
	flags.StringVar(&c.JSON, "json", "", "write all results to `FILE`")
	return flags
}

// Parse parses flags. It refuses other arguments.
func Parse(flags *flag.FlagSet, args []string) error {
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("there are no arguments, got %q", flags.Arg(0))
	}
	return nil
}

// Write writes the text of the results to out, and the results to the file that --json names.
func (c *Config) Write(out io.Writer, text string, results any) error {
	if _, err := io.WriteString(out, text); err != nil {
		return err
	}
	if c.JSON == "" {
		return nil
	}
	all, err := json.MarshalIndent(results, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(c.JSON, append(all, '\n'), 0o644)
}

// LoadConfig holds the flags of a command that puts load on a system.
type LoadConfig struct {
	Config
	Duration time.Duration
	Rounds   int
	URL      string
}

// Flags returns a flag set with these flags. A system at --url has to run with what needs says.
func (c *LoadConfig) Flags(name, needs string) *flag.FlagSet {
	flags := c.Config.Flags(name)
	flags.DurationVar(&c.Duration, "duration", 10*time.Second, "put load on the system for this `TIME`")
	flags.IntVar(&c.Rounds, "rounds", 5, "measure system and floor in turns, this many `TIMES`")
	flags.StringVar(&c.URL, "url", "", "measure the system that runs at this `URL` of this machine, with "+needs+" (default: start one in this process)")
	return flags
}

// Target returns the system at --url, or else the one that open starts.
func (c *LoadConfig) Target(ctx context.Context, open func(ctx context.Context, below string) (*System, error)) (*System, error) {
	if c.URL != "" {
		return &System{URL: c.URL}, nil
	}
	return open(ctx, c.Data)
}
