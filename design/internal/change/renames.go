package change

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// lostNames lists what says that it was something that the old version does not have.
func (c *comparer) lostNames() {
	for _, l := range c.Lost {
		c.add("E004", l.Place, l.Kind, "%s was %s, and the old version has no such %s%s", l.Name, l.Was, firstWord(l.Kind), diag.DidYouMean(l.Was, l.Known)).
			because("Without a match the thing is new, and what it is meant to be is removed.").
			fixing("Correct was, or remove it")
	}
}

func firstWord(kind string) string {
	word := ""
	fmt.Sscan(kind, &word)
	return word
}

// renames asks about things that went where something like them came.
func (c *comparer) renames() {
	c.renamedEntities()
	c.renamedTables()
	for _, p := range c.both() {
		c.renamedAttributes(p.New.Name, p.New.Place, p.Attributes)
	}
	for _, s := range c.Structs {
		if s.Old != nil && s.New != nil {
			c.renamedAttributes(s.New.Name, s.New.Place, s.Fields)
		}
	}
}

// candidate is a thing that went or came.
type candidate[T any] struct {
	thing T
	name  string
	place diag.Place
}

// asked pairs what went with what came, if both are alike: the nearest first.
func asked[T any](gone, came []candidate[T], alike func(old, new T) bool, sure func(old, new T) bool) [][2]candidate[T] {
	var all [][2]candidate[T]
	taken := map[string]bool{}
	for _, old := range gone {
		var like []candidate[T]
		for _, one := range came {
			if !taken[one.name] && alike(old.thing, one.thing) {
				like = append(like, one)
			}
		}
		i := slices.IndexFunc(like, func(one candidate[T]) bool { return sure(old.thing, one.thing) })
		if near, ok := diag.Nearest(old.name, names(like, func(one candidate[T]) string { return one.name })); i < 0 && ok {
			i = slices.IndexFunc(like, func(one candidate[T]) bool { return one.name == near })
		}
		if i < 0 && len(like) == 1 && len(gone) == 1 {
			i = 0
		}
		if i >= 0 {
			taken[like[i].name] = true
			all = append(all, [2]candidate[T]{old, like[i]})
		}
	}
	return all
}

// ask asks whether something was renamed, with both lines to write.
func (c *comparer) ask(at, was diag.Place, subject, name, old, in string) *Change {
	return c.add("E004", at, subject, "%s is new, and %s was removed: is it the same?", name, old).was(was, "%s was declared here", old).
		fixing("If it is, write was: %s in %s. If not, write accept: { E004: it is another one } in %s", old, name, in)
}

func (c *comparer) renamedEntities() {
	var gone, came []candidate[*model.Entity]
	for _, p := range c.Entities {
		switch {
		case p.New == nil && !c.merged(p.Old):
			gone = append(gone, candidate[*model.Entity]{p.Old, p.Old.LocalName(), p.Old.Place})
		case p.Old == nil && len(p.New.From) == 0:
			came = append(came, candidate[*model.Entity]{p.New, p.New.LocalName(), p.New.Place})
		}
	}
	for _, pair := range asked(gone, came, alikeEntities, func(was, is *model.Entity) bool { return was.TypeName() == is.TypeName() }) {
		was, is := pair[0], pair[1]
		c.ask(is.place, was.place, "entity "+is.name, is.name, was.name, is.name).Entity = c.EntityOf(is.thing)
	}
}

// alikeEntities reports whether two entities of one design share at least half of their attributes.
func alikeEntities(was, is *model.Entity) bool {
	shared := 0
	for _, a := range was.Attributes {
		if b := is.Attribute(a.Name); b != nil && storedKind(a.Type) == storedKind(b.Type) {
			shared++
		}
	}
	return was.Use == is.Use && shared*2 >= max(len(was.Attributes), len(is.Attributes))
}

