package syntax

// A Stmt is a statement.
type Stmt interface {
	print(*printer)
	// mapped returns a copy with every expression replaced by what f returns for it.
	mapped(f func(Expr) Expr) Stmt
}

type (
	// A Define declares variables and gives them values.
	Define struct {
		Names  []string
		Values []Expr
	}

	// An Assign gives variables other values.
	Assign struct{ Left, Right []Expr }

	// A Var declares a variable with its zero value.
	Var struct {
		Name string
		Type Expr
	}

	// A Do evaluates an expression for its effect.
	Do struct{ X Expr }

	// An Inc adds one to a number.
	Inc struct{ X Expr }

	// An If runs statements on a condition.
	If struct {
		Init Stmt // may be nil
		Cond Expr
		Note string // a comment behind the condition
		Then []Stmt
		Else []Stmt
	}

	// A Range runs statements for each element. Key and Value may be empty.
	Range struct {
		Key, Value string
		X          Expr
		Body       []Stmt
	}

	// A Switch chooses between statements. Its tag may be nil.
	Switch struct {
		Tag   Expr
		Cases []Case
	}

	// A Case is one choice of a Switch.
	Case struct {
		Values []Expr
		Body   []Stmt
	}

	// A Return returns from a function.
	Return struct{ Values []Expr }

	// A Noted is a statement with a comment behind it.
	Noted struct {
		Stmt Stmt
		Note string
	}
)

// Let declares a variable and gives it a value.
func Let(name string, value Expr) Stmt { return &Define{[]string{name}, []Expr{value}} }

// Lets declares several variables and gives them the results of one call.
func Lets(value Expr, names ...string) Stmt { return &Define{names, []Expr{value}} }

// Set gives a variable another value.
func Set(x, value Expr) Stmt { return &Assign{[]Expr{x}, []Expr{value}} }

// Returns returns values from a function.
func Returns(values ...Expr) Stmt { return &Return{values} }

// When runs statements on a condition, and always if the condition is nil.
func When(cond Expr, body ...Stmt) []Stmt {
	if cond == nil {
		return body
	}
	return []Stmt{&If{Cond: cond, Then: body}}
}

// OnError handles the error of a call: if err := call; err != nil { … }.
func OnError(call Expr, body ...Stmt) Stmt {
	return &If{Init: Let("err", call), Cond: IsSet(Name("err")), Then: body}
}
