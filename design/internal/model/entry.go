package model

import (
	"strings"

	"sortkey.dev/design/internal/diag"
)

// An Entry is one entry of a map attribute.
type Entry struct {
	Map     *Attribute
	Key     Operand    // a constant or a parameter
	KeyText *Attribute // an attribute for the key, which no entity has: a text
	Element *Attribute // an attribute for the value of the entry, which no entity has
}

// NewEntry returns an entry of a map.
func NewEntry(a *Attribute, key Operand) *Entry {
	text := key.Constant
	if key.Param != "" {
		text = "$" + key.Param
	}
	element := *a.Type.Element
	return &Entry{
		Map: a, Key: key,
		KeyText: &Attribute{Name: a.Name + "_key", Type: Type{Base: String}},
		Element: &Attribute{Name: a.Name + "[" + text + "]", Stored: a.Stored, Type: element},
	}
}

// UnfitForEntries returns why the entries of an attribute cannot be compared one by one, or "".
func UnfitForEntries(a *Attribute) string {
	if a.Type.Base != MapOf {
		return "only maps have entries, and " + a.Name + " is " + a.Type.String()
	}
	switch a.Type.Element.Base {
	case Enum, StructOf, ListOf, SetOf, MapOf, JSON:
		return "the entries of " + a.Name + " are " + a.Type.Element.String() + "; one by one only texts, numbers, instants and truth values can be changed"
	}
	return ""
}

// UnfitForEntryChanges returns why the entries of an attribute cannot be changed one by one, or
// "".
func UnfitForEntryChanges(a *Attribute) string {
	if why := UnfitForEntries(a); why != "" || !a.Type.Optional {
		return why
	}
	return a.Name + " is optional, and DynamoDB cannot change an entry of a map that an item lacks; declare it as " +
		strings.TrimSuffix(a.Type.String(), "?") + ": an empty map is stored, too"
}

// An EntryChange changes one entry of a map.
type EntryChange struct {
	*Entry
	Kind  EntryKind
	Value Operand // of a set the value, of an addition the number
	Place diag.Place
}

// EntryKind is the kind of a change of an entry.
type EntryKind int

// The kinds of changes of an entry.
const (
	SetEntry    EntryKind = iota // sets the entry, or makes it
	AddToEntry                   // adds a number; an entry that is missing counts as 0
	RemoveEntry                  // removes the entry
)

// Bounded reports whether the change may add an entry to a map that states its maximum.
func (c *EntryChange) Bounded() bool { return c.Kind != RemoveEntry && c.Map.Max > 0 }
