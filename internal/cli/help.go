package cli

import (
	"flag"
	"fmt"
	"io"
	"strings"
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
	b.WriteString(fill("sortkey checks, prices, generates and runs a DynamoDB design, and is an embedded DynamoDB itself.", 0) + "\n\n")
	b.WriteString("Usage:\n  sortkey COMMAND [flags]\n\nCommands:\n")
	var rows []definition
	for _, c := range commands() {
		rows = append(rows, definition{c.name, c.summary})
	}
	writeDefinitions(&b, rows)
	b.WriteString("\nStart here:\n  sortkey demo                   four systems, with simulated users\n")
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
	var rows []definition
	flags.VisitAll(func(f *flag.Flag) {
		value, text := flagUsage(f)
		rows = append(rows, definition{strings.TrimRight("--"+f.Name+" "+value, " "), text})
	})

	usage := "sortkey " + cmd.name
	if len(rows) > 0 {
		usage += " [flags]"
	}
	if cmd.args != "" {
		usage += " " + cmd.args
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nUsage:\n  %s\n", fill("sortkey "+cmd.name+": "+cmd.summary, 0), usage)
	if len(rows) > 0 {
		b.WriteString("\nFlags:\n")
		writeDefinitions(&b, rows)
	}
	fmt.Fprintf(&b, "\n%s\n", fillAll(cmd.about))
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
