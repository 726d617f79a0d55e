package cli

import (
	"flag"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

func helpCommand() command {
	return command{
		name:    "help",
		summary: "show help for sortkey or a command",
		args:    "[COMMAND]",
		about:   `"sortkey help serve" and "sortkey serve -h" say the same.`,
		setup: func(*flag.FlagSet) action {
			return func(s streams, args []string) error {
				if len(args) == 0 {
					return overview(s.out)
				}
				cmd, err := find(args[0])
				if err != nil {
					return err
				}
				return describe(s.out, cmd)
			}
		},
	}
}

// overview prints what sortkey is and the summary of every command.
func overview(w io.Writer) error {
	var b strings.Builder
	b.WriteString("sortkey checks, prices, generates and runs a DynamoDB design, and is an embedded DynamoDB itself.\n\n")
	b.WriteString("Usage:\n  sortkey COMMAND [flags]\n\nCommands:\n")
	table := tabwriter.NewWriter(&b, 0, 0, 3, ' ', 0)
	for _, c := range commands() {
		fmt.Fprintf(table, "  %s\t%s\n", c.name, c.summary)
	}
	table.Flush()
	b.WriteString("\nStart here:\n  sortkey demo                   four systems with simulated users, in the browser\n")
	b.WriteString("  sortkey init                   a small design to start from\n")
	b.WriteString("  sortkey check shop.design.yaml\n")
	b.WriteString("  sortkey serve                  a DynamoDB at http://127.0.0.1:8000, in memory\n")
	b.WriteString("  sortkey serve --data ./data    the same, kept in a directory\n")
	b.WriteString("\nRun \"sortkey help COMMAND\" for the flags of a command.\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// describe prints the help of one command.
func describe(w io.Writer, cmd command) error {
	flags := flag.NewFlagSet(cmd.name, flag.ContinueOnError)
	cmd.setup(flags)
	declared := false
	flags.VisitAll(func(*flag.Flag) { declared = true })

	usage := "sortkey " + cmd.name
	if declared {
		usage += " [flags]"
	}
	if cmd.args != "" {
		usage += " " + cmd.args
	}
	var b strings.Builder
	fmt.Fprintf(&b, "sortkey %s: %s\n\nUsage:\n  %s\n", cmd.name, cmd.summary, usage)
	if declared {
		b.WriteString("\nFlags:\n")
		table := tabwriter.NewWriter(&b, 0, 0, 3, ' ', 0)
		flags.VisitAll(func(f *flag.Flag) { describeFlag(table, f) })
		table.Flush()
	}
	fmt.Fprintf(&b, "\n%s\n", cmd.about)
	_, err := io.WriteString(w, b.String())
	return err
}

// flagUsage returns the name of a flag's value, which may be "", and what the flag does, with its default
// unless it is empty.
func flagUsage(f *flag.Flag) (value, text string) {
	value, text = flag.UnquoteUsage(f)
	if f.DefValue != "" && f.DefValue != "false" {
		text += " (default " + f.DefValue + ")"
	}
	return value, text
}

// describeFlag prints one line of the flag table.
func describeFlag(w io.Writer, f *flag.Flag) {
	value, text := flagUsage(f)
	if value != "" {
		value = " " + value
	}
	fmt.Fprintf(w, "  --%s%s\t%s\n", f.Name, value, text)
}
