package migrate

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/yaml"
)

// ReadSettings reads what people decided from the file of a migration. Everything else in the file
// follows from the two versions.
func ReadSettings(file string, text []byte) (Settings, error) {
	s := Settings{Holds: map[string]bool{}, Accept: map[diag.Code]string{}}
	document, problems := yaml.Read(text)
	if len(problems) > 0 {
		return s, fmt.Errorf("%s:%d: %s", file, problems[0].Line, problems[0].Message)
	}
	if document.Root == nil || document.Root.Kind != yaml.Mapping {
		return s, fmt.Errorf("%s: it is no migration", file)
	}
	for _, e := range document.Root.Entries {
		var err error
		switch e.Key.Text {
		case "strategy":
			s.Strategy = e.Value.Text
			if !slices.Contains(strategies, s.Strategy) {
				err = fmt.Errorf("strategy is %s, not %q", strings.Join(strategies, " or "), s.Strategy)
			}
		case "settled":
			s.Settled = e.Value.Text == "true"
			if !s.Settled && e.Value.Text != "false" {
				err = fmt.Errorf("settled is true or false, not %q", e.Value.Text)
			}
		case "rate":
			err = s.rate(e.Value)
		case "conflicts":
			s.Conflicts = e.Value.Text
			if n, not := strconv.Atoi(s.Conflicts); s.Conflicts != "stop" && (not != nil || n < 0) {
				err = fmt.Errorf("conflicts is stop or a number, not %q", s.Conflicts)
			}
		case "hold":
			err = each(e.Value, func(name string, v *yaml.Node) error {
				if !isStep(name) {
					return fmt.Errorf("%q is no step; the steps are %s", name, strings.Join(stepNames, ", "))
				}
				if v.Text != "true" && v.Text != "false" {
					return fmt.Errorf("hold of %s is true or false, not %q", name, v.Text)
				}
				s.Holds[name] = v.Text == "true"
				return nil
			})
		case "accept":
			err = each(e.Value, func(name string, v *yaml.Node) error {
				code, ok := codeOf(name)
				if !ok {
					return fmt.Errorf("no rule has the code or name %q", name)
				}
				if v.Text == "" {
					return fmt.Errorf("the acceptance of %s needs a reason", name)
				}
				s.Accept[code] = v.Text
				return nil
			})
		}
		if err != nil {
			return s, fmt.Errorf("%s:%d: %w", file, e.Line, err)
		}
	}
	return s, nil
}

// rate reads the units a second, and the most that the migration may cost.
func (s *Settings) rate(n *yaml.Node) error {
	return each(n, func(name string, v *yaml.Node) error {
		switch name {
		case "write", "read":
			units, err := strconv.ParseInt(strings.TrimSuffix(v.Text, "/s"), 10, 64)
			if err != nil || units < 1 || !strings.HasSuffix(v.Text, "/s") {
				return fmt.Errorf("rate: %s is a number of units a second such as 1000/s, not %q", name, v.Text)
			}
			if name == "write" {
				s.Write = units
			} else {
				s.Read = units
			}
		case "most":
			if amount, err := exact.Parse(strings.TrimPrefix(v.Text, "$")); err != nil || amount.Sign() <= 0 || !strings.HasPrefix(v.Text, "$") {
				return fmt.Errorf("rate: most is an amount such as $20, not %q", v.Text)
			}
			s.Most = v.Text
		default:
			return fmt.Errorf("rate has write, read and most, not %q", name)
		}
		return nil
	})
}

// The strategies of migrations.
const (
	Dual = "dual" // all writers use generated code, and write both parts
	Tail = "tail" // there are other writers, after whom the runner repairs the new part
)

var strategies = []string{Dual, Tail}

// settledLine says in the file of a migration that all tables are past it.
const settledLine = "settled: true # all tables have this version; infra, iam, apply, cost, check and report leave the last one out"

// Settle returns the text of a migration that says that all tables are past it.
func Settle(text []byte) []byte {
	return append(append(bytes.TrimRight(bytes.Clone(text), "\n"), '\n'), settledLine+"\n"...)
}

// stepNames lists the steps of all migrations, in their order.
var stepNames = []string{"expand", "deploy", "prepare", "write", "fill", "verify", "fence", "read", "after", "contract", "clean"}

func isStep(name string) bool {
	for _, step := range stepNames {
		if step == name {
			return true
		}
	}
	return false
}

// each calls f for the entries of a mapping.
func each(n *yaml.Node, f func(name string, v *yaml.Node) error) error {
	if n.Kind != yaml.Mapping {
		return fmt.Errorf("a block of names and values is needed")
	}
	for _, e := range n.Entries {
		if e.Value.Kind != yaml.Scalar {
			return fmt.Errorf("%s needs a value", e.Key.Text)
		}
		if err := f(e.Key.Text, e.Value); err != nil {
			return err
		}
	}
	return nil
}
