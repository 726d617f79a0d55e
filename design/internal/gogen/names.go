package gogen

import (
	"go/token"
	"go/types"
	"strconv"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// A scope is a set of names that are taken.
type scope map[string]bool

// take gives a name that is free: the one asked for, else with a word behind it, else
// with a number behind that.
func (s scope) take(name, word string) string {
	if s[name] {
		name += word
	}
	free := name
	for n := 2; s[free]; n++ {
		free = name + strconv.Itoa(n)
	}
	s[free] = true
	return free
}

func scopeOf(names ...string) scope {
	s := scope{}
	for _, name := range names {
		s[name] = true
	}
	return s
}

// names are the Go names of everything in a design.
type names struct {
	pkg     scope // of the package: types, functions, constants
	methods scope // of DB

	entities  map[*model.Entity]string
	keys      map[*model.Entity]string // the struct of its primary key
	structs   map[*model.Struct]string
	enums     map[*model.Attribute]string
	constants map[*model.Attribute]map[string]string // by value
	values    map[*model.Attribute]string            // the function with all of them
	fields    map[*model.Attribute]string
	patterns  map[*model.Pattern]string // the method of DB
	scans     map[*model.Entity]string  // the method of DB
	sums      map[*model.Counter]string // the method of DB that adds up one that is spread
	decoders  map[*model.Entity]string
	fromItem  map[*model.Entity]string
	readers   map[*model.Struct]string
	tables    map[*model.Table]string // the constant with its name

	kinds        map[*model.Entity]string // what the type attribute of its items holds
	elementFuncs map[*model.Struct]string // encode a list of it
	entryFuncs   map[*model.Struct]string // encode a map of it

	keyFuncs map[*model.Entity]map[string]string // by key attribute
	shapes   map[*model.Entity]string            // tells its keys from others in the table
}

// fixedNames are what a generated package always has.
var fixedNames = []string{
	"DB", "New", "Tx", "Handlers", "Tables", "Patterns", "init", "main", "_",
	"designOf", "textAt", "oneOf", "oneOfThese", "partOf", "optPartOf", "same", "alike", "agree", "refused", "total", "ofEach", "onlyIf", "given", "orZero", "addUp", "addsUp", "settled", "sameKey",
	"timeOfID", "textIn", "isShard", "shardFrom",
}

// fixedMethods are the methods DB and Tx always have, and their fields.
var fixedMethods = []string{"Tx", "Stream", "Client", "Commit", "Len", "c"}

// itemMethods are the methods of entities, so no field is named like them.
var itemMethods = []string{"Key", "Item"}

// newNames names everything in a fixed order, so that a name depends on the design alone.
func newNames(l *resolve.Layout) *names {
	n := &names{
		pkg:       scopeOf(fixedNames...),
		methods:   scopeOf(fixedMethods...),
		entities:  map[*model.Entity]string{},
		keys:      map[*model.Entity]string{},
		structs:   map[*model.Struct]string{},
		enums:     map[*model.Attribute]string{},
		constants: map[*model.Attribute]map[string]string{},
		values:    map[*model.Attribute]string{},
		fields:    map[*model.Attribute]string{},
		patterns:  map[*model.Pattern]string{},
		scans:     map[*model.Entity]string{},
		sums:      map[*model.Counter]string{},
		decoders:  map[*model.Entity]string{},
		fromItem:  map[*model.Entity]string{},
		readers:   map[*model.Struct]string{},
		tables:    map[*model.Table]string{},

		kinds:        map[*model.Entity]string{},
		elementFuncs: map[*model.Struct]string{},
		entryFuncs:   map[*model.Struct]string{},

		keyFuncs: map[*model.Entity]map[string]string{},
		shapes:   map[*model.Entity]string{},
	}
	for name := range imported {
		n.pkg[name] = true
	}
	for _, name := range types.Universe.Names() {
		n.pkg[name] = true
	}
	d := l.Design()
	for _, e := range d.Entities {
		n.entities[e] = n.pkg.take(asWritten(e.Name), "Entity")
	}
	for _, e := range d.Entities {
		n.keys[e] = n.pkg.take(n.entities[e]+"Key", "Key")
	}
	for _, s := range d.Structs {
		n.structs[s] = n.pkg.take(asWritten(s.Name), "Type")
	}
	n.nameAttributes(d)
	for _, p := range d.Patterns {
		n.patterns[p] = n.methods.take(asWritten(p.Name), "Pattern")
	}
	for _, s := range d.Structs {
		n.readers[s] = n.pkg.take("read"+n.structs[s], "Value")
	}
	for _, e := range d.Entities {
		n.scans[e] = n.methods.take("Scan"+n.entities[e], "Items")
		n.fromItem[e] = n.pkg.take(n.entities[e]+"FromItem", "Value")
		n.decoders[e] = n.pkg.take("decode"+n.entities[e], "Item")
		n.shapes[e] = n.pkg.take("is"+n.entities[e], "Key")
		if home := l.Home(e); home != nil {
			n.nameKeys(home)
		}
	}
	for _, e := range d.Entities {
		for _, sum := range l.Sums(e) {
			n.sums[sum.Counter] = n.methods.take("Sum"+n.entities[e]+n.fields[sum.Counter.Attribute], "Counter")
		}
	}
	for _, s := range d.Structs {
		n.elementFuncs[s] = n.pkg.take(unexported(n.structs[s])+"Elements", "Values")
		n.entryFuncs[s] = n.pkg.take(unexported(n.structs[s])+"Entries", "Values")
	}
	for _, e := range d.Entities {
		n.kinds[e] = n.pkg.take(unexported(n.entities[e])+"Kind", "Value")
	}
	for _, t := range d.Tables {
		n.tables[t] = n.pkg.take("Table"+joined(t.Name), "Name")
	}
	return n
}

// nameAttributes names the fields of entities and structs and the enums in them.
func (n *names) nameAttributes(d *model.Design) {
	for _, e := range d.Entities {
		n.nameFields(e.Attributes, itemMethods...)
		for _, a := range e.Attributes {
			n.nameEnum(n.entities[e], a)
		}
	}
	for _, s := range d.Structs {
		n.nameFields(s.Attributes)
		for _, a := range s.Attributes {
			n.nameEnum(n.structs[s], a)
		}
	}
}

func (n *names) nameFields(attributes []*model.Attribute, methods ...string) {
	s := scopeOf(methods...)
	for _, a := range attributes {
		n.fields[a] = s.take(exported(a.Name), "Value")
	}
}

func (n *names) nameEnum(owner string, a *model.Attribute) {
	values := enumOf(a.Type)
	if values == nil {
		return
	}
	name := n.pkg.take(owner+joined(a.Name), "Enum")
	n.enums[a] = name
	n.values[a] = n.pkg.take(name+"Values", "All")
	n.constants[a] = map[string]string{}
	for _, value := range values {
		n.constants[a][value] = n.pkg.take(name+joined(value), "Value")
	}
}

// nameKeys names the functions that make the entity's computed keys.
func (n *names) nameKeys(item *model.Item) {
	e := item.Entity
	n.keyFuncs[e] = map[string]string{}
	for _, c := range item.Computed {
		n.keyFuncs[e][c.Name] = n.pkg.take(unexported(n.entities[e])+joined(c.Name), "Key")
	}
}

// enumOf are the values of the enum a type is or holds, or nil.
func enumOf(t model.Type) []string {
	for t.Element != nil {
		t = *t.Element
	}
	return t.Values
}

// localNames are what generated functions call their own variables, so no parameter is
// named like them.
var localNames = scopeOf("encode", "k", "ctx", "db", "tx", "options", "params", "key", "keys", "item", "items", "client", "err", "query", "write", "writes")

// param is the name of a parameter of a generated method, free in the scope of the
// method's parameters.
func (n *names) param(s scope, name string) string {
	text := unexported(name)
	if token.IsKeyword(text) || n.pkg[text] || localNames[text] {
		text += "Value"
	}
	return s.take(text, "Value")
}
