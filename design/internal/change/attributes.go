package change

import (
	"slices"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// holder is what has attributes: an entity or a struct type.
type holder struct {
	name       string // in the new version
	was        diag.Place
	is         diag.Place
	entity     *EntityPair // nil: a struct type
	attributes []*AttributePair
}

func (h *holder) sealed(a *model.Attribute, isNew bool) bool {
	if h.entity == nil {
		return false
	}
	if isNew {
		return slices.Contains(h.entity.New.Encrypt, a)
	}
	return slices.Contains(h.entity.Old.Encrypt, a)
}

// entities compares the attributes of entities, and lists entities that came and went.
func (c *comparer) entities() {
	for _, p := range c.Entities {
		switch {
		case p.Old == nil && len(p.New.From) > 0:
			c.apart(p)
		case p.Old == nil:
			c.add("E011", p.New.Place, "entity "+p.New.Name, "%s is new", p.New.Name).Entity = p
		case p.New == nil:
			c.entityRemoved(p)
		default:
			if len(p.New.From) > 0 {
				c.apart(p)
			}
			c.attributes(&holder{p.New.Name, p.Old.Place, p.New.Place, p, p.Attributes})
			c.lostByPut(p)
		}
	}
}

func (c *comparer) entityRemoved(p *EntityPair) {
	if c.merged(p.Old) {
		return
	}
	all := names(p.Old.Attributes, func(a *model.Attribute) string { return a.Name })
	change := c.addRemoved("E014", p.Old.Place, diag.Place{}, "entity "+p.Old.Name, "%s was removed, with %s", p.Old.Name, listed(all))
	change.Entity = p
}

// merged reports whether an entity of the new version has attributes of a removed entity.
func (c *comparer) merged(old *model.Entity) bool {
	return slices.ContainsFunc(c.Entities, func(p *EntityPair) bool {
		return p.New != nil && slices.ContainsFunc(p.New.From, func(f *model.From) bool { return c.fromOf(p.New, f) == old })
	})
}

// fromOf returns the entity of the old version that attributes are from, or nil.
func (c *comparer) fromOf(e *model.Entity, f *model.From) *model.Entity {
	for _, pair := range c.Entities {
		if pair.Old != nil && pair.Old.LocalName() == f.Entity && pair.Old.Use == e.Use {
			return pair.Old
		}
	}
	return nil
}

// apart lists where the attributes of an entity are from.
func (c *comparer) apart(p *EntityPair) {
	for _, f := range p.New.From {
		old := c.fromOf(p.New, f)
		switch {
		case old == nil:
			c.add("E004", f.Place, "entity "+p.New.Name, "%s is from %s, and the old version has no such entity%s", p.New.Name, f.Entity,
				diag.DidYouMean(f.Entity, names(c.Old.Entities, func(e *model.Entity) string { return e.LocalName() }))).Entity = p
		case c.EntityOfOld(old).New != nil && c.EntityOfOld(old) != p:
			change := c.add("E043", f.Place, "entity "+p.New.Name, "%s was split off from %s", p.New.Name, old.Name).was(old.Place, "%s had the attributes", old.Name)
			change.Entity, change.From = p, c.EntityOfOld(old)
		default:
			change := c.add("E044", f.Place, "entity "+p.New.Name, "%s was merged into %s", old.Name, p.New.Name).was(old.Place, "%s was an entity of its own", old.Name)
			change.Entity, change.From = p, c.EntityOfOld(old)
		}
	}
}

// moved reports whether an attribute was split off from an entity, or merged into it.
func (c *comparer) moved(h *holder, p *AttributePair) bool {
	if h.entity == nil {
		return false
	}
	if p.New != nil {
		return slices.ContainsFunc(h.entity.New.From, func(f *model.From) bool { return f.Attributes[p.New.Name] != "" })
	}
	return slices.ContainsFunc(c.Entities, func(other *EntityPair) bool {
		return other.New != nil && slices.ContainsFunc(other.New.From, func(f *model.From) bool {
			if c.fromOf(other.New, f) != h.entity.Old {
				return false
			}
			for _, there := range f.Attributes {
				if there == p.Old.Name {
					return true
				}
			}
			return false
		})
	})
}

// structs compares the fields of struct types.
func (c *comparer) structs() {
	for _, p := range c.Structs {
		switch {
		case p.Old == nil, p.New == nil: // the attributes that have the type say so
		default:
			c.attributes(&holder{p.New.Name, p.Old.Place, p.New.Place, nil, p.Fields})
		}
	}
}

func (c *comparer) attributes(h *holder) {
	for _, p := range h.attributes {
		before := len(c.all)
		switch {
		case c.moved(h, p):
		case p.Old == nil:
			c.attributeAdded(h, p)
		case p.New == nil:
			c.attributeRemoved(h, p)
		default:
			c.attribute(h, p)
		}
		for _, change := range c.all[before:] {
			change.Entity, change.Attribute = h.entity, p
		}
	}
}

func (c *comparer) attributeAdded(h *holder, p *AttributePair) {
	a := p.New
	name := h.name + "." + a.Name
	if reused := c.reused(h, p); reused {
		return
	}
	switch {
	case a.InKey:
		c.add("E011", a.Place, "attribute "+name, "%s is new", name)
	case a.MayBeMissing() || a.Type.Base == model.SetOf:
		how := "absent"
		if a.Default != nil {
			how = *a.Default
		}
		c.add("E011", a.Place, "attribute "+name, "%s is new; old items read as %s", name, how)
	case c.kept(h, a):
		c.add("E012", a.Place, "attribute "+name, "%s is new and required, and old items lack it", name).
			fixing("Make it optional (%s: %s?), or give all old items a value before new code reads them", a.Name, a.Type)
	default:
		c.add("E012", a.Place, "attribute "+name, "%s is new and required, and old items lack it", name).
			fixing("Make it optional (%s: %s?), give it a default, or give all old items a value before new code reads them", a.Name, a.Type)
	}
}

// kept reports whether DynamoDB keeps an attribute, so that it can have no default: a counter or the version.
func (c *comparer) kept(h *holder, a *model.Attribute) bool {
	return h.entity != nil && (h.entity.New.Version == a || slices.ContainsFunc(h.entity.New.Counters, func(n *model.Counter) bool { return n.Attribute == a }))
}

func (c *comparer) attributeRemoved(h *holder, p *AttributePair) {
	a, name := p.Old, h.name+"."+p.Old.Name
	change := c.addRemoved("E014", a.Place, h.is, "attribute "+name, "%s was removed; its values stay in old items", name)
	if !a.MayBeMissing() && a.Type.Base != model.SetOf && !a.InKey {
		change.as(diag.Ordered, "Old code cannot decode the items of new code, which lack the attribute.").
			fixing("Make it optional in a version before this one (%s: %s?)", a.Name, a.Type)
	}
}

// reused reports a stored name that had another meaning, and whether it did.
func (c *comparer) reused(h *holder, p *AttributePair) bool {
	a := p.New
	if a.InKey {
		return false
	}
	for _, other := range h.attributes {
		if other == p || other.Old == nil || other.Old.InKey || other.Old.Stored != a.Stored {
			continue
		}
		name := h.name + "." + a.Name
		if p.Old != nil {
			c.add("E033", a.Place, "attribute "+name, "%s was %s, and is stored as %s, where the old version stores another attribute", name, p.Old.Name, a.Stored).
				was(other.Old.Place, "the old %s is stored under the name", other.Old.Name).
				fixing("Keep the name in DynamoDB: write name: %s", p.Old.Stored)
			return true
		}
		c.add("E033", a.Place, "attribute "+name, "%s is new and stored as %s, where the old version stores %s.%s", name, a.Stored, h.name, other.Old.Name).
			was(other.Old.Place, "%s is stored under the name", other.Old.Name).
			fixing("If it is the same attribute, write was: %s. Else store it under a name that is free, such as name: %s_2", other.Old.Name, a.Stored)
		return true
	}
	return false
}

// attribute compares an attribute that both versions have.
func (c *comparer) attribute(h *holder, p *AttributePair) {
	was, is, name := p.Old, p.New, h.name+"."+p.New.Name
	subject := "attribute " + name
	switch {
	case was.InKey != is.InKey && was.InKey:
		c.add("E012", is.Place, subject, "%s is stored beside the key now, and old items lack it", name)
		return
	case was.InKey != is.InKey:
		c.add("E014", is.Place, subject, "%s is not stored beside the key any more", name).as(diag.Ordered, "Old code cannot decode the items of new code, which lack the attribute.")
		return
	}
	renamed := !is.InKey && was.Stored != is.Stored
	if renamed && !c.reused(h, p) {
		change := c.add("E015", is.Place, subject, "%s is stored as %s, and was as %s", name, is.Stored, was.Stored).was(was.Place, "it was declared here")
		if change.fixing("Keep the name in DynamoDB: write name: %s", was.Stored); !sameKind(was.Type, is.Type) { // which needs another name
			change.fixing("Write both names until all items have the new one")
		}
	}
	if h.sealed(was, false) != h.sealed(is, true) {
		how := "encrypted now"
		if h.sealed(was, false) {
			how = "not encrypted any more"
		}
		c.add("E019", is.Place, subject, "%s is %s", name, how)
	}
	c.types(h, p, renamed)
	c.presence(h, p)
	c.values(h, p)
	c.madeAt(h, p)
	c.most(h, p)
}

// types compares the types of an attribute without its question mark.
func (c *comparer) types(h *holder, p *AttributePair, renamed bool) {
	was, is, name := p.Old.Type, p.New.Type, h.name+"."+p.New.Name
	was.Optional, is.Optional = false, false
	subject := "attribute " + name
	switch {
	case !sameKind(was, is) && renamed:
		c.add("E017", p.New.TypePlace, subject, "%s is %s, and was %s: %s is converted to %s", name, is, was, kindWords[storedKind(was)], kindWords[storedKind(is)])
	case !sameKind(was, is):
		c.add("E016", p.New.TypePlace, subject, "%s is %s, and was %s, under the same stored name %s", name, is, was, storedName(p.New)).
			was(p.Old.Place, "it was %s", was).
			fixing("Write %s: { type: %s, name: %s_2%s }, which gives it a stored name of its own", p.New.Name, p.New.Type, storedName(p.New), saidWas(p))
	case was.Base == model.Enum && is.Base == model.Enum:
	case was.Base == model.StructOf && is.Base == model.StructOf:
		c.otherStruct(h, p, was.Struct, is.Struct)
	default:
		c.rangeOf(h, p, was, is)
	}
}

// rangeOf compares which values two types of one kind have.
func (c *comparer) rangeOf(h *holder, p *AttributePair, was, is model.Type) {
	name := h.name + "." + p.New.Name
	if !fits(was, is) {
		c.add("E017", p.New.TypePlace, "attribute "+name, "%s is %s, and was %s: old values may not fit", name, is, was).was(p.Old.Place, "it was %s", was)
	}
	if !fits(is, was) {
		c.add("E032", p.New.TypePlace, "attribute "+name, "%s is %s, and was %s: old code may not know new values", name, is, was).was(p.Old.Place, "it was %s", was)
	}
	if s, t := inner(was), inner(is); s != nil && t != nil && fits(was, is) && fits(is, was) {
		c.otherStruct(h, p, s, t)
	}
}

// inner returns the struct type in a collection, or nil.
func inner(t model.Type) *model.Struct {
	for t.Element != nil {
		t = *t.Element
	}
	return t.Struct
}

// otherStruct compares two struct types of different names, as fields of one attribute.
func (c *comparer) otherStruct(h *holder, p *AttributePair, was, is *model.Struct) {
	for _, s := range c.Structs {
		if s.Old == was && s.New == is {
			return // compared once for all
		}
	}
	name := h.name + "." + p.New.Name
	c.add("E071", p.New.TypePlace, "attribute "+name, "%s is %s, and was %s", name, is.Name, was.Name)
	s := &StructPair{Pair: Pair[*model.Struct]{was, is}, Fields: c.Matching.attributes(is.Name, was.Attributes, is.Attributes, true)}
	c.Structs = append(c.Structs, s)
	c.attributes(&holder{is.Name, was.Place, is.Place, nil, s.Fields})
}

// presence compares what it means that an item lacks an attribute.
func (c *comparer) presence(h *holder, p *AttributePair) {
	was, is, name := p.Old, p.New, h.name+"."+p.New.Name
	subject := "attribute " + name
	switch {
	case was.Default != nil && is.Default != nil && *was.Default == *is.Default:
	case was.Default != nil && is.Default != nil:
		c.add("E020", is.Place, subject, "the default of %s is %s, and was %s", name, *is.Default, *was.Default)
	case is.Default != nil && was.Type.Optional:
		c.add("E020", is.Place, subject, "items without %s read as %s, and were without it", name, *is.Default)
	case is.Default != nil:
		c.add("E020", is.Place, subject, "%s has a default now; no item lacks it", name).as(diag.Compatible, "All items have the attribute.")
	case was.Default != nil && is.Type.Optional:
		c.add("E020", is.Place, subject, "items without %s are without it now, and read as %s before", name, *was.Default)
	case was.Default != nil:
		c.add("E020", is.Place, subject, "%s has no default any more: items that lack it cannot be read", name)
	case was.Type.Optional && !is.Type.Optional && is.Type.Base != model.SetOf:
		c.add("E017", is.TypePlace, subject, "%s is required now, and old items may lack it", name)
	case was.Type.Optional != is.Type.Optional && is.Type.Base != model.SetOf:
		c.add("E032", is.TypePlace, subject, "%s is optional now: old code cannot read an item that lacks it", name)
	case was.Type.Optional != is.Type.Optional:
		c.add("E071", is.TypePlace, subject, "%s is %s, and was %s: an empty set is stored as an absent one", name, is.Type, was.Type)
	}
}

// values compares the values of an enum.
func (c *comparer) values(h *holder, p *AttributePair) {
	name := h.name + "." + p.New.Name
	var added, removed []string
	for _, v := range p.Values {
		switch {
		case v.Old == "":
			added = append(added, v.New)
		case v.New == "":
			removed = append(removed, v.Old)
		case v.Old != v.New && slices.Contains(p.Old.Type.Values, v.New):
			c.add("E033", p.New.TypePlace, "attribute "+name, "the value %s of %s was %s, and old items with %s have another value", v.New, name, v.Old, v.New).
				was(p.Old.TypePlace, "%s and %s were declared here", v.Old, v.New).
				fixing("Keep the value %s, or give it a name that the old version does not have", v.Old)
		case v.Old != v.New:
			c.add("E015", p.New.TypePlace, "attribute "+name, "the value %s of %s is stored as %s, and was as %s", v.New, name, v.New, v.Old).was(p.Old.TypePlace, "it was declared here")
		}
	}
	if len(added) > 0 {
		c.add("E018", p.New.TypePlace, "attribute "+name, "%s can be %s now", name, strings.Join(added, ", "))
	}
	if len(removed) > 0 {
		c.add("E017", p.New.TypePlace, "attribute "+name, "%s cannot be %s any more, and old items may be", name, strings.Join(removed, ", "))
	}
}

// madeAt compares the attributes that hold the time an id was made at, by which lists are ordered.
func (c *comparer) madeAt(h *holder, p *AttributePair) {
	was, is, name := p.Old.Time, p.New.Time, h.name+"."+p.New.Name
	subject := "attribute " + name
	switch {
	case was == nil && is == nil, slices.ContainsFunc(h.attributes, func(time *AttributePair) bool { return was != nil && time.Old == was && time.New == is }):
	case is == nil:
		c.add("E032", p.New.Place, subject, "%s need not be made at the time in %s any more", name, was.Name).
			because("Old code lists in order of the id, and misses items whose ids were made at another time.").was(p.Old.Place, "it was")
	default:
		c.add("E017", p.New.Place, subject, "%s is made at the time in %s, and old ids may not be", name, is.Name).
			because("Lists in order of the id misplace or miss such items, and new code refuses to write them back.").
			fixing("Accept it if all ids were made at that time. Else leave time: out, and put {%s} before {%s} in the sort key", is.Name, p.New.Name)
	}
}

// most compares the maximum number of elements of a collection.
func (c *comparer) most(h *holder, p *AttributePair) {
	was, is, name := p.Old.Max, p.New.Max, h.name+"."+p.New.Name
	if is > 0 && (was == 0 || is < was) {
		c.add("E066", p.New.Place, "attribute "+name, "%s has at most %d elements now", name, is)
	}
}

func storedName(a *model.Attribute) string {
	if a.Stored == "" {
		return a.Name
	}
	return a.Stored
}

// lostByPut lists new attributes that a put of old code deletes.
func (c *comparer) lostByPut(p *EntityPair) {
	var added []*model.Attribute
	for _, pair := range p.Attributes {
		if pair.Old == nil && !pair.New.InKey {
			added = append(added, pair.New)
		}
	}
	var puts []string
	for _, pattern := range c.Old.Patterns {
		if slices.ContainsFunc(pattern.Actions(), func(s *model.Step) bool { return s.Verb == model.Put && s.Entity == p.Old }) {
			puts = append(puts, pattern.Name)
		}
	}
	if len(added) > 0 && len(puts) > 0 {
		c.add("E013", added[0].Place, "entity "+p.New.Name, "%s of old code deletes %s of the items it writes", strings.Join(puts, ", "),
			listed(names(added, func(a *model.Attribute) string { return a.Name }))).Entity = p
	}
}

// saidWas returns the was that an attribute needs.
func saidWas(p *AttributePair) string {
	if p.Old.Name == p.New.Name {
		return ""
	}
	return ", was: " + p.Old.Name
}
