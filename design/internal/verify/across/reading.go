package across

import (
	"maps"
	"slices"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/verify/internal/bind"
	"sortkey.dev/design/internal/verify/internal/state"
)

// A reading decodes the items of one call of a read as generated code does: it tells the entities
// of the read from others, leaves out items that are not those asked for, and decodes the rest.
type reading struct {
	decoder
	tables    *state.Tables
	call      *program.Call
	arguments *bind.Arguments
	key       access.Item        // of a get: what a projection may lack, and the caller knows
	values    map[string]decoded // of the items that were decoded, by address
}

// item decodes an item of the answer, or returns marshal.Skip.
func (r *reading) item(item access.Item) (access.Item, error) {
	e := r.entityOf(item)
	if e == nil {
		return nil, marshal.Skip
	}
	selected := r.call.Read.Rows != nil
	if selected && r.isAnother(e, item) {
		return nil, marshal.Skip
	}
	values, err := r.decode(e, item)
	if err != nil {
		return nil, err
	}
	if !selected && r.isAnother(e, item) {
		return nil, marshal.Skip
	}
	at := maps.Clone(item)
	maps.Copy(at, r.key)
	r.values[state.Address(r.call.Read.Entry.Path.Table, at)] = values
	return at, nil
}

// decode decodes the attributes that the read selects, or all of them.
func (r *reading) decode(e *model.Entity, item access.Item) (decoded, error) {
	if rows := r.call.Read.Rows; rows != nil {
		return r.held(e, rows[e], item)
	}
	return r.whole(e, item)
}

// entityOf returns the entity that generated code takes an item for; nil: none of the read.
func (r *reading) entityOf(item access.Item) *model.Entity {
	read, path := r.call.Read, r.call.Read.Entry.Path
	if !r.mixed() {
		return read.Entities[0]
	}
	if name := path.Table.Type; name != "" && projects(path, name) {
		text := marshal.TextAt(item, name)
		for _, e := range read.Entities {
			if e.TypeName() == text {
				return e
			}
		}
		return nil
	}
	for _, e := range r.tables.Recognized(path.Table, item) {
		if slices.Contains(read.Entities, e) {
			return e
		}
	}
	return nil
}

// mixed reports whether the items of the read must be told from others.
func (r *reading) mixed() bool {
	read := r.call.Read
	if len(read.Marks) > 0 && !read.Marks[0].Prefix {
		return false // the filter of a scan leaves out all others
	}
	sharded := func(e *model.Entity) bool {
		return read.Entry.Path.IsTable() && !read.ByKey() && len(resolve.Sharded(e)) > 0
	}
	return len(read.Mixed) > 0 || len(read.Entities) > 1 || r.call.Pattern.Verb == model.Collect || slices.ContainsFunc(read.Entities, sharded)
}

// projects reports whether items seen through a path have an attribute.
func projects(path resolve.Path, stored string) bool {
	if path.Index == nil || path.Index.Project.Kind == model.ProjectAll {
		return true
	}
	return slices.Contains(path.Index.Project.Attributes, stored)
}

// isAnother reports whether an item does not have the values that the key condition does not
// express.
func (r *reading) isAnother(e *model.Entity, item access.Item) bool {
	path := r.call.Read.Entry.Path
	for _, c := range r.call.Read.Checks {
		a := e.Attribute(c.Attribute.Name)
		if a == nil {
			continue
		}
		stored := path.Table.Item(e)
		h := program.Held{Attribute: a, Name: resolve.HeldBy(path, stored, a)}
		if key := stored.Key(h.Name); h.Name != a.Stored && key != nil {
			h.Key = key
		}
		found, _ := r.held(e, []program.Held{h}, item)
		want, ok := r.arguments.Bound(r.call, nil, c.Values[0], c.Attribute, 0, false)
		if !same(a, state.InForm(want, a), ok, found[a]) {
			return true
		}
	}
	return false
}
