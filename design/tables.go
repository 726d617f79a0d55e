package design

import (
	"sortkey.dev/access/provision"
	"sortkey.dev/design/internal/tabledef"
)

// Tables are the tables of a design as definitions that can be made, of the layout it
// chose or of one of its alternatives.
func (d *Design) Tables(alternative string) ([]provision.Table, error) {
	m, _, err := d.under(Workload{Alternative: alternative})
	if err != nil {
		return nil, err
	}
	return tabledef.Of(m), nil
}
