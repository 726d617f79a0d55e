package cli

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"sortkey.dev/design"
)

func initCommand() command {
	return command{
		name:    "init",
		summary: "create a small commented design to start from",
		args:    "[FILE]",
		about:   `Without FILE it writes shop.design.yaml here. "init orders" writes orders.design.yaml. A file that exists is never overwritten.`,
		setup: func(*flag.FlagSet) action {
			return func(s streams, args []string) error {
				path := "shop.design.yaml"
				switch len(args) {
				case 0:
				case 1:
					path = args[0]
				default:
					return misuse(fmt.Sprintf("init takes one file, got %d", len(args)), "For example: sortkey init shop.design.yaml")
				}
				return initialise(s, path)
			}
		},
	}
}

func initialise(s streams, path string) error {
	name, _, ending := strings.Cut(filepath.Base(path), ".")
	if !ending {
		path += ".design.yaml"
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	switch {
	case errors.Is(err, fs.ErrExist):
		return advise(fmt.Errorf("%s already exists", path), "Choose another name: sortkey init orders.design.yaml")
	case err != nil:
		return cannotCreate(path, "the design", err)
	}
	_, err = file.Write(design.Starter(name))
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("cannot write the design: %w", err)
	}
	_, err = fmt.Fprintf(s.out, "wrote %[1]s\n\nNext:\n"+
		"  sortkey check %[1]s      everything that is wrong with it\n"+
		"  sortkey cost %[1]s       what it costs\n"+
		"  sortkey report %[1]s     a page to review it in\n"+
		"  sortkey verify %[1]s     run it, and compare with brute force\n"+
		"  sortkey generate %[1]s   a Go package of it, inside a module\n", path)
	return err
}
