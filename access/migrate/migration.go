package migrate

import (
	"fmt"

	parts "sortkey.dev/access/part"
)

// A Migration says how the items of one version of a design become those of the next.
type Migration struct {
	ID       string // 0007-task-titles
	Design   string
	From, To int // versions
	Tables   []Table
	Parts    []Part

	Strategy string // Dual or Tail; "" is Dual

	Opens, Closes []string        // paths that readers use from phase read on, and up to it
	Holds         map[string]bool // steps before which the run waits, deploy, read and after, if it is not what they do by default
	Conflicts     int64           // how many items may lack their part
	Estimates     []Estimate      // what the steps take, as planned
}

// A Table is a table that parts are in.
type Table = parts.Table

// A Part lists the attributes that only the next version stores in the items of an entity.
type Part = parts.Part

// A Source says where the value of an attribute of a part comes from.
type Source = parts.Source

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
