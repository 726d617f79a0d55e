package change

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/figures"
	"sortkey.dev/design/internal/model"
)

// tables compares the tables themselves.
func (c *comparer) tables() {
	for _, t := range c.Tables {
		before := len(c.all)
		switch {
		case t.Old == nil:
			c.add("E047", t.New.Place, "table "+t.New.Name, "table %s is new", t.New.Name)
		case t.New == nil:
			change := c.addRemoved("E045", t.Old.Place, diag.Place{}, "table "+t.Old.Name, "table %s was removed%s", t.Old.Name, c.sizeOf(t.Old))
			if t.Old.Protect {
				change.Message += "; it has deletion protection"
			}
		case t.Old.Name != t.New.Name:
			c.add("E047", t.New.Place, "table "+t.New.Name, "table %s is new and replaces %s%s", t.New.Name, t.Old.Name, c.sizeOf(t.Old)).
				as(diag.Ordered, "Infrastructure code of the new version no longer has the old table, so that Terraform and CloudFormation delete it with its items.").
				fixing("Keep the old table until its items are copied and no old code runs any more").Dangerous = true
		default:
			c.table(t)
		}
		for _, change := range c.all[before:] {
			change.Table = t
		}
	}
}

// sizeOf says how many items a table has by its design.
func (c *comparer) sizeOf(t *model.Table) string {
	var all []string
	for _, item := range t.Items {
		v := item.Entity.Volume
		switch {
		case v.Count != nil:
			all = append(all, figures.Quantity(*v.Count)+" "+item.Entity.LocalName())
		case v.Growth != nil:
			all = append(all, item.Entity.LocalName()+" ("+v.Growth.Text+")")
		}
	}
	if len(all) == 0 {
		return ""
	}
	return ", with " + listed(all) + " by the design"
}

// table compares a table that both versions have under its name.
func (c *comparer) table(t *TablePair) {
	c.tableKey(t)
	c.typeAttribute(t)
	c.expiry(t)
	c.stream(t)
	c.settings(t)
}

func (c *comparer) tableKey(t *TablePair) {
	was, is := keyWords(t.Old), keyWords(t.New)
	if was == is {
		return
	}
	subject := "table " + t.New.Name
	c.add("E041", t.New.PK.Place, subject, "the key of %s is %s, and was %s", t.New.Name, is, was).was(t.Old.PK.Place, "it was declared here").
		fixing("Give the table another name, and write was: %s", t.New.Name)
	c.add("E046", t.New.PK.Place, subject, "CloudFormation and Terraform replace %s: its key changed", t.New.Name)
}

// keyWords returns the key of a table in words: PK (S), SK (S).
func keyWords(t *model.Table) string {
	var all []string
	for _, k := range []model.KeyName{t.PK, t.SK} {
		if k.Name != "" {
			all = append(all, k.Name+kindsOf(t, k.Name))
		}
	}
	return strings.Join(all, ", ")
}

// kindsOf returns the kinds of values that the items of a table have for a key attribute.
func kindsOf(t *model.Table, name string) string {
	var kinds []string
	for _, item := range t.Items {
		if key := item.Key(name); key != nil && !slices.Contains(kinds, key.Kind()) {
			kinds = append(kinds, key.Kind())
		}
	}
	if len(kinds) == 0 {
		return ""
	}
	slices.Sort(kinds)
	return " (" + strings.Join(kinds, " or ") + ")"
}

// typeAttribute compares the attribute that holds the entity of an item.
func (c *comparer) typeAttribute(t *TablePair) {
	was, is, subject := t.Old.Type, t.New.Type, "table "+t.New.Name
	switch {
	case was == is:
	case was == "":
		c.add("E012", t.New.Place, subject, "items of %s have their entity in %s now, and old items lack it", t.New.Name, is).
			fixing("Give all old items the attribute before new code reads them")
	case is == "":
		c.addRemoved("E014", t.Old.Place, t.New.Place, subject, "items of %s have no %s any more", t.New.Name, was).
			as(diag.Ordered, "Old code does not know new items: it tells its entities apart by the attribute.")
	default:
		c.add("E015", t.New.Place, subject, "items of %s have their entity in %s, and had it in %s", t.New.Name, is, was).fixing("Keep the name: type: %s", was)
	}
}

// expiry compares the attribute that items expire by.
func (c *comparer) expiry(t *TablePair) {
	was, is, subject := t.Old.TTL, t.New.TTL, "table "+t.New.Name
	switch {
	case was == is:
		return
	case is == "":
		c.add("E047", t.New.Place, subject, "items of %s do not expire any more", t.New.Name)
		return
	case was == "":
		c.add("E047", t.New.TTLPlace, subject, "items of %s expire by %s", t.New.Name, is)
	default:
		c.add("E051", t.New.TTLPlace, subject, "items of %s expire by %s, and did by %s", t.New.Name, is, was)
	}
	var had []string
	for _, item := range t.Old.Items {
		if item.Entity.Stored(is) != nil {
			had = append(had, item.Entity.Name)
		}
	}
	if len(had) > 0 {
		c.add("E052", t.New.TTLPlace, subject, "old items of %s have %s: those whose time is past are deleted at once", strings.Join(had, ", "), is)
	}
}

func (c *comparer) stream(t *TablePair) {
	was, is, subject := t.Old.Stream, t.New.Stream, "table "+t.New.Name
	switch {
	case was == is:
	case was == "":
		c.add("E047", t.New.Place, subject, "%s has a stream now, with %s", t.New.Name, is)
	case is == "":
		c.add("E048", t.New.Place, subject, "%s has no stream any more", t.New.Name)
	default:
		c.add("E048", t.New.Place, subject, "the stream of %s has %s, and had %s", t.New.Name, is, was)
	}
}

// settings compares what programs do not notice.
func (c *comparer) settings(t *TablePair) {
	was, is := t.Old, t.New
	var all []string
	set := func(name string, before, after any) {
		if x, y := fmt.Sprint(before), fmt.Sprint(after); x != y {
			all = append(all, fmt.Sprintf("%s (%s, was %s)", name, y, x))
		}
	}
	set("billing", billing(was.Billing), billing(is.Billing))
	set("class", was.Class, is.Class)
	set("point-in-time recovery", was.PITR, is.PITR)
	set("encryption", was.Encryption, is.Encryption)
	set("deletion protection", was.Protect, is.Protect)
	set("tags", tags(was.Tags), tags(is.Tags))
	set("delimiter", was.Delimiter, is.Delimiter)
	for _, x := range t.Indexes {
		if x.Old != nil && x.New != nil {
			set("capacity of "+x.New.Name, x.Old.RCU.String()+"/"+x.Old.WCU.String(), x.New.RCU.String()+"/"+x.New.WCU.String())
		}
	}
	if len(all) > 0 {
		c.add("E047", is.Place, "table "+is.Name, "of %s changed %s", is.Name, strings.Join(all, ", "))
	}
}

func billing(b model.Billing) string {
	if !b.Provisioned {
		return "on-demand"
	}
	text := "provisioned"
	if !b.RCU.IsZero() || !b.WCU.IsZero() {
		text += " " + b.RCU.String() + "/" + b.WCU.String()
	}
	if a := b.Autoscale; a != nil {
		text += fmt.Sprintf(" from %s to %s at %s", a.Min, a.Max, a.Target)
	}
	return text
}

func tags(all []model.Tag) []string {
	texts := names(all, func(t model.Tag) string { return t.Key + "=" + t.Value })
	slices.Sort(texts)
	return texts
}
