// Package patterns names the methods of access patterns and knows what they have in common,
// be they reads or writes: their parameters, where each value that the caller gives is found,
// the keys made from them, and their doc comments. It builds no method; packages reads and
// writes do.
package patterns

import (
	"fmt"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/gogen/internal/items"
	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/naming"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/gogen/internal/values"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
)

// A Package holds the methods of all patterns of a design, in its order.
type Package struct {
	Items   *items.Items
	Methods []*Method

	Faults   map[*model.Entity]string    // the variable that makes errors of failed conditions
	KeyLists map[*model.Table]string     // the variable with the names of the primary key attributes
	KeyMaps  map[*model.Table]string     // the variable with the placeholder of the partition key
	Steps    map[*model.Attribute]string // the variable with the lifecycle
	Changed  map[*model.Entity]*Changed  // of a package that holds two versions of its design

	Added Added

	estimate *cost.Estimate
	owners   map[*model.Attribute]*model.Entity
	rows     map[rowKey]*Row

	of   *Package  // of the patterns on the layout of the version before: those of the package
	used []*Method // of them, those that are read
}

// A Method is one pattern as a method of DB.
type Method struct {
	Package *Package
	Call    *program.Call
	Name    string
	Builder string // the method that makes the writes
	Pattern string // the variable with the *access.Pattern
	Result  string // the type of a select or collect
	Batch   string // the method that makes many calls at once, or ""
	Parts   []Part // of a snapshot
	NameMap string // the variable with the names in its expressions
	Own     naming.Scope
	Args    []syntax.Param

	params     *paramStruct   // of the arguments that are not parameters of their own; nil: none
	groups     []*paramStruct // one for each Group
	places     map[*program.Input]syntax.Expr
	members    map[*program.Input]string // the field of an input in a struct of parameters
	groupNames map[*program.Input]string // the struct of a Group
	Loops      map[*program.Input]string // the variable of the current item, of a repeated input
	Seen       map[*program.Input]string // the variable with the version that a whole item had
}

// A Changed is an entity whose items differ in the two versions that a package holds.
type Changed struct {
	Part    string   // the name of what differs
	Keys    []string // of indexes, that only the new version stores
	Names   []string // attributes whose writes differ: of the new version, and those that they are made of in the old one
	Sources []string // attributes that keys of the old version are made of, under their old names
	Renamed bool     // readers of the old items find attributes under other names, or with other defaults
	Moved   bool     // the items lie under another key or in another table in the old version
}

// Added holds what only the new one of two versions counts and keeps unique, by the names of the parts of items.
type Added struct {
	Unique map[string]bool   // rows of unique values: User.email
	Counts map[string]string // counters: Order.lines; and the entity that each counts
}

// New names the methods of all patterns, in the order of the design.
func New(i *items.Items, changed map[*model.Entity]*Changed) *Package {
	p := &Package{
		Items:    i,
		Faults:   map[*model.Entity]string{},
		KeyLists: map[*model.Table]string{},
		KeyMaps:  map[*model.Table]string{},
		Steps:    map[*model.Attribute]string{},
		Changed:  changed,
		estimate: cost.Price(i.Layout, cost.Options{}),
		owners:   map[*model.Attribute]*model.Entity{},
		rows:     map[rowKey]*Row{},
	}
	names := i.Names
	for _, e := range i.Design.Entities {
		for _, a := range e.Attributes {
			p.owners[a] = e
		}
		p.Faults[e] = names.Pkg.Take("fault"+names.Entities[e], "Value")
		for _, a := range e.Attributes {
			if a.Lifecycle != nil {
				p.Steps[a] = names.Pkg.Take("stepsOf"+names.Entities[e]+names.Fields[a], "Lifecycle")
			}
		}
	}
	for n, t := range i.Design.Tables {
		names.Methods[fmt.Sprintf("stream%d", n+1)] = true
		p.KeyLists[t] = names.Pkg.Take("keysOf"+naming.Exported(t.Name), "Table")
		p.KeyMaps[t] = names.Pkg.Take("keyOf"+naming.Exported(t.Name), "Table")
	}
	for _, call := range program.New(i.Layout).Calls {
		p.Methods = append(p.Methods, p.method(call))
	}
	return p
}

// localNames lists the variables that only methods of patterns declare.
var localNames = []string{"encode", "requests", "values", "x", "shard", "found", "seen", "in", "filter", "keys"}

