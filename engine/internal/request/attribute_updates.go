package request

import (
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/expression"
)

// The actions of AttributeUpdates. PUT is the default.
const (
	attributeAdd    = "ADD"
	attributePut    = "PUT"
	attributeDelete = "DELETE"
)

var updateActions = plain("action", attributeAdd, attributePut, attributeDelete)

// attributeUpdates checks the actions of AttributeUpdates.
func (v *violations) attributeUpdates(updates []dynamo.RawAttributeUpdate) {
	for i := range updates {
		updateActions.checkAt("attributeUpdates."+updates[i].Name+".member.action", updates[i].Action, v)
	}
}

// attributeUpdates translates AttributeUpdates; nil when it has no updates.
func (l layer) attributeUpdates(updates []dynamo.RawAttributeUpdate) (*expression.Update, error) {
	if len(updates) == 0 {
		return nil, nil
	}
	for i := range updates {
		if err := l.checkNamed(updates[i].Name, updates[i].Fault); err != nil {
			return nil, err
		}
	}
	changes := make([]expression.Change, len(updates))
	for i := range updates {
		var err error
		if changes[i], err = changeOf(&updates[i]); err != nil {
			return nil, err
		}
	}
	return expression.NewUpdate(changes...)
}

// changeOf checks an entry of AttributeUpdates and translates it.
func changeOf(u *dynamo.RawAttributeUpdate) (change expression.Change, err error) {
	const mismatch = "Type mismatch for attribute to update"
	attribute, kind := expression.Attribute(u.Name), u.Value.Kind()
	switch {
	case u.Value == nil && u.Action != attributeDelete:
		return change, invalid(invalidParameter + "Only DELETE action is allowed when no attribute value is specified")
	case u.Value == nil:
		return expression.Remove(attribute), nil
	case u.Action == attributeAdd:
		if kind != dynamo.KindNumber && kind != dynamo.KindList && !kind.IsSet() {
			return change, invalid(invalidParameter + "ADD action is not supported for the type " + kind.String())
		}
		return expression.Add(attribute, u.Value).Mismatch(mismatch), nil
	case u.Action == attributeDelete:
		if !kind.IsSet() {
			return change, invalid(invalidParameter + "DELETE action with value is not supported for the type " + kind.String())
		}
		return expression.Subtract(attribute, u.Value).Mismatch(mismatch), nil
	}
	return expression.Set(attribute, expression.Constant(u.Value)), nil
}
