package change

import (
	"slices"
	"strings"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
)

// both returns the entities that both versions have.
func (c *comparer) both() []*EntityPair {
	return slices.DeleteFunc(slices.Clone(c.Entities), func(p *EntityPair) bool { return p.Old == nil || p.New == nil })
}

// A guardAt is a guard with its table.
type guardAt struct {
	*model.Guard
	table *model.Table
}

func guardsOf(d *model.Design, e *model.Entity) []guardAt {
	var all []guardAt
	for _, t := range d.Tables {
		for _, g := range t.Guards {
			if g.Entity == e {
				all = append(all, guardAt{g, t})
			}
		}
	}
	return all
}

// uniques compares the rows that keep values unique.
func (c *comparer) uniques() {
	for _, p := range c.both() {
		before := len(c.all)
		old := guardsOf(c.Old, p.Old)
		for _, g := range guardsOf(c.New, p.New) {
			name := p.New.Name + "." + uniqueWords(g.Guard)
			i := slices.IndexFunc(old, func(o guardAt) bool {
				return c.attributesText(p, o.Attributes, false) == c.attributesText(p, g.Attributes, true)
			})
			if i < 0 {
				c.add("E061", g.Place, "entity "+p.New.Name, "%s is unique now", name)
				continue
			}
			switch was, is := c.guardText(p, old[i], false), c.guardText(p, g, true); {
			case was != is:
				c.add("E063", g.Place, "entity "+p.New.Name, "the rows that keep %s unique have other keys", name).was(old[i].Place, "they were made here")
			case old[i].table.Name != g.table.Name:
				c.add("E063", g.Place, "entity "+p.New.Name, "the rows that keep %s unique are in %s, and were in %s", name, g.table.Name, old[i].table.Name).was(old[i].Place, "they were made here")
			}
			old = slices.Delete(old, i, i+1)
		}
		for _, g := range old {
			c.addRemoved("E063", g.Place, p.New.Place, "entity "+p.New.Name, "%s.%s is not unique any more", p.New.Name, uniqueWords(g.Guard))
		}
		c.about(before, p)
	}
}

// about notes the entity of the changes since before.
func (c *comparer) about(before int, p *EntityPair) {
	for _, change := range c.all[before:] {
		change.Entity = p
	}
}

// uniqueWords returns what a guard keeps unique: email, or email per tenant.
func uniqueWords(g *model.Guard) string {
	text := strings.Join(names(g.Attributes, attributeName), "+")
	for _, u := range g.Entity.Unique {
		if len(u.Per) > 0 && slices.Equal(u.Attributes, g.Attributes) {
			text += " per " + strings.Join(names(u.Per, attributeName), "+")
		}
	}
	return text
}

func (c *comparer) attributesText(p *EntityPair, all []*model.Attribute, isNew bool) string {
	return strings.Join(names(all, func(a *model.Attribute) string { return c.attributeText(p, a, isNew) }), "+")
}

func (c *comparer) guardText(p *EntityPair, g guardAt, isNew bool) string {
	text := ""
	for _, u := range g.Entity.Unique {
		if slices.Equal(u.Attributes, g.Attributes) {
			text += " per " + c.attributesText(p, u.Per, isNew)
		}
	}
	for _, computed := range g.Computed {
		text += " " + computed.Name + "=" + c.keyText(p, &model.Key{Template: computed.Template, When: computed.When}, isNew)
	}
	return text
}

// counters compares declared counters.
func (c *comparer) counters() {
	for _, p := range c.both() {
		before := len(c.all)
		kept := map[*model.Counter]bool{}
		for _, n := range p.New.Counters {
			pair, name := p.Attribute(n.Attribute), p.New.Name+"."+n.Attribute.Name
			i := slices.IndexFunc(p.Old.Counters, func(o *model.Counter) bool { return pair != nil && o.Attribute == pair.Old })
			if i < 0 {
				c.add("E062", n.Place, "attribute "+name, "%s counts %s now", name, n.Of.Name)
				continue
			}
			kept[p.Old.Counters[i]] = true
			c.counter(p.Old.Counters[i], n, name)
		}
		for _, o := range p.Old.Counters {
			pair := p.AttributeOfOld(o.Attribute)
			if !kept[o] && pair.New != nil {
				c.addRemoved("E063", o.Place, p.New.Place, "attribute "+p.New.Name+"."+pair.New.Name, "%s.%s does not count %s any more", p.New.Name, pair.New.Name, o.Of.Name)
			}
		}
		c.about(before, p)
	}
}

