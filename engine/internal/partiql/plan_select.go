package partiql

import (
	"slices"
	"strings"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/expression"
	"sortkey.dev/engine/internal/request"
)

// A Read is the plan of a SELECT: queries, run one after the other, or a scan.
type Read struct {
	Queries []*request.Query
	Scan    *request.Scan // nil: there are queries
	// MaxItems limits the items of one response; 0: no limit.
	MaxItems int
}

// The limits of IN.
const (
	maxPartitionValues = 50
	inPageItems        = 10
)

// Select plans a SELECT.
func (s *Statement) Select(t Table, consistent bool) (*Read, error) {
	x, err := s.index(t)
	if err != nil {
		return nil, err
	}
	p := selectPlan{Statement: s, key: t.Key, index: x}
	if x != nil {
		p.key = x.Key
		switch {
		case x.Vector:
			return nil, dynamo.Invalid("Scan operation not supported on this index type")
		case len(x.Key.Partition) > 1 || len(x.Key.Sort) > 1:
			return nil, dynamo.Invalid("PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute RANGE keys.")
		case consistent && !x.Local:
			return nil, dynamo.Invalid("Strongly consistent read is not supported on Global Secondary Indexes")
		}
	}
	if err := p.chooseBranches(); err != nil {
		return nil, err
	}
	if err := p.checkProjected(); err != nil {
		return nil, err
	}
	if err := p.checkOrder(); err != nil {
		return nil, err
	}
	return p.read(), nil
}

// A selectPlan is the state of planning a SELECT.
type selectPlan struct {
	*Statement
	key      dynamo.KeySchema // of the table or index that is read
	index    *Index
	branches []branch // nil: a scan
	fromOr   bool     // the branches come from an OR
}

// A branch is one query: a value of the partition key, optionally a condition on the sort
// key, and the remaining conditions.
type branch struct {
	partition *condition
	value     dynamo.Value
	sort      *condition // nil: the whole partition
	rest      []*condition
}

// chooseBranches finds the queries of the statement; without any it is a scan.
func (p *selectPlan) chooseBranches() error {
	conjuncts := p.where.conjuncts()
	found, ok, err := p.queries(conjuncts)
	if err != nil || ok {
		p.branches = found
		return err
	}
	for i, c := range conjuncts {
		if c.op != opOr {
			continue
		}
		others := slices.Delete(slices.Clone(conjuncts), i, i+1)
		found, ok, err := p.union(c.disjuncts(), others)
		if err != nil {
			return err
		}
		if ok {
			p.branches, p.fromOr = found, true
			return p.mergeOverlaps()
		}
	}
	return nil
}

// union finds the queries of conditions between ORs, each combined with others.
func (p *selectPlan) union(disjuncts, others []*condition) (all []branch, ok bool, err error) {
	for _, d := range disjuncts {
		found, ok, err := p.queries(append(d.conjuncts(), others...))
		if err != nil || !ok {
			return nil, false, err
		}
		all = append(all, found...)
	}
	return all, true, nil
}

// queries finds the queries of conditions between ANDs. It reports false when they do
// not fix the partition key.
func (p *selectPlan) queries(conjuncts []*condition) (found []branch, ok bool, err error) {
	partition := p.key.Partition[0].Name
	on := func(use keyUse) int {
		return slices.IndexFunc(conjuncts, func(c *condition) bool { return c.name == partition && c.use == use })
	}
	i := on(useEqual)
	if i < 0 {
		if i = on(useIn); i < 0 {
			return nil, false, nil
		}
		if len(conjuncts[i].values) > maxPartitionValues {
			return nil, false, dynamo.Invalid("The IN operator is provided with too many values of the partition key; number of values: %d, maximum: %d", len(conjuncts[i].values), maxPartitionValues)
		}
	}
	b := branch{partition: conjuncts[i], rest: slices.Delete(slices.Clone(conjuncts), i, i+1)}
	b.takeSort(p.key.Sort)
	for _, v := range conjuncts[i].values {
		if slices.ContainsFunc(found, func(f branch) bool { return slices.Equal(f.value, v) }) {
			continue
		}
		b.value = v
		found = append(found, b)
	}
	return found, true, nil
}

// takeSort moves the first condition that narrows the query out of the rest.
func (b *branch) takeSort(sort []dynamo.KeyAttribute) {
	if len(sort) == 0 {
		return
	}
	for i, c := range b.rest {
		if c.name != sort[0].Name || !narrows(c) {
			continue
		}
		b.sort = c
		b.rest = slices.Delete(slices.Clone(b.rest), i, i+1)
		return
	}
}

// narrows reports whether a condition on the sort key can be part of a query.
func narrows(c *condition) bool { return c.use == useEqual || c.use >= useLess }

// mergeOverlaps rejects queries of one partition whose sort keys overlap. Queries that
// may overlap become one query of the whole partition, so that each item is returned once.
func (p *selectPlan) mergeOverlaps() error {
	var partitions []string // in the order of the text
	byPartition := map[string][]branch{}
	for _, b := range p.branches {
		partition := string(b.value)
		if byPartition[partition] == nil {
			partitions = append(partitions, partition)
		}
		byPartition[partition] = append(byPartition[partition], b)
	}
	p.branches = nil
	for _, partition := range partitions {
		merged, err := p.merge(byPartition[partition])
		if err != nil {
			return err
		}
		p.branches = append(p.branches, merged...)
	}
	return nil
}

