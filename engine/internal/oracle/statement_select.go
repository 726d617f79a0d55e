package oracle

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// SelectStatement is a step that reads page by page, to the end.
type SelectStatement struct {
	Table      string
	Index      string
	Branches   []SelectBranch // joined by OR; none: everything
	Filter     *Condition     // without branches
	Project    []Path
	Order      string // ASC or DESC, by the sort key of one partition or the partition key of several; empty: none
	Limit      int32
	Consistent bool
}

// A SelectBranch is a condition that fixes the partition key.
type SelectBranch struct {
	Values []types.AttributeValue // of the partition key; several for IN
	Sort   []KeyCondition         // one or none
	Filter *Condition
}

func (s SelectStatement) statement(src source) (string, []types.AttributeValue) {
	e := &expressions{positional: true}
	columns := "*"
	for i, p := range s.Project {
		columns = strings.TrimPrefix(columns, "*") + strings.Repeat(", ", min(i, 1)) + e.path(p)
	}
	text := "SELECT " + columns + " FROM " + quoted(s.Table)
	if s.Index != "" {
		text += "." + quoted(s.Index)
	}
	var branches []string
	for _, b := range s.Branches {
		branches = append(branches, b.text(e, src.index.Hash[0]))
	}
	switch {
	case len(branches) > 0:
		text += " WHERE " + strings.Join(branches, " OR ")
	case s.Filter != nil:
		text += " WHERE " + s.Filter.text(e)
	}
	if by := s.orderedBy(src); by != "" {
		text += " ORDER BY " + quoted(by) + " " + s.Order
	}
	return text, e.parameters
}

func (b SelectBranch) text(e *expressions, hash string) string {
	op := "="
	if len(b.Values) > 1 {
		op = "IN"
	}
	parts := []string{KeyCondition{hash, op, b.Values}.condition().text(e)}
	for _, c := range b.Sort {
		parts = append(parts, c.condition().text(e))
	}
	if b.Filter != nil {
		parts = append(parts, "("+b.Filter.text(e)+")")
	}
	return strings.Join(parts, " AND ")
}

// orderedBy returns the attribute of ORDER BY; empty: there is none.
func (s SelectStatement) orderedBy(src source) string {
	switch {
	case s.Order == "" || len(s.Branches) == 0:
		return ""
	case s.partitions() > 1:
		return src.index.Hash[0]
	case len(src.index.Sort) > 0:
		return src.index.Sort[0]
	}
	return ""
}

// partitions returns the number of queries of the statement.
func (s SelectStatement) partitions() (n int) {
	for _, b := range s.Branches {
		n += len(distinct(b.Values))
	}
	return n
}

// distinct returns the values without duplicates.
func distinct(values []types.AttributeValue) (all []types.AttributeValue) {
	for _, v := range values {
		if !slices.ContainsFunc(all, func(w types.AttributeValue) bool { return equal(canonical(v), canonical(w)) }) {
			all = append(all, v)
		}
	}
	return all
}

func (s SelectStatement) expect(m *Model) (any, *Failure) {
	_, f := s.source(m)
	return nil, f
}

// source returns the source of the statement, or the failure if it cannot be read.
func (s SelectStatement) source(m *Model) (source, *Failure) {
	t := m.find(s.Table)
	src := source{name: s.Table, table: t, page: &Page{Project: s.Project, Consistent: s.Consistent}, index: &Index{Hash: []string{"p"}}}
	if t == nil {
		return src, noTable
	}
	x := t.index(s.Index)
	if x == nil {
		return src, refuse("The table does not have the specified index")
	}
	src.index = x
	switch missing := src.missing(); {
	case len(x.Hash) > 1 || len(x.Sort) > 1:
		return src, refuse("PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute RANGE keys.")
	case s.Index == "" || x.Local:
	case s.Consistent:
		return src, refuse("Strongly consistent read is not supported on Global Secondary Indexes")
	case len(missing) > 0:
		return src, refuse(invalid + "Global secondary index " + x.Name + " does not project [" + strings.Join(missing, ", ") + "]")
	}
	if len(s.Branches) == 1 && x.Project != "ALL" {
		lacking := src
		lacking.page = &Page{Project: filterPaths(s.Branches[0].Filter)}
		if names := lacking.missing(); len(names) > 0 {
			return src, refuse(invalid + "Secondary index " + x.Name + " does not project one or more filter attributes: [" + strings.Join(names, ", ") + "]")
		}
	}
	return src, nil
}

// filterPaths returns the attributes that a filter uses outside of OR.
func filterPaths(c *Condition) (paths []Path) {
	switch {
	case c == nil || c.Op == "OR":
	case c.Op == "AND":
		for i := range c.Of {
			paths = append(paths, filterPaths(&c.Of[i])...)
		}
	default:
		for _, name := range c.attributes() {
			paths = append(paths, Path{name})
		}
	}
	return paths
}

