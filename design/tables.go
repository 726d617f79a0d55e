package design

import (
	"sortkey.dev/access/provision"
	"sortkey.dev/design/internal/tabledef"
)

// Tables returns the table definitions of a design, of the chosen layout or of an alternative. With
// tags it returns only the tables and indexes of these phases.
func (d *Design) Tables(alternative string, tags ...string) ([]provision.Table, error) {
	m, _, err := d.under(Workload{Alternative: alternative, Tags: tags})
	if err != nil {
		return nil, err
	}
	return tabledef.Of(m.Phase(tags)), nil
}

// Tags returns those of the part of the design that is the last version of its history; none if it is all of it.
func (h *History) Tags() []string { return h.history.Last().Tags }
