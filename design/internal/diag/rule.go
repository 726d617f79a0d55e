package diag

import "slices"

// A Code names a rule for ever: K101 means the same in every version. Codes of
// retired rules are not used again.
type Code string

// A Rule is what a code stands for.
type Rule struct {
	Code     Code     `json:"code"`
	Name     string   `json:"name"` // the code in words, for people who read policies
	Family   Family   `json:"family"`
	Severity Severity `json:"severity"`
	Title    string   `json:"title"` // one line: what the rule looks for
	Why      string   `json:"why"`   // what happens in production
	Fix      string   `json:"fix"`   // what to do
}

// A Family groups rules by what they are about.
type Family string

// The families, in the order reports list them.
const (
	Files    Family = "file"
	Keys     Family = "keys"
	Order    Family = "order"
	Coverage Family = "coverage"
	Indexes  Family = "indexes"
	Heat     Family = "heat"
	Time     Family = "time"
	Limits   Family = "limits"
	Writes   Family = "writes"
	Cost     Family = "cost"
	Claims   Family = "claims"
)

// rules is the one list of rules: pages, policies, SARIF and the reference come from it.
var rules = slices.Concat(shapeRules, loadRules)

// Rules are all rules, by family.
func Rules() []Rule { return slices.Clone(rules) }

// Rule is what the code stands for. An unknown code is a mistake in this program.
func (c Code) Rule() Rule {
	rule, ok := Lookup(string(c))
	if !ok {
		panic("diag: no rule has the code " + string(c))
	}
	return rule
}

// Lookup finds a rule by its code or its name.
func Lookup(codeOrName string) (Rule, bool) {
	rule, ok := byName[codeOrName]
	return rule, ok
}

var byName = func() map[string]Rule {
	index := make(map[string]Rule, 2*len(rules))
	for _, rule := range rules {
		index[string(rule.Code)] = rule
		index[rule.Name] = rule
	}
	return index
}()
