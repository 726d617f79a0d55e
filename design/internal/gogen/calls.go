package gogen

import (
	"fmt"
	"strings"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
)

// Files calls_*.go print the methods of patterns: what a caller gives becomes parameters,
// what package program says about each value becomes an expression.

// calls print the methods of all patterns of a design.
type calls struct {
	*generator
	list     []*method
	estimate *cost.Estimate
	owners   map[*model.Attribute]*model.Entity
	faults   map[*model.Entity]string    // the variable that makes errors of failed conditions
	keyLists map[*model.Table]string     // the variable with the names of the primary key attributes
	keyMaps  map[*model.Table]string     // the variable with the placeholder of the partition key
	stepsOf  map[*model.Attribute]string // the variable with the lifecycle

	builders    map[string]*builder // by their text
	builderList []*builder
}

// A method is one pattern as a method of DB.
type method struct {
	*calls
	call    *program.Call
	name    string // of the method
	builder string // of the method that makes the writes
	pattern string // the variable with the *access.Pattern
	result  string // the type of a select or collect
	batch   string // "", or the method that does many at once
	nameMap string // the variable with the names in its expressions
	own     scope  // names of parameters and variables in the method
	args    []argument
	params  *paramStruct   // what is not given one by one; nil: nothing
	groups  []*paramStruct // one for each Group

	places     map[*program.Input]string // the expression of an input; of a member of a Group its field
	groupNames map[*program.Input]string // the struct of a Group
	loops      map[*program.Input]string // the variable of the item at hand, of a repeated one
	fans       map[*program.Fan]string   // the variable of the value at hand
	seen       map[*program.Input]string // the variable with the version an item given whole had
	firsts     []first                   // what all items of a call must agree on, in the action being printed
	known      []resolve.Name            // names that the expressions of the action being printed always use
	holding    string                    // what is known to hold where the clauses being printed stand
	prepared   *transaction              // of a transaction: what is printed of it
}

// An argument is a parameter of a method.
type argument struct{ name, typ string }

// A paramStruct is a struct of parameters.
type paramStruct struct {
	name    string
	doc     string
	members []paramMember
}

type paramMember struct {
	name, typ, doc string
}

// patternMethods are the methods of all patterns. They are named once, in the order of
// the design.
func (g *generator) patternMethods() *calls {
	if g.calls != nil {
		return g.calls
	}
	c := &calls{
		generator: g,
		estimate:  cost.Price(g.layout, cost.Options{}),
		owners:    map[*model.Attribute]*model.Entity{},
		faults:    map[*model.Entity]string{},
		keyLists:  map[*model.Table]string{},
		keyMaps:   map[*model.Table]string{},
		stepsOf:   map[*model.Attribute]string{},
		builders:  map[string]*builder{},
	}
	g.calls = c
	for _, e := range g.design.Entities {
		for _, a := range e.Attributes {
			c.owners[a] = e
		}
		c.faults[e] = g.pkg.take("fault"+g.entities[e], "Value")
		c.nameSteps(e)
	}
	for i, t := range g.design.Tables {
		g.methods[fmt.Sprintf("stream%d", i+1)] = true
		c.keyLists[t] = g.pkg.take("keysOf"+exported(t.Name), "Table")
		c.keyMaps[t] = g.pkg.take("keyOf"+exported(t.Name), "Table")
	}
	for _, call := range program.New(g.layout).Calls {
		c.list = append(c.list, c.newMethod(call))
	}
	return c
}

func (c *calls) newMethod(call *program.Call) *method {
	p := call.Pattern
	m := &method{
		calls: c, call: call, name: c.patterns[p],
		pattern:    c.pkg.take("pattern"+c.patterns[p], "Pattern"),
		own:        scopeOf("encode", "requests", "values", "x", "shard", "found", "seen", "in", "filter"),
		places:     map[*program.Input]string{},
		groupNames: map[*program.Input]string{},
		loops:      map[*program.Input]string{},
		fans:       map[*program.Fan]string{},
		seen:       map[*program.Input]string{},
	}
	switch {
	case p.Verb == model.Collect:
		m.result = c.pkg.take(m.name+"Result", "Struct")
	case len(p.Select) > 0:
		m.result = c.pkg.take(m.name+"Row", "Struct")
	case !p.Verb.Reads():
		m.builder = c.names.methods.take(allowed(lowerFirst(m.name), "Pattern"), "Writes")
	}
	if m.call.Read != nil && len(m.call.Read.Checks) > 0 && len(p.Select) > 0 {
		m.own["from"] = true // what reads the item is named so
	}
	m.nameMap = c.pkg.take("names"+m.name, "Map")
	m.nameInputs()
	if m.hasBatch() {
		m.batch = c.names.methods.take(m.name+"Batch", "Items")
	}
	return m
}

// lowerFirst is a name that is not exported.
func lowerFirst(name string) string {
	if all := words(name); len(all) > 0 {
		return strings.ToLower(all[0]) + strings.TrimPrefix(name, all[0])
	}
	return "x" + name
}

// reads and writes are the methods of either kind.
func (c *calls) reads() []*method {
	return c.only(func(m *method) bool { return m.call.Read != nil })
}

func (c *calls) writes() []*method {
	return c.only(func(m *method) bool { return m.call.Read == nil })
}

func (c *calls) only(holds func(*method) bool) []*method {
	var all []*method
	for _, m := range c.list {
		if holds(m) {
			all = append(all, m)
		}
	}
	return all
}
