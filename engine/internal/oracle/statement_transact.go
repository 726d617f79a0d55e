package oracle

import (
	"context"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// TransactStatements is a step of several writing statements, all or none. They
// return nothing.
type TransactStatements struct {
	Statements []Step
	Capacity   types.ReturnConsumedCapacity
}

func (s TransactStatements) do(ctx context.Context, db Tables) (any, error) {
	in := &dynamodb.ExecuteTransactionInput{ReturnConsumedCapacity: s.Capacity}
	for _, one := range s.Statements {
		text, parameters := one.(writeStatement).statement()
		in.TransactStatements = append(in.TransactStatements, types.ParameterizedStatement{
			Statement: &text, Parameters: parameters, ReturnValuesOnConditionCheckFailure: onFailure(showsFailed(one)),
		})
	}
	out, err := db.ExecuteTransaction(ctx, in)
	if out != nil {
		sortConsumed(out.ConsumedCapacity)
	}
	return out, err
}

func (s TransactStatements) expect(m *Model) (any, *Failure) {
	if len(s.Statements) == 0 { // if all were left out
		return nil, refuse()
	}
	transaction, f := s.plan(m)
	if f == nil {
		f = transaction.emptyKeys(m)
	}
	if f == nil {
		f = transaction.keys(m)
	}
	if f != nil {
		return nil, f
	}
	next, f := transaction.run(m)
	if f != nil {
		return nil, s.duplicates(f)
	}
	costs := bills{}
	for i, a := range transaction.Actions {
		cost, _ := m.write(m.tables[a.Table], a.subject(), next[i], false)
		cost.table *= 2
		costs.add(givenTable(s.Statements[i]), cost)
	}
	return &dynamodb.ExecuteTransactionOutput{Responses: []types.ItemResponse{}, ConsumedCapacity: costs.consumed(s.Capacity, writing)}, nil
}

// plan returns the statements as the actions of a transaction, or the failure of the
// first one that cannot be planned.
func (s TransactStatements) plan(m *Model) (planned TransactWriteItems, f *Failure) {
	for i, one := range s.Statements {
		if u, ok := one.(UpdateStatement); ok && u.Update.overlap() != "" {
			return planned, numbered(i, strings.TrimPrefix(u.Update.overlap(), "Invalid UpdateExpression: "))
		}
	}
	for _, one := range s.Statements {
		if m.tables[tableOf(one)] == nil {
			return planned, noTable
		}
	}
	for i, one := range s.Statements {
		action, complaint := actionOf(m.tables[tableOf(one)], one)
		if complaint != "" {
			return planned, numbered(i, complaint)
		}
		action.Table = tableOf(one)
		planned.Actions = append(planned.Actions, action)
	}
	return planned, nil
}

// numbered returns the refusal of one statement of a transaction.
func numbered(i int, complaint string) *Failure {
	return refuse(fmt.Sprintf("Validation failed in TransactStatements[%d]: %s", i, complaint))
}

// actionOf returns a statement as an action on its table.
func actionOf(t *table, statement Step) (a TransactAction, complaint string) {
	hash := []Operand{{Path: Path{t.hash}}}
	exists, missing := Condition{Op: "attribute_exists", Operands: hash}, Condition{Op: "attribute_not_exists", Operands: hash}
	a.ShowFailed = showsFailed(statement)
	switch s := statement.(type) {
	case Insert:
		if itemSize(canonicalItem(s.Item)) > maxItemSize {
			return a, tooLargePut
		}
		a.Do, a.Item, a.If = "Put", s.Item, &missing
	case UpdateStatement:
		key, others, ok := t.divideKey(s.Key, s.If)
		if !ok {
			return a, incompleteKey
		}
		others.Of = append(others.Of, exists)
		a.Do, a.Key, a.Update, a.If = "Update", key, s.Update, others
	case DeleteStatement:
		key, others, ok := t.divideKey(s.Key, s.If)
		if !ok {
			return a, incompleteKey
		}
		a.Do, a.Key, a.If = "Delete", key, &Condition{Op: "OR", Of: []Condition{missing, *others}}
	}
	return a, ""
}

// duplicates gives a cancelled transaction the reasons of statements that insert what exists.
func (s TransactStatements) duplicates(f *Failure) *Failure {
	if f.Reasons == nil {
		return f
	}
	for i, one := range s.Statements {
		if _, ok := one.(Insert); ok && f.Reasons[i].Code == "ConditionalCheckFailed" {
			f.Reasons[i] = Reason{Code: "DuplicateItem", Messages: []string{duplicateItem}}
		}
	}
	return cancelled(f.Reasons)
}

// showsFailed reports whether a statement asks for the item whose condition fails.
func showsFailed(s Step) bool {
	switch s := s.(type) {
	case UpdateStatement:
		return s.ShowFailed
	case DeleteStatement:
		return s.ShowFailed
	}
	return false
}
