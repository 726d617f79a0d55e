package docgen

import (
	"slices"
	"strings"
	"unicode/utf8"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
)

// A tableView shows a table's sample items by primary key and by each index.
type tableView struct {
	ID, Name, Doc string
	Legend        []entityMark
	Paths         []pathView
}

// A pathView shows the sample items of one path.
type pathView struct {
	ID, Title, Doc, Holds string
	Partition, Sort       string // names of the key attributes
	Main                  bool   // the table itself: shown unfolded
	Collections           []collectionView
	More                  int // collections left out
	Absent                []entityMark
}

// A collectionView shows the items of one partition.
type collectionView struct {
	Partition string
	Span      int // rows its heading spans
	Rows      []itemRow
	More      int
}

type itemRow struct {
	Entity entityMark
	Sort   string
	Cells  []attributeCell
	More   int
}

type attributeCell struct{ Name, Value string }

// Limits of the sample items shown.
const (
	mostCollections = 8
	mostRows        = 7 // of a collection before each entity is limited to mostAlike
	mostAlike       = 2
	mostCells       = 6
	mostCellsIndex  = 4
	longestValue    = 44
)

func newCollections(in Input) []tableView {
	d := in.Layout.Design()
	items := sample.Items(in.Layout, sample.Options{})
	var views []tableView
	for _, t := range d.Tables {
		v := tableView{ID: anchor("items", t.Name), Name: t.Name, Doc: t.Doc}
		for _, item := range t.Items {
			v.Legend = append(v.Legend, markOf(d, item.Entity))
		}
		for _, path := range pathsOf(t) {
			v.Paths = append(v.Paths, newPathView(d, items, path))
		}
		views = append(views, v)
	}
	return views
}

func newPathView(d *model.Design, items []*sample.Item, path resolve.Path) pathView {
	partition, sort := keysOf(path)
	v := pathView{
		ID: anchor("s", path.String()), Title: "By the table's own key", Main: path.Index == nil,
		Partition: strings.Join(partition, ", "), Sort: strings.Join(sort, ", "),
	}
	cells := mostCells
	if path.Index != nil {
		v.ID, v.Title, v.Doc, v.Holds = pathLink(path), "Through "+path.Index.Name, path.Index.Doc, holds(path.Index)
		cells = mostCellsIndex
	}
	seen := map[*model.Entity]bool{}
	collections, fresh := telling(sample.Through(items, path))
	for i, c := range collections {
		for _, row := range c.Rows {
			seen[row.Item.Entity] = true
		}
		if i >= max(mostCollections, fresh) {
			v.More++
			continue
		}
		v.Collections = append(v.Collections, newCollectionView(d, c, path, cells))
	}
	for _, item := range path.Table.Items {
		if !seen[item.Entity] {
			v.Absent = append(v.Absent, markOf(d, item.Entity))
		}
	}
	return v
}

// telling sorts collections: first those that show a new entity, then those of several
// entities. It also returns how many show a new entity.
func telling(list []*sample.Collection) (sorted []*sample.Collection, fresh int) {
	var first, mixed, rest []*sample.Collection
	shown := map[*model.Entity]bool{}
	for _, c := range list {
		before := len(shown)
		kinds := map[*model.Entity]bool{}
		for _, row := range c.Rows {
			shown[row.Item.Entity], kinds[row.Item.Entity] = true, true
		}
		switch {
		case len(shown) > before:
			first = append(first, c)
		case len(kinds) > 1:
			mixed = append(mixed, c)
		default:
			rest = append(rest, c)
		}
	}
	return slices.Concat(first, mixed, rest), len(first)
}

func newCollectionView(d *model.Design, c *sample.Collection, path resolve.Path, cells int) collectionView {
	v := collectionView{Partition: joinValues(c.Partition)}
	shown := map[*model.Entity]int{}
	for _, row := range c.Rows {
		e := row.Item.Entity
		if shown[e]++; shown[e] > mostAlike && len(c.Rows) > mostRows {
			v.More++
			continue
		}
		v.Rows = append(v.Rows, newItemRow(d, row, path, cells))
	}
	v.Span = len(v.Rows)
	if v.More > 0 {
		v.Span++
	}
	return v
}

func newItemRow(d *model.Design, row sample.Row, path resolve.Path, cells int) itemRow {
	shown := itemRow{Entity: markOf(d, row.Item.Entity), Sort: joinValues(row.Sort)}
	inKey := readable(row, path)
	for _, a := range row.Attributes {
		if a.Origin == nil || slices.Contains(inKey, a.Origin) {
			continue // keys of other paths are shown in their own views
		}
		if len(shown.Cells) == cells {
			shown.More++
			continue
		}
		shown.Cells = append(shown.Cells, attributeCell{a.Name, shorten(a.Value.String(), longestValue)})
	}
	return shown
}

// readable returns the attributes whose values are visible in the path's key and need not be
// repeated.
func readable(row sample.Row, path resolve.Path) []*model.Attribute {
	item := path.Table.Item(row.Item.Entity)
	if item == nil {
		return nil
	}
	var all []*model.Attribute
	partition, sort := keysOf(path)
	for _, name := range slices.Concat(partition, sort) {
		if key := item.Key(name); key != nil {
			all = append(all, key.Attributes()...)
		}
	}
	return all
}

func joinValues(values []sample.Value) string {
	parts := make([]string, len(values))
	for i, v := range values {
		parts[i] = v.String()
	}
	return strings.Join(parts, " · ")
}

// holds describes the projection of an index.
func holds(x *model.Index) string {
	kind := "global index, "
	if x.Local {
		kind = "local index, "
	}
	switch x.Project.Kind {
	case model.ProjectKeys:
		return kind + "keys only"
	case model.ProjectInclude:
		return kind + "keys and " + strings.Join(x.Project.Attributes, ", ")
	}
	return kind + "all attributes"
}

func shorten(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most-1]) + "…"
}
