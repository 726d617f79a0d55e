// Command sbom lists the modules in a Go binary as CycloneDX 1.6 JSON.
//
//	go run ./sbom -binary ../../dist/sortkey-linux-amd64 -version v1.2.3
package main

import (
	"debug/buildinfo"
	"encoding/json"
	"flag"
	"fmt"
	"os"
)

// A component is a module in CycloneDX.
type component struct {
	Type    string `json:"type"`
	Name    string `json:"name"`
	Version string `json:"version"`
	PURL    string `json:"purl"`
}

func main() {
	binary := flag.String("binary", "", "the `file` to list")
	version := flag.String("version", "devel", "the `version` of the binary")
	flag.Parse()
	if err := list(*binary, *version); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

// list writes the modules of a binary to the standard output.
func list(binary, version string) error {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return err
	}
	modules := []component{{"library", "stdlib", info.GoVersion, "pkg:golang/stdlib@" + info.GoVersion[len("go"):]}}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		modules = append(modules, component{"library", m.Path, m.Version, "pkg:golang/" + m.Path + "@" + m.Version})
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", "  ")
	return encoder.Encode(map[string]any{
		"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
		"metadata":   map[string]any{"component": component{"application", info.Main.Path, version, "pkg:golang/" + info.Main.Path + "@" + version}},
		"components": modules,
	})
}
