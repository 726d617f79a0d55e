package cli

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"sortkey.dev/design"
	"sortkey.dev/docs"
	"sortkey.dev/internal/lazyregexp"
)

func explainCommand() command {
	return command{
		name:    "explain",
		summary: "show how a pattern is served, or what a finding means",
		args:    "FILE PATTERN | CODE",
		about: `With a design and a pattern it shows the exact request for DynamoDB, what it reads and costs, and
for every other index why it is not used.
With the code of a finding, such as O201, or its name, it shows what the finding means, why it hurts and what to do.`,
		setup: func(flags *flag.FlagSet) action {
			asJSON := flags.Bool("json", false, "print one JSON object")
			chosen := declareWorkload(flags)
			return func(s streams, args []string) error {
				if len(args) == 1 && !strings.HasSuffix(args[0], ".yaml") {
					return explainFinding(s.out, args[0], *asJSON)
				}
				if len(args) != 2 {
					return misuse("explain takes a design and a pattern, or the code of a finding, got "+arguments(len(args)),
						"For example: sortkey explain shop.design.yaml ListOrders", "Or: sortkey explain O201")
				}
				d, err := openDesign(args[0])
				if err != nil {
					return err
				}
				workload, err := chosen.workload()
				if err != nil {
					return err
				}
				explanation, err := d.Explain(args[1], workload)
				if err != nil {
					return usable(s, err, *asJSON)
				}
				return printResult(s, explanation, *asJSON)
			}
		},
	}
}

// findingCode matches the code of a finding.
var findingCode = lazyregexp.New(`^[A-Za-z][0-9]{3}$`)

// explainFinding prints the page of a finding, which is given by its code or its name.
func explainFinding(w io.Writer, asked string, asJSON bool) error {
	rules := design.Rules()
	i := slices.IndexFunc(rules, func(r design.Rule) bool { return strings.EqualFold(string(r.Code), asked) || r.Name == asked })
	if i < 0 {
		next := []string{"To see all findings: sortkey check --rules"}
		if !findingCode.MatchString(asked) {
			next = append(next, "To see how a pattern is served: sortkey explain shop.design.yaml "+asked)
		}
		return misuse(fmt.Sprintf("there is no finding %q", asked), next...)
	}
	text, err := fs.ReadFile(docs.Findings, "reference/findings/"+string(rules[i].Code)+".md")
	if err != nil {
		return fmt.Errorf("the page of %s: %w", rules[i].Code, err)
	}
	if asJSON {
		return json.NewEncoder(w).Encode(struct {
			Code string `json:"code"`
			Name string `json:"name"`
			Text string `json:"text"`
		}{string(rules[i].Code), rules[i].Name, string(text)})
	}
	_, err = w.Write(text)
	return err
}
