package cli

import (
	"errors"
	"flag"
	"fmt"

	"sortkey.dev/design"
)

func planCommand() command {
	return command{
		name:    "plan",
		summary: "begin or continue the history of a design",
		args:    "FILE",
		about: `The folder migrations beside the design holds its versions: what each was, whole, and a file of chained
checksums, sortkey.sum. Commit the folder with the design. Nothing is sent to a DynamoDB.
--baseline begins the history with the design as it is. Two branches
that both add a version conflict in sortkey.sum when they are merged.`,
		setup: func(flags *flag.FlagSet) action {
			var o planFlags
			flags.BoolVar(&o.baseline, "baseline", false, "begin a history: the design as it is becomes version 1")
			flags.StringVar(&o.name, "name", "baseline", "the `NAME` of the version, such as task-titles")
			flags.Var(&o.tags, "tags", "the version is only the part of the design with these `TAGS`, such as phase1,phase2")
			return func(s streams, args []string) error {
				d, err := oneDesign("plan", args)
				if err != nil {
					return err
				}
				return o.run(s, d)
			}
		},
	}
}

type planFlags struct {
	baseline bool
	name     string
	tags     words
}

func (o *planFlags) run(s streams, d *design.Design) error {
	if !o.baseline {
		return misuse("plan needs --baseline", "For example: sortkey plan --baseline shop.design.yaml")
	}
	files, err := d.Baseline(o.name, o.tags)
	if _, broken := errors.AsType[*design.BrokenError](err); broken {
		return usable(s, err, false)
	}
	if err != nil {
		return misuse(err.Error())
	}
	if err := writeHistory(files); err != nil {
		return err
	}
	for _, f := range files {
		fmt.Fprintf(s.out, "wrote %s\n", f.Path)
	}
	return nil
}

// writeHistory writes and removes the files of a version.
func writeHistory(files []design.HistoryFile) error {
	var texts []newText
	var gone []string
	for _, f := range files {
		if f.Text == nil {
			gone = append(gone, f.Path)
			continue
		}
		texts = append(texts, newText{f.Path, f.Text})
	}
	return replaceFiles(texts, gone)
}
