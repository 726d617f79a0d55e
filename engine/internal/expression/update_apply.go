package expression

import (
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/number"
)

// Apply returns the item after the update. For an item that does not
// exist yet, old holds its key attributes. All right sides are computed from
// old, and all positions in lists refer to old.
func (u *Update) Apply(old dynamo.Item) (dynamo.Item, error) {
	a := application{actions: u.actions, values: make([]dynamo.Value, len(u.actions)), old: old}
	if err := a.computeValues(); err != nil {
		return nil, err
	}
	a.out.Grow(len(old) + 64)
	a.out.OpenItem()
	if err := a.fields(old, u.tree.children); err != nil {
		return nil, err
	}
	return a.out.CloseItem()
}

// Touched returns the values that the paths of the update lead to in item: UPDATED_OLD
// for the old item, UPDATED_NEW for the new one. It is nil when there are none.
func (u *Update) Touched(item dynamo.Item) dynamo.Item {
	touched := u.tree.project(item)
	if touched.Len() == 0 {
		return nil
	}
	return touched
}

// An application is one execution of an update.
type application struct {
	actions []action
	values  []dynamo.Value // of the actions: what they set, add or delete
	old     dynamo.Item
	scratch dynamo.Encoder // of values that are computed
	out     dynamo.Encoder // of the new item
}

func errMissingOperand() error {
	return dynamo.Invalid("The provided expression refers to an attribute that does not exist in the item")
}

func errOperandType() error {
	return dynamo.Invalid("An operand in the update expression has an incorrect data type")
}

// errMismatch returns the error for an old value of another kind than that of ADD or DELETE.
func (a *action) errMismatch() error {
	if a.mismatch == "" {
		return errOperandType()
	}
	return dynamo.Invalid("%s", a.mismatch)
}

func errInvalidPath() error {
	return dynamo.Invalid("The document path provided in the update expression is invalid for update")
}

// computeValues computes the right sides. DynamoDB reports an operand of a
// wrong type before a missing one, whatever their order.
func (a *application) computeValues() error {
	var missing error
	for i := range a.actions {
		e := a.actions[i].value
		if e == nil {
			continue
		}
		v, err := a.value(e)
		if err != nil {
			return err
		}
		if v == nil && missing == nil {
			missing = errMissingOperand()
		}
		a.values[i] = v
	}
	return missing
}

// value computes a right side or an operand of it; nil means that it refers
// to a missing value.
func (a *application) value(e *expr) (dynamo.Value, error) {
	switch e.op {
	case opPath:
		return e.path.in(a.old), nil
	case opValue:
		return e.value, nil
	case opIfNotExists:
		if v := e.operands.path.in(a.old); v != nil {
			return v, nil
		}
		return a.value(e.second())
	}
	first, err := a.value(e.operands)
	if err != nil {
		return nil, err
	}
	second, err := a.value(e.second())
	if err != nil {
		return nil, err
	}
	if e.op == opListAppend {
		return a.appendLists(first, second)
	}
	return a.sum(e.op, first, second)
}

func (a *application) appendLists(first, second dynamo.Value) (dynamo.Value, error) {
	if wrongKind(first, dynamo.KindList) || wrongKind(second, dynamo.KindList) {
		return nil, errOperandType()
	}
	if first == nil || second == nil {
		return nil, nil
	}
	start := a.scratch.Mark()
	writeLists(&a.scratch, first, second)
	return a.scratch.Value(start), nil
}

// writeLists writes a list of the elements of two lists.
func writeLists(enc *dynamo.Encoder, first, second dynamo.Value) {
	enc.OpenList()
	for _, list := range [...]dynamo.Value{first, second} {
		for _, e := range list.Elements() {
			enc.Copy(e)
		}
	}
	enc.CloseList()
}

// sum adds or subtracts two numbers.
func (a *application) sum(o op, first, second dynamo.Value) (dynamo.Value, error) {
	if wrongKind(first, dynamo.KindNumber) || wrongKind(second, dynamo.KindNumber) {
		return nil, errOperandType()
	}
	if first == nil || second == nil {
		return nil, nil
	}
	start := a.scratch.Mark()
	if err := writeSum(&a.scratch, o, first, second); err != nil {
		return nil, err
	}
	return a.scratch.Value(start), nil
}

func wrongKind(v dynamo.Value, k dynamo.Kind) bool { return v != nil && v.Kind() != k }

