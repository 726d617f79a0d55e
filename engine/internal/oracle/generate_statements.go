package oracle

import (
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// statement returns a PartiQL statement.
func (g *generator) statement() Step {
	switch g.IntN(7) {
	case 0, 1, 2:
		return g.selectStatement()
	case 6:
		return g.transactStatements()
	case 3:
		s := BatchStatements{}
		for range 1 + g.IntN(5) {
			s.Statements = append(s.Statements, g.writeStatement())
		}
		return s
	default:
		return g.writeStatement()
	}
}

// transactStatements returns a transaction of writing statements. Those return nothing, and
// few have conditions: one that fails is enough.
func (g *generator) transactStatements() Step {
	s := TransactStatements{Capacity: g.detail()}
	for range 1 + g.IntN(3) {
		one := g.writeStatement()
		if g.isVain(one) {
			one = g.writeStatement()
		}
		free := !g.oneIn(3)
		switch w := one.(type) {
		case UpdateStatement:
			if w.Return, w.Capacity = "", ""; free {
				w.If = nil
			}
			one = w
		case DeleteStatement:
			if w.ReturnOld, w.Capacity = false, ""; free {
				w.If = nil
			}
			one = w
		}
		s.Statements = append(s.Statements, one)
	}
	return s
}

// isVain reports whether a statement inserts an item that exists, or updates one that does not.
func (g *generator) isVain(s Step) bool {
	t := g.model.tables[tableOf(s)]
	if t == nil {
		return false
	}
	switch s := s.(type) {
	case Insert:
		return t.get(s.Item) != nil
	case UpdateStatement:
		return t.get(s.Key) == nil
	}
	return false
}

func (g *generator) writeStatement() Step {
	name, t := g.table()
	name = g.maybeARN(name)
	key := g.key(t)
	if g.oneIn(20) {
		key = maps.Clone(key)
		if g.oneIn(2) {
			delete(key, t.hash)
		} else {
			key["n"] = g.number()
		}
	}
	switch g.IntN(4) {
	case 0:
		return Insert{Table: name, Item: g.wholeItem(key), Spelled: g.oneIn(2), Capacity: g.detail()}
	case 1:
		return DeleteStatement{Table: name, Key: key, If: g.maybe(t, key), ReturnOld: g.oneIn(2), ShowFailed: g.oneIn(2), Capacity: g.detail()}
	default:
		return UpdateStatement{
			Table: name, Key: key, Update: g.statementUpdate(t, key), If: g.maybe(t, key),
			Return: pick(g, "", "ALL OLD", "ALL NEW", "MODIFIED OLD", "MODIFIED NEW"), ShowFailed: g.oneIn(2), Capacity: g.detail(),
		}
	}
}

// statementUpdate returns an update that a statement can represent: it adds to sets only.
func (g *generator) statementUpdate(t *table, key Item) Update {
	u := slices.DeleteFunc(g.update(t, key), func(a Action) bool { return a.Do == "ADD" && len(members(a.To.Value)) == 0 })
	if len(u) == 0 {
		return Update{{Do: "REMOVE", Path: Path{"z"}}}
	}
	return u
}

func (g *generator) selectStatement() Step {
	name, t := g.table()
	x := g.source(t)
	s := SelectStatement{Table: g.maybeARN(name), Index: x.Name, Project: g.projection(t), Consistent: g.oneIn(4), Order: pick(g, "", "", "ASC", "DESC")}
	if x.Name != "" && !x.Local {
		s.Consistent = g.oneIn(50)
		if x.Project != "ALL" && !g.oneIn(10) {
			s.Project = nil
		}
	}
	if g.oneIn(2) {
		s.Limit = 1 + g.Int32N(9)
		if len(t.items) > 60 {
			s.Limit *= 20
		}
	}
	filter := func() *Condition {
		if g.oneIn(2) {
			return nil
		}
		return g.condition(t, g.statementAttributes(t, x), 2)
	}
	if g.oneIn(4) {
		s.Filter = filter()
		return s
	}
	used := []types.AttributeValue{}
	for range 1 + g.IntN(2) {
		if b, ok := g.selectBranch(t, x, &used); ok {
			b.Filter = filter()
			s.Branches = append(s.Branches, b)
		}
	}
	return s
}

// statementAttributes returns attributes for a filter: no keys of the index, because an
// equality on one of them would change the plan.
func (g *generator) statementAttributes(t *table, x *Index) []string {
	all := g.filterAttributes(t, x)
	if all = slices.DeleteFunc(all, func(name string) bool { return slices.Contains(x.key(), name) }); len(all) == 0 {
		return []string{"z"}
	}
	return all
}

// selectBranch returns a branch of partitions that no other branch has.
func (g *generator) selectBranch(t *table, x *Index, used *[]types.AttributeValue) (b SelectBranch, ok bool) {
	var model Item
	if entries := t.entries(x); len(entries) > 0 {
		model = pick(g, entries...)
	}
	value := func(name string) types.AttributeValue {
		if v := model[name]; v != nil && !g.oneIn(5) {
			return v
		}
		return g.keyValue(t.types[name], 8)
	}
	for range pick(g, 1, 1, 1, 3, 6) {
		v := value(x.Hash[0])
		model = nil
		if !slices.ContainsFunc(*used, func(w types.AttributeValue) bool { return equal(canonical(v), canonical(w)) }) {
			b.Values = append(b.Values, v)
		}
	}
	*used = append(*used, b.Values...)
	if len(x.Sort) > 0 && g.oneIn(2) {
		b.Sort = []KeyCondition{g.rangeCondition(x.Sort[0], t.types[x.Sort[0]], value)}
	}
	return b, len(b.Values) > 0
}
