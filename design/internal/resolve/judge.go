package resolve

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// judge finds what of a read is not as asked: its order, consistency, attributes,
// other entities in the result, or several where one is expected.
func (l *Layout) judge(r *route, read *Read) []Problem {
	var problems []Problem
	note := func(p *Problem) {
		if p != nil {
			problems = append(problems, *p)
		}
	}
	note(r.never)
	note(r.judgeOrder(read))
	note(judgeConsistency(read))
	note(judgeProjection(read))
	read.Mixed = l.mixed(read)
	note(judgeMixing(read))
	if r.pattern.Verb == model.Get && !read.Unique {
		note(notOne(r, read))
	}
	return problems
}

// judgeOrder finds the part of the key that gives the order asked for.
func (r *route) judgeOrder(read *Read) *Problem {
	order := r.pattern.Order
	if order == nil {
		return nil
	}
	attribute := r.entity.Attribute(order.Attribute.Name)
	if read.one(r) || r.hasOne(attribute) {
		return nil
	}
	part, code, reason := r.orderedBy(attribute)
	read.Ordered = part
	if code == "" {
		return nil
	}
	return &Problem{
		Code: code, Place: order.Place, Message: fmt.Sprintf("%s does not come in order of %s: %s", read.Entry.Path, attribute.Name, reason),
		Fix: r.orderFix(code, attribute),
	}
}

// one reports whether one call returns at most one item: nothing needs an order then. A
// unique value that is asked for several times over is one item for each.
func (read *Read) one(r *route) bool { return read.Unique && !r.fansOut() }

// hasOne reports whether all items of the answer have the same value of an attribute.
func (r *route) hasOne(a *model.Attribute) bool {
	c := r.condition(a)
	return c != nil && c.Op == model.Eq && r.fanout(a) == nil
}

// orderedBy is the part by which the rest of the key sorts, if it is the attribute or
// was made from it.
func (r *route) orderedBy(a *model.Attribute) (*model.Part, diag.Code, string) {
	for i, part := range r.order {
		if !part.IsHole() {
			continue // the same in all of them
		}
		if part.Attribute != a && part.Attribute.Time != a {
			key := r.ordered.Name
			if r.ordered.Template == nil {
				key = "it"
			}
			return nil, "O201", fmt.Sprintf("%s sorts by %s first", key, sortsBy(part))
		}
		if bucket(part) && i+1 < len(r.order) {
			continue // days come in order; what follows orders within one
		}
		if !keepsValue(part) {
			return nil, "O201", fmt.Sprintf("%s holds only %s", r.ordered.Name, part)
		}
		if code, reason := doesNotSort(r.ordered, part); code != "" {
			return nil, code, reason
		}
		if i+1 < len(r.order) && !fixedWidth(part) && !followedByDelimiter(r.order, i) {
			return nil, "O203", fmt.Sprintf("in %s nothing shows where %s ends", r.ordered.Name, part.Attribute.Name)
		}
		return &r.order[i], "", ""
	}
	return nil, "O201", "nothing is left in the key to sort by"
}

func sortsBy(part model.Part) string {
	if part.Attribute.Type.AsKey() == model.Meaningless {
		return part.Attribute.Name + ", which is random,"
	}
	return part.Attribute.Name
}

// bucket reports whether a part is the day, month or hour of its attribute.
func bucket(p model.Part) bool {
	return slices.ContainsFunc(p.Filters, func(f model.Filter) bool { return timeShapes[f.Name] != "" })
}

func judgeConsistency(read *Read) *Problem {
	if !read.Pattern.Consistent || !read.Entry.Path.IsGlobal() {
		return nil
	}
	return &Problem{
		Code: "C303", Place: read.Pattern.ConsistAt,
		Message: fmt.Sprintf("only %s, a global index, serves the pattern, and it cannot be read consistently", read.Entry.Path),
	}
}

// judgeProjection finds what the index does not hold. A local index is no problem:
// DynamoDB fetches the rest from the table.
func judgeProjection(read *Read) *Problem {
	p, x := read.Pattern, read.Entry.Path.Index
	if x == nil || x.Project.Kind == model.ProjectAll {
		return nil
	}
	for _, e := range read.Entities {
		read.Missing = append(read.Missing, missing(read, e)...)
	}
	if len(read.Missing) == 0 || x.Local {
		return nil
	}
	place := p.SelectAt
	if len(p.Select) == 0 {
		place = p.VerbPlace
	}
	return &Problem{
		Code: "C304", Place: place,
		Message: fmt.Sprintf("%s does not hold %s", read.Entry.Path, names(read.Missing)),
		Fix:     fmt.Sprintf("add %s to project of %s, or select only what it holds", storedNames(read.Missing), x.Name),
		Related: []diag.Related{{Place: x.Project.Place, Message: "what the index holds"}},
	}
}

