package change

import (
	"slices"
	"strings"

	"sortkey.dev/design/internal/model"
)

// indexes compares the indexes of tables that both versions have.
func (c *comparer) indexes() {
	for _, t := range c.Tables {
		if t.Old == nil || t.New == nil || t.Old.Name != t.New.Name {
			continue
		}
		for i := range t.Indexes {
			before := len(c.all)
			c.index(t, &t.Indexes[i])
			for _, change := range c.all[before:] {
				change.Table, change.Index = t, &t.Indexes[i]
			}
		}
	}
}

func (c *comparer) index(t *TablePair, x *Pair[*model.Index]) {
	switch {
	case x.Old == nil:
		c.indexAdded(t, x.New, "")
	case x.New == nil:
		c.indexRemoved(t, x.Old, t.New)
	case x.Old.Name != x.New.Name:
		c.indexAdded(t, x.New, " and replaces "+x.Old.Name)
		c.indexRemoved(t, x.Old, t.New)
	default:
		c.indexChanged(t, x.Old, x.New)
	}
}

func subjectOf(x *model.Index) string { return "index " + x.Name + " of " + x.Table.Name }

func (c *comparer) indexAdded(t *TablePair, x *model.Index, replaces string) {
	if x.Local {
		c.add("E028", x.Place, subjectOf(x), "local index %s is new, and %s exists", x.Name, t.New.Name)
		c.add("E046", x.Place, subjectOf(x), "CloudFormation and Terraform replace %s: its local indexes changed", t.New.Name)
		return
	}
	c.add("E024", x.Place, subjectOf(x), "index %s is new%s", x.Name, replaces)
	c.refusals(t, x)
}

func (c *comparer) indexRemoved(t *TablePair, x *model.Index, in *model.Table) {
	if x.Local {
		c.addRemoved("E028", x.Place, in.Place, subjectOf(x), "local index %s was removed, and %s exists", x.Name, in.Name)
		c.addRemoved("E046", x.Place, in.Place, subjectOf(x), "CloudFormation and Terraform replace %s: its local indexes changed", in.Name)
		return
	}
	change := c.addRemoved("E027", x.Place, in.Place, subjectOf(x), "index %s was removed", x.Name)
	if readers := c.readersOf(x); len(readers) > 0 {
		change.Message += "; old code reads through it in " + listed(readers)
	}
}

// readersOf returns the patterns of the old version that read through an index.
func (c *comparer) readersOf(x *model.Index) []string {
	var all []string
	for _, plan := range c.before.Plans() {
		for _, r := range plan.Reads() {
			if r.Entry.Path.Index == x && !slices.Contains(all, plan.Pattern.Name) {
				all = append(all, plan.Pattern.Name)
			}
		}
	}
	return all
}

func (c *comparer) indexChanged(t *TablePair, was, is *model.Index) {
	keys := indexKeyWords(was) != indexKeyWords(is)
	projection := projected(was) != projected(is)
	what := "its keys are " + indexKeyWords(is) + ", and were " + indexKeyWords(was)
	if !keys {
		what = "it projects " + projected(is) + ", and projected " + projected(was)
	}
	switch {
	case !keys && !projection && was.Local == is.Local:
	case was.Local || is.Local:
		c.add("E028", is.Place, subjectOf(is), "local index %s changed: %s", is.Name, what).was(was.Place, "it was declared here")
		c.add("E046", is.Place, subjectOf(is), "CloudFormation and Terraform replace %s: its local indexes changed", t.New.Name)
	default:
		c.add("E026", is.Place, subjectOf(is), "index %s changed under its name: %s", is.Name, what).was(was.Place, "it was declared here").
			fixing("Give the new index another name, and write was: %s", was.Name)
	}
}

// indexKeyWords returns the keys of an index in words, with their kinds.
func indexKeyWords(x *model.Index) string {
	word := func(k model.KeyName) string { return k.Name + kindsOf(x.Table, k.Name) }
	text := strings.Join(names(x.PK, word), "+")
	if len(x.SK) > 0 {
		text += " and " + strings.Join(names(x.SK, word), "+")
	}
	return text
}

// projected returns the projection of an index in words, in an order of its own.
func projected(x *model.Index) string {
	if x.Project.Kind != model.ProjectInclude {
		return string(x.Project.Kind)
	}
	return strings.Join(slices.Sorted(slices.Values(x.Project.Attributes)), ", ")
}

// refusals lists values of old items that a new index would refuse.
func (c *comparer) refusals(t *TablePair, x *model.Index) {
	for _, k := range slices.Concat(x.PK, x.SK) {
		if k.Name == t.New.PK.Name || k.Name == t.New.SK.Name {
			continue
		}
		kinds := map[string]bool{}
		for _, item := range t.New.Items {
			if key := item.Key(k.Name); key != nil {
				kinds[key.Kind()] = true
			}
		}
		for _, item := range t.Old.Items {
			a := item.Entity.Stored(k.Name)
			switch {
			case a == nil || c.indexed(t.Old, k.Name):
			case !slices.Contains([]string{"S", "N", "B"}, storedKind(a.Type)):
				c.add("E025", x.Place, subjectOf(x), "%s.%s is %s, and keys of an index are texts, numbers or bytes", item.Entity.Name, a.Name, a.Type).was(a.Place, "it was declared here")
			case !kinds[a.Type.KeyKind()]:
				c.add("E025", x.Place, subjectOf(x), "%s.%s is %s, and the index takes other kinds", item.Entity.Name, a.Name, a.Type).was(a.Place, "it was declared here")
			case a.Type.Base == model.String || a.Type.Base == model.Bytes || a.Type.Base == model.JSON:
				c.add("E025", x.Place, subjectOf(x), "%s.%s is %s: with the index DynamoDB refuses an item whose value is empty or too long", item.Entity.Name, a.Name, a.Type).was(a.Place, "it was declared here")
			}
		}
	}
}

// indexed reports whether an attribute is a key of another index of the old table, which refuses the same values.
func (c *comparer) indexed(t *model.Table, name string) bool {
	return slices.Contains(indexKeyNames(t), name)
}
