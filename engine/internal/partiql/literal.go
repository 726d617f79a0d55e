package partiql

import (
	"errors"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/number"
)

// A literals encodes the values of a statement.
type literals struct {
	text       string
	parameters []dynamo.Value
	// unbound ignores parameters, to find the errors of the other values.
	unbound bool
	enc     dynamo.Encoder
}

// value encodes a literal or a parameter. Messages name it root.
func (l *literals) value(n *node) (dynamo.Value, error) {
	if n.op == opParameter && !l.unbound {
		return l.parameters[n.index], nil
	}
	l.enc.Reset()
	start := l.enc.Mark()
	if err := l.write(n, "root", 1); err != nil {
		return nil, err
	}
	return l.enc.Value(start), nil
}

// item encodes the value of an INSERT.
func (l *literals) item(n *node) (dynamo.Item, error) {
	v, err := l.value(n)
	if err != nil {
		return nil, err
	}
	if v.Kind() != dynamo.KindMap {
		return nil, dynamo.Invalid("Unsupported data type: INSERT takes a map, not a value of type %s", v.Kind())
	}
	if v.Map().Depth() > dynamo.MaxNesting {
		return nil, dynamo.Invalid("%s", dynamo.FaultNesting.Text)
	}
	return v.Map(), nil
}

// write encodes the value at a path, on a level that is counted like
// the levels of an item.
func (l *literals) write(n *node, at string, level int) error {
	if level > dynamo.MaxNesting+1 {
		return dynamo.Invalid("%s", dynamo.FaultNesting.Text)
	}
	switch n.op {
	case opString:
		l.enc.String(n.text)
	case opNumber:
		return l.number(n.text, at)
	case opTrue, opFalse:
		l.enc.Bool(n.op == opTrue)
	case opNull:
		l.enc.Null()
	case opParameter:
		if l.unbound {
			l.enc.Null()
		} else {
			l.enc.Copy(l.parameters[n.index])
		}
	case opList:
		return l.list(n, at, level)
	case opMap:
		return l.mapFields(n, at, level)
	case opSet:
		return l.set(n, at)
	default:
		return l.unsupported(n, at)
	}
	return nil
}

// unsupported returns the error for a node that cannot be part of a value.
func (l *literals) unsupported(n *node, at string) error {
	what := n.text
	if n.op != opCall {
		what = l.text[n.start:n.end]
	}
	return dynamo.Invalid("Unsupported data type: %s under key %s at %s", what, at, place(l.text, n.start, n.end))
}

func (l *literals) number(digits, at string) error {
	err := number.CheckJava(digits)
	if _, bad := errors.AsType[*number.SyntaxError](err); bad {
		return malformed("")
	}
	if err != nil {
		return dynamo.Invalid("%s under %s", err, at)
	}
	if err := l.enc.Number([]byte(digits)); err != nil {
		return dynamo.Invalid("%s under %s", err, at)
	}
	return nil
}

func (l *literals) list(n *node, at string, level int) error {
	l.enc.OpenList()
	for i, e := range n.operands {
		if err := l.write(e, at+"["+itoa(i)+"]", level+1); err != nil {
			return err
		}
	}
	l.enc.CloseList()
	return nil
}

func (l *literals) mapFields(n *node, at string, level int) error {
	l.enc.OpenMap()
	for i := 0; i < len(n.operands); i += 2 {
		key := n.operands[i]
		if key.op != opString {
			return dynamo.Invalid("The keys of a map must be strings in single quotes; found one at %s", place(l.text, key.start, key.end))
		}
		l.enc.Name(key.text)
		if err := l.write(n.operands[i+1], at+"."+key.text, level+1); err != nil {
			return err
		}
	}
	if err := l.enc.CloseMap(); err != nil {
		if repeated, ok := errors.AsType[*dynamo.RepeatedName](err); ok {
			return dynamo.Invalid("A map names the key %s twice under %s", repeated.Name, at)
		}
		return err
	}
	return nil
}

// set encodes a set. Its members have the type of the first.
func (l *literals) set(n *node, at string) error {
	if len(n.operands) == 0 {
		return dynamo.Invalid("Empty bags are not supported")
	}
	members := make([]dynamo.Value, len(n.operands))
	inner := literals{text: l.text, parameters: l.parameters, unbound: l.unbound}
	for i, e := range n.operands {
		start := inner.enc.Mark()
		if err := inner.write(e, at+"["+itoa(i)+"]", 1); err != nil {
			return err
		}
		members[i] = inner.enc.Value(start)
	}
	if l.unbound {
		l.enc.Null()
		return nil
	}
	k := members[0].Kind()
	for _, m := range members {
		if !m.Kind().IsScalarKey() || m.Kind() != k {
			return dynamo.Invalid("A set holds strings, numbers or binary values, all of one type; found %s under %s", m.Kind(), at)
		}
	}
	l.enc.OpenSet(k + dynamo.KindStringSet - dynamo.KindString)
	for _, m := range members {
		if err := l.enc.Member(m.Bytes()); err != nil {
			return err
		}
	}
	return faultOf(l.enc.CloseSet())
}

// faultOf returns the error for a fault of a set.
func faultOf(err error) error {
	if fault, ok := errors.AsType[*dynamo.Fault](err); ok {
		return dynamo.Invalid("%s", fault.OlderText())
	}
	return err
}
