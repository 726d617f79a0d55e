package cli

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"sortkey.dev/design"
)

func checkCommand() command {
	return command{
		name:    "check",
		summary: "check a design for errors and risks",
		args:    "FILE...",
		about: `A FILE is a design file, a directory of them that belong together, or - for the standard input.
The designs it uses are checked with it. Keys are checked against the load of every profile too.
Every finding has a location, a stable code, the problem, its consequence and a remedy.
Accept a finding at its location, with a reason:
  accept: { H502: "one household, 3 writes a minute" }
While a migration of the design's history is not settled, what the versions before and after it break only
together is reported, too.
A policy file sets severities by code, name or family, one a line:
  heat: error
The exit status is 1 if a finding is at least as severe as --fail-on and not accepted.`,
		setup: func(flags *flag.FlagSet) action {
			var c checkConfig
			c.failOn = choice{value: "error", allowed: []string{"error", "warning", "note"}}
			flags.BoolVar(&c.asJSON, "json", false, "print one JSON object")
			flags.BoolVar(&c.asSARIF, "sarif", false, "print SARIF 2.1.0, which code hosts show beside a diff")
			flags.BoolVar(&c.accepted, "accepted", false, "show accepted findings too")
			flags.BoolVar(&c.rules, "rules", false, "list all rules instead of checking")
			flags.StringVar(&c.alternative, "alternative", "", "check this `ALTERNATIVE` of the design instead of its main layout")
			flags.StringVar(&c.profile, "profile", "", "check only the workload of this `PROFILE` of the design")
			flags.StringVar(&c.policy, "policy", "", "read severities from this `FILE`")
			flags.StringVar(&c.prices, "prices", "", "read prices from this `FILE` instead of the built-in ones")
			flags.Var(&c.tags, "tags", "only patterns and entities with one of these `TAGS`, such as phase1,phase2")
			flags.BoolVar(&c.frozen, "frozen", false, "a design that differs from the last version of its history is an error")
			declareSettled(flags, &c.settled)
			flags.Var(&c.failOn, "fail-on", "exit 1 on findings of at least this `SEVERITY`: error, warning or note")
			return c.run
		},
	}
}

type checkConfig struct {
	asJSON, asSARIF, accepted, rules bool
	alternative, policy, prices      string
	profile                          string
	tags                             words
	failOn                           choice
	frozen, settled                  bool
}

func (c *checkConfig) run(s streams, args []string) error {
	switch {
	case c.rules:
		return listRules(s.out, c.asJSON)
	case len(args) == 0:
		return misuse("check needs a design", "For example: sortkey check shop.design.yaml")
	case c.asJSON && c.asSARIF:
		return misuse("--json and --sarif cannot be combined", "Give one of them.")
	}
	options, err := c.options()
	if err != nil {
		return err
	}
	designs := make([]*design.Design, len(args))
	for i, path := range args {
		if designs[i], err = openDesignOr(s.in, path); err != nil {
			return err
		}
	}
	findings, err := design.Check(designs, options)
	if err != nil {
		return misuse(err.Error())
	}
	if err := c.print(s, findings); err != nil {
		return err
	}
	if failed, err := findings.Failed(c.failOn.value); err != nil || failed {
		return errPrinted
	}
	return nil
}

func (c *checkConfig) options() (design.CheckOptions, error) {
	o := design.CheckOptions{Tags: c.tags, Profile: c.profile, Alternative: c.alternative, ShowAccepted: c.accepted, Frozen: c.frozen, Settled: c.settled}
	var err error
	if c.policy != "" {
		if o.Policy, err = os.ReadFile(c.policy); err != nil {
			return o, misuse(fmt.Sprintf("cannot read the policy file: %v", err))
		}
	}
	if c.prices != "" {
		if o.Prices, err = os.ReadFile(c.prices); err != nil {
			return o, misuse(fmt.Sprintf("cannot read the price file: %v", err))
		}
	}
	return o, nil
}

func (c *checkConfig) print(s streams, findings *design.Findings) error {
	if c.asSARIF {
		return findings.SARIF(s.out, thisBuild().Version)
	}
	return printResult(s, findings, c.asJSON)
}

// listRules prints every rule with its code, for use in policies.
func listRules(w io.Writer, asJSON bool) error {
	if asJSON {
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		return encoder.Encode(design.Rules())
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, rule := range design.Rules() {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", rule.Code, rule.Severity, rule.Family, rule.Name, rule.Title)
	}
	return table.Flush()
}
