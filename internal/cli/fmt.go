package cli

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"

	"sortkey.dev/design"
)

func fmtCommand() command {
	return command{
		name:    "fmt",
		summary: "lay out design files the one way",
		args:    "FILE...",
		about: `Rewrites the files in place and names those it changed. Comments and the order of keys stay as they are.
With - as the only FILE it reads standard input and writes standard output.`,
		setup: func(flags *flag.FlagSet) action {
			check := flags.Bool("check", false, "change nothing; exit 1 and name the files that would change")
			return func(s streams, args []string) error {
				switch {
				case len(args) == 0:
					return misuse("fmt needs a design file", "For example: sortkey fmt shop.design.yaml")
				case len(args) == 1 && args[0] == "-":
					return formatStream(s)
				}
				return formatFiles(s, args, *check)
			}
		},
	}
}

func formatStream(s streams) error {
	text, err := io.ReadAll(s.in)
	if err != nil {
		return fmt.Errorf("cannot read standard input: %w", err)
	}
	formatted, err := design.Format("<stdin>", text)
	if err != nil {
		return usable(s, err)
	}
	_, err = s.out.Write(formatted)
	return err
}

func formatFiles(s streams, paths []string, check bool) error {
	changed := false
	for _, path := range paths {
		text, err := os.ReadFile(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("%s does not exist", path)
		case err != nil:
			return fmt.Errorf("cannot read the design: %w", err)
		}
		formatted, err := design.Format(path, text)
		if err != nil {
			return usable(s, err)
		}
		if bytes.Equal(text, formatted) {
			continue
		}
		changed = true
		fmt.Fprintln(s.out, path)
		if check {
			continue
		}
		if err := replaceFile(path, formatted); err != nil {
			return err
		}
	}
	if check && changed {
		return errSaid
	}
	return nil
}

// replaceFile writes a file beside the old one and then takes its place, so that no
// crash leaves half a design.
func replaceFile(path string, text []byte) error {
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("cannot write the design: %w", err)
	}
	beside := path + ".new"
	if err := os.WriteFile(beside, text, info.Mode().Perm()); err != nil {
		return fmt.Errorf("cannot write the design: %w", err)
	}
	if err := os.Rename(beside, path); err != nil {
		return errors.Join(fmt.Errorf("cannot write the design: %w", err), os.Remove(beside))
	}
	return nil
}
