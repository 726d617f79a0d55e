package partiql

import "strconv"

// An op is the kind of a node.
type op uint8

const (
	opPath op = iota + 1
	// The values.
	opString
	opNumber
	opTrue
	opFalse
	opNull
	opMissing
	opParameter
	opList
	opMap // keys and values in turn
	opSet
	// The conditions and operators.
	opCall
	opOr
	opAnd
	opNot
	opEqual
	opNotEqual
	opLess
	opLessOrEqual
	opGreater
	opGreaterOrEqual
	opBetween
	opIn
	opIs
	opPlus
	opMinus
)

// A node is a part of a statement: a path, a value, a condition.
type node struct {
	op op
	// text is the content of a string, the digits of a number, the name of a function
	// as it is written, or the type after IS in upper case.
	text     string
	index    int    // of a parameter: its position
	path     []step // of a path
	operands []*node
	// start and end are the part of the text that names the node in messages: the name
	// of a function, the whole of a path or value.
	start, end int
}

// A step is one step of a document path: a name or a position in a list.
type step struct {
	name     string
	position int
	inList   bool
}

// isValue reports whether the node is a literal or a parameter.
func (n *node) isValue() bool { return n.op >= opString && n.op <= opSet }

// isCondition reports whether the node is a condition, which is true or false.
func (n *node) isCondition() bool { return n.op >= opOr && n.op <= opIs }

// A kind is the kind of a statement.
type kind uint8

const (
	kindSelect kind = iota + 1
	kindInsert
	kindUpdate
	kindDelete
	kindExists
)

// A tree is a parsed statement.
type tree struct {
	kind      kind
	from      []string // table and index
	alias     bool     // an alias is used
	columns   []*node  // of a select; nil: *
	where     *node
	order     []orderTerm
	limit     *node // of a LIMIT clause, which is not supported
	value     *node // of an insert
	changes   []change
	returning returning
	questions int // number of parameters
}

// An orderTerm is one term of ORDER BY.
type orderTerm struct {
	name string
	desc bool
}

// A change is one assignment of SET, or one REMOVE, whose value is nil.
type change struct{ target, value *node }

// A returning is a RETURNING clause; the zero returning is none.
type returning struct{ what, when string } // ALL or MODIFIED; OLD or NEW

func (r returning) String() string { return "RETURNING " + r.what + " " + r.when + " *" }

func itoa(n int) string { return strconv.Itoa(n) }
