package diag

import (
	"slices"
	"sync"
)

// A Code identifies a rule permanently: K101 means the same in every version. Codes of
// retired rules are not reused.
type Code string

// A Rule describes a code.
type Rule struct {
	Code     Code     `json:"code"`
	Name     string   `json:"name"` // a readable name of the code, for policies
	Family   Family   `json:"family"`
	Severity Severity `json:"severity"`
	Title    string   `json:"title"` // one line: what the rule finds
	Why      string   `json:"why"`   // what happens in production
	Fix      string   `json:"fix"`   // what to do
}

// A Family is a group of rules about one topic.
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

// rules lists all rules: pages, policies, SARIF and the reference are generated from it.
var rules = sync.OnceValue(func() []Rule { return slices.Concat(shapeRules, loadRules) })

// Rules returns all rules, ordered by family.
func Rules() []Rule { return slices.Clone(rules()) }

// Rule returns the rule of the code. It panics if the code is unknown.
func (c Code) Rule() Rule {
	rule, ok := Lookup(string(c))
	if !ok {
		panic("diag: no rule has the code " + string(c))
	}
	return rule
}

// Lookup finds a rule by its code or its name.
func Lookup(codeOrName string) (Rule, bool) {
	rule, ok := byName()[codeOrName]
	return rule, ok
}

var byName = sync.OnceValue(func() map[string]Rule {
	index := make(map[string]Rule, 2*len(rules()))
	for _, rule := range rules() {
		index[string(rule.Code)] = rule
		index[rule.Name] = rule
	}
	return index
})
