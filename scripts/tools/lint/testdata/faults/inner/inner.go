// Package inner tells its importers what its functions do.
package inner

import (
	"log"
	"os"
)

// Wrap is a printer.
func Wrap(format string, args ...any) { log.Printf(format, args...) }

// Quit does not return.
func Quit() { os.Exit(1) }

// Old is deprecated.
//
// Deprecated: use something new.
func Old() {}
