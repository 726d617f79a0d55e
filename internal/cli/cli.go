// Package cli implements the sortkey command line: it turns arguments into one command,
// runs it and turns its error into a message and an exit code. It is the only place
// that wires the houses of this module together, and it holds no database logic.
// cmd/sortkey calls Run; so do its tests, without a process.
//
// Each command is one file named like the command, and one line in commands.
package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"sortkey.dev/design"
)

// Exit codes of Run.
const (
	exitOK      = 0
	exitFailure = 1 // the command failed
	exitUsage   = 2 // the command line or a setting is invalid; nothing was done
)

// streams holds the standard streams of a command.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// A command is one verb of the program.
type command struct {
	name    string
	summary string // one line without a full stop, for the list of commands
	args    string // the arguments after the flags, for the usage line; may be empty
	about   string // paragraphs for "help NAME"; indented lines are examples

	// setup declares the flags and returns the action to run once they are parsed.
	setup func(flags *flag.FlagSet) action
}

// An action runs a command with the arguments after its flags.
type action func(s streams, args []string) error

// commands returns every command, sorted by name.
func commands() []command {
	return []command{
		applyCommand(),
		checkCommand(),
		compareCommand(),
		completionCommand(),
		costCommand(),
		demoCommand(),
		diffCommand(),
		driftCommand(),
		explainCommand(),
		fmtCommand(),
		generateCommand(),
		healthCommand(),
		helpCommand(),
		iamCommand(),
		infraCommand(),
		initCommand(),
		manCommand(),
		mcpCommand(),
		migrateCommand(),
		planCommand(),
		reportCommand(),
		runCommand(),
		schemaCommand(),
		serveCommand(),
		verifyCommand(),
		versionCommand(),
	}
}

// Run runs the command line args (without the program's name) and returns the exit code:
// 0 for success, 1 for a failure, 2 for an invalid command line or setting. Results go to stdout;
// errors, warnings and logs go to stderr. With --json, an error is also written to stdout.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	asJSON, err := dispatch(streams{in: stdin, out: stdout, err: stderr}, args)
	if err == nil {
		return exitOK
	}
	if !errors.Is(err, errPrinted) {
		printError(stderr, err)
		if _, reported := errors.AsType[*reportedError](err); asJSON && !reported {
			printFailure(stdout, err)
		}
	}
	if p, ok := errors.AsType[*problem](err); ok && p.usage {
		return exitUsage
	}
	if _, ok := errors.AsType[*design.OptionError](err); ok {
		return exitUsage
	}
	return exitFailure
}

// dispatch finds the command that args name, parses its flags and runs it. It also
// reports whether the command was run with --json.
func dispatch(s streams, args []string) (asJSON bool, err error) {
	if len(args) == 0 {
		if err := overview(s.err); err != nil {
			return false, err
		}
		return false, misuse("no command given", `Start with "sortkey init" or "sortkey serve".`)
	}
	name, rest := args[0], args[1:]
	switch name { // what people try before they know the commands
	case "-h", "-help", "--help":
		name = "help"
	case "-version", "--version":
		name = "version"
	}
	cmd, err := find(name)
	if err != nil {
		return false, err
	}
	flags := flag.NewFlagSet(cmd.name, flag.ContinueOnError)
	flags.SetOutput(io.Discard) // the flag package's messages are long and suggest no next step
	run := cmd.setup(flags)
	operands, err := parse(flags, rest)
	asJSON = wantsJSON(flags, rest)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return false, describe(s.out, cmd)
	case err != nil:
		return asJSON, badFlag(cmd.name, flags, rest, err)
	default:
		return asJSON, run(s, operands)
	}
}

// wantsJSON reports whether a command has a flag --json and it was set, even after an invalid
// flag.
func wantsJSON(flags *flag.FlagSet, args []string) bool {
	declared := flags.Lookup("json")
	if declared == nil {
		return false
	}
	if i := slices.Index(args, "--"); i >= 0 {
		args = args[:i]
	}
	return declared.Value.String() == "true" || slices.Contains(args, "--json") || slices.Contains(args, "-json")
}

// parse parses flags before or after the operands; after -- there
// are operands only.
func parse(flags *flag.FlagSet, args []string) (operands []string, err error) {
	var after []string
	if i := slices.Index(args, "--"); i >= 0 {
		args, after = args[:i], args[i+1:]
	}
	for {
		if err := flags.Parse(args); err != nil {
			return nil, err
		}
		if flags.NArg() == 0 {
			return append(operands, after...), nil
		}
		operands = append(operands, flags.Arg(0))
		args = flags.Args()[1:]
	}
}

// find returns the command with a name, or an error that suggests the nearest name.
func find(name string) (command, error) {
	all := commands()
	i := slices.IndexFunc(all, func(c command) bool { return c.name == name })
	if i >= 0 {
		return all[i], nil
	}
	names := make([]string, len(all))
	for i, c := range all {
		names[i] = c.name
	}
	next := []string{helpHint}
	if near, ok := design.Nearest(name, names); ok {
		next = []string{fmt.Sprintf("Did you mean %q?", near), helpHint}
	}
	return command{}, misuse(fmt.Sprintf("unknown command %q", name), next...)
}

// noArguments rejects arguments that a command would otherwise ignore.
func noArguments(name string, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return misuse(fmt.Sprintf("%s takes no arguments, got %q", name, args[0]),
		fmt.Sprintf("Flags start with two dashes. Run %q to see them.", "sortkey help "+name))
}

// untilSignal returns a context that ends with SIGINT or SIGTERM. A second signal ends the process
// immediately.
func untilSignal() (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}
