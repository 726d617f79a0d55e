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

	Class     Class `json:"class,omitempty"`     // of changes from one version to the next; "" if it says nothing about running both
	Dangerous bool  `json:"dangerous,omitempty"` // data is deleted or becomes unreachable
}

// A Class says whether code of two versions of a design may run at the same time.
type Class string

// The classes, the easiest first.
const (
	Compatible Class = "compatible" // it may, and nothing has to be done
	Ordered    Class = "ordered"    // it may if one of them does not use what changed before the other is there
	Backfill   Class = "backfill"   // old items need something that old code does not damage
	Dual       Class = "dual"       // old code would damage what is new: it is written twice for a while
	Breaking   Class = "breaking"   // it may not, as it is written
)

// Classes lists the classes, the easiest first.
var Classes = []Class{Compatible, Ordered, Backfill, Dual, Breaking}

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

	Evolution Family = "evolution"
)

// rules lists all rules: pages, policies, SARIF and the reference are generated from it.
var rules = sync.OnceValue(func() []Rule { return slices.Concat(shapeRules, loadRules, evolutionRules) })

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