func (c *comparer) counter(was, is *model.Counter, name string) {
	subject := "attribute " + name
	if before, after := c.countedText(was, false), c.countedText(is, true); before != after {
		c.add("E063", is.Place, subject, "%s counts by another rule", name).was(was.Place, "it counted by this")
	}
	if max(was.Shards, 1) != max(is.Shards, 1) {
		c.add("E029", is.Place, subject, "%s is spread over %d rows, and was over %d", name, max(is.Shards, 1), max(was.Shards, 1))
	}
	if tighter(was.Max, is.Max, 1) || tighter(was.Min, is.Min, -1) {
		c.add("E066", is.Place, subject, "%s has narrower limits", name)
	}
}

// tighter reports whether a limit allows less: a maximum with sign 1, a minimum with sign -1.
func tighter(was, is *exact.Number, sign int) bool {
	return is != nil && (was == nil || is.Cmp(*was)*sign < 0)
}

// countedText returns what decides the number that a counter has, with the names of the old version.
func (c *comparer) countedText(n *model.Counter, isNew bool) string {
	mine, of := c.pairOf(n, isNew)
	if mine == nil || of == nil {
		return "other"
	}
	text := n.Of.Name
	if isNew && of.Old != nil {
		text = of.Old.Name
	}
	if n.Sum != nil {
		text += " sum " + c.attributeText(of, n.Sum, isNew)
	}
	matches := names(n.Match, func(m model.Match) string {
		return c.attributeText(mine, m.Mine, isNew) + "=" + c.attributeText(of, m.Theirs, isNew)
	})
	slices.Sort(matches)
	return text + " " + strings.Join(matches, " ") + " where " + c.conditionsText(of, n.Where, isNew)
}

// pairOf returns the entity that has a counter and the one that is counted.
func (c *comparer) pairOf(n *model.Counter, isNew bool) (mine, of *EntityPair) {
	for _, p := range c.Entities {
		e := p.Old
		if isNew {
			e = p.New
		}
		if e != nil && slices.Contains(e.Counters, n) {
			mine = p
		}
		if e != nil && e == n.Of {
			of = p
		}
	}
	return mine, of
}

// versions compares the versions for optimistic locking.
func (c *comparer) versions() {
	for _, p := range c.both() {
		was, is := p.Old.Version, p.New.Version
		subject, before := "entity "+p.New.Name, len(c.all)
		switch {
		case was == nil && is == nil:
		case was == nil:
			c.add("E064", is.Place, subject, "%s has a version now, %s", p.New.Name, is.Name)
		case is == nil:
			c.addRemoved("E064", was.Place, p.New.Place, subject, "%s has no version any more, and had %s", p.New.Name, was.Name).
				because("Old code compares a version that new code does not count up, so that it does not notice the writes of new code.")
		case p.Attribute(is).Old != was:
			c.add("E064", is.Place, subject, "the version of %s is %s, and was %s", p.New.Name, is.Name, was.Name)
		}
		c.about(before, p)
	}
}

// lifecycles lists steps that states no longer have.
func (c *comparer) lifecycles() {
	for _, p := range c.both() {
		for _, pair := range p.Attributes {
			if pair.Old == nil || pair.New == nil || pair.New.Lifecycle == nil || pair.Old.Type.Base != model.Enum {
				continue
			}
			before := len(c.all)
			c.lifecycle(p.New.Name+"."+pair.New.Name, pair)
			for _, change := range c.all[before:] {
				change.Entity, change.Attribute = p, pair
			}
		}
	}
}

func (c *comparer) lifecycle(name string, p *AttributePair) {
	is := map[string]string{} // values of the new version by those of the old one
	for _, v := range p.Values {
		is[v.Old] = v.New
	}
	for _, from := range p.Old.Type.Values {
		if is[from] == "" {
			continue
		}
		var lost []string
		for _, to := range p.Old.Type.Values {
			allowed := p.Old.Lifecycle == nil && from != to || p.Old.Lifecycle != nil && p.Old.Lifecycle.Allows(from, to)
			if allowed && is[to] != "" && !p.New.Lifecycle.Allows(is[from], is[to]) {
				lost = append(lost, is[to])
			}
		}
		if len(lost) == 0 {
			continue
		}
		end := ""
		if len(p.New.Lifecycle.Next[is[from]]) == 0 {
			end = ", and has no way on"
		}
		c.add("E065", p.New.Lifecycle.Place, "attribute "+name, "%s of %s does not become %s any more%s", is[from], name, strings.Join(lost, " or "), end)
	}
	if was, start := p.Old.Lifecycle, p.New.Lifecycle.Start; was != nil && is[was.Start] != start {
		c.add("E066", p.New.Lifecycle.Place, "attribute "+name, "creates begin with %s = %s, and began with %s", name, start, was.Start).was(was.Place, "its lifecycle was declared here")
	}
}