// fits reports whether the values have the key's types. They have when the
// statement is generated, but may not after other steps were left out.
func (s SelectStatement) fits(src source) bool {
	for _, b := range s.Branches {
		for _, v := range b.Values {
			if kind(v) != src.table.types[src.index.Hash[0]] {
				return false
			}
		}
		for _, c := range b.Sort {
			wrong := func(v types.AttributeValue) bool { return kind(v) != src.table.types[c.Name] }
			if len(src.index.Sort) == 0 || c.Name != src.index.Sort[0] || slices.ContainsFunc(c.Values, wrong) || c.Op == "begins_with" && kind(c.Values[0]) == "N" {
				return false
			}
		}
	}
	return true
}

// rows returns the items that the statement returns, in order as far
// as it is known.
func (s SelectStatement) rows(src source) (all []Item) {
	if len(s.Branches) == 0 {
		return s.shown(src, src.table.entries(src.index), s.Filter)
	}
	type partition struct {
		value  types.AttributeValue
		branch SelectBranch
	}
	var partitions []partition
	for _, b := range s.Branches {
		for _, v := range distinct(b.Values) {
			partitions = append(partitions, partition{canonical(v), b})
		}
	}
	backward := s.Order == "DESC"
	if len(partitions) > 1 && s.Order != "" {
		backward = true
		slices.SortStableFunc(partitions, func(a, b partition) int {
			c, _ := order(a.value, b.value)
			if s.Order == "DESC" {
				return -c
			}
			return c
		})
	}
	for _, p := range partitions {
		entries := slices.DeleteFunc(src.table.entries(src.index), func(e Item) bool {
			return !same(e[src.index.Hash[0]], p.value) || !meets(e, p.branch.Sort)
		})
		slices.SortFunc(entries, src.index.compareSort)
		if backward {
			slices.Reverse(entries)
		}
		all = append(all, s.shown(src, entries, p.branch.Filter)...)
	}
	return all
}

// shown returns the items that the statement returns for entries.
func (s SelectStatement) shown(src source, entries []Item, filter *Condition) (all []Item) {
	for _, it := range entries {
		if src.fetches() {
			it = src.table.get(it)
		}
		if filter.holds(it) {
			all = append(all, columns(it, s.Project))
		}
	}
	return all
}

// columns returns the values at the paths, each under its last name.
func columns(it Item, paths []Path) Item {
	if paths == nil {
		return it
	}
	out := Item{}
	for _, p := range paths {
		name := ""
		for _, element := range p {
			if position, ok := element.(int); ok {
				name += fmt.Sprintf("[%d]", position)
			} else {
				name = element.(string)
			}
		}
		delete(out, name)
		if v := p.in(it); v != nil {
			out[name] = v
		}
	}
	return out
}

func (s SelectStatement) check(ctx context.Context, p *player) *Problem {
	src, failure := s.source(p.model)
	if failure == nil && !s.fits(src) {
		return nil
	}
	text, parameters := s.statement(src)
	in := &dynamodb.ExecuteStatementInput{Statement: &text, Parameters: parameters, ConsistentRead: optional(s.Consistent), Limit: optional(s.Limit)}
	var got []Item
	for {
		out, err := p.db.Tables().ExecuteStatement(ctx, in)
		if wrong := p.compareFailures(err, failure); wrong != nil || err != nil {
			return wrong
		}
		if wrong := s.checkPage(out); wrong != nil {
			return wrong
		}
		got = append(got, out.Items...)
		if in.NextToken = out.NextToken; in.NextToken == nil {
			return s.compare(src, got)
		}
	}
}

// inItems is the maximum number of items of a page with IN.
const inItems = 10

func (s SelectStatement) checkPage(out *dynamodb.ExecuteStatementOutput) *Problem {
	in := slices.ContainsFunc(s.Branches, func(b SelectBranch) bool { return len(b.Values) > 1 })
	switch n := len(out.Items); {
	case s.Limit > 0 && n > int(s.Limit):
		return problem("page", "a page of %d items with the limit %d", n, s.Limit)
	case in && n > inItems:
		return problem("page", "a page of %d items with IN", n)
	case (out.NextToken == nil) != (out.LastEvaluatedKey == nil):
		return problem("page", "there is a token or a last key, but not both: %s", Literal(out.LastEvaluatedKey))
	}
	return nil
}

func (s SelectStatement) compare(src source, got []Item) *Problem {
	want := s.rows(src)
	if len(s.Branches) == 0 || s.Index != "" { // the order is not known
		return sameRows(got, want)
	}
	if g, w := Literal(append([]Item{}, got...)), Literal(append([]Item{}, want...)); g != w {
		return problem("rows", "%s", difference(append([]Item{}, got...), append([]Item{}, want...)))
	}
	return nil
}
