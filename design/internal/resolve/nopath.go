package resolve

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// noPath says why nothing serves a read, by the path that comes nearest.
func (p *Plan) noPath() Problem {
	pattern := p.Pattern
	problem := Problem{Code: "C301", Place: pattern.WhereAt, Fix: suggestIndex(pattern)}
	if problem.Place.IsZero() {
		problem.Place = pattern.VerbPlace
	}
	if len(p.Refused) == 0 {
		problem.Message = "no table or index holds a key for it"
		return problem
	}
	nearest := p.Refused[0]
	problem.Code = nearest.Code
	problem.Message = fmt.Sprintf("no key serves it; nearest is %s, but %s", nearest.Path, nearest.Reason)
	if nearest.Code != "C301" && !nearest.place.IsZero() {
		problem.Place = nearest.place
	}
	problem.Related = []diag.Related{{Place: pathPlace(nearest.Path), Message: "the nearest path"}}
	switch nearest.Code {
	case "O202":
		problem.Fix = "pad the number in the key: {" + attributeAt(pattern, nearest.place) + "|pad N}"
	case "C310":
		problem.Fix = fmt.Sprintf("ask for what %s holds, or %s", nearest.Path.Index.Name, problem.Fix)
	}
	return problem
}

// togetherFix says which entities of a collect live in different tables, where no index
// can bring them together; "" if one table holds them all.
func (l *Layout) togetherFix(p *model.Pattern) string {
	together := slices.ContainsFunc(l.design.Tables, func(t *model.Table) bool {
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

// inSentence is a list as a sentence holds it: a, b and c.
func inSentence(list []string) string {
	last := len(list) - 1
	if last < 1 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:last], ", ") + " and " + list[last]
}

// attributeAt is the name of the attribute a condition of the pattern is about.
func attributeAt(p *model.Pattern, place diag.Place) string {
	for _, c := range p.Where {
		if c.Place == place {
			return c.Attribute.Name
		}
	}
	return "attribute"
}

func pathPlace(path Path) diag.Place {
	if path.Index == nil {
		return path.Table.Place
	}
	return path.Index.Place
}

// suggestIndex is the index that would serve a pattern.
func suggestIndex(p *model.Pattern) string {
	var partition, sort []string
	add := func(list []string, name string) []string {
		if slices.Contains(partition, name) || slices.Contains(list, name) {
			return list
		}
		return append(list, name)
	}
	ranges := 0
	for _, c := range p.Where {
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
	if len(partition) == 0 {
		constant := "ALL"
		if p.Entity != nil {
			constant = strings.ToUpper(p.Entity.Name)
		}
		return "add an index with pk " + constant + sortClause(sort) + ", all in one partition, or ask for one value of some attribute"
	}
	return "add an index with pk " + braced(partition) + sortClause(sort)
}

func sortClause(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return " and sk " + braced(names)
}

// braced writes a key: one attribute, or a list of several.
func braced(names []string) string {
	holes := make([]string, len(names))
	for i, name := range names {
		holes[i] = "{" + name + "}"
	}
	if len(holes) == 1 {
		return holes[0]
	}
	return "[" + strings.Join(holes, ", ") + "]"
}