func (p *Package) method(call *program.Call) *Method {
	names, pattern := p.Items.Names, call.Pattern
	m := &Method{
		Package: p, Call: call, Name: names.Patterns[pattern],
		Pattern:    names.Pkg.Take("pattern"+names.Patterns[pattern], "Pattern"),
		Own:        naming.ScopeOf(localNames...),
		places:     map[*program.Input]syntax.Expr{},
		members:    map[*program.Input]string{},
		groupNames: map[*program.Input]string{},
		Loops:      map[*program.Input]string{},
		Seen:       map[*program.Input]string{},
	}
	switch {
	case pattern.Verb == model.Collect || pattern.Verb == model.Snapshot:
		m.Result = names.Pkg.Take(m.Name+"Result", "Struct")
	case pattern.Row != nil:
		m.Result = p.Row(pattern.Row, pattern.Entity).Type
	case len(pattern.Select) > 0:
		m.Result = names.Pkg.Take(m.Name+"Row", "Struct")
	case !pattern.Verb.Reads():
		m.Builder = names.Methods.Take(naming.Allowed(naming.LowerFirst(m.Name), "Pattern"), "Writes")
	}
	for _, read := range call.Reads() {
		if len(read.Read.Checks) > 0 && len(read.Pattern.Select) > 0 {
			m.Own["from"] = true // the variable that reads the item
		}
	}
	m.NameMap = names.Pkg.Take("names"+m.Name, "Map")
	m.nameInputs()
	m.nameParts()
	if m.hasBatch() {
		m.Batch = names.Methods.Take(m.Name+"Batch", "Items")
	}
	return m
}

// Reads returns the methods that read, Writes those that write.
func (p *Package) Reads() []*Method {
	return p.only(func(m *Method) bool { return len(m.Call.Reads()) > 0 })
}

// Writes returns the methods that write.
func (p *Package) Writes() []*Method {
	return p.only(func(m *Method) bool { return len(m.Call.Reads()) == 0 })
}

func (p *Package) only(holds func(*Method) bool) []*Method {
	var all []*Method
	for _, m := range p.Methods {
		if holds(m) {
			all = append(all, m)
		}
	}
	return all
}

// Owner returns the entity of an attribute, nil for one of a struct.
func (p *Package) Owner(a *model.Attribute) *model.Entity { return p.owners[a] }

// hasBatch reports whether many calls of the pattern can be made at once: reads by primary
// key, and puts and deletes without any condition.
func (m *Method) hasBatch() bool {
	p, c := m.Call.Pattern, m.Call
	plain := len(c.Reads()) == 0 && !c.Transaction() && len(c.Writes[0].Statement.Condition) == 0 && len(c.Inputs) == 1
	switch p.Verb {
	case model.Get:
		r := c.Read
		return r.Operation == resolve.GetItem && len(r.Checks) == 0 && len(r.Fans) == 0 && len(p.Select) == 0 && m.givesKey()
	case model.Put:
		return plain && c.Inputs[0].Kind == program.Whole
	case model.Delete:
		return plain && c.Inputs[0].Kind == program.Key
	}
	return false
}

// givesKey reports whether the inputs of a get are exactly the primary key.
func (m *Method) givesKey() bool {
	attributes := resolve.PrimaryAttributes(m.Call.Read.Entry.Item)
	if len(attributes) != len(m.Call.Inputs) {
		return false
	}
	for i, input := range m.Call.Inputs {
		if input.Kind != program.Value || m.Call.Pattern.Where[i].Op != model.Eq {
			return false
		}
	}
	return true
}

// Given returns the entity that a create or put returns as stored, or nil.
func (m *Method) Given() *program.Input {
	verb := m.Call.Pattern.Verb
	if verb != model.Create && verb != model.Put {
		return nil
	}
	for _, input := range m.Call.Inputs {
		if input.Kind == program.Whole {
			return input
		}
	}
	return nil
}

// Client is the client of the database in a method of it.
var Client = syntax.Dot(syntax.Name("db"), "c")

// Receiver is the receiver of the methods of DB.
var Receiver = &syntax.Param{Name: "db", Type: syntax.Pointer(syntax.Name("DB"))}

// Context is the first parameter of methods that send requests.
func Context() syntax.Param {
	return syntax.Param{Name: "ctx", Type: library.Of("context", "Context")}
}

// PassedOn returns the parameters as a call passes them on.
func (m *Method) PassedOn() []syntax.Expr {
	all := make([]syntax.Expr, len(m.Args))
	for i, a := range m.Args {
		all[i] = syntax.Name(a.Name)
	}
	return all
}

// Stored returns the stored form of a value of an attribute: encrypted if the design says so.
func (p *Package) Stored(a *model.Attribute, x syntax.Expr) syntax.Expr {
	if owner := p.owners[a]; owner != nil && values.IsSealed(owner, a) {
		return p.Items.Values.Sealed(a, Client, x)
	}
	return p.Items.Values.Stored(a, a.Type, x)
}

// StoredConstant returns the stored form of a value that the design states.
func (p *Package) StoredConstant(a *model.Attribute, text string) syntax.Expr {
	if owner := p.owners[a]; owner != nil && values.IsSealed(owner, a) {
		return p.Stored(a, p.Items.Values.Constant(a, text))
	}
	return p.Items.Values.StoredConstant(a, text)
}
