package docgen

import (
	"slices"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/figures"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// An overviewTable is one table of the picture that the report begins with: its paths, the
// entities in each, and what each costs and takes.
type overviewTable struct {
	Name, Doc, Link string
	Paths           []overviewPath
}

// An overviewPath is a table or one of its indexes in the picture.
type overviewPath struct {
	Name, Kind, Link string
	Keys             string // names of the key attributes
	Entities         []entityMark
	Stored           string
	Money            meter // share of the most expensive path
	Heat             meter // share of the limits of one partition
}

// A meter is a small bar with its value in words.
type meter struct {
	Label, Value, Width string
	Tone                string // "", warn or bad
}

func newOverview(in Input) []overviewTable {
	d := in.Layout.Design()
	costs := paths(in.Estimate)
	most := exact.Zero
	for _, p := range costs {
		most = most.Max(p.OnDemand.Total)
	}
	var tables []overviewTable
	for _, t := range d.Tables {
		v := overviewTable{Name: t.Name, Doc: t.Doc, Link: anchor("t", t.Name)}
		for _, path := range pathsOf(t) {
			i := slices.IndexFunc(costs, func(c *cost.PathCost) bool { return c.Path.String() == path.String() })
			var priced *cost.PathCost
			if i >= 0 {
				priced = costs[i]
			}
			v.Paths = append(v.Paths, newOverviewPath(d, path, priced, most))
		}
		tables = append(tables, v)
	}
	return tables
}

func newOverviewPath(d *model.Design, path resolve.Path, priced *cost.PathCost, most exact.Number) overviewPath {
	partition, sort := keysOf(path)
	v := overviewPath{Name: path.Table.Name, Kind: "table", Link: anchor("s", path.String()), Keys: joinKeys(partition, sort)}
	if path.Index != nil {
		v.Name, v.Link = path.Index.Name, pathLink(path)
		v.Kind = "global index"
		if path.Index.Local {
			v.Kind = "local index"
		}
	}
	for _, item := range path.Table.Items {
		if isIn(item, partition) && isIn(item, sort) {
			v.Entities = append(v.Entities, markOf(d, item.Entity))
		}
	}
	if priced != nil {
		v.Stored = figures.Bytes(priced.Bytes)
		v.Money = moneyMeter(priced.OnDemand.Total, most)
		v.Heat = heatMeter(priced.Heat.Utilisation())
	}
	return v
}

// isIn reports whether items of an entity have all of these keys.
func isIn(item *model.Item, keys []string) bool {
	return !slices.ContainsFunc(keys, func(name string) bool { return item.Key(name) == nil })
}

func joinKeys(partition, sort []string) string {
	text := ""
	for i, name := range slices.Concat(partition, sort) {
		switch {
		case i == 0:
		case i == len(partition):
			text += " / "
		default:
			text += ", "
		}
		text += name
	}
	return text
}

func moneyMeter(money, most exact.Number) meter {
	m := meter{Label: "a month", Value: figures.Money(money), Width: "0%"}
	if width, ok := money.Div(most); ok {
		m.Width = percent(width)
	}
	return m
}

func heatMeter(used exact.Number) meter {
	m := meter{Label: "of a partition at the peak", Value: share(used), Width: percent(used.Min(exact.One))}
	switch {
	case exact.One.Less(used):
		m.Tone = "bad"
	case exact.Ratio(1, 2).Less(used):
		m.Tone = "warn"
	}
	return m
}
