package oracle

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// quoted returns a name quoted for a PartiQL statement.
func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

var plainNumber = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?$`)

// parameter writes a value of a statement: some short ones as literals, the others as
// parameters.
func (e *expressions) parameter(v types.AttributeValue) string {
	switch t := text(v); {
	case len(t)%2 == 0 || len(t) > 50:
	case kind(v) == "S":
		return "'" + strings.ReplaceAll(t, "'", "''") + "'"
	case kind(v) == "N" && plainNumber.MatchString(t):
		return t
	}
	e.parameters = append(e.parameters, v)
	return "?"
}

// A writeStatement is a step that is one writing statement.
type writeStatement interface {
	Step
	// statement returns the text and the parameters.
	statement() (string, []types.AttributeValue)
}

// execute executes a writing statement.
func execute(ctx context.Context, db Tables, s writeStatement, show bool, detail types.ReturnConsumedCapacity) (any, error) {
	text, parameters := s.statement()
	return db.ExecuteStatement(ctx, &dynamodb.ExecuteStatementInput{
		Statement: &text, Parameters: parameters, ReturnValuesOnConditionCheckFailure: onFailure(show), ReturnConsumedCapacity: detail,
	})
}

// written returns the response to a writing statement.
func written(shown Item, cost *types.ConsumedCapacity) *dynamodb.ExecuteStatementOutput {
	out := &dynamodb.ExecuteStatementOutput{Items: []map[string]types.AttributeValue{}, ConsumedCapacity: cost}
	if shown != nil {
		out.Items = append(out.Items, shown)
	}
	return out
}

// Insert is a step.
type Insert struct {
	Table    string
	Item     Item
	Spelled  bool // the item is a literal map instead of one parameter
	Capacity types.ReturnConsumedCapacity
}

func (s Insert) statement() (string, []types.AttributeValue) {
	e := &expressions{positional: true}
	if !s.Spelled {
		return "INSERT INTO " + quoted(s.Table) + " VALUE ?", []types.AttributeValue{M(s.Item)}
	}
	var fields []string
	for _, name := range slices.Sorted(maps.Keys(s.Item)) {
		fields = append(fields, "'"+strings.ReplaceAll(name, "'", "''")+"': "+e.value(s.Item[name]))
	}
	return "insert into " + quoted(s.Table) + " value {" + strings.Join(fields, ", ") + "}", e.parameters
}

func (s Insert) do(ctx context.Context, db Tables) (any, error) {
	return execute(ctx, db, s, false, s.Capacity)
}

func (s Insert) expect(m *Model) (any, *Failure) {
	t := m.find(s.Table)
	if t == nil {
		return nil, noTable
	}
	if itemSize(canonicalItem(s.Item)) > maxItemSize {
		return nil, refuse(tooLargePut)
	}
	if c := t.putComplaint(s.Item); c != "" {
		return nil, refuse(c)
	}
	next, f := t.put(s.Item, nil, false)
	switch {
	case f != nil:
		return nil, f
	case t.get(s.Item) != nil:
		return nil, &Failure{Code: "DuplicateItemException", Messages: []string{duplicateItem}}
	}
	cost, _ := m.write(t, s.Item, next, false)
	return written(nil, cost.consumed(s.Table, s.Capacity, plain)), nil
}

// whereKey writes the WHERE clause of a write.
func whereKey(e *expressions, key Item, condition *Condition) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(key)) {
		parts = append(parts, quoted(name)+" = "+e.value(key[name]))
	}
	if condition != nil {
		parts = append(parts, "("+condition.text(e)+")")
	}
	if len(parts) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(parts, " AND ")
}

// splitKey splits the equalities of a WHERE clause into the key of a table and
// the condition of the others and the rest. It fails if the key is not complete.
func (t *table) splitKey(where Item, rest *Condition) (key Item, condition *Condition, f *Failure) {
	key, condition, ok := t.divideKey(where, rest)
	if !ok {
		return nil, nil, refuse(incompleteKey)
	}
	if c := t.keyComplaint(key); c != "" {
		return nil, nil, refuse(c)
	}
	return key, condition, nil
}

const (
	incompleteKey = "Where clause does not contain a mandatory equality on all key attributes"
	duplicateItem = "Duplicate primary key exists in table"
)

// divideKey is splitKey without a look at the values of the key. It reports whether the key is complete.
func (t *table) divideKey(where Item, rest *Condition) (key Item, condition *Condition, ok bool) {
	condition = &Condition{Op: "AND"}
	key = only(where, t.key()...)
	if len(key) < len(t.key()) {
		return nil, nil, false
	}
	for _, name := range slices.Sorted(maps.Keys(where)) {
		if key[name] == nil {
			condition.Of = append(condition.Of, Condition{Op: "=", Operands: []Operand{{Path: Path{name}}, {Value: where[name]}}})
		}
	}
	if rest != nil {
		condition.Of = append(condition.Of, *rest)
	}
	return key, condition, true
}

// UpdateStatement is a step.
type UpdateStatement struct {
	Table      string
	Key        Item // and optionally other attributes, which are conditions
	Update     Update
	If         *Condition
	Return     string // the words after RETURNING; empty: none
	ShowFailed bool   // the item whose condition fails
	Capacity   types.ReturnConsumedCapacity
}

func (s UpdateStatement) statement() (string, []types.AttributeValue) {
	e := &expressions{positional: true}
	text := "UPDATE " + quoted(s.Table)
	for _, a := range s.Update {
		path := e.path(a.Path)
		switch a.Do {
		case "REMOVE":
			text += " REMOVE " + path
		case "ADD":
			text += " SET " + path + " = set_add(" + path + ", " + a.To.text(e) + ")"
		case "DELETE":
			text += " SET " + path + " = set_delete(" + path + ", " + a.To.text(e) + ")"
		default:
			text += " SET " + path + " = " + a.To.text(e)
		}
	}
	text += whereKey(e, s.Key, s.If)
	if s.Return != "" {
		text += " RETURNING " + s.Return + " *"
	}
	return text, e.parameters
}

func (s UpdateStatement) do(ctx context.Context, db Tables) (any, error) {
	return execute(ctx, db, s, s.ShowFailed, s.Capacity)
}

var returnValues = map[string]types.ReturnValue{
	"ALL OLD": types.ReturnValueAllOld, "ALL NEW": types.ReturnValueAllNew,
	"MODIFIED OLD": types.ReturnValueUpdatedOld, "MODIFIED NEW": types.ReturnValueUpdatedNew,
}

func (s UpdateStatement) expect(m *Model) (any, *Failure) {
	if c := s.Update.overlap(); c != "" {
		return nil, refuse(strings.TrimPrefix(c, "Invalid UpdateExpression: "))
	}
	t := m.find(s.Table)
	if t == nil {
		return nil, noTable
	}
	key, condition, f := t.splitKey(s.Key, s.If)
	if f != nil {
		return nil, f
	}
	condition.Of = append(condition.Of, Condition{Op: "attribute_exists", Operands: []Operand{{Path: Path{t.hash}}}})
	old := t.get(key)
	next, wrong := t.update(key, s.Update, condition, s.ShowFailed)
	if wrong != nil {
		return nil, wrong.failure()
	}
	cost, _ := m.write(t, key, next, false)
	shown := UpdateItem{Update: s.Update, Return: returnValues[s.Return]}.attributes(old, next)
	return written(shown, cost.consumed(s.Table, s.Capacity, plain)), nil
}

// DeleteStatement is a step.
type DeleteStatement struct {
	Table      string
	Key        Item // and optionally other attributes, which are conditions
	If         *Condition
	ReturnOld  bool
	ShowFailed bool // the item whose condition fails
	Capacity   types.ReturnConsumedCapacity
}

func (s DeleteStatement) statement() (string, []types.AttributeValue) {
	e := &expressions{positional: true}
	text := "DELETE FROM " + quoted(s.Table) + whereKey(e, s.Key, s.If)
	if s.ReturnOld {
		text += " RETURNING ALL OLD *"
	}
	return text, e.parameters
}

func (s DeleteStatement) do(ctx context.Context, db Tables) (any, error) {
	return execute(ctx, db, s, s.ShowFailed, s.Capacity)
}

func (s DeleteStatement) expect(m *Model) (any, *Failure) {
	t := m.find(s.Table)
	if t == nil {
		return nil, noTable
	}
	key, condition, f := t.splitKey(s.Key, s.If)
	if f != nil {
		return nil, f
	}
	old := t.get(key)
	if old != nil && !condition.holds(old) {
		return nil, conditionFailed(old, s.ShowFailed)
	}
	cost, _ := m.write(t, key, nil, false)
	if !s.ReturnOld {
		old = nil
	}
	return written(old, cost.consumed(s.Table, s.Capacity, plain)), nil
}
