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
		about: `  sortkey man | man -l -         show the page of sortkey
  sortkey man check | man -l -   show the page of a command
  sortkey man --dir man/man1     write all pages, for a package`,
		setup: func(flags *flag.FlagSet) action {
			dir := flags.String("dir", "", "write all pages into `DIR`, which is created")
			return func(s streams, args []string) error {
				switch {
				case *dir != "" && len(args) > 0:
					return misuse("man: --dir writes all pages, so a command makes no sense", "For example: sortkey man --dir man/man1")
				case *dir != "":
					return writeManuals(*dir)
				case len(args) == 0:
					_, err := io.WriteString(s.out, manualOfAll(thisBuild()))
					return err
				}
				cmd, err := find(args[0])
				if err != nil {
					return err
				}
				_, err = io.WriteString(s.out, manualOf(cmd, thisBuild()))
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
	made := thisBuild()
	pages := map[string]string{"sortkey.1": manualOfAll(made)}
	for _, c := range commands() {
		pages["sortkey-"+c.name+".1"] = manualOf(c, made)
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

// pageTitle returns the beginning of a page: its name, the date of the commit and the version of the build.
// Lines are not justified, and words such as DynamoDB are not broken.
func pageTitle(name string, b build) string {
	date, _, _ := strings.Cut(b.Time, "T")
	return fmt.Sprintf(".TH %s 1 \"%s\" \"sortkey %s\" \"User Commands\"\n.nh\n.ad l\n", roff(strings.ToUpper(name)), roff(date), roff(b.Version))
}

func manualOfAll(made build) string {
	var b strings.Builder
	b.WriteString(pageTitle("sortkey", made) + ".SH NAME\nsortkey \\- check, price, generate and run a DynamoDB design\n")
	b.WriteString(".SH SYNOPSIS\n.B sortkey\n.I COMMAND\n[flags]\n.SH COMMANDS\n")
	for _, c := range commands() {
		fmt.Fprintf(&b, ".TP\n.BR sortkey\\-%s (1)\n%s\n", roff(c.name), roff(c.summary))
	}
	b.WriteString(".SH EXIT STATUS\n.TP\n.B 0\nThe command succeeded.\n.TP\n.B 1\nThe command failed, or found errors.\n.TP\n.B 2\nThe command line, or an environment variable that sets something, is invalid; nothing was done.\n")
	return b.String()
}

func manualOf(c command, made build) string {
	flags := flag.NewFlagSet(c.name, flag.ContinueOnError)
	c.setup(flags)
	var options strings.Builder
	flags.VisitAll(func(f *flag.Flag) { options.WriteString(manualOfFlag(f)) })

	var b strings.Builder
	b.WriteString(pageTitle("sortkey-"+c.name, made))
	fmt.Fprintf(&b, ".SH NAME\nsortkey\\-%s \\- %s\n.SH SYNOPSIS\n.B sortkey %[1]s\n", roff(c.name), roff(c.summary))
	if options.Len() > 0 {
		b.WriteString("[flags]\n")
	}
	if c.args != "" {
		fmt.Fprintf(&b, "%s\n", roff(c.args))
	}
	b.WriteString(".SH DESCRIPTION\n")
	for _, part := range blocks(c.about) {
		switch part.kind {
		case gap:
			b.WriteString(".PP\n")
		case example:
			b.WriteString(".nf\n" + roff(part.text) + "\n.fi\n")
		default:
			b.WriteString(roff(part.text) + "\n")
		}
	}
	if options.Len() > 0 {
		b.WriteString(".SH OPTIONS\n" + options.String())
	}
	b.WriteString(".SH SEE ALSO\n.BR sortkey (1)\n")
	return b.String()
}

// manualOfFlag returns the paragraph of a flag. Its tag is one line, with the value.
func manualOfFlag(f *flag.Flag) string {
	value, text := flagUsage(f)
	tag := ".B \\-\\-" + roff(f.Name)
	if value != "" {
		tag = fmt.Sprintf(".BI \"\\-\\-%s \" %s", roff(f.Name), roff(value))
	}
	return ".TP\n" + tag + "\n" + roff(text) + "\n"
}
