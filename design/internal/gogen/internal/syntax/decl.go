package syntax

// A Decl is a declaration of a file, or a comment between declarations.
type Decl interface {
	print(*printer)
	walk(visit func(Expr))
}

type (
	// A FuncDecl is a function, or with a receiver a method.
	FuncDecl struct {
		Doc             Doc
		Receiver        *Param
		Name            string
		Params, Results []Param
		Body            []Stmt
		Short           bool // on one line
	}

	// A TypeDecl is a type.
	TypeDecl struct {
		Doc  Doc
		Name string
		Type Expr
	}

	// A Group is several variables or constants.
	Group struct {
		Doc     Doc
		Keyword string // var or const
		Specs   []Spec
	}

	// A Spec is one of them.
	Spec struct {
		Name  string
		Type  Expr // may be nil
		Value Expr
		Note  string // a comment behind it
	}

	// A VarDecl is a variable that stands for itself.
	VarDecl struct {
		Doc   Doc
		Name  string
		Value Expr
	}

	// A ConstDecl is a constant that stands for itself.
	ConstDecl VarDecl

	// A Section is a title between declarations.
	Section struct{ Title string }
)

// A Doc is a doc comment: paragraphs, which are wrapped to the width of a page. A paragraph
// that begins with a tab is printed as it is.
type Doc []string

// A File is one file of a package.
type File struct {
	Header  string // the first line
	Doc     Doc    // of the package; may be empty
	Package string
	Decls   []Decl
}

// Add adds declarations.
func (f *File) Add(decls ...Decl) { f.Decls = append(f.Decls, decls...) }

// UsesAny reports whether one of several declarations uses a name of the package itself.
// Names that a function declares do not count.
func UsesAny(decls []Decl, name string) bool {
	for _, d := range decls {
		if f, ok := d.(*FuncDecl); ok {
			lit := &Func{Params: f.Params, Results: f.Results, Body: f.Body}
			if f.Receiver != nil {
				lit.Params = append([]Param{*f.Receiver}, f.Params...)
			}
			if UsesIn(lit, name) {
				return true
			}
			continue
		}
		found := false
		d.walk(func(x Expr) { found = found || UsesIn(x, name) })
		if found {
			return true
		}
	}
	return false
}

func walkParams(all []Param, visit func(Expr)) {
	for _, p := range all {
		Walk(p.Type, visit)
	}
}

func (d *FuncDecl) walk(visit func(Expr)) {
	if d.Receiver != nil {
		Walk(d.Receiver.Type, visit)
	}
	walkParams(d.Params, visit)
	walkParams(d.Results, visit)
	WalkBody(d.Body, visit)
}

func (d *TypeDecl) walk(visit func(Expr)) { Walk(d.Type, visit) }
func (d *VarDecl) walk(visit func(Expr))  { Walk(d.Value, visit) }
func (d *ConstDecl) walk(func(Expr))      {}
func (d *Section) walk(func(Expr))        {}

func (d *Group) walk(visit func(Expr)) {
	for _, s := range d.Specs {
		Walk(s.Type, visit)
		Walk(s.Value, visit)
	}
}
