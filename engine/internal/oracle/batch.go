package oracle

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

const repeatedKey = "Provided list of item keys contains duplicates"

// BatchGetItem is a step.
type BatchGetItem struct {
	Gets     []BatchGet
	Older    bool // the projections are AttributesToGet
	Capacity types.ReturnConsumedCapacity
}

// A BatchGet holds the reads of a BatchGetItem for one table.
type BatchGet struct {
	Table      string
	Keys       []Item
	Project    []Path
	Consistent bool
}

func (s BatchGetItem) do(ctx context.Context, db Tables) (any, error) {
	in := &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{}, ReturnConsumedCapacity: s.Capacity}
	for _, g := range s.Gets {
		e := &expressions{}
		of := types.KeysAndAttributes{Keys: g.Keys, ConsistentRead: optional(g.Consistent)}
		if s.Older {
			of.AttributesToGet = heads(g.Project)
		} else {
			of.ProjectionExpression = e.projection(g.Project)
			of.ExpressionAttributeNames = e.names
		}
		in.RequestItems[g.Table] = of
	}
	out, err := db.BatchGetItem(ctx, in)
	if out != nil {
		sortConsumed(out.ConsumedCapacity)
		for _, items := range out.Responses {
			sortItems(items)
		}
	}
	return out, err
}

// sortItems sorts items that come in any order into a stable order.
func sortItems(items []Item) {
	byLiteral := map[string][]Item{}
	for _, it := range items {
		byLiteral[Literal(it)] = append(byLiteral[Literal(it)], it)
	}
	sorted := items[:0]
	for _, literal := range slices.Sorted(maps.Keys(byLiteral)) {
		sorted = append(sorted, byLiteral[literal]...)
	}
}

func (s BatchGetItem) expect(m *Model) (any, *Failure) {
	if slices.ContainsFunc(s.Gets, func(g BatchGet) bool { return m.tables[g.Table] == nil }) {
		return nil, noTable
	}
	var complaints []string
	for _, g := range s.Gets {
		complaints = append(complaints, m.tables[g.Table].batchComplaints(g.Keys)...)
	}
	if len(complaints) > 0 {
		return nil, refuse(complaints...)
	}
	out := &dynamodb.BatchGetItemOutput{Responses: map[string][]Item{}, UnprocessedKeys: map[string]types.KeysAndAttributes{}}
	costs := bills{}
	for _, g := range s.Gets {
		found := []Item{}
		for _, key := range g.Keys {
			it := m.tables[g.Table].get(key)
			costs.add(g.Table, bill{table: readUnits(itemSize(it), g.Consistent)})
			if it != nil {
				found = append(found, projected(it, g.Project))
			}
		}
		sortItems(found)
		out.Responses[g.Table] = found
	}
	out.ConsumedCapacity = costs.consumed(s.Capacity, plain)
	return out, nil
}

// batchComplaints returns the errors of the keys of a batch.
func (t *table) batchComplaints(keys []Item) (complaints []string) {
	seen := map[string]bool{}
	for _, key := range keys {
		if c := t.keyComplaint(key); c != "" {
			complaints = append(complaints, c)
			continue
		}
		if seen[t.id(key)] {
			complaints = append(complaints, repeatedKey)
		}
		seen[t.id(key)] = true
	}
	return complaints
}

// BatchWriteItem is a step.
type BatchWriteItem struct {
	Writes   []BatchWrite
	Capacity types.ReturnConsumedCapacity
	Metrics  bool
}

// A BatchWrite is one request of a BatchWriteItem: a put or a delete.
type BatchWrite struct {
	Table  string
	Put    Item
	Delete Item // the key
}

func (w BatchWrite) subject() Item {
	if w.Put != nil {
		return w.Put
	}
	return w.Delete
}

func (s BatchWriteItem) do(ctx context.Context, db Tables) (any, error) {
	in := &dynamodb.BatchWriteItemInput{
		RequestItems: map[string][]types.WriteRequest{}, ReturnConsumedCapacity: s.Capacity, ReturnItemCollectionMetrics: metricsParameter(s.Metrics),
	}
	for _, w := range s.Writes {
		request := types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: w.Delete}}
		if w.Put != nil {
			request = types.WriteRequest{PutRequest: &types.PutRequest{Item: w.Put}}
		}
		in.RequestItems[w.Table] = append(in.RequestItems[w.Table], request)
	}
	out, err := db.BatchWriteItem(ctx, in)
	if out != nil {
		sortConsumed(out.ConsumedCapacity)
		sortMetrics(out.ItemCollectionMetrics)
	}
	return out, err
}

func (s BatchWriteItem) expect(m *Model) (any, *Failure) {
	for _, w := range s.Writes {
		if itemSize(canonicalItem(w.Put)) > maxItemSize {
			return nil, refuse(tooLargePut)
		}
	}
	if slices.ContainsFunc(s.Writes, func(w BatchWrite) bool { return m.tables[w.Table] == nil }) {
		return nil, noTable
	}
	if complaints := s.complaints(m); len(complaints) > 0 {
		return nil, refuse(complaints...)
	}
	costs, metrics := bills{}, collections{}
	for _, w := range s.Writes {
		t := m.tables[w.Table]
		cost, _ := m.write(t, w.subject(), canonicalItem(w.Put), false)
		costs.add(w.Table, cost)
		metrics.add(t, w.subject(), s.Metrics)
	}
	return &dynamodb.BatchWriteItemOutput{
		ConsumedCapacity: costs.consumed(s.Capacity, plain), ItemCollectionMetrics: metrics.list(), UnprocessedItems: map[string][]types.WriteRequest{},
	}, nil
}

// complaints returns the errors of the requests of a batch.
func (s BatchWriteItem) complaints(m *Model) (complaints []string) {
	seen := map[string]bool{}
	for _, w := range s.Writes {
		t := m.tables[w.Table]
		var c string
		if w.Put != nil {
			c = t.batchPutComplaint(w.Put)
		} else {
			c = t.keyComplaint(w.Delete)
		}
		if c != "" {
			complaints = append(complaints, c)
			continue
		}
		if w.Put != nil {
			if c := t.indexComplaint(w.Put, nil); c != nil {
				complaints = append(complaints, c.texts...)
			}
		}
		if id := w.Table + t.id(w.subject()); seen[id] {
			complaints = append(complaints, repeatedKey)
		} else {
			seen[id] = true
		}
	}
	return complaints
}

// collections holds the item collections that a request changed, by table.
type collections map[string]map[string]types.ItemCollectionMetrics

func (c collections) add(t *table, it Item, wanted bool) {
	if m := t.metrics(it, wanted); m != nil {
		if c[t.name] == nil {
			c[t.name] = map[string]types.ItemCollectionMetrics{}
		}
		c[t.name][Literal(m.ItemCollectionKey)] = *m
	}
}

// list returns the collections as a response shows them; nil if there are none.
func (c collections) list() map[string][]types.ItemCollectionMetrics {
	if len(c) == 0 {
		return nil
	}
	all := map[string][]types.ItemCollectionMetrics{}
	for table, of := range c {
		all[table] = slices.Collect(maps.Values(of))
	}
	sortMetrics(all)
	return all
}

func sortMetrics(all map[string][]types.ItemCollectionMetrics) {
	for _, of := range all {
		slices.SortFunc(of, func(a, b types.ItemCollectionMetrics) int {
			return cmp.Compare(Literal(a.ItemCollectionKey), Literal(b.ItemCollectionKey))
		})
	}
}
