package shape

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

// A Misfit says how an item is not as the description says. It holds no values.
type Misfit struct {
	Entity string // "" if the item belongs to no entity
	Reason string
	Key    string // the key that is not what the attributes give, or is not written as keys are; "" if something else is wrong
}

func (m *Misfit) Error() string {
	if m.Entity == "" {
		return m.Reason
	}
	return m.Entity + ": " + m.Reason
}

// A Reader tells whether items are as a description says. It is safe for use by many goroutines
// at once.
type Reader struct {
	table    *Table
	entities []*entityReader // the narrowest key first
	guards   []*entityReader // in the order of the table's guards
	structs  map[string]*Struct
	lookups  []string // attributes that are keys of the table or of its indexes
}

// entityReader is an entity or a guard with its templates parsed.
type entityReader struct {
	Entity
	keys       map[string]*template
	literals   int
	attributes map[string]*Attribute
}

// NewReader returns a reader of the items of a table. It also looks at the keys of indexes if it is
// given them: whether their attributes are written as keys are.
func NewReader(t *Table, keys ...string) *Reader {
	r := &Reader{table: t, structs: map[string]*Struct{}, lookups: append(t.primary(), keys...)}
	for i := range t.Structs {
		r.structs[t.Structs[i].Name] = &t.Structs[i]
	}
	for _, e := range t.Entities {
		r.entities = append(r.entities, r.entity(e))
	}
	for _, g := range t.Guards {
		r.guards = append(r.guards, r.entity(Entity{Name: g.Entity, Keys: g.Keys, Attributes: g.Attributes}))
	}
	slices.SortStableFunc(r.entities, func(a, b *entityReader) int { return cmp.Compare(b.literals, a.literals) })
	return r
}

func (r *Reader) entity(e Entity) *entityReader {
	made := &entityReader{Entity: e, keys: map[string]*template{}, attributes: map[string]*Attribute{}}
	for i := range e.Attributes {
		made.attributes[e.Attributes[i].Name] = &e.Attributes[i]
	}
	for _, k := range e.Keys {
		parsed := parseTemplate(k.Template, r.table.Delimiter, made.attributes)
		made.keys[k.Name] = parsed
		if len(k.In) == 0 || k.Name == r.table.PK || k.Name == r.table.SK {
			made.literals += parsed.literals()
		}
	}
	return made
}

// Check returns nil if an item belongs to an entity, decodes, and has the keys that its attributes
// give, or if it is a row that the design writes beside its items.
func (r *Reader) Check(item access.Item) *Misfit {
	_, wrong := r.find(item)
	return wrong
}

// find returns the entity of an item, nil for a row that the design writes beside its items.
func (r *Reader) find(item access.Item) (*entityReader, *Misfit) {
	kind := ""
	if r.table.Type != "" {
		kind = marshal.TextAt(item, r.table.Type)
	}
	var reason *Misfit
	for _, e := range r.entities {
		switch {
		case r.table.Type != "" && kind != e.label():
		case r.table.Type == "" && !r.matches(e, item):
		default:
			wrong := r.read(e, item)
			if wrong == nil {
				return e, nil
			}
			if reason == nil {
				reason = wrong
			}
		}
	}
	switch {
	case reason == nil && r.isRow(item):
		return nil, nil
	case reason != nil:
		return nil, reason
	case r.table.Type != "" && kind == "":
		return nil, &Misfit{Reason: "it has no attribute " + r.table.Type + " that names its entity"}
	case r.table.Type != "":
		return nil, &Misfit{Reason: "its attribute " + r.table.Type + " names no entity of the design"}
	}
	return nil, &Misfit{Reason: "its key is of no entity of the design"}
}

// matches reports whether the primary key of an item can be that of an entity.
func (r *Reader) matches(e *entityReader, item access.Item) bool {
	names := r.table.primary()
	for i, name := range names {
		parsed, text := e.keys[name], marshal.TextAt(item, name)
		switch {
		case parsed != nil:
			if !marshal.Matches(text, parsed.match...) {
				return false
			}
		case i == len(names)-1 && r.shardOf(e, text) != "":
			return false
		}
	}
	return true
}

// shardOf returns the name of the counter that a key ends with, where the row holds a part of
// the counter; "" if it does not.
func (r *Reader) shardOf(e *entityReader, text string) string {
	d := cmp.Or(r.table.Delimiter, "#")
	for _, c := range e.Counters {
		if c.Shards > 1 && marshal.IsShard(text, d+c.Attribute+d) {
			return d + c.Attribute + d
		}
	}
	return ""
}

// isRow reports whether an item is a row of a guard or of a counter.
func (r *Reader) isRow(item access.Item) bool {
	if slices.ContainsFunc(r.guards, func(g *entityReader) bool { return r.matches(g, item) }) {
		return true
	}
	names := r.table.primary()
	last := names[len(names)-1]
	text := marshal.TextAt(item, last)
	return slices.ContainsFunc(r.entities, func(e *entityReader) bool {
		counter := r.shardOf(e, text)
		if counter == "" {
			return false
		}
		of := access.Item{}
		for _, name := range names {
			of[name] = item[name]
		}
		of[last] = marshal.S(text[:strings.LastIndex(text, counter)])
		return r.matches(e, of)
	})
}

// read decodes an item of an entity and compares its keys.
func (r *Reader) read(e *entityReader, item access.Item) *Misfit {
	for i := range e.Attributes {
		a := &e.Attributes[i]
		if a.InKey {
			continue
		}
		if reason := r.attribute(a, item[a.Name]); reason != "" {
			return &Misfit{Entity: e.Name, Reason: a.shown() + " " + reason}
		}
	}
	for _, k := range e.Keys {
		if reason := r.key(e, k, item); reason != "" {
			return &Misfit{Entity: e.Name, Reason: "its " + k.Name + " " + reason, Key: k.Name}
		}
	}
	for _, name := range r.lookups {
		if a := e.attributes[name]; a != nil && e.keys[name] == nil && baseOf(a.Type) == "timestamp" {
			if text := marshal.TextAt(item, name); text != canonical("timestamp", text) { // a time of another zone or without milliseconds
				return &Misfit{Entity: e.Name, Reason: a.shown() + " is written otherwise than keys are, so that a read by its value misses it", Key: name}
			}
		}
	}
	return nil
}

// key compares a key attribute with what the attributes of the item give.
func (r *Reader) key(e *entityReader, k Key, item access.Item) string {
	want, known := "", true
	holds := e.holds(r, k.When, item)
	if holds {
		want, holds, known = e.text(r, e.keys[k.Name], item)
	}
	if !known {
		return ""
	}
	have, present := item[k.Name].(*types.AttributeValueMemberS)
	switch {
	case !holds && item[k.Name] == nil:
		return ""
	case !holds:
		return "is there, and the design has none for such an item"
	case item[k.Name] == nil:
		return "is missing"
	case !present:
		return "is no text"
	case have.Value != want:
		return "is not what the template " + strings.ReplaceAll(k.Template, "|"+Open, "") + " gives"
	}
	return ""
}
