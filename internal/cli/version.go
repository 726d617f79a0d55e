package cli

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
)

// release is the version of a release, which scripts/release sets when it links the binary. Otherwise the
// version is that of the build information.
var release string

func versionCommand() command {
	return command{
		name:    "version",
		summary: "print the version of sortkey",
		about:   "Prints the version, commit and Go version of the binary. A build outside a checkout has no commit.",
		setup: func(flags *flag.FlagSet) action {
			asJSON := flags.Bool("json", false, "print one JSON object")
			return func(s streams, args []string) error {
				if err := noArguments("version", args); err != nil {
					return err
				}
				return printVersion(s.out, thisBuild(), *asJSON)
			}
		},
	}
}

// build describes how a binary was built.
type build struct {
	Version  string `json:"version"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
	Revision string `json:"revision,omitempty"` // the commit
	Time     string `json:"time,omitempty"`     // the commit's time, RFC 3339
	Modified bool   `json:"modified,omitempty"` // built with changes not in the commit
}

// thisBuild returns the build of the running program.
func thisBuild() build {
	info, _ := debug.ReadBuildInfo() // nil without module support: every field then has a default
	return buildOf(info)
}

// buildOf returns the build of the build information; info may be nil.
func buildOf(info *debug.BuildInfo) build {
	b := build{Version: "(devel)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info != nil && info.Main.Version != "" {
		b.Version = info.Main.Version
	}
	b.Version = cmp.Or(release, b.Version)
	if info == nil {
		return b
	}
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			b.Revision = setting.Value
		case "vcs.time":
			b.Time = setting.Value
		case "vcs.modified":
			b.Modified = setting.Value == "true"
		}
	}
	return b
}

func printVersion(w io.Writer, b build, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w).Encode(b)
	}
	commit := b.Revision
	switch {
	case commit == "":
		commit = "unknown"
	case b.Modified:
		commit += " (modified)"
	}
	_, err := fmt.Fprintf(w, "sortkey  %s\ngo       %s %s\ncommit   %s\n", b.Version, b.Go, b.Platform, commit)
	return err
}
