package syntax

import (
	"strconv"
)

// An Expr is an expression or a type.
type Expr interface {
	print(*printer)
	// binds says how strongly the expression holds together: a higher number needs
	// parentheses less often.
	binds() int
	// mapped returns a copy with every sub-expression replaced by what f returns for it.
	mapped(f func(Expr) Expr) Expr
}

// How strongly operators bind, as the Go specification orders them.
const (
	bindsOr = iota + 1
	bindsAnd
	bindsComparison
	bindsSum
	bindsProduct
	bindsUnary
	bindsPrimary
)

var operators = map[string]int{
	"||": bindsOr, "&&": bindsAnd,
	"==": bindsComparison, "!=": bindsComparison, "<": bindsComparison, "<=": bindsComparison, ">": bindsComparison, ">=": bindsComparison,
	"+": bindsSum, "-": bindsSum, "*": bindsProduct,
}

// opposites maps the comparisons that Not turns around.
var opposites = map[string]string{"==": "!=", "!=": "=="}

type (
	// An Ident is the name of a variable, a function or a type of the package itself. Its
	// name may be set after the tree is built, but before it is printed.
	Ident struct{ Name string }

	// A Qualified is a name of another package, which the file then imports.
	Qualified struct{ Path, Package, Name string }

	// A Literal is a constant of Go: a number or a quoted string.
	Literal struct{ Text string }

	// A Selector is a field or a method of an expression.
	Selector struct {
		X    Expr
		Name string
	}

	// A Call is a call or a conversion.
	Call struct {
		Fun    Expr
		Args   []Expr
		Spread bool // the last argument is followed by ...
		Tall   bool // each argument after the first begins a line
	}

	// A Composite is a composite literal. Its type may be nil inside of another one.
	Composite struct {
		Type   Expr
		Elems  []Elem
		Layout Layout
	}

	// An Elem is an element of a composite literal: of a struct with a field, of a map with
	// a key, of a list with neither.
	Elem struct {
		Field string
		Key   Expr
		Value Expr
	}

	// A Func is a function literal.
	Func struct {
		Params, Results []Param
		Body            []Stmt
	}

	// A Param is a parameter or a result. The name may be empty.
	Param struct {
		Name string
		Type Expr
	}

	// A Binary is an operation on two operands.
	Binary struct {
		Op    string
		X, Y  Expr
		Break bool // a new line begins after the operator
	}

	// A Unary is an operation on one operand: * & ! - and, for types, ... too.
	Unary struct {
		Op string
		X  Expr
	}

	// An Index is an element of a list or map, or a generic name with its type arguments.
	Index struct{ X, Index Expr }

	// A Slice is the beginning of a list: X[:High].
	Slice struct{ X, High Expr }

	// An Assert is a type assertion.
	Assert struct{ X, Type Expr }

	// A ListType is []Elem, or an array if it has a length.
	ListType struct {
		Len  int
		Elem Expr
	}

	// A MapType is map[Key]Elem.
	MapType struct{ Key, Elem Expr }

	// A FuncType is the type of a function.
	FuncType struct{ Params, Results []Param }

	// A StructType is the type of a struct.
	StructType struct {
		Fields []Field
		Wide   bool // on one line
	}

	// A Field is a field of a struct. One without a type is an empty line.
	Field struct {
		Doc  []string // lines
		Name string
		Type Expr
		Tag  string // as it stands between the back quotes
	}
)

// A Layout says how a composite literal is spread over lines.
type Layout int

// The layouts.
const (
	Wide Layout = iota // on one line
	Tall               // each element on a line of its own
	Fill               // as many elements on a line as fit
	Fit                // on one line if it fits, else each element on a line of its own
)

func (*Ident) binds() int      { return bindsPrimary }
func (*Qualified) binds() int  { return bindsPrimary }
func (*Literal) binds() int    { return bindsPrimary }
func (*Selector) binds() int   { return bindsPrimary }
func (*Call) binds() int       { return bindsPrimary }
func (*Composite) binds() int  { return bindsPrimary }
func (*Func) binds() int       { return bindsPrimary }
func (b *Binary) binds() int   { return operators[b.Op] }
func (*Unary) binds() int      { return bindsUnary }
func (*Index) binds() int      { return bindsPrimary }
func (*Slice) binds() int      { return bindsPrimary }
func (*Assert) binds() int     { return bindsPrimary }
func (*ListType) binds() int   { return bindsPrimary }
func (*MapType) binds() int    { return bindsPrimary }
func (*FuncType) binds() int   { return bindsPrimary }
func (*StructType) binds() int { return bindsPrimary }

