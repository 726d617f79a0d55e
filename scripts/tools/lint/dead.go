package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"
	"honnef.co/go/tools/go/ir"
)

// A graph tells which functions of a module use which. A package adds its part while it is analyzed, from what the analyzers
// have computed anyway: a program that builds all dependencies to follow every call takes a minute for the same answers.
//
// A function is live if live code names it. A method is live, too, if live code makes an interface of a value with its type:
// if it is exported, because templates and encoders find it; if not, only where a method of that name is called through an
// interface.
type graph struct {
	mu       sync.Mutex
	module   string
	uses     map[node][]node
	hidden   map[node][]hidden   // by type
	declared map[node]*function  // what may be dead
	imports  map[string][]string // of packages without their tests, by path
	programs []string            // paths of those packages that are one
}

// A node is a function or a type by the place of its name, which is the same for a package and for the package with its tests;
// or the variables and init functions of a package, by its path; or calls of a method through interfaces, by its name.
type node struct {
	kind  kind
	place token.Position
	name  string
}

type kind int

const (
	isFunction kind = iota
	isType
	isCall
	isInit
	isTestInit // the same of its tests
)

// A hidden method is one that is not exported. It is live if its type and calls of its name are.
type hidden struct{ call, method node }

// A function is where something is declared that may be dead.
type function struct {
	place   token.Position
	name    string // Type.Method or Function
	pkgPath string
	test    bool
}

// newGraph returns a graph without functions for the packages of a module.
func newGraph(units []*unit) *graph {
	g := &graph{uses: map[node][]node{}, hidden: map[node][]hidden{}, declared: map[node]*function{}, imports: map[string][]string{}}
	for _, u := range units {
		if u.Module == nil || !u.Module.Main || u.ForTest != "" {
			continue
		}
		g.module = u.Module.Path
		for path := range u.Imports {
			g.imports[u.PkgPath] = append(g.imports[u.PkgPath], path)
		}
		if u.Name == "main" {
			g.programs = append(g.programs, u.PkgPath)
		}
	}
	return g
}

// A share is what a package adds to a graph.
type share struct {
	*graph
	*packages.Package
}

// add adds the functions of a package whose code was analyzed.
func (g *graph) add(p *packages.Package, code *ir.Package) {
	g.mu.Lock()
	defer g.mu.Unlock()
	v := share{g, p}
	for _, file := range p.Syntax {
		v.addFile(file)
	}
	for _, object := range p.TypesInfo.Defs {
		if name, ok := object.(*types.TypeName); ok && !name.IsAlias() {
			v.addType(name)
		}
	}
	for _, f := range code.Functions {
		from := node{kind: isInit, name: p.PkgPath} // variables of tests count as those of the package: their code has no places
		if f.Object() != nil {
			from = v.at(isFunction, f.Object())
		}
		v.addConversions(from, f)
	}
}

// addFile adds what the declarations of a file name.
func (v share) addFile(file *ast.File) {
	path, test := strings.TrimSuffix(v.PkgPath, "_test"), strings.HasSuffix(v.Fset.File(file.FileStart).Name(), "_test.go")
	whole := node{kind: isInit, name: path}
	if test {
		whole.kind = isTestInit
	}
	for _, d := range file.Decls {
		from := whole
		if f, ok := d.(*ast.FuncDecl); ok {
			from = v.at(isFunction, v.TypesInfo.Defs[f.Name])
			switch {
			case f.Recv == nil && (f.Name.Name == "init" || f.Name.Name == "main" && v.Name == "main" || test && isTest(f.Name.Name)):
				v.uses[whole] = append(v.uses[whole], from)
			case f.Name.Name != "_" && !ast.IsGenerated(file) && !v.isMarker(f):
				v.declared[from] = &function{place: from.place, name: nameOfFunction(f), pkgPath: v.PkgPath, test: test}
			}
		}
		ast.Inspect(d, func(n ast.Node) bool {
			if name, ok := n.(*ast.Ident); ok {
				v.addUse(from, name)
			}
			return true
		})
	}
}

var testName = regexp.MustCompile(`^(Test|Benchmark|Fuzz|Example)($|[^a-z])`)

// isTest reports whether go test calls a function of a test file.
func isTest(name string) bool { return testName.MatchString(name) }

func nameOfFunction(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	of := f.Recv.List[0].Type
	for {
		switch t := of.(type) {
		case *ast.StarExpr:
			of = t.X
		case *ast.ParenExpr:
			of = t.X
		case *ast.IndexExpr:
			of = t.X
		case *ast.IndexListExpr:
			of = t.X
		default:
			return of.(*ast.Ident).Name + "." + f.Name.Name
		}
	}
}

// isMarker reports whether a method only says that its type belongs to an interface of the package. Nothing calls it.
func (v share) isMarker(f *ast.FuncDecl) bool {
	if f.Recv == nil || f.Name.IsExported() || f.Body == nil || len(f.Body.List) > 0 || f.Type.Params.NumFields()+f.Type.Results.NumFields() > 0 {
		return false
	}
	receiver := v.TypesInfo.Defs[f.Name].(*types.Func).Signature().Recv().Type()
	scope := v.Types.Scope()
	return slices.ContainsFunc(scope.Names(), func(name string) bool {
		named, ok := scope.Lookup(name).(*types.TypeName)
		return ok && types.IsInterface(named.Type()) && types.Implements(receiver, named.Type().Underlying().(*types.Interface))
	})
}

