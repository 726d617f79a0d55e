package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

func manCommand() command {
	return command{
		name:    "man",
		summary: "print a manual page, or write all of them",
		args:    "[COMMAND]",
		about: `sortkey man | man -l -            shows the page of sortkey
sortkey man check | man -l -      shows the page of a command
sortkey man --dir man/man1        writes all pages, for a package`,
		setup: func(flags *flag.FlagSet) action {
			dir := flags.String("dir", "", "write all pages into `DIR`, which is created")
			return func(s streams, args []string) error {
				switch {
				case *dir != "" && len(args) > 0:
					return misuse("man: --dir writes all pages, so a command makes no sense", "For example: sortkey man --dir man/man1")
				case *dir != "":
					return writeManuals(*dir)
				case len(args) == 0:
					_, err := io.WriteString(s.out, manualOfAll())
					return err
				}
				cmd, err := find(args[0])
				if err != nil {
					return err
				}
				_, err = io.WriteString(s.out, manualOf(cmd))
				return err
			}
		},
	}
}

// writeManuals writes all pages into a directory.
func writeManuals(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return advise(fmt.Errorf("create the directory of --dir: %w", err), "--dir must be a directory that can be created or written.")
	}
	pages := map[string]string{"sortkey.1": manualOfAll()}
	for _, c := range commands() {
		pages["sortkey-"+c.name+".1"] = manualOf(c)
	}
	var all []error
	for name, text := range pages {
		all = append(all, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	return errors.Join(all...)
}

// roffText escapes a text for roff.
var roffText = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n.", "\n\\&.", "\n'", "\n\\&'")

// roff returns a text as lines of a page.
func roff(text string) string {
	return strings.TrimPrefix(roffText.Replace("\n"+text), "\n")
}

func manualOfAll() string {
	var b strings.Builder
	b.WriteString(".TH SORTKEY 1\n.SH NAME\nsortkey \\- check, price, generate and run a DynamoDB design\n")
	b.WriteString(".SH SYNOPSIS\n.B sortkey\n.I COMMAND\n[flags]\n.SH COMMANDS\n")
	for _, c := range commands() {
		fmt.Fprintf(&b, ".TP\n.BR sortkey\\-%s (1)\n%s\n", roff(c.name), roff(c.summary))
	}
	b.WriteString(".SH EXIT STATUS\n.TP\n.B 0\nThe command succeeded.\n.TP\n.B 1\nThe command failed, or found errors.\n.TP\n.B 2\nThe command line, or an environment variable that sets something, is invalid; nothing was done.\n")
	return b.String()
}

func manualOf(c command) string {
	flags := flag.NewFlagSet(c.name, flag.ContinueOnError)
	c.setup(flags)
	var b strings.Builder
	fmt.Fprintf(&b, ".TH SORTKEY\\-%s 1\n.SH NAME\nsortkey\\-%s \\- %s\n", roff(strings.ToUpper(c.name)), roff(c.name), roff(c.summary))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B sortkey %s\n[flags]\n", roff(c.name))
	if c.args != "" {
		fmt.Fprintf(&b, "%s\n", roff(c.args))
	}
	fmt.Fprintf(&b, ".SH DESCRIPTION\n.nf\n%s\n.fi\n", roff(c.about))
	options := false
	flags.VisitAll(func(f *flag.Flag) {
		if !options {
			options = true
			b.WriteString(".SH OPTIONS\n")
		}
		value, text := flagUsage(f)
		fmt.Fprintf(&b, ".TP\n.B \\-\\-%s\n", roff(f.Name))
		if value != "" {
			b.WriteString(".I " + roff(value) + "\n.br\n")
		}
		b.WriteString(roff(text) + "\n")
	})
	b.WriteString(".SH SEE ALSO\n.BR sortkey (1)\n")
	return b.String()
}
