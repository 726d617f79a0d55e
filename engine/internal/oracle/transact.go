package oracle

import (
	"context"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// TransactWriteItems is a step.
type TransactWriteItems struct {
	Actions  []TransactAction
	Token    string
	Capacity types.ReturnConsumedCapacity
	Metrics  bool
}

// A TransactAction is one action of a TransactWriteItems.
type TransactAction struct {
	Do         string // Put, Update, Delete or Check
	Table      string
	Item       Item // of a Put
	Key        Item // of the others
	Update     Update
	If         *Condition
	ShowFailed bool // the item whose condition fails
	Spoil      string
}

func (a TransactAction) subject() Item {
	if a.Do == "Put" {
		return a.Item
	}
	return a.Key
}

// input returns the action of a request, and the error of its placeholders.
func (a TransactAction) input() (in types.TransactWriteItem, complaint string) {
	e := &expressions{}
	condition, show := a.If.write(e, "ConditionExpression"), onFailure(a.ShowFailed)
	update := a.Update.write(e)
	complaint = e.spoil(a.Spoil)
	switch a.Do {
	case "Put":
		in.Put = &types.Put{TableName: &a.Table, Item: a.Item, ConditionExpression: condition, ReturnValuesOnConditionCheckFailure: show,
			ExpressionAttributeNames: e.names, ExpressionAttributeValues: e.values}
	case "Update":
		in.Update = &types.Update{TableName: &a.Table, Key: a.Key, UpdateExpression: update, ConditionExpression: condition, ReturnValuesOnConditionCheckFailure: show,
			ExpressionAttributeNames: e.names, ExpressionAttributeValues: e.values}
	case "Delete":
		in.Delete = &types.Delete{TableName: &a.Table, Key: a.Key, ConditionExpression: condition, ReturnValuesOnConditionCheckFailure: show,
			ExpressionAttributeNames: e.names, ExpressionAttributeValues: e.values}
	default:
		in.ConditionCheck = &types.ConditionCheck{TableName: &a.Table, Key: a.Key, ConditionExpression: condition, ReturnValuesOnConditionCheckFailure: show,
			ExpressionAttributeNames: e.names, ExpressionAttributeValues: e.values}
	}
	return in, complaint
}

func (s TransactWriteItems) do(ctx context.Context, db Tables) (any, error) {
	in := &dynamodb.TransactWriteItemsInput{
		ClientRequestToken: optional(s.Token), ReturnConsumedCapacity: s.Capacity, ReturnItemCollectionMetrics: metricsParameter(s.Metrics),
	}
	for _, a := range s.Actions {
		action, _ := a.input()
		in.TransactItems = append(in.TransactItems, action)
	}
	out, err := db.TransactWriteItems(ctx, in)
	if out != nil {
		sortConsumed(out.ConsumedCapacity)
		sortMetrics(out.ItemCollectionMetrics)
	}
	return out, err
}

const repeatedItem = "Transaction request cannot include multiple operations on one item"

// A token is the record of a transaction that had one.
type token struct {
	payload string
	until   time.Time
	sizes   []int // of the items of the actions
}

func (s TransactWriteItems) expect(m *Model) (any, *Failure) {
	if f := s.check(m); f != nil {
		return nil, f
	}
	if t, ok := m.tokens[s.Token]; ok && s.Token != "" && m.now.Before(t.until) {
		return s.replay(m, t)
	}
	next, f := s.run(m)
	if f != nil {
		return nil, f
	}
	costs, metrics, done := bills{}, collections{}, token{payload: s.payload(), until: m.now.Add(10 * time.Minute)}
	for i, a := range s.Actions {
		cost, size := m.write(m.tables[a.Table], a.subject(), next[i], false)
		cost.table *= 2
		costs.add(a.Table, cost)
		if a.Do != "Check" {
			metrics.add(m.tables[a.Table], a.subject(), s.Metrics)
		}
		done.sizes = append(done.sizes, size)
	}
	if s.Token != "" {
		m.tokens[s.Token] = done
	}
	return &dynamodb.TransactWriteItemsOutput{ConsumedCapacity: costs.consumed(s.Capacity, writing), ItemCollectionMetrics: metrics.list()}, nil
}

// payload returns a string that is equal for equal requests.
func (s TransactWriteItems) payload() string {
	var actions []types.TransactWriteItem
	for _, a := range s.Actions {
		in, _ := a.input()
		actions = append(actions, in)
	}
	return Literal(actions)
}

// replay returns the response to a request whose token was used before.
func (s TransactWriteItems) replay(m *Model, t token) (any, *Failure) {
	if t.payload != s.payload() {
		return nil, &Failure{Code: "IdempotentParameterMismatchException"}
	}
	costs, metrics := bills{}, collections{}
	for i, a := range s.Actions {
		costs.add(a.Table, bill{table: 2 * readUnits(t.sizes[i], true)})
		if a.Do != "Check" {
			metrics.add(m.tables[a.Table], a.subject(), s.Metrics)
		}
	}
	return &dynamodb.TransactWriteItemsOutput{ConsumedCapacity: costs.consumed(s.Capacity, reading), ItemCollectionMetrics: metrics.list()}, nil
}

// check returns the failure of a transaction before it runs.
func (s TransactWriteItems) check(m *Model) *Failure {
	for _, a := range s.Actions {
		_, complaint := a.input()
		if complaint == "" {
			complaint = a.Update.overlap()
		}
		if complaint == "" && a.Do == "Put" && itemSize(canonicalItem(a.Item)) > maxItemSize {
			complaint = tooLargePut
		}
		if complaint != "" {
			return refuse(complaint)
		}
	}
	for _, a := range s.Actions {
		if m.tables[a.Table] == nil {
			return noTable
		}
	}
	if f := s.emptyKeys(m); f != nil {
		return f
	}
	return s.keys(m)
}

// emptyKeys finds empty key values, which fail a transaction as a whole.
func (s TransactWriteItems) emptyKeys(m *Model) *Failure {
	var complaints []string
	for _, a := range s.Actions {
		t := m.tables[a.Table]
		if c := t.emptyKeyComplaint(a.subject()); c != "" {
			complaints = append(complaints, c)
		} else if a.Do == "Put" {
			if c := t.indexComplaint(a.Item, nil); c != nil && c.empty {
				complaints = append(complaints, c.texts...)
			}
		}
	}
	if len(complaints) > 0 {
		return refuse(complaints...)
	}
	return nil
}

// keys finds invalid keys, of which the first is the only reason, and duplicate items.
func (s TransactWriteItems) keys(m *Model) *Failure {
	for i, a := range s.Actions {
		t := m.tables[a.Table]
		c := t.keyComplaint(a.Key)
		if a.Do == "Put" {
			c = t.putComplaint(a.Item)
		}
		if c != "" {
			return cancelledBy(i, c, len(s.Actions))
		}
	}
	seen := map[string]bool{}
	for _, a := range s.Actions {
		id := a.Table + m.tables[a.Table].id(a.subject())
		if seen[id] {
			return refuse(repeatedItem)
		}
		seen[id] = true
	}
	return nil
}

// cancelledBy returns a cancellation for which only one of n actions has a reason.
func cancelledBy(i int, complaint string, n int) *Failure {
	reasons := slices.Repeat([]Reason{{Code: "None"}}, n)
	reasons[i] = refuse(complaint).reason()
	return cancelled(reasons)
}

// run computes the items after the transaction.
func (s TransactWriteItems) run(m *Model) (next []Item, failure *Failure) {
	var reasons []Reason
	for _, a := range s.Actions {
		t := m.tables[a.Table]
		var it Item
		var f *Failure
		switch a.Do {
		case "Put":
			it, f = t.put(a.Item, a.If, a.ShowFailed)
		case "Update":
			var u *updateFailure
			if it, u = t.update(a.Key, a.Update, a.If, a.ShowFailed); u != nil {
				if f = u.Failure; u.emptyKey {
					return nil, f
				}
			}
		default:
			if old := t.get(a.Key); !a.If.holds(old) {
				f = conditionFailed(old, a.ShowFailed)
			} else if a.Do == "Check" {
				it = old
			}
		}
		next, reasons = append(next, it), append(reasons, f.reason())
	}
	return next, cancelled(reasons)
}

// TransactGetItems is a step.
type TransactGetItems struct {
	Gets     []TransactGet
	Capacity types.ReturnConsumedCapacity
}

// A TransactGet is one item of a TransactGetItems.
type TransactGet struct {
	Table   string
	Key     Item
	Project []Path
}

func (s TransactGetItems) do(ctx context.Context, db Tables) (any, error) {
	in := &dynamodb.TransactGetItemsInput{ReturnConsumedCapacity: s.Capacity}
	for _, g := range s.Gets {
		e := &expressions{}
		get := &types.Get{TableName: &g.Table, Key: g.Key, ProjectionExpression: e.projection(g.Project)}
		get.ExpressionAttributeNames = e.names
		in.TransactItems = append(in.TransactItems, types.TransactGetItem{Get: get})
	}
	out, err := db.TransactGetItems(ctx, in)
	if out != nil {
		sortConsumed(out.ConsumedCapacity)
	}
	return out, err
}

func (s TransactGetItems) expect(m *Model) (any, *Failure) {
	for _, g := range s.Gets {
		if m.tables[g.Table] == nil {
			return nil, noTable
		}
	}
	for i, g := range s.Gets {
		if c := m.tables[g.Table].keyComplaint(g.Key); c != "" {
			return nil, cancelledBy(i, c, len(s.Gets))
		}
	}
	seen := map[string]bool{}
	for _, g := range s.Gets {
		id := g.Table + m.tables[g.Table].id(g.Key)
		if seen[id] {
			return nil, refuse(repeatedItem)
		}
		seen[id] = true
	}
	out := &dynamodb.TransactGetItemsOutput{}
	costs := bills{}
	for _, g := range s.Gets {
		it := m.tables[g.Table].get(g.Key)
		costs.add(g.Table, bill{table: 2 * readUnits(itemSize(it), true)})
		if it = projected(it, g.Project); len(it) == 0 {
			it = nil
		}
		out.Responses = append(out.Responses, types.ItemResponse{Item: it})
	}
	out.ConsumedCapacity = costs.consumed(s.Capacity, reading)
	return out, nil
}
