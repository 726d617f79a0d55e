package oracle

import (
	"context"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Query is a step that queries page by page, to the end.
type Query struct {
	Table    string
	Index    string
	Where    []KeyCondition
	Backward bool
	Older    bool // the conditions are KeyConditions
	Page     Page
}

// A KeyCondition is a condition on one key attribute.
type KeyCondition struct {
	Name   string
	Op     string // a comparator, BETWEEN or begins_with
	Values []types.AttributeValue
}

func (c KeyCondition) condition() *Condition {
	all := &Condition{Op: c.Op, Operands: []Operand{{Path: Path{c.Name}}}}
	for _, v := range c.Values {
		all.Operands = append(all.Operands, Operand{Value: v})
	}
	return all
}

func (s Query) input(details bool) (in *dynamodb.QueryInput, complaint string) {
	e := &expressions{}
	in = &dynamodb.QueryInput{TableName: &s.Table, IndexName: optional(s.Index), ConsistentRead: optional(s.Page.Consistent)}
	if s.Older {
		in.KeyConditions = keyConditions(s.Where)
	} else {
		in.KeyConditionExpression = s.where(e)
	}
	if s.Backward {
		in.ScanIndexForward = new(bool)
	}
	if details {
		in.Limit, in.Select, in.ReturnConsumedCapacity = s.Page.limit(), s.Page.Select, s.Page.Capacity
	}
	switch {
	case details && s.Page.Older:
		in.QueryFilter, in.ConditionalOperator, in.AttributesToGet = s.Page.Filter.older(), s.Page.Filter.operator(), heads(s.Page.Project)
		complaint = s.Page.Filter.olderComplaint()
	case details:
		in.FilterExpression = s.Page.Filter.write(e, "FilterExpression")
		in.ProjectionExpression = e.projection(s.Page.Project)
		complaint = e.spoil(s.Page.Spoil)
	}
	in.ExpressionAttributeNames, in.ExpressionAttributeValues = e.names, e.values
	return in, complaint
}

// where writes the key condition expression.
func (s Query) where(e *expressions) *string {
	e.begin("KeyConditionExpression")
	var clauses []string
	for _, c := range s.Where {
		clauses = append(clauses, c.condition().text(e))
	}
	return optional(strings.Join(clauses, " AND "))
}

func (s Query) read(db Tables) reader {
	return func(ctx context.Context, after Item, details bool) (*answer, error) {
		in, _ := s.input(details)
		in.ExclusiveStartKey = after
		out, err := db.Query(ctx, in)
		if err != nil {
			return nil, err
		}
		return &answer{out.Items, out.Count, out.ScannedCount, out.LastEvaluatedKey, out.ConsumedCapacity}, nil
	}
}

// source returns the source of the query.
func (s Query) source(m *Model) (source, *Failure) {
	src, f := m.source(s.Table, s.Index, &s.Page)
	src.once = f == nil && s.Index == "" && len(src.index.Sort) == 0
	return src, f
}

func (s Query) expect(m *Model) (any, *Failure) {
	if s.Page.Spoil == zeroLimit {
		return nil, enveloped("Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1")
	}
	if _, complaint := s.input(true); complaint != "" {
		return nil, refuse(complaint)
	}
	src, f := s.source(m)
	if f != nil {
		return nil, f
	}
	if !s.fits(src) || s.Page.After != nil && (src.once || !src.fits(s.Page.After, s.Where)) {
		return nil, refuse()
	}
	filter, attributes := "Filter Expression", s.Page.Filter.attributes()
	if s.Page.Older {
		filter = "QueryFilter"
		slices.Sort(attributes)
	}
	for _, name := range attributes {
		if slices.Contains(src.index.key(), name) {
			return nil, refuse(filter + " can only contain non-primary key attributes: Primary key attribute: " + name)
		}
	}
	return nil, src.selectFailure()
}

// fits reports whether the key condition fits the key. It does when it is
// generated, but may not after other steps were left out.
func (s Query) fits(src source) bool {
	key := src.index.key()
	if len(s.Where) < len(src.index.Hash) || len(s.Where) > len(key) {
		return false
	}
	for i, c := range s.Where {
		last := i == len(s.Where)-1 && i >= len(src.index.Hash)
		wrong := func(v types.AttributeValue) bool { return kind(v) != src.table.types[c.Name] }
		if c.Name != key[i] || c.Op != "=" && !last || slices.ContainsFunc(c.Values, wrong) || c.Op == "begins_with" && kind(c.Values[0]) == "N" {
			return false
		}
	}
	return true
}

// fits reports whether a start key belongs to the source and meets the conditions.
func (s source) fits(after Item, where []KeyCondition) bool {
	if len(after) != len(s.table.rowKey(s.index)) {
		return false
	}
	for _, name := range s.table.rowKey(s.index) {
		if kind(after[name]) != s.table.types[name] {
			return false
		}
	}
	return meets(after, where)
}

func meets(it Item, where []KeyCondition) bool {
	return !slices.ContainsFunc(where, func(c KeyCondition) bool { return !c.condition().holds(it) })
}

func (s Query) check(ctx context.Context, p *player) *Problem {
	read := s.read(p.db.Tables())
	if _, f := s.expect(p.model); f != nil {
		_, err := read(ctx, s.Page.After, true)
		return p.compareFailures(err, f)
	}
	src, _ := s.source(p.model)
	listing, err := read.list(ctx)
	if err != nil {
		return problem("error", "list: %v", err)
	}
	want := slices.DeleteFunc(src.table.entries(src.index), func(e Item) bool { return !meets(e, s.Where) })
	if wrong := sameRows(listing, want); wrong != nil {
		return wrong
	}
	compare := src.index.compareSort
	if s.Backward {
		compare = func(a, b Item) int { return src.index.compareSort(b, a) }
	}
	if !slices.IsSortedFunc(listing, compare) {
		return problem("order", "rows are not in order: %s", Literal(listing))
	}
	from, known := src.from(listing)
	if !known && s.Index == "" {
		from, known = len(listing), true
		if i := slices.IndexFunc(listing, func(row Item) bool { return compare(row, canonicalItem(s.Page.After)) > 0 }); i >= 0 {
			from = i
		}
	}
	if !known {
		return nil
	}
	return src.checkPages(ctx, read, listing, from)
}
