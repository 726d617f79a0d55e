package design

import (
	"sortkey.dev/access/provision"
	"sortkey.dev/design/internal/tabledef"
)

// Tables returns the table definitions of a design, of the chosen layout or of an alternative.
func (d *Design) Tables(alternative string) ([]provision.Table, error) {
	m, _, err := d.under(Workload{Alternative: alternative})
	if err != nil {
		return nil, err
	}
	return tabledef.Of(m), nil
}
