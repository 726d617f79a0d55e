// Package naming makes the Go names of everything in a design, each unique in the scope it
// lives in. It builds no code; the rooms that do look names up here.
//
// The rules, in order:
//
//   - Words are joined in Go's way, with initialisms in capitals: question_ids is
//     QuestionIDs, thumbnailUrl is ThumbnailURL, TIMED_OUT is TimedOut.
//   - Names of entities keep the spelling of the design.
//   - The names that every generated package has come first: DB, New, Tx, Handlers, Tables,
//     Patterns. Then come entities, their keys, types, enums, constants and patterns. A name
//     that is taken already gets a word behind it: Entity, Key, Type, Enum, Value or
//     Pattern, and a number if that is taken too.
//   - A field named like a method of its type, and a parameter named like a word of Go, a
//     variable of generated functions or an imported package, gets Value behind it.
//   - The method that adds up a counter is Sum, the entity and the field, with Counter behind
//     it if a pattern has that name.
//   - A method of the package named like a word of Go gets Pattern or Action behind it. A
//     field that would begin with a digit gets an X in front.
package naming

import (
	"go/token"
	"go/types"
	"strconv"

	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// A Scope is a set of names that are taken.
type Scope map[string]bool

// Take takes and returns a free name: the one asked for, else with a word behind it, else
// with a number behind that.
func (s Scope) Take(name, word string) string {
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

// ScopeOf returns a scope in which names are taken.
func ScopeOf(names ...string) Scope {
	s := Scope{}
	for _, name := range names {
		s[name] = true
	}
	return s
}

// Names holds the Go names of everything in a design.
type Names struct {
	Pkg     Scope // of the package: types, functions, constants
	Methods Scope // of DB

	Entities  map[*model.Entity]string
	Keys      map[*model.Entity]string // the struct of its primary key
	Structs   map[*model.Struct]string
	Enums     map[*model.Attribute]string
	Constants map[*model.Attribute]map[string]string // by value
	Values    map[*model.Attribute]string            // the function with all of them
	Fields    map[*model.Attribute]string
	Patterns  map[*model.Pattern]string // the method of DB
	Scans     map[*model.Entity]string  // the method of DB
	Sums      map[*model.Counter]string // the method of DB that adds up a sharded counter
	Decoders  map[*model.Entity]string
	FromItem  map[*model.Entity]string
	Readers   map[*model.Struct]string
	Tables    map[*model.Table]string // the constant with its name

	Kinds        map[*model.Entity]string // the variable with the type attribute of its items
	ElementFuncs map[*model.Struct]string // encode a list of it
	EntryFuncs   map[*model.Struct]string // encode a map of it

	KeyFuncs map[*model.Entity]map[string]string // by key attribute
	Shapes   map[*model.Entity]string            // the function that recognizes its keys
}

// fixedNames lists the names that a generated package always has.
var fixedNames = []string{
	"DB", "New", "Tx", "Handlers", "Tables", "Patterns", "init", "main", "_",
	"designOf", "changeOf",
}

// fixedMethods lists the methods that DB and Tx always have, and their fields; and the methods
// that the standard library calls, which have other parameters than a pattern.
var fixedMethods = []string{
	"Tx", "Join", "Shared", "Stream", "Client", "Commit", "Len", "c",
	"MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText", "MarshalBinary", "UnmarshalBinary", "MarshalXML", "UnmarshalXML",
	"GobEncode", "GobDecode", "AppendText", "AppendBinary", "String", "GoString", "Format", "LogValue", "Error", "Is", "As", "Unwrap",
	"Read", "Write", "Close", "Seek", "Peek", "ReadFrom", "WriteTo", "ReadByte", "WriteByte", "UnreadByte", "ReadRune", "UnreadRune",
}

// itemMethods lists the methods of entities. No field is named like them.
var itemMethods = []string{"Key", "Item"}

// New names everything in a fixed order, so that a name depends on the design alone.
func New(l *resolve.Layout) *Names {
	n := &Names{
		Pkg:       ScopeOf(fixedNames...),
		Methods:   ScopeOf(fixedMethods...),
		Entities:  map[*model.Entity]string{},
		Keys:      map[*model.Entity]string{},
		Structs:   map[*model.Struct]string{},
		Enums:     map[*model.Attribute]string{},
		Constants: map[*model.Attribute]map[string]string{},
		Values:    map[*model.Attribute]string{},
		Fields:    map[*model.Attribute]string{},
		Patterns:  map[*model.Pattern]string{},
		Scans:     map[*model.Entity]string{},
		Sums:      map[*model.Counter]string{},
		Decoders:  map[*model.Entity]string{},
		FromItem:  map[*model.Entity]string{},
		Readers:   map[*model.Struct]string{},
		Tables:    map[*model.Table]string{},

		Kinds:        map[*model.Entity]string{},
		ElementFuncs: map[*model.Struct]string{},
		EntryFuncs:   map[*model.Struct]string{},

		KeyFuncs: map[*model.Entity]map[string]string{},
		Shapes:   map[*model.Entity]string{},
	}
	for _, name := range library.Packages() {
		n.Pkg[name] = true
	}
	for _, name := range types.Universe.Names() {
		n.Pkg[name] = true
	}
	d := l.Design()
	for _, e := range d.Entities {
		n.Entities[e] = n.Pkg.Take(AsWritten(e.Name), "Entity")
	}
	for _, e := range d.Entities {
		n.Keys[e] = n.Pkg.Take(n.Entities[e]+"Key", "Key")
	}
	for _, s := range d.Structs {
		n.Structs[s] = n.Pkg.Take(AsWritten(s.Name), "Type")
	}
	n.nameAttributes(d)
	for _, p := range d.Patterns {
		n.Patterns[p] = n.Methods.Take(AsWritten(p.Name), "Pattern")
	}
	for _, s := range d.Structs {
		n.Readers[s] = n.Pkg.Take("read"+n.Structs[s], "Value")
	}
	for _, e := range d.Entities {
		n.Scans[e] = n.Methods.Take("Scan"+n.Entities[e], "Items")
		n.FromItem[e] = n.Pkg.Take(n.Entities[e]+"FromItem", "Value")
		n.Decoders[e] = n.Pkg.Take("decode"+n.Entities[e], "Item")
		n.Shapes[e] = n.Pkg.Take("is"+n.Entities[e], "Key")
		if home := l.Home(e); home != nil {
			n.nameKeys(home)
		}
	}
	for _, e := range d.Entities {
		for _, sum := range l.Sums(e) {
			n.Sums[sum.Counter] = n.Methods.Take("Sum"+n.Entities[e]+n.Fields[sum.Counter.Attribute], "Counter")
		}
	}
	for _, s := range d.Structs {
		n.ElementFuncs[s] = n.Pkg.Take(Unexported(n.Structs[s])+"Elements", "Values")
		n.EntryFuncs[s] = n.Pkg.Take(Unexported(n.Structs[s])+"Entries", "Values")
	}
	for _, e := range d.Entities {
		n.Kinds[e] = n.Pkg.Take(Unexported(n.Entities[e])+"Kind", "Value")
	}
	for _, t := range d.Tables {
		n.Tables[t] = n.Pkg.Take("Table"+Joined(t.Name), "Name")
	}
	return n
}

// nameAttributes names the fields of entities and structs and the enums in them.
func (n *Names) nameAttributes(d *model.Design) {
	for _, e := range d.Entities {
		n.nameFields(e.Attributes, itemMethods...)
		for _, a := range e.Attributes {
			n.nameEnum(n.Entities[e], a)
		}
	}
	for _, s := range d.Structs {
		n.nameFields(s.Attributes)
		for _, a := range s.Attributes {
			n.nameEnum(n.Structs[s], a)
		}
	}
}

func (n *Names) nameFields(attributes []*model.Attribute, methods ...string) {
	s := ScopeOf(methods...)
	for _, a := range attributes {
		n.Fields[a] = s.Take(Exported(a.Name), "Value")
	}
}

func (n *Names) nameEnum(owner string, a *model.Attribute) {
	values := EnumOf(a.Type)
	if values == nil {
		return
	}
	name := n.Pkg.Take(owner+Joined(a.Name), "Enum")
	n.Enums[a] = name
	n.Values[a] = n.Pkg.Take(name+"Values", "All")
	n.Constants[a] = map[string]string{}
	for _, value := range values {
		n.Constants[a][value] = n.Pkg.Take(name+Joined(value), "Value")
	}
}

// nameKeys names the functions that make the entity's computed keys.
func (n *Names) nameKeys(item *model.Item) {
	e := item.Entity
	n.KeyFuncs[e] = map[string]string{}
	for _, c := range item.Computed {
		n.KeyFuncs[e][c.Name] = n.Pkg.Take(Unexported(n.Entities[e])+Joined(c.Name), "Key")
	}
}

// EnumOf returns the values of the enum that a type is or holds, or nil.
func EnumOf(t model.Type) []string {
	for t.Element != nil {
		t = *t.Element
	}
	return t.Values
}

// localNames lists the variables of generated functions. No parameter is named like them.
var localNames = ScopeOf("encode", "k", "ctx", "db", "tx", "options", "params", "key", "keys", "item", "items", "client", "err", "query", "write", "writes", "one", "v")

// Param takes and returns the name of a parameter of a generated method, which is free in
// the scope of the method.
func (n *Names) Param(s Scope, name string) string {
	text := Unexported(name)
	if token.IsKeyword(text) || n.Pkg[text] || localNames[text] {
		text += "Value"
	}
	return s.Take(text, "Value")
}
