package migrate

import (
	"fmt"

	"sortkey.dev/access/shape"
)

// A Migration says how the items of one version of a design become those of the next.
type Migration struct {
	ID       string // 0007-task-titles
	Design   string
	From, To int // versions
	Tables   []Table
	Parts    []Part

	Opens, Closes []string        // paths that readers use from phase read on, and up to it
	Holds         map[string]bool // steps before which the run waits, deploy, read and after, if it is not what they do by default
	Conflicts     int64           // how many items may lack their part
}

// A Table is a table that parts are in.
type Table struct {
	Name     string // as the design names it
	Old, New *shape.Table
}

// A Part lists the attributes that only the next version stores in the items of an entity.
type Part struct {
	Name   string // Task.GSI2
	Table  string // as the design names it
	Entity string // in the last version
	As     string // in the next version
	Set    []Source
	// Remove lists the attributes that only the last version stores: they are removed at the end.
	Remove []string
}

// A Source says where the value of an attribute of a part comes from: one of Key, From, Value.
type Source struct {
	Attribute string // as it is stored
	Key       bool   // a key of the next version, made from its template
	From      string // the stored attribute that it is a copy of, or is converted from
	Convert   string // the name of a conversion of Options; "" copies
	Value     string // a constant, in the words of design files
	Type      string // of the constant
}

// Check returns an error for a migration that cannot be carried out: one that names what is not there.
func (m *Migration) Check() error {
	for i := range m.Parts {
		if _, err := m.compile(&m.Parts[i], nil); err != nil {
			return fmt.Errorf("migration %s: part %s: %w", m.ID, m.Parts[i].Name, err)
		}
	}
	return nil
}

// table returns a table by its name in the design.
func (m *Migration) table(name string) *Table {
	for i := range m.Tables {
		if m.Tables[i].Name == name {
			return &m.Tables[i]
		}
	}
	return nil
}