// writeSum writes the sum or difference of two numbers.
func writeSum(enc *dynamo.Encoder, o op, first, second dynamo.Value) error {
	var buf [160]byte
	text, err := buf[:0], error(nil)
	if o == opPlus {
		text, err = number.AppendAdd(text, first.Bytes(), second.Bytes())
	} else {
		text, err = number.AppendSub(text, first.Bytes(), second.Bytes())
	}
	if err == nil {
		err = enc.Number(text)
	}
	if err != nil {
		return dynamo.Invalid("%s", err)
	}
	return nil
}

// fields writes the fields of a map with the changes of the nodes.
func (a *application) fields(m dynamo.Map, nodes []pathNode) error {
	for c := m.Fields(); c.Next(); {
		for len(nodes) > 0 && nodes[0].name < string(c.Name()) {
			if err := a.field(&nodes[0], nil); err != nil {
				return err
			}
			nodes = nodes[1:]
		}
		if len(nodes) > 0 && nodes[0].name == string(c.Name()) {
			if err := a.field(&nodes[0], c.Value()); err != nil {
				return err
			}
			nodes = nodes[1:]
			continue
		}
		a.out.Name(string(c.Name()))
		a.out.Copy(c.Value())
	}
	for i := range nodes {
		if err := a.field(&nodes[i], nil); err != nil {
			return err
		}
	}
	return nil
}

// field writes one changed field. old is nil for a new field.
func (a *application) field(n *pathNode, old dynamo.Value) error {
	stays, err := a.stays(n, old)
	if err != nil || !stays {
		return err
	}
	a.out.Name(n.name)
	return a.write(n, old)
}

// elements writes a list with the changes of the nodes. Values beyond its end are
// appended in the order of their positions.
func (a *application) elements(list dynamo.Value, nodes []pathNode) error {
	for i, e := range list.Elements() {
		if len(nodes) == 0 || nodes[0].index != i {
			a.out.Copy(e)
			continue
		}
		if err := a.element(&nodes[0], e); err != nil {
			return err
		}
		nodes = nodes[1:]
	}
	for i := range nodes {
		if err := a.element(&nodes[i], nil); err != nil {
			return err
		}
	}
	return nil
}

func (a *application) element(n *pathNode, old dynamo.Value) error {
	stays, err := a.stays(n, old)
	if err != nil || !stays {
		return err
	}
	return a.write(n, old)
}

// stays checks that the change of a node is possible and reports whether
// a value remains after it.
func (a *application) stays(n *pathNode, old dynamo.Value) (bool, error) {
	if n.leaf < 0 {
		inList := n.children[0].kind == position
		if inList && old.Kind() == dynamo.KindList || !inList && old.Kind() == dynamo.KindMap {
			return true, nil
		}
		return false, errInvalidPath()
	}
	value := a.values[n.leaf]
	switch a.actions[n.leaf].kind {
	case actionRemove:
		return false, nil
	case actionAdd:
		if wrongKind(old, value.Kind()) {
			return false, a.actions[n.leaf].errMismatch()
		}
	case actionDelete:
		if wrongKind(old, value.Kind()) {
			return false, a.actions[n.leaf].errMismatch()
		}
		return old != nil && !isSubset(old, value), nil
	}
	return true, nil
}

// write writes the value of a node after its change.
func (a *application) write(n *pathNode, old dynamo.Value) error {
	switch {
	case n.leaf >= 0:
		return a.writeLeaf(a.actions[n.leaf].kind, old, a.values[n.leaf])
	case old.Kind() == dynamo.KindMap:
		a.out.OpenMap()
		if err := a.fields(old.Map(), n.children); err != nil {
			return err
		}
		return a.out.CloseMap()
	default:
		a.out.OpenList()
		err := a.elements(old, n.children)
		a.out.CloseList()
		return err
	}
}

// writeLeaf writes the value after an action.
func (a *application) writeLeaf(kind actionKind, old, value dynamo.Value) error {
	switch {
	case kind == actionSet || old == nil:
		a.out.Copy(value)
		return nil
	case value.Kind() == dynamo.KindNumber:
		return writeSum(&a.out, opPlus, old, value)
	case value.Kind() == dynamo.KindList:
		writeLists(&a.out, old, value)
		return nil
	}
	a.out.OpenSet(value.Kind())
	for m, in := range mergeSets(old, value) {
		if kind == actionAdd || in == inFirst {
			if err := a.out.Member(m); err != nil {
				return err
			}
		}
	}
	return a.out.CloseSet()
}
