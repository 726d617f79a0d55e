package across

import (
	"slices"

	"sortkey.dev/access/provision"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/shape"
	"sortkey.dev/design/internal/tabledef"
)

// differing returns the names of the tables whose items, keys or indexes differ between two designs, or whose
// entities have names for other things or count other versions up. Calls on other tables find what they would find in their own design.
func differing(a, b *model.Design, same *Pairs) map[string]bool {
	all := map[string]bool{}
	for _, t := range slices.Concat(a.Tables, b.Tables) {
		i, j := tableNamed(a, t.Name), tableNamed(b, t.Name)
		all[t.Name] = all[t.Name] || i < 0 || j < 0 || !sameTable(a, b, i, j) || slices.ContainsFunc(t.Items, same.differs)
	}
	return all
}

// differs reports whether the names in an item are those of other things in the other design, as when two
// attributes exchange theirs, or whether the other design has another version.
func (p *Pairs) differs(item *model.Item) bool {
	e := item.Entity
	if other := p.entities[e]; other != nil && (other.LocalName() != e.LocalName() || p.attributes[e.Version] != other.Version) {
		return true
	}
	return slices.ContainsFunc(e.Attributes, func(a *model.Attribute) bool {
		other := p.attributes[a]
		return other != nil && other.Stored != a.Stored || len(p.values[a]) > 0
	})
}

func tableNamed(d *model.Design, name string) int {
	return slices.IndexFunc(d.Tables, func(t *model.Table) bool { return t.Name == name })
}

func sameTable(a, b *model.Design, i, j int) bool {
	if !slices.Equal(shape.Of(a, a.Tables[i]).Facts(), shape.Of(b, b.Tables[j]).Facts()) {
		return false
	}
	was, is := tabledef.Temporary(a)[i], tabledef.Temporary(b)[j]
	if was.PK != is.PK || was.SK != is.SK || len(was.Indexes) != len(is.Indexes) {
		return false
	}
	for _, x := range was.Indexes {
		at := slices.IndexFunc(is.Indexes, func(y provision.Index) bool { return y.Name == x.Name })
		if at < 0 {
			return false
		}
		y := is.Indexes[at]
		same := x.Local == y.Local && x.Project == y.Project && slices.Equal(x.PK, y.PK) && slices.Equal(x.SK, y.SK)
		if slices.Sort(x.Attributes); same {
			slices.Sort(y.Attributes)
			same = slices.Equal(x.Attributes, y.Attributes)
		}
		if !same {
			return false
		}
	}
	return true
}

// touches reports whether a call reads or writes one of the tables.
func touches(c *program.Call, tables map[string]bool) bool {
	for _, r := range c.Reads() {
		if tables[r.Read.Entry.Path.Table.Name] {
			return true
		}
	}
	return slices.ContainsFunc(c.Writes, func(w *program.WriteStep) bool { return tables[w.Statement.Table.Name] })
}
