package read

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/layout"
	"sortkey.dev/design/internal/resolve/internal/plan"
)

// noPath returns the problem that nothing serves a read, by the path that comes nearest.
func noPath(p *plan.Plan) plan.Problem {
	pattern := p.Pattern
	problem := plan.Problem{Code: "C301", Place: pattern.WhereAt}
	if problem.Place.IsZero() {
		problem.Place = pattern.VerbPlace
	}
	if len(p.Refused) == 0 {
		problem.Message, problem.Fix = "no table or index holds a key for it", suggestIndex(pattern, nil)
		return problem
	}
	nearest := p.Refused[0]
	problem.Fix = nearest.Fix
	if problem.Fix == "" {
		problem.Fix = suggestIndex(pattern, nearest.Path.Table)
	}
	problem.Code = nearest.Code
	problem.Message = fmt.Sprintf("no key serves it; nearest is %s, but %s", nearest.Path, nearest.Reason)
	if nearest.Code != "C301" && !nearest.Place.IsZero() {
		problem.Place = nearest.Place
	}
	problem.Related = []diag.Related{{Place: pathPlace(nearest.Path), Message: "the nearest path"}}
	switch nearest.Code {
	case "O202":
		problem.Fix = "pad the number in the key: {" + attributeAt(pattern, nearest.Place) + "|pad N}"
	case "C310":
		holder := nearest.Path.Table.Name
		if nearest.Path.Index != nil {
			holder = nearest.Path.Index.Name
		}
		ask := cmp.Or(nearest.Fix, fmt.Sprintf("ask for what %s holds", holder))
		problem.Fix = fmt.Sprintf("%s, or %s", ask, suggestIndex(pattern, nearest.Path.Table))
	}
	return problem
}

// togetherFix says which entities of a collect live in different tables, where no index
// can bring them together; "" if one table holds them all.
func (l *Planner) togetherFix(p *model.Pattern) string {
	together := slices.ContainsFunc(l.Design().Tables, func(t *model.Table) bool {
		return !slices.ContainsFunc(p.Collect, func(e *model.Entity) bool { return t.Item(e) == nil })
	})
	if p.Verb != model.Collect || together {
		return ""
	}
	homes := make([]string, len(p.Collect))
	for i, e := range p.Collect {
		homes[i] = e.Name + " in " + l.Home(e).Table.Name
	}
	homes[0] = p.Collect[0].Name + " lives in " + l.Home(p.Collect[0]).Table.Name
	return fmt.Sprintf("let them share a table and a partition of it, or read each by a pattern of its own: %s", inSentence(homes))
}

// inSentence joins a list as a sentence does: a, b and c.
func inSentence(list []string) string {
	last := len(list) - 1
	if last < 1 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:last], ", ") + " and " + list[last]
}

// attributeAt returns the name of the attribute that a condition of the pattern is about.
func attributeAt(p *model.Pattern, place diag.Place) string {
	for _, c := range p.Where {
		if c.Place == place {
			return c.Attribute.Name
		}
	}
	return "attribute"
}

// pathPlace returns where a path is declared.
func pathPlace(path layout.Path) diag.Place {
	if path.Index == nil {
		return path.Table.Place
	}
	return path.Index.Place
}

// suggestIndex returns the index that would serve a pattern of entities of a table.
func suggestIndex(p *model.Pattern, t *model.Table) string {
	var partition, sort []string
	add := func(list []string, name string) []string {
		if slices.Contains(partition, name) || slices.Contains(list, name) {
			return list
		}
		return append(list, name)
	}
	ranges, before := 0, ""
	for _, c := range p.Where {
		switch a := c.Attribute; a.Type.Base {
		case model.Bool:
			before = fmt.Sprintf("make %s an enum, because a bool cannot be a key, and ", a.Name)
		case model.ListOf, model.SetOf, model.MapOf, model.StructOf:
			return fmt.Sprintf("keep an item for each value of %s with the value in its key: a %s cannot be a key", a.Name, a.Type.Base)
		}
		if c.Op.IsRange() {
			ranges++
			sort = add(sort, c.Attribute.Name)
		} else {
			partition = add(partition, c.Attribute.Name)
		}
	}
	if ranges > 1 {
		return "ask for one range at most; the others can only be filters"
	}
	if p.Order != nil {
		sort = add(sort, p.Order.Attribute.Name)
	}
	e := asked(p)
	if len(partition) == 0 {
		return suggestBuckets(e, sort)
	}
	return before + "add an index { pk: " + spreadKey(e, t, partition) + sortClause(sort) + " }" + computedFor(e, slices.Concat(partition, sort))
}

// computedFor returns the templates that an index needs for attributes that exist only in
// the key of the table.
func computedFor(e *model.Entity, names []string) string {
	var all []string
	for _, name := range names {
		if a := e.Attribute(name); a != nil && a.InKey {
			all = append(all, fmt.Sprintf("%s: \"{%s}\"", name, name))
		}
	}
	if len(all) == 0 {
		return ""
	}
	return fmt.Sprintf(", and write %s under items, %s", strings.Join(all, ", "), e.Name)
}

// asked returns the entity of a read, the first if there are several.
func asked(p *model.Pattern) *model.Entity {
	if p.Entity == nil && len(p.Collect) > 0 {
		return p.Collect[0]
	}
	return p.Entity
}

// suggestBuckets returns the fix for a pattern that gives nothing by equality. An index
// with everything in one partition would serve it only until the load grows.
func suggestBuckets(e *model.Entity, sort []string) string {
	such, each := "a day or an owner", "in $days"
	if e != nil && e.Attribute("day") != nil && !slices.Contains(sort, "day") {
		such, each = "day", "day: in $days"
	}
	index := ""
	if len(sort) > 0 {
		index = ", add an index with that as pk and " + listed(sort) + " as sk"
	}
	return fmt.Sprintf("give something with many values by equality, such as %s%s, and ask for each value in a query of its own (%s, with fanout)", such, index, each)
}

// spreadKey returns a partition key made from attributes. Where the table spreads the
// same attributes over shards, the index does so too: it takes the same writes.
func spreadKey(e *model.Entity, t *model.Table, partition []string) string {
	shard, all := "", map[string]bool{}
	if t != nil && e != nil && t.Item(e) != nil && t.Item(e).Key(t.PK.Name) != nil {
		for _, part := range t.Item(e).Key(t.PK.Name).Parts() {
			if !part.IsHole() {
				continue
			}
			if _, ok := part.Filter(model.Shard); ok && !slices.Contains(partition, part.Attribute.Name) {
				shard = part.String()
			} else {
				all[part.Attribute.Name] = true
			}
		}
	}
	if shard == "" || slices.ContainsFunc(partition, func(name string) bool { return !all[name] }) {
		return listed(partition)
	}
	return fmt.Sprintf("\"{%s}%s%s\"", strings.Join(partition, "}"+t.Delimiter.String()+"{"), t.Delimiter, shard)
}

func sortClause(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return ", sk: " + listed(names)
}

// listed writes a key as a design file does: one attribute, or a list of several.
func listed(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return "[" + strings.Join(names, ", ") + "]"
}
