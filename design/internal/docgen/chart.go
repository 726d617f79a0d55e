package docgen

import (
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// A chartTable is the entity chart of one table: the key templates of every entity in the
// table and its indexes.
type chartTable struct {
	ID, Name string
	Groups   []columnGroup
	Columns  []string
	Rows     []chartRow
}

// A columnGroup heads the columns of the table or of one index.
type columnGroup struct {
	Name  string
	Width int
}

type chartRow struct {
	Entity entityMark
	Cells  []keyCell
}

// An entityMark is an entity's name and colour.
type entityMark struct{ Name, Class, Link string }

// A keyCell is the template of one key, in pieces, with its condition.
type keyCell struct {
	Pieces []piece
	When   string
}

// A piece is a literal or a placeholder of a template.
type piece struct {
	Text string
	Hole bool
}

// palette is the number of entity colours; further entities reuse them, so every coloured
// element also names its entity.
const palette = 12

// colourOf returns the class of an entity's colour.
func colourOf(d *model.Design, e *model.Entity) string {
	const digits = "0123456789ab"
	i := max(0, slices.Index(d.Entities, e))
	return "e" + string(digits[i%palette])
}

func markOf(d *model.Design, e *model.Entity) entityMark {
	return entityMark{Name: e.Name, Class: colourOf(d, e), Link: anchor("e", e.Name)}
}

func newChart(in Input) []chartTable {
	d := in.Layout.Design()
	var charts []chartTable
	for _, t := range d.Tables {
		c := chartTable{ID: anchor("t", t.Name), Name: t.Name}
		c.columns(t)
		for _, item := range t.Items {
			c.Rows = append(c.Rows, chartRow{Entity: markOf(d, item.Entity), Cells: cellsOf(item, c.Columns)})
		}
		charts = append(charts, c)
	}
	return charts
}

// columns sets the columns: the key attributes of the table, then of each index; an attribute
// that is a key of both is in both groups.
func (c *chartTable) columns(t *model.Table) {
	add := func(group string, names []string) {
		c.Groups = append(c.Groups, columnGroup{group, len(names)})
		c.Columns = append(c.Columns, names...)
	}
	for _, path := range pathsOf(t) {
		partition, sort := keysOf(path)
		name := "Table"
		if path.Index != nil {
			name = path.Index.Name
		}
		add(name, slices.Concat(partition, sort))
	}
}

// pathsOf returns the paths of a table: the table itself and its indexes.
func pathsOf(t *model.Table) []resolve.Path {
	paths := []resolve.Path{{Table: t}}
	for _, x := range t.Indexes {
		paths = append(paths, resolve.Path{Table: t, Index: x})
	}
	return paths
}

// keysOf returns the names of a path's key attributes.
func keysOf(path resolve.Path) (partition, sort []string) {
	t := path.Table
	names := func(list []model.KeyName) (all []string) {
		for _, k := range list {
			if k.Name != "" {
				all = append(all, k.Name)
			}
		}
		return all
	}
	switch {
	case path.Index == nil:
		return names([]model.KeyName{t.PK}), names([]model.KeyName{t.SK})
	case path.Index.Local:
		return names([]model.KeyName{t.PK}), names(path.Index.SK)
	}
	return names(path.Index.PK), names(path.Index.SK)
}

func cellsOf(item *model.Item, columns []string) []keyCell {
	cells := make([]keyCell, len(columns))
	for i, name := range columns {
		if key := item.Key(name); key != nil {
			cells[i] = cellOf(key)
		}
	}
	return cells
}

func cellOf(key *model.Key) keyCell {
	cell := keyCell{When: conditions(key.When)}
	if key.Attribute != nil && key.Attribute.Type.Optional {
		cell.When = key.Attribute.Name + " exists"
	}
	for _, part := range key.Parts() {
		cell.Pieces = append(cell.Pieces, piece{Text: part.String(), Hole: part.IsHole()})
	}
	return cell
}