// missing are the attributes of an entity the read needs and its index does not hold.
func missing(read *Read, e *model.Entity) []*model.Attribute {
	needed := slices.Clone(e.Attributes)
	if len(read.Pattern.Select) > 0 {
		needed = nil
		for _, a := range read.Pattern.Select {
			if own := e.Attribute(a.Name); own != nil {
				needed = append(needed, own)
			}
		}
	}
	for _, c := range read.Checks {
		if own := e.Attribute(c.Attribute.Name); own != nil && !slices.Contains(needed, own) {
			needed = append(needed, own)
		}
	}
	path := read.Entry.Path
	needed = slices.DeleteFunc(needed, func(a *model.Attribute) bool { return readable(path, path.Table.Item(e), a) })
	for _, c := range read.Filter {
		if own := e.Attribute(c.Attribute.Name); own != nil && !projected(path, own.Stored) && !slices.Contains(needed, own) {
			needed = append(needed, own) // DynamoDB filters by attributes, not by pieces of a key
		}
	}
	return needed
}

// projected reports whether a path holds an attribute as such: keys of the table and
// of the index always, others if the projection lists them.
func projected(path Path, stored string) bool {
	x := path.Index
	return x == nil || x.Project.Kind == model.ProjectAll || slices.Contains(x.Project.Attributes, stored) ||
		slices.ContainsFunc(KeyNames(path), func(name model.KeyName) bool { return name.Name == stored })
}

// readable reports whether an item seen through a path gives an attribute's value: as
// an attribute, or as a piece of a composed key that can be read back.
func readable(path Path, item *model.Item, a *model.Attribute) bool {
	return projected(path, HeldBy(path, item, a))
}

// HeldBy is the name under which an item seen through a path gives an attribute's value:
// its own, or that of the composed key that holds it if the path has nothing else.
func HeldBy(path Path, item *model.Item, a *model.Attribute) string {
	if projected(path, a.Stored) {
		return a.Stored
	}
	for _, name := range KeyNames(path) {
		if key := item.Key(name.Name); key != nil && key.Holds(a) {
			return name.Name
		}
	}
	return a.Stored
}

// KeyNames are the key attributes an item seen through a path always has.
func KeyNames(path Path) []model.KeyName {
	names := []model.KeyName{path.Table.PK}
	if path.Table.SK.Name != "" {
		names = append(names, path.Table.SK)
	}
	if path.Index != nil {
		names = slices.Concat(names, path.Index.PK, path.Index.SK)
	}
	return names
}

func storedNames(list []*model.Attribute) string {
	all := make([]string, len(list))
	for i, a := range list {
		all[i] = a.Stored
	}
	return strings.Join(all, ", ")
}

func notOne(r *route, read *Read) *Problem {
	return &Problem{
		Code: "C307", Place: r.pattern.VerbPlace,
		Message: fmt.Sprintf("several %s can have the same %s", r.entity.Name, names(conditionAttributes(r.where))),
		Fix:     fmt.Sprintf("give %s in where, say list, or declare unique: [%s]", names(r.entity.ID), names(conditionAttributes(r.where))),
	}
}

func conditionAttributes(conditions []*model.Condition) []*model.Attribute {
	var all []*model.Attribute
	for _, c := range conditions {
		all = append(all, c.Attribute)
	}
	return all
}

// oneQueryPerValue reports the values nobody counted.
func (p *Plan) oneQueryPerValue() []Problem {
	var problems []Problem
	for _, c := range slices.Concat(p.Read.Partition, p.Read.Sort) {
		for _, part := range c.Low {
			if p.tellsHowMany(part) || slices.ContainsFunc(problems, func(q Problem) bool { return q.Place == p.placeOf(part.Attribute) }) {
				continue
			}
			many := "any number of values"
			if n := len(part.Values); n > 0 {
				many = fmt.Sprintf("%d values", n)
			}
			problems = append(problems, Problem{
				Code: "C306", Place: p.placeOf(part.Attribute),
				Message: fmt.Sprintf("%s is asked for %s, one query for each", part.Attribute.Name, many),
				Fix:     fmt.Sprintf("say fanout: { %s: %d }, or keep a key that answers in one", part.Attribute.Name, max(2, len(part.Values))),
			})
		}
	}
	return problems
}

// tellsHowMany reports whether a part needs one request, or its number is said.
func (p *Plan) tellsHowMany(part TextPart) bool {
	if !part.Each || !p.asksSeveral(part.Attribute) {
		return true // one value, or shards, which say it themselves
	}
	return slices.ContainsFunc(p.Pattern.Fanout, func(f model.Fanout) bool { return f.Attribute.Name == part.Attribute.Name })
}

func (p *Plan) asksSeveral(a *model.Attribute) bool {
	return slices.ContainsFunc(p.Pattern.Where, func(c *model.Condition) bool { return c.Attribute.Name == a.Name && c.Op == model.In })
}

func (p *Plan) placeOf(a *model.Attribute) diag.Place {
	for _, c := range p.Pattern.Where {
		if c.Attribute.Name == a.Name {
			return c.Place
		}
	}
	return diag.Place{}
}
