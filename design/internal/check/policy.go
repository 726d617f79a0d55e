package check

import (
	"errors"
	"fmt"
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/yaml"
)

// A Policy maps rules to severities: by code (K106), by name (delimiter-in-value) or by
// family (heat). A code or name takes precedence over a family; other rules keep their
// default severity.
type Policy map[string]diag.Severity

// ParsePolicy reads a policy from YAML or JSON: one mapping of codes, names and
// families to off, note, warning or error. It returns all errors together.
func ParsePolicy(text []byte) (Policy, error) {
	document, unread := yaml.Read(text)
	var problems []error
	for _, p := range unread {
		problems = append(problems, fmt.Errorf("read policy, line %d: %s", p.Line, p.Message))
	}
	policy := Policy{}
	switch root := document.Root; {
	case len(problems) > 0 || root == nil:
	case root.Kind != yaml.Mapping:
		problems = append(problems, errors.New(`read policy: write a mapping such as "K106: off"`))
	default:
		for _, entry := range root.Entries {
			if err := policy.add(entry); err != nil {
				problems = append(problems, err)
			}
		}
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	return policy, nil
}

func (p Policy) add(entry yaml.Entry) error {
	line, name := entry.Line, entry.Key.Text
	if !knownInPolicy(name) {
		return fmt.Errorf("read policy, line %d: no rule or family is called %q%s", line, name, diag.DidYouMean(name, policyNames()))
	}
	if rule, ok := diag.Lookup(name); ok && decides(rule) {
		return fmt.Errorf("read policy, line %d: %s means that the design cannot be read, so it stays an error", line, name)
	}
	if _, again := p[name]; again {
		return fmt.Errorf("read policy, line %d: %s is set twice", line, name)
	}
	if entry.Value.Kind == yaml.Mapping || entry.Value.Kind == yaml.List {
		return fmt.Errorf("read policy, line %d: the severity of %s must be off, note, warning or error, not several values", line, name)
	}
	severity, ok := diag.ParseSeverity(entry.Value.Text)
	if !ok {
		return fmt.Errorf("read policy, line %d: the severity of %s must be off, note, warning or error, not %q", line, name, entry.Value.Text)
	}
	p[name] = severity
	return nil
}

// decides reports whether the rule is about files that cannot be read, whose severity a
// policy cannot change.
func decides(rule diag.Rule) bool {
	return rule.Family == diag.Files && rule.Severity == diag.Error
}

func knownInPolicy(name string) bool {
	return slices.Contains(policyNames(), name)
}

// policyNames returns all keys a policy may have.
func policyNames() []string {
	var names []string
	families := map[diag.Family]bool{}
	for _, rule := range diag.Rules() {
		if !families[rule.Family] {
			families[rule.Family] = true
			names = append(names, string(rule.Family))
		}
		names = append(names, string(rule.Code), rule.Name)
	}
	return names
}

// Severity returns the severity of a rule under the policy.
func (p Policy) Severity(rule diag.Rule) diag.Severity {
	if decides(rule) {
		return rule.Severity
	}
	for _, name := range []string{string(rule.Code), rule.Name, string(rule.Family)} {
		if severity, ok := p[name]; ok {
			return severity
		}
	}
	return rule.Severity
}

// Apply sets the severity of every finding. The report does not list findings that are off.
func (p Policy) Apply(report *diag.Report) {
	report.Each(func(f *diag.Finding) { f.Severity = p.Severity(f.Code.Rule()) })
}