func (c *comparer) renamedAttributes(owner string, in diag.Place, all []*AttributePair) {
	var gone, came []candidate[*AttributePair]
	h := &holder{name: owner}
	if len(all) > 0 {
		h.entity = c.holderOf(all)
	}
	for _, p := range all {
		switch {
		case c.moved(h, p):
		case p.New == nil:
			gone = append(gone, candidate[*AttributePair]{p, p.Old.Name, p.Old.Place})
		case p.Old == nil:
			came = append(came, candidate[*AttributePair]{p, p.New.Name, p.New.Place})
		}
	}
	alike := func(was, is *AttributePair) bool {
		a, b := was.Old.Type, is.New.Type
		return sameKind(a, b) && (fits(a, b) || fits(b, a))
	}
	for _, pair := range asked(gone, came, alike, func(was, is *AttributePair) bool { return was.Old.Stored != "" && was.Old.Stored == is.New.Stored }) {
		was, is := pair[0], pair[1]
		c.ask(is.place, was.place, "attribute "+owner+"."+is.name, owner+"."+is.name, was.name, owner).Attribute = is.thing
	}
	for _, p := range all {
		c.renamedValues(owner, p)
	}
}

// holderOf returns the entity whose attributes these are, or nil.
func (c *comparer) holderOf(all []*AttributePair) *EntityPair {
	for _, p := range c.Entities {
		if len(p.Attributes) > 0 && p.Attributes[0] == all[0] {
			return p
		}
	}
	return nil
}

// renamedValues asks about a value of an enum that went where another came.
func (c *comparer) renamedValues(owner string, p *AttributePair) {
	var gone, came []candidate[string]
	for _, v := range p.Values {
		if v.New == "" {
			gone = append(gone, candidate[string]{v.Old, v.Old, p.Old.TypePlace})
		} else if v.Old == "" {
			came = append(came, candidate[string]{v.New, v.New, p.New.TypePlace})
		}
	}
	yes := func(string, string) bool { return true }
	for _, pair := range asked(gone, came, yes, func(string, string) bool { return false }) {
		name := owner + "." + p.New.Name
		c.add("E004", p.New.TypePlace, "attribute "+name, "%s can be %s, and not %s any more: is it the same value?", name, pair[1].name, pair[0].name).
			fixing("If it is, write was: { %s: %s } in %s. If not, write accept: { E004: it is another one } in %s", pair[1].name, pair[0].name, name, owner).Attribute = p
	}
}

func (c *comparer) renamedTables() {
	var gone, came []candidate[*model.Table]
	for _, t := range c.Tables {
		switch {
		case t.New == nil:
			gone = append(gone, candidate[*model.Table]{t.Old, t.Old.Name, t.Old.Place})
		case t.Old == nil:
			came = append(came, candidate[*model.Table]{t.New, t.New.Name, t.New.Place})
		default:
			c.renamedIndexes(t)
		}
	}
	no := func(*model.Table, *model.Table) bool { return false }
	for _, pair := range asked(gone, came, c.alikeTables, no) {
		was, is := pair[0], pair[1]
		c.ask(is.place, was.place, "table "+is.name, "table "+is.name, was.name, "table "+is.name).Table = c.TableOf(is.thing)
	}
}

// alikeTables reports whether most entities of an old table are in a new one.
func (c *comparer) alikeTables(was, is *model.Table) bool {
	shared := 0
	for _, item := range is.Items {
		if p := c.EntityOf(item.Entity); p.Old != nil && was.Item(p.Old) != nil {
			shared++
		}
	}
	return shared > 0 && shared*2 >= len(was.Items)
}

func (c *comparer) renamedIndexes(t *TablePair) {
	var gone, came []candidate[*model.Index]
	for _, x := range t.Indexes {
		switch {
		case x.New == nil:
			gone = append(gone, candidate[*model.Index]{x.Old, x.Old.Name, x.Old.Place})
		case x.Old == nil:
			came = append(came, candidate[*model.Index]{x.New, x.New.Name, x.New.Place})
		}
	}
	alike := func(was, is *model.Index) bool {
		return was.Local == is.Local && (indexKeyWords(was) == indexKeyWords(is) || sharesReaders(c, was, is))
	}
	for _, pair := range asked(gone, came, alike, func(was, is *model.Index) bool { return indexKeyWords(was) == indexKeyWords(is) }) {
		was, is := pair[0], pair[1]
		change := c.ask(is.place, was.place, subjectOf(is.thing), "index "+is.name, was.name, "index "+is.name)
		change.Table = t
	}
}

// sharesReaders reports whether a pattern reads through one index before, and through the other afterwards.
func sharesReaders(c *comparer, was, is *model.Index) bool {
	before := c.readersOf(was)
	for _, plan := range c.after.Plans() {
		for _, r := range plan.Reads() {
			if r.Entry.Path.Index == is && slices.Contains(before, plan.Pattern.Name) {
				return true
			}
		}
	}
	return false
}
