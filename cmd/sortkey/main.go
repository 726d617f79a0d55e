// Command sortkey is the program: one binary, one subcommand a job. It holds no
// logic; everything it does is a function of its arguments and streams in
// internal/cli, where tests can call it without a process.
package main

import (
	"os"

	"sortkey.dev/internal/cli"
)

func main() { os.Exit(cli.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
