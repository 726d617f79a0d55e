package read

import (
	"fmt"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/keytext"
	"sortkey.dev/design/internal/resolve/internal/plan"
)

// judgeOrder finds the part of the key that gives the order asked for.
func (r *route) judgeOrder(read *plan.Read) *plan.Problem {
	order := r.pattern.Order
	if order == nil {
		return nil
	}
	attribute := r.entity.Attribute(order.Attribute.Name)
	if attribute == nil {
		return r.lacksOrder(order)
	}
	if r.one(read) || r.hasOne(attribute) {
		return nil
	}
	part, code, reason := r.orderedBy(attribute)
	read.Ordered = part
	if code == "" {
		return nil
	}
	return &plan.Problem{
		Code: code, Place: order.Place, Message: fmt.Sprintf("%s does not come in order of %s: %s", read.Entry.Path, attribute.Name, reason),
		Fix: r.orderFix(code, attribute),
	}
}

// lacksOrder returns the problem that an entity of a collect has no attribute to order by.
func (r *route) lacksOrder(order *model.Ordering) *plan.Problem {
	var names []string
	for _, e := range r.pattern.Collect {
		names = append(names, e.Name)
	}
	return &plan.Problem{
		Code: "O201", Place: order.Place,
		Message: fmt.Sprintf("%s has no %s, so %s have no common order", r.entity.Name, order.Attribute.Name, inSentence(names)),
		Fix:     "order by an attribute that all of them have in the same part of the sort key, or sort after the read",
	}
}

// one reports whether one call returns at most one item, which needs no order. A unique
// value that is asked for several times is one item for each.
func (r *route) one(read *plan.Read) bool { return read.Unique && !r.fansOut() }

// hasOne reports whether all items of the answer have the same value of an attribute.
func (r *route) hasOne(a *model.Attribute) bool {
	c := r.condition(a)
	return c != nil && c.Op == model.Eq && r.fanout(a) == nil
}

// orderedBy returns the part by which the rest of the key sorts, if it is the attribute or
// was made from it, else the rule that is broken and the reason.
func (r *route) orderedBy(a *model.Attribute) (*model.Part, diag.Code, string) {
	for i, part := range r.order {
		switch {
		case !part.IsHole(): // the same in all of them
		case part.Attribute != a && part.Attribute.Time != a:
			key := r.ordered.Name
			if r.ordered.Template == nil {
				key = "it"
			}
			return nil, "O201", fmt.Sprintf("%s sorts by %s first", key, sortsBy(part))
		case keytext.IsBucket(part) && i+1 < len(r.order): // days come in order; what follows orders within one
		default:
			if code, reason := r.outOfOrder(i); code != "" {
				return nil, code, reason
			}
			return &r.order[i], "", ""
		}
	}
	return nil, "O201", "nothing is left in the key to sort by"
}

// outOfOrder returns why the part at i does not order the result by its attribute, with
// the rule that is broken, or "".
func (r *route) outOfOrder(i int) (diag.Code, string) {
	part := r.order[i]
	if !keytext.KeepsValue(part) {
		return "O201", fmt.Sprintf("%s holds only %s", r.ordered.Name, part)
	}
	if code, reason := doesNotSort(r.ordered, part); code != "" {
		return code, reason
	}
	if keytext.Unsorted(r.order, i) {
		return "O203", unsorted(r.ordered, part)
	}
	if i+1 < len(r.order) && !keytext.FixedWidth(part) && !keytext.FollowedByDelimiter(r.order, i) {
		return "O203", fmt.Sprintf("in %s nothing shows where %s ends", r.ordered.Name, part.Attribute.Name)
	}
	return "", ""
}

// sortsBy names the attribute of a part, and says if its values are random.
func sortsBy(part model.Part) string {
	if part.Attribute.Type.AsKey() == model.Meaningless {
		return part.Attribute.Name + ", which is random,"
	}
	return part.Attribute.Name
}

// orderFix returns how a read would come in the order of an attribute.
func (r *route) orderFix(code diag.Code, a *model.Attribute) string {
	key := r.ordered
	switch {
	case code == "O202":
		return fmt.Sprintf("write {%s|pad N} in %s, with room for the largest number", a.Name, key.Name)
	case code == "O203" && a.Type.IsNumber():
		return fmt.Sprintf("keep %s as an int of its smallest unit and write {%s|pad N} in %s, or %s", a.Name, a.Name, key.Name, r.index())
	case code == "O203" && !r.delimiter().IsDefault():
		return fmt.Sprintf("put {%s} last in %s, or give it a form of fixed width", a.Name, key.Name)
	case code == "O203":
		return fmt.Sprintf("give %s a form of fixed width in %s, or put %s after it", a.Name, key.Name, r.delimiter())
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

// sortsFirst returns the attribute that the key sorts by before the one asked for, or nil.
func (r *route) sortsFirst(a *model.Attribute) *model.Attribute {
	for _, part := range r.order {
		if part.IsHole() && part.Attribute != a && part.Attribute.Time != a {
			return part.Attribute
		}
	}
	return nil
}

// sortBy returns how a key could sort by an attribute: a composed key of the index can
// begin with it. The primary key of a table names the item for other patterns, and a
// native key is one attribute.
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

// index returns the index that would serve the pattern.
func (r *route) index() string { return suggestIndex(r.pattern, r.entry.Path.Table) }