// addUse adds what code names: a function, or a method of an interface. What stands for a type parameter may become an
// interface in the body of its function.
func (v share) addUse(from node, name *ast.Ident) {
	used := v.TypesInfo.Uses[name]
	if f, ok := used.(*types.Func); ok && v.isOwn(f) {
		to := v.at(isFunction, f.Origin())
		if r := f.Signature().Recv(); r != nil && types.IsInterface(r.Type()) {
			to = callOf(f)
		}
		v.uses[from] = append(v.uses[from], to)
	}
	instance, ok := v.TypesInfo.Instances[name]
	if _, isType := used.(*types.TypeName); !ok || isType && !v.isOwn(used) {
		return
	}
	for argument := range instance.TypeArgs.Types() {
		v.addValue(from, argument)
	}
}

// addType adds what becomes live with a type.
func (v share) addType(name *types.TypeName) {
	from := v.at(isType, name)
	v.addValue(from, name.Type().Underlying())
	if types.IsInterface(name.Type()) {
		return
	}
	for selection := range types.NewMethodSet(types.NewPointer(name.Type())).Methods() {
		method := selection.Obj().(*types.Func).Origin()
		switch to := v.at(isFunction, method); {
		case !v.isOwn(method):
		case method.Exported():
			v.uses[from] = append(v.uses[from], to)
			v.addValue(from, method.Signature())
		default:
			v.hidden[from] = append(v.hidden[from], hidden{callOf(method), to})
		}
	}
}

// addConversions adds the types of which code makes interfaces.
func (v share) addConversions(from node, f *ir.Function) {
	for _, block := range f.Blocks {
		for _, instruction := range block.Instrs {
			if made, ok := instruction.(*ir.MakeInterface); ok {
				v.addValue(from, made.X.Type())
			}
		}
	}
	for _, inner := range f.AnonFuncs {
		v.addConversions(from, inner)
	}
}

// addValue adds the types of the module that can be reached from a value by reflection.
func (v share) addValue(from node, of types.Type) {
	switch t := types.Unalias(of).(type) {
	case *types.Named:
		if name := t.Origin().Obj(); v.isOwn(name) {
			v.uses[from] = append(v.uses[from], v.at(isType, name))
		}
		for argument := range t.TypeArgs().Types() {
			v.addValue(from, argument)
		}
	case interface{ Elem() types.Type }: // a pointer, a slice, an array, a channel or a map
		v.addValue(from, t.Elem())
		if m, ok := t.(*types.Map); ok {
			v.addValue(from, m.Key())
		}
	case *types.Struct:
		for field := range t.Fields() {
			v.addValue(from, field.Type())
		}
	case *types.Signature:
		v.addValue(from, t.Params())
		v.addValue(from, t.Results())
	case *types.Tuple:
		for variable := range t.Variables() {
			v.addValue(from, variable.Type())
		}
	}
}

// isOwn reports whether something is declared in the module.
func (v share) isOwn(o types.Object) bool {
	return o.Pkg() != nil && (o.Pkg().Path() == v.module || strings.HasPrefix(o.Pkg().Path(), v.module+"/"))
}

func (v share) at(k kind, o types.Object) node { return node{kind: k, place: v.Fset.Position(o.Pos())} }

// callOf returns the node of calls of a method through interfaces. Only those of methods that are not exported matter.
func callOf(method *types.Func) node {
	return node{kind: isCall, name: strings.TrimSuffix(method.Pkg().Path(), "_test") + "." + method.Name()}
}

// live returns what programs reach, and tests as well if they count.
func (g *graph) live(withTests bool) map[node]bool {
	reached, waiting := map[node]bool{}, map[node][]node{}
	var reach func(n node)
	reach = func(n node) {
		if reached[n] {
			return
		}
		reached[n] = true
		for _, next := range slices.Concat(g.uses[n], waiting[n]) {
			reach(next)
		}
		for _, h := range g.hidden[n] {
			if reached[h.call] {
				reach(h.method)
			}
			waiting[h.call] = append(waiting[h.call], h.method)
		}
		if n.kind == isInit {
			for _, path := range g.imports[n.name] {
				reach(node{kind: isInit, name: path})
			}
		}
	}
	for _, path := range g.programs {
		reach(node{kind: isInit, name: path})
	}
	if withTests {
		for n := range g.uses {
			if n.kind == isInit || n.kind == isTestInit {
				reach(n)
			}
		}
	}
	return reached
}

// codeOf returns what the analyzer "buildir" of staticcheck, whose package is internal, has made of a package.
func (v *visit) codeOf() *ir.Package {
	for a, result := range v.results {
		if a.Name == "buildir" {
			return reflect.ValueOf(result).Elem().FieldByName("Pkg").Interface().(*ir.Package)
		}
	}
	return nil
}
