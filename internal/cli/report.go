package cli

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"sortkey.dev/design"
)

func reportCommand() command {
	return command{
		name:    "report",
		summary: "generate a report of a design",
		args:    "FILE",
		about: `The page begins with a picture of the tables and indexes, the entities in them, and where the money
and the heat go. Then come findings, the access patterns with a filter, item collections with sample
items, the entity chart and the alternatives. The HTML needs no network,
follows the reader's light or dark setting and prints; the Markdown draws with Mermaid.
While a migration of the design's history is not settled, the page shows the versions before and after it.
Without --out the page goes beside the design: shop.design.yaml becomes shop.report.html.`,
		setup: func(flags *flag.FlagSet) action {
			format := &choice{value: "html", allowed: []string{"html", "md"}}
			flags.Var(format, "format", "output `FORMAT`: html, or md for Markdown with Mermaid diagrams")
			out := flags.String("out", "", "write to this `FILE`; - is the terminal")
			asJSON := flags.Bool("json", false, "print the path of the page as one JSON object")
			chosen := declareWorkload(flags)
			declareSettled(flags, &chosen.settled)
			return func(s streams, args []string) error {
				d, err := oneDesign("report", args)
				if err != nil {
					return err
				}
				workload, err := chosen.workload()
				if err != nil {
					return err
				}
				var page bytes.Buffer
				if err := d.Report(&page, design.ReportOptions{Format: format.value, Workload: workload}); err != nil {
					return usable(s, err, *asJSON)
				}
				path := reportPath(*out, args[0], format.value)
				if d.Holds(path) {
					return misuse(path+" is part of the design; the report would overwrite it", "Choose another name with --out.")
				}
				return deliver(s, page.Bytes(), path, *asJSON)
			}
		},
	}
}

// reportPath returns the path of a report: the one in the flags, or one beside the design.
func reportPath(out, designPath, format string) string {
	if out != "" {
		return out
	}
	file, _ := designFile(designPath)
	base := strings.TrimSuffix(file, filepath.Ext(file))
	return strings.TrimSuffix(base, ".design") + ".report." + format
}

func deliver(s streams, page []byte, path string, asJSON bool) error {
	if path == "-" {
		_, err := s.out.Write(page)
		return err
	}
	if err := os.WriteFile(path, page, 0o644); err != nil {
		return cannotWrite(path, err)
	}
	if asJSON {
		_, err := fmt.Fprintf(s.out, "{\"report\":%q,\"bytes\":%d}\n", filepath.ToSlash(path), len(page))
		return err
	}
	_, err := fmt.Fprintf(s.out, "wrote %s (%d KB)\n", path, (len(page)+1023)/1024)
	return err
}
