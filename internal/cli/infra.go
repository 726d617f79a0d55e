package cli

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"sortkey.dev/design"
)

func infraCommand() command {
	return command{
		name:    "infra",
		summary: "generate the tables of a design as CloudFormation, SAM, Terraform or CreateTable",
		args:    "FILE",
		about: `Tables with their keys, indexes, billing, streams, time to live, backups, encryption and tags; autoscaling;
and alarms for capacity, throttling, conflicts, errors and latency. A SAM template holds the policies of the
roles too. Capacity that a provisioned table does not state, and what alarms compare with, come
from the workload.

The format createtable is one JSON document for each table:
  aws dynamodb create-table --cli-input-json file://orders.json
Settings that CreateTable does not support are printed as commands to run afterwards.

Without --out the text goes to the terminal. With --check nothing is written, and the exit status
is 1 if a file differs from what would be. A file that infra did not write is not overwritten.

While a migration of the design's history is not settled, the tables and indexes of the versions before and
after it are there, so that nothing is removed that is still read. CloudFormation adds one index of a table
an update: --step N writes the tables as they are after that step of the plan.`,
		setup: func(flags *flag.FlagSet) action {
			var c infraConfig
			c.format = choice{value: "cloudformation", allowed: design.InfrastructureFormats()}
			flags.Var(&c.format, "format", "output `FORMAT`: cloudformation, sam, terraform or createtable")
			flags.StringVar(&c.out, "out", "", "write to this `FILE`, or into this directory")
			flags.StringVar(&c.prefix, "table-prefix", "", "prefix every table name with this `TEXT`")
			flags.StringVar(&c.kmsKey, "kms-key", "", "id or `ARN` of the key for tables with encryption: customer")
			flags.StringVar(&c.profile, "profile", "", "use the rates of this `PROFILE` of the design")
			flags.StringVar(&c.scale, "scale", "", "multiply all rates and counts by this `NUMBER`")
			flags.StringVar(&c.alternative, "alternative", "", "use this `ALTERNATIVE` of the design instead of its main layout")
			flags.Var(&c.tags, "tags", "only tables, indexes and patterns of these `TAGS`, such as phase1,phase2")
			flags.BoolVar(&c.check, "check", false, "list the files that are out of date and exit 1, without writing them")
			flags.BoolVar(&c.frozen, "frozen", false, "fail if the design differs from the last version of its history")
			flags.IntVar(&c.step, "step", -1, "as the tables are after step `N` of the migration that is not settled; 0 is before the first")
			declareSettled(flags, &c.settled)
			return c.run
		},
	}
}

// infraConfig holds the flags of infra.
type infraConfig struct {
	format                      choice
	out, prefix, kmsKey         string
	profile, scale, alternative string
	tags                        words
	check, frozen, settled      bool
	step                        int
}

func (c *infraConfig) run(s streams, args []string) error {
	d, err := oneDesign("infra", args)
	if err != nil {
		return err
	}
	if c.check && c.out == "" {
		return misuse("--check needs --out", "Name the files to compare with --out.")
	}
	if c.settled && c.step >= 0 {
		return misuse("--settled is after the last step, and --step names one", "Give one of them.")
	}
	if err := notePlanned(s, d, args[0], c.frozen); err != nil {
		return usable(s, err, false)
	}
	options := design.InfrastructureOptions{
		Format: c.format.value, Prefix: c.prefix, KMSKey: c.kmsKey,
		Workload: design.Workload{Profile: c.profile, Scale: c.scale, Alternative: c.alternative, Tags: c.tags, Settled: c.settled},
	}
	if c.step >= 0 {
		options.After = &c.step
	}
	code, err := d.Infrastructure(options)
	if err != nil {
		return usable(s, err, false)
	}
	if !c.settled && c.step < 0 && c.alternative == "" {
		if err := noteVersions(s, d, args[0]); err != nil {
			return err
		}
	}
	if c.out == "" || c.out == "-" {
		err = printFiles(s, code.Files)
	} else {
		err = c.place(s, d, code.Files)
	}
	if err != nil || c.check {
		return err
	}
	if len(code.Notes) > 0 {
		fmt.Fprintln(s.err, "CreateTable does not support all settings. Run these commands when the tables exist:")
	}
	for _, note := range code.Notes {
		fmt.Fprintln(s.err, "  "+note)
	}
	return nil
}

func printFiles(s streams, files []design.InfrastructureFile) error {
	for _, file := range files {
		if _, err := s.out.Write(file.Text); err != nil {
			return err
		}
	}
	return nil
}

// place writes the files, or with --check reports which of them differ. It checks all
// paths before it writes anything.
func (c *infraConfig) place(s streams, d *design.Design, files []design.InfrastructureFile) error {
	var texts []newText
	for _, file := range files {
		path := c.path(file)
		if d.Holds(path) {
			return misuse(path+" is part of the design; the infrastructure would overwrite it", "Choose another name with --out.")
		}
		old, err := inspect(path)
		if err != nil {
			return err
		}
		if old.exists && bytes.Equal(old.text, file.Text) {
			continue
		}
		if !c.check {
			if err := old.writable(c.wrote(file, old.text)); err != nil {
				return err
			}
		}
		texts = append(texts, newText{path, file.Text})
	}
	if !c.check {
		if err := replaceFiles(texts, nil); err != nil {
			return err
		}
	}
	for _, t := range texts {
		if c.check {
			fmt.Fprintln(s.out, t.path)
		} else {
			fmt.Fprintf(s.out, "wrote %s\n", t.path)
		}
	}
	if c.check && len(texts) > 0 {
		return errPrinted
	}
	return nil
}

// wrote reports whether infra wrote a text: its first comment says so, or it
// is a request for CreateTable of the same table, with any prefix. An empty file
// counts as written.
func (c *infraConfig) wrote(file design.InfrastructureFile, text []byte) bool {
	if len(bytes.TrimSpace(text)) == 0 {
		return true
	}
	if c.format.value != "createtable" {
		return bytes.HasPrefix(text, []byte("# Written by sortkey infra "))
	}
	var request struct {
		TableName            string
		AttributeDefinitions []any
		KeySchema            []any
	}
	err := json.Unmarshal(text, &request)
	table := strings.TrimSuffix(file.Name, ".json")
	return err == nil && strings.HasSuffix(request.TableName, table) && len(request.AttributeDefinitions) > 0 && len(request.KeySchema) > 0
}

// path returns the path of a file: the requests for CreateTable go into a directory, all
// others to the named file, or into an existing directory.
func (c *infraConfig) path(file design.InfrastructureFile) string {
	info, err := os.Stat(c.out)
	if c.format.value == "createtable" || err == nil && info.IsDir() || os.IsPathSeparator(c.out[len(c.out)-1]) {
		return filepath.Join(c.out, file.Name)
	}
	return c.out
}
