package resolve

import (
	"fmt"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// orderFix says how a read would come in the order of an attribute.
func (r *route) orderFix(code diag.Code, a *model.Attribute) string {
	key := r.ordered
	switch {
	case code == "O202":
		return fmt.Sprintf("write {%s|pad N} in %s, with room for the largest number", a.Name, key.Name)
	case code == "O203" && a.Type.IsNumber():
		return fmt.Sprintf("keep %s as an int of its smallest unit and write {%s|pad N} in %s, or %s", a.Name, a.Name, key.Name, r.index())
	case code == "O203":
		return fmt.Sprintf("give %s a form of fixed width in %s, or put # after it", a.Name, key.Name)
	case a.Type.AsKey() == model.Meaningless:
		return fmt.Sprintf("order by something that has an order; %s is %s", a.Name, a.Type)
	}
	first := r.sortsFirst(a)
	if first != nil && r.ranged && first == r.order[0].Attribute {
		return fmt.Sprintf("order by %s, in whose order a range of it comes, or sort by %s after the read", first.Name, a.Name)
	}
	if first != nil && first.Time == nil && a.Type.Base == model.Timestamp {
		switch first.Type.Base {
		case model.UUID:
			return fmt.Sprintf("make %s a ulid or uuidv7 with time: %s, or %s", first.Name, a.Name, r.sortBy(a))
		case model.ULID, model.UUIDv7:
			return fmt.Sprintf("say time: %s for %s if it is made at that time, or %s", a.Name, first.Name, r.sortBy(a))
		}
	}
	return r.sortBy(a)
}

// sortsFirst is the attribute the key sorts by before it comes to the one asked for, or
// nil.
func (r *route) sortsFirst(a *model.Attribute) *model.Attribute {
	for _, part := range r.order {
		if part.IsHole() && part.Attribute != a && part.Attribute.Time != a {
			return part.Attribute
		}
	}
	return nil
}

// sortBy is how a key sorts by an attribute: a composed key of the index can begin with
// it. The primary key of a table names the item for other patterns, and a native key is
// one attribute.
func (r *route) sortBy(a *model.Attribute) string {
	switch {
	case r.entry.Path.IsTable():
		return r.index()
	case r.ordered == nil:
		return fmt.Sprintf("add {%s} to the sort key", a.Name)
	case r.ordered.Template == nil:
		return r.index()
	}
	return fmt.Sprintf("put {%s} before the other holes of %s", a.Name, r.ordered.Name)
}

// index is the index that would serve the pattern.
func (r *route) index() string { return suggestIndex(r.pattern, r.entry.Path.Table) }