// Name returns an identifier.
func Name(name string) *Ident { return &Ident{Name: name} }

// Nil is the identifier nil.
var Nil Expr = Name("nil")

// Str returns a quoted string.
func Str(text string) Expr { return &Literal{strconv.Quote(text)} }

// Int returns a whole number.
func Int(n int) Expr { return &Literal{strconv.Itoa(n)} }

// Num returns a number that is given as text. A negative one is a negation.
func Num(text string) Expr {
	if len(text) > 0 && text[0] == '-' {
		return &Unary{"-", &Literal{text[1:]}}
	}
	return &Literal{text}
}

// Dot returns the field or method of an expression that a path of names leads to. Go finds
// the fields and methods of what a pointer points to, so a star in front is left out.
func Dot(x Expr, names ...string) Expr {
	for _, name := range names {
		if star, ok := x.(*Unary); ok && star.Op == "*" {
			x = star.X
		}
		x = &Selector{x, name}
	}
	return x
}

// CallOf calls a function, or converts to a type.
func CallOf(f Expr, args ...Expr) *Call { return &Call{Fun: f, Args: args} }

// Method calls a method of an expression.
func Method(x Expr, name string, args ...Expr) *Call { return CallOf(Dot(x, name), args...) }

// Builtin calls a function of Go itself, or converts to a type of Go itself.
func Builtin(name string, args ...Expr) *Call { return CallOf(Name(name), args...) }

// Deref returns what a pointer points to.
func Deref(x Expr) Expr { return &Unary{"*", x} }

// Addr returns the address of a variable or a literal.
func Addr(x Expr) Expr { return &Unary{"&", x} }

// Neg returns a number with the opposite sign.
func Neg(x Expr) Expr { return &Unary{"-", x} }

// Not returns the opposite of a condition.
func Not(x Expr) Expr {
	switch x := x.(type) {
	case *Binary:
		if op := opposites[x.Op]; op != "" {
			return &Binary{Op: op, X: x.X, Y: x.Y}
		}
	case *Unary:
		if x.Op == "!" {
			return x.X
		}
	}
	return &Unary{"!", x}
}

// Compare returns a comparison.
func Compare(x Expr, op string, y Expr) Expr { return &Binary{Op: op, X: x, Y: y} }

// IsNil returns the condition that a value is nil, IsSet that it is not.
func IsNil(x Expr) Expr { return Compare(x, "==", Nil) }
func IsSet(x Expr) Expr { return Compare(x, "!=", Nil) }

// And returns the condition that all conditions hold, nil if there are none.
func And(all ...Expr) Expr { return Join("&&", all...) }

// Or returns the condition that one of several conditions holds, nil if there are none.
func Or(all ...Expr) Expr { return Join("||", all...) }

// Join combines operands from left to right, nil if there are none.
func Join(op string, all ...Expr) Expr {
	var joined Expr
	for _, x := range all {
		if joined == nil {
			joined = x
			continue
		}
		joined = &Binary{Op: op, X: joined, Y: x}
	}
	return joined
}

// Pointer, ListOf and MapOf return types made of others, Ellipsis that of the last parameter
// of a function that takes any number of them.
func Pointer(t Expr) Expr    { return &Unary{"*", t} }
func ListOf(t Expr) Expr     { return &ListType{Elem: t} }
func MapOf(k, t Expr) Expr   { return &MapType{k, t} }
func Ellipsis(t Expr) Expr   { return &Unary{"...", t} }
func Generic(x, t Expr) Expr { return &Index{x, t} }

// Make returns a composite literal on one line.
func Make(t Expr, elems ...Elem) *Composite { return &Composite{Type: t, Elems: elems} }

// List returns a literal of a list on one line.
func List(t Expr, values ...Expr) *Composite {
	elems := make([]Elem, len(values))
	for i, v := range values {
		elems[i].Value = v
	}
	return &Composite{Type: ListOf(t), Elems: elems}
}

// Strings returns a list of strings.
func Strings(texts ...string) *Composite {
	values := make([]Expr, len(texts))
	for i, text := range texts {
		values[i] = Str(text)
	}
	return List(Name("string"), values...)
}

// Equal reports whether two expressions are written alike.
func Equal(x, y Expr) bool { return String(x) == String(y) }

// Conjuncts returns the conditions that all hold if a condition does.
func Conjuncts(x Expr) []Expr {
	if b, ok := x.(*Binary); ok && b.Op == "&&" {
		return append(Conjuncts(b.X), Conjuncts(b.Y)...)
	}
	return []Expr{x}
}
