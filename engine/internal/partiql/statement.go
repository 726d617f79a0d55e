package partiql

import (
	"errors"
	"strings"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/expression"
	"sortkey.dev/engine/internal/number"
	"sortkey.dev/engine/internal/request"
)

// A Statement is a statement that was parsed and checked as far as that is possible
// without its table. It is immutable.
type Statement struct {
	tree    *tree
	from    []string // table and, optionally, index
	where   *condition
	columns []expression.Path // of a select; nil: all
	item    dynamo.Item       // of an insert
	update  *expression.Update
	order   []orderTerm
}

// Parse parses a statement and checks it with its parameters.
func Parse(text string, parameters dynamo.RawParameters) (*Statement, error) {
	t, err := parse(text)
	if err != nil {
		return nil, err
	}
	if t.limit != nil {
		return nil, dynamo.Invalid("Unsupported clause: LIMIT at %s", place(text, t.limit.start, t.limit.end))
	}
	if t.alias {
		return nil, dynamo.Invalid("Aliasing is not supported")
	}
	c := &checker{text: text, literals: literals{text: text, parameters: parameters.Values}}
	if err := c.parameters(t, parameters); err != nil {
		return nil, err
	}
	s := &Statement{tree: t, from: t.from, order: t.order}
	if err := c.statement(s); err != nil {
		return nil, err
	}
	return s, checkFrom(t)
}

// IsRead reports whether the statement is a SELECT.
func (s *Statement) IsRead() bool { return s.tree.kind == kindSelect }

// IsExists reports whether the statement is an EXISTS, which is valid in transactions only.
func (s *Statement) IsExists() bool { return s.tree.kind == kindExists }

// Returns reports whether the statement has a RETURNING clause.
func (s *Statement) Returns() bool { return s.tree.returning != returning{} }

// Table returns the table that the statement names.
func (s *Statement) Table() string { return s.from[0] }

// Index returns the index that the statement names; empty: none.
func (s *Statement) Index() string {
	if len(s.from) == 1 {
		return ""
	}
	return s.from[1]
}

// checkFrom checks the name of the table as far as that is possible without the table.
func checkFrom(t *tree) error {
	for _, name := range t.from {
		if name == "" {
			return errEmptyComponent()
		}
	}
	switch {
	case t.kind == kindInsert && len(t.from) > 1:
		return dynamo.Invalid("FROM clause may only contain a single table name")
	case len(t.from) > 2:
		return dynamo.Invalid("A path may contain at most 2 components in the FROM clause")
	}
	return nil
}

func errEmptyComponent() error { return dynamo.Invalid("Path component cannot be an empty string") }

// A checker checks the parts of a statement.
type checker struct {
	text     string
	literals literals
}

// parameters checks the parameters themselves and their number. Errors of literals are
// reported first.
func (c *checker) parameters(t *tree, sent dynamo.RawParameters) error {
	complaint := parameterFault(sent.Fault)
	if complaint == nil && t.questions != len(sent.Values) {
		complaint = dynamo.Invalid("Number of parameters in request and statement don't match.")
	}
	if complaint == nil {
		return nil
	}
	dry := &checker{text: c.text, literals: literals{text: c.text, unbound: true}}
	if err := dry.allLiterals(t); err != nil {
		return err
	}
	return complaint
}

// ParameterFault reports whether err is about a parameter itself.
func ParameterFault(err error, sent dynamo.RawParameters) bool {
	complaint := parameterFault(sent.Fault)
	return complaint != nil && err != nil && err.Error() == complaint.Error()
}

// parameterFault returns the error for a fault of a parameter; nil for none.
func parameterFault(fault error) error {
	f, ok := errors.AsType[*dynamo.Fault](fault)
	switch {
	case !ok:
		return fault
	case f.Number != "":
		return numberFault(f)
	case strings.HasPrefix(f.Text, "The parameter cannot be converted"):
		return dynamo.Invalid("%s", f.Text)
	default:
		return dynamo.Invalid("%s", f.OlderText())
	}
}

// numberFault returns the error for an invalid number in a parameter.
func numberFault(f *dynamo.Fault) error {
	if _, err := number.AppendCanonical(nil, []byte(f.Number)); errors.Is(err, number.ErrOverflow) || errors.Is(err, number.ErrUnderflow) {
		if err := number.CheckJava(f.Number); err != nil {
			return dynamo.Invalid("%s", err)
		}
	}
	return dynamo.Invalid("%s", f.Text)
}

// allLiterals encodes all literals of a statement, to find their errors.
func (c *checker) allLiterals(t *tree) (err error) {
	nodes := []*node{t.value, t.where}
	for _, ch := range t.changes {
		nodes = append(nodes, ch.value)
	}
	for _, n := range nodes {
		if n != nil && err == nil {
			err = c.literalsBelow(n)
		}
	}
	return err
}

func (c *checker) literalsBelow(n *node) error {
	if n.isValue() && n.op != opMissing {
		_, err := c.literals.value(n)
		return err
	}
	for _, o := range n.operands {
		if err := c.literalsBelow(o); err != nil {
			return err
		}
	}
	return nil
}

// statement checks the parts of a statement and sets its fields.
func (c *checker) statement(s *Statement) (err error) {
	t := s.tree
	if err := c.allLiterals(t); err != nil {
		return err
	}
	for _, column := range t.columns {
		path, err := c.column(column)
		if err != nil {
			return err
		}
		s.columns = append(s.columns, path)
	}
	if t.kind == kindInsert {
		if s.item, err = c.literals.item(t.value); err != nil {
			return err
		}
	}
	if t.kind == kindUpdate {
		if s.update, err = c.update(t.changes); err != nil {
			return err
		}
	}
	if t.where != nil {
		if s.where, err = c.condition(t.where); err != nil {
			return err
		}
	}
	if t.kind == kindDelete && s.Returns() && t.returning != (returning{"ALL", "OLD"}) {
		return dynamo.Invalid("Invalid returning clause: %s. Only RETURNING ALL OLD * is allowed in DELETE statements.", t.returning)
	}
	return nil
}

// column checks one column of a select.
func (c *checker) column(n *node) (expression.Path, error) {
	if n.op != opPath {
		return expression.Path{}, dynamo.Invalid("Unexpected path component at %s", place(c.text, n.start, n.end))
	}
	return c.path(n)
}

// path returns the document path of a node.
func (c *checker) path(n *node) (expression.Path, error) {
	if len(n.path) > dynamo.MaxNesting {
		return expression.Path{}, dynamo.Invalid("The document path has too many nesting levels; nesting levels: %d", len(n.path))
	}
	p := expression.Attribute(n.path[0].name)
	for i, s := range n.path {
		switch {
		case !s.inList && s.name == "":
			return p, errEmptyComponent()
		case i == 0:
		case s.inList:
			p = p.Element(s.position)
		default:
			p = p.Field(s.name)
		}
	}
	return p, nil
}

// returnValues returns the ReturnValues of the RETURNING clause.
func (s *Statement) returnValues() request.ReturnValues {
	switch s.tree.returning {
	case returning{"ALL", "OLD"}:
		return request.ReturnAllOld
	case returning{"ALL", "NEW"}:
		return request.ReturnAllNew
	case returning{"MODIFIED", "OLD"}:
		return request.ReturnUpdatedOld
	case returning{"MODIFIED", "NEW"}:
		return request.ReturnUpdatedNew
	default:
		return request.ReturnNone
	}
}