// merge is mergeOverlaps for the queries of one partition.
func (p *selectPlan) merge(branches []branch) ([]branch, error) {
	overlap := false
	for i, b := range branches {
		for _, a := range branches[:i] {
			if !overlaps(a, b) {
				continue
			}
			overlap = true
			if len(p.key.Sort) > 0 && !p.negatesSort(a) && !p.negatesSort(b) {
				return nil, dynamo.Invalid("Overlapping conditions with range keys are not supported in where clause")
			}
		}
	}
	if !overlap {
		return branches, nil
	}
	all := branches[0]
	for _, b := range branches[1:] {
		all = either(all, b)
	}
	return []branch{all}, nil
}

// negatesSort reports whether a branch has a negated condition on the sort key.
func (p *selectPlan) negatesSort(b branch) bool {
	name := p.key.Sort[0].Name
	return slices.ContainsFunc(b.rest, func(c *condition) bool {
		return c.name == name && c.use == useNotEqual || c.op == opNot && slices.Contains(c.names(), name)
	})
}

// either returns the query of a partition for the items of two branches.
func either(a, b branch) branch {
	return branch{partition: a.partition, value: a.value, rest: []*condition{{
		op: opOr, term: expression.Or(a.own().term, b.own().term), left: a.own(), right: b.own(),
	}}}
}

// own returns the condition of a branch without the one on the partition key. It is never nil.
func (b branch) own() *condition {
	if b.sort == nil && len(b.rest) == 0 {
		return b.partition
	}
	if b.sort == nil {
		return both(b.rest)
	}
	return both(append([]*condition{b.sort}, b.rest...))
}

// checkProjected checks that an index holds the attributes that the statement needs.
func (p *selectPlan) checkProjected() error {
	if p.index == nil || p.index.Projected == nil {
		return nil
	}
	if missing := p.unprojected(p.columnNames()); len(missing) > 0 && !p.index.Local {
		return dynamo.Invalid("One or more parameter values were invalid: Global secondary index %s does not project [%s]", p.Index(), strings.Join(missing, ", "))
	}
	if p.branches == nil || p.fromOr {
		return nil
	}
	var names []string
	for _, c := range p.branches[0].rest {
		if c.op != opOr {
			names = append(names, c.names()...)
		}
	}
	if missing := p.unprojected(names); len(missing) > 0 {
		return dynamo.Invalid("One or more parameter values were invalid: Secondary index %s does not project one or more filter attributes: [%s]", p.Index(), strings.Join(missing, ", "))
	}
	return nil
}

func (p *selectPlan) columnNames() (names []string) {
	for _, c := range p.columns {
		names = append(names, c.Head())
	}
	return names
}

// unprojected lists the names that entries of the index do not hold, without duplicates.
func (p *selectPlan) unprojected(names []string) (missing []string) {
	for _, name := range names {
		if _, carried := slices.BinarySearch(p.index.Projected, name); !carried && !slices.Contains(missing, name) {
			missing = append(missing, name)
		}
	}
	return missing
}

// read returns the requests.
func (p *selectPlan) read() *Read {
	page := request.Page{Table: p.Table(), Index: p.Index(), Projection: p.projection()}
	if p.branches == nil {
		if p.where != nil {
			page.Filter = expression.NewCondition(p.where.term)
		}
		return &Read{Scan: &request.Scan{Page: page}}
	}
	read := &Read{}
	if slices.ContainsFunc(p.branches, func(b branch) bool { return b.partition.use == useIn }) {
		read.MaxItems = inPageItems
	}
	backward := p.sortBranches()
	for _, b := range p.branches {
		q := &request.Query{Page: page, KeyCondition: p.keyCondition(b), Backward: backward, Statement: true}
		if len(b.rest) > 0 {
			q.Filter = expression.NewCondition(both(b.rest).term)
		}
		read.Queries = append(read.Queries, q)
	}
	return read
}

// keyOps maps the conditions on a sort key that allow a range to key operators.
var keyOps = map[keyUse]expression.KeyOp{
	useLess: expression.Less, useLessOrEqual: expression.LessOrEqual,
	useGreater: expression.Greater, useGreaterOrEqual: expression.GreaterOrEqual,
	useBetween: expression.Between, useBeginsWith: expression.BeginsWith,
}

// keyCondition returns the key condition of a branch.
func (p *selectPlan) keyCondition(b branch) *expression.KeyCondition {
	partition := expression.KeyEqual(p.key.Partition[0].Name, b.value)
	if b.sort == nil {
		return expression.NewKeyCondition(partition)
	}
	name, values := p.key.Sort[0].Name, b.sort.values
	switch b.sort.use {
	case useEqual:
		return expression.NewKeyCondition(partition, expression.KeyEqual(name, values[0]))
	case useBetween:
		return expression.NewKeyCondition(partition, expression.KeyWithin(name, expression.Between, values[0], values[1]))
	default:
		return expression.NewKeyCondition(partition, expression.KeyWithin(name, keyOps[b.sort.use], values[0], nil))
	}
}
