package resolve

import (
	"slices"

	"sortkey.dev/design/internal/model"
)

// A Layout is a design with a plan for every pattern. It does not change once made, so
// many may read it at once.
type Layout struct {
	design  *model.Design
	entries map[*model.Entity][]*Entry
	onPath  map[Path][]*Entry // everything that lies on a path, in the order of the file
	guarded map[Path][]*Entry // the guard rows on a path
	plans   map[*model.Pattern]*Plan
	readers map[*Entry][]*model.Pattern
}

// New lays out a design in its tables and plans all its patterns.
func New(d *model.Design) *Layout {
	l := &Layout{
		design:  d,
		entries: map[*model.Entity][]*Entry{},
		onPath:  map[Path][]*Entry{},
		guarded: map[Path][]*Entry{},
		plans:   make(map[*model.Pattern]*Plan, len(d.Patterns)),
		readers: map[*Entry][]*model.Pattern{},
	}
	for _, t := range d.Tables {
		for _, item := range t.Items {
			for _, entry := range entriesOf(item) {
				l.entries[item.Entity] = append(l.entries[item.Entity], entry)
				l.onPath[entry.Path] = append(l.onPath[entry.Path], entry)
			}
		}
		for _, g := range t.Guards {
			for _, entry := range entriesOf(guardItem(t, g)) {
				l.guarded[entry.Path] = append(l.guarded[entry.Path], entry)
			}
		}
	}
	for _, p := range d.Patterns {
		if p.Verb.Reads() {
			l.plans[p] = l.planRead(p)
		}
	}
	for _, p := range d.Patterns { // writes say which read could find what they miss
		if !p.Verb.Reads() {
			l.plans[p] = l.planWrite(p)
		}
	}
	for _, p := range d.Patterns {
		l.noteReader(p)
	}
	return l
}

// entriesOf are the item's entries: its table's first, then those of the indexes.
func entriesOf(item *model.Item) []*Entry {
	var all []*Entry
	enter := func(path Path, partition, sort []model.KeyName) {
		if entry := newEntry(path, item, partition, sort); entry != nil {
			all = append(all, entry)
		}
	}
	t := item.Table
	sort := []model.KeyName{t.SK}
	if t.SK.Name == "" {
		sort = nil
	}
	enter(Path{Table: t}, []model.KeyName{t.PK}, sort)
	for _, x := range t.Indexes {
		partition := x.PK
		if x.Local {
			partition = []model.KeyName{t.PK}
		}
		enter(Path{Table: t, Index: x}, partition, x.SK)
	}
	return all
}

// newEntry is the item on a path, or nil if it has no value for one of the keys.
func newEntry(path Path, item *model.Item, partition, sort []model.KeyName) *Entry {
	entry := &Entry{Path: path, Item: item}
	for _, name := range partition {
		entry.PK = append(entry.PK, item.Key(name.Name))
	}
	for _, name := range sort {
		entry.SK = append(entry.SK, item.Key(name.Name))
	}
	if slices.Contains(entry.PK, nil) || slices.Contains(entry.SK, nil) {
		return nil
	}
	for _, key := range entry.PK {
		entry.partition = append(entry.partition, newTexts(key))
	}
	for _, key := range entry.SK {
		entry.sort = append(entry.sort, newTexts(key))
	}
	return entry
}

// Design is the design laid out.
func (l *Layout) Design() *model.Design { return l.design }

// Entries are the paths an entity can be reached by: its table, then the indexes.
func (l *Layout) Entries(e *model.Entity) []*Entry { return l.entries[e] }

// Home is the entity in the table it lives in, or nil if it lives in none.
func (l *Layout) Home(e *model.Entity) *model.Item {
	for _, t := range l.design.Tables {
		if item := t.Item(e); item != nil {
			return item
		}
	}
	return nil
}

// Plan is how the layout serves a pattern of its design.
func (l *Layout) Plan(p *model.Pattern) *Plan { return l.plans[p] }

// Plans are the plans of all patterns, in the order of the design.
func (l *Layout) Plans() []*Plan {
	all := make([]*Plan, 0, len(l.design.Patterns))
	for _, p := range l.design.Patterns {
		all = append(all, l.plans[p])
	}
	return all
}

// Readers are the patterns whose plan reads through an entry.
func (l *Layout) Readers(e *Entry) []*model.Pattern { return l.readers[e] }

func (l *Layout) noteReader(p *model.Pattern) {
	read := l.plans[p].Read
	if read == nil {
		return
	}
	for _, e := range read.Entities {
		if entry := l.entryOn(read.Entry.Path, e); entry != nil {
			l.readers[entry] = append(l.readers[entry], p)
		}
	}
}

// entryOn is the entity's entry on a path, or nil.
func (l *Layout) entryOn(path Path, e *model.Entity) *Entry {
	for _, entry := range l.entries[e] {
		if entry.Path == path {
			return entry
		}
	}
	return nil
}

// A Collision is two entities of one table that can have the same primary key.
type Collision struct{ A, B *model.Item }

// Collisions are all pairs of entities that can overwrite each other.
func (l *Layout) Collisions() []Collision {
	var all []Collision
	for _, t := range l.design.Tables {
		entries := l.onPath[Path{Table: t}]
		for i, a := range entries {
			for _, b := range entries[i+1:] {
				if sameKeys(a, b) {
					all = append(all, Collision{a.Item, b.Item})
				}
			}
		}
	}
	return all
}

// sameKeys compares the literals of all keys before the languages of any.
func sameKeys(a, b *Entry) bool {
	begins := func(x, y *keyTexts) bool { return !apart(x.begin, y.begin) }
	return slices.EqualFunc(a.partition, b.partition, begins) && slices.EqualFunc(a.sort, b.sort, begins) &&
		slices.EqualFunc(a.partition, b.partition, meet) && slices.EqualFunc(a.sort, b.sort, meet)
}
