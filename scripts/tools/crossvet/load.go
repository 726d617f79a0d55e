package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"runtime"
	"sync"

	"golang.org/x/tools/go/packages"
)

// A loader loads a module as it is built on several systems, one after the other. It parses a file once for all of them.
//
// packages.Load checks types as well, but anew for each system, and the bodies of all functions: of a dependency, it
// skips them only if the dependency was compiled for that system.
type loader struct {
	dir   string
	fset  *token.FileSet
	mu    sync.Mutex
	files map[string]func() (*ast.File, error)
	first bool // no system was loaded yet
}

func newLoader(dir string) *loader {
	return &loader{dir: dir, fset: token.NewFileSet(), files: map[string]func() (*ast.File, error){}, first: true}
}

// load lists the packages of the module, their tests and their dependencies as they are built on a system, and checks
// their types. It returns the packages of the module that have a file that no system before had, and what is wrong with
// the types. For the first system, the packages are all of the module, and dependencies are loaded with the bodies of their
// functions, for analyzers that look into them; for others, only with what the module can see of them.
func (l *loader) load(system string) (fresh []*packages.Package, problems []string, err error) {
	config := &packages.Config{
		Dir: l.dir,
		Env: append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0"),
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
			packages.NeedModule | packages.NeedTypesSizes,
		Tests: true,
	}
	own, err := packages.Load(config, "./...")
	if err != nil {
		return nil, nil, err
	}
	if n := packages.PrintErrors(own); n > 0 {
		return nil, nil, fmt.Errorf("%d errors in the list of packages", n)
	}
	for _, p := range own {
		if l.hasNewFile(p) {
			fresh = append(fresh, p)
		}
	}
	problems = l.checkAll(own)
	l.first = false
	return fresh, problems, nil
}

func (l *loader) hasNewFile(p *packages.Package) bool {
	for _, name := range p.CompiledGoFiles {
		if l.files[name] == nil {
			return true
		}
	}
	return false
}

// checkAll checks packages and their dependencies, each after those that it imports, and on every processor. A package
// that imports one with problems is not checked.
func (l *loader) checkAll(own []*packages.Package) (problems []string) {
	checks := map[*packages.Package]func() bool{}
	places := make(chan struct{}, runtime.GOMAXPROCS(0))
	var mu sync.Mutex
	packages.Visit(own, nil, func(p *packages.Package) {
		checks[p] = sync.OnceValue(func() (good bool) {
			for _, dependency := range p.Imports {
				if !checks[dependency]() {
					return false
				}
			}
			places <- struct{}{}
			defer func() { <-places }()
			found := l.check(p)
			mu.Lock()
			defer mu.Unlock()
			problems = append(problems, found...)
			return len(found) == 0
		})
	})
	var wait sync.WaitGroup
	for _, check := range checks {
		wait.Go(func() { check() })
	}
	wait.Wait()
	return problems
}

// check checks the types of a package, and returns what is wrong with them.
func (l *loader) check(p *packages.Package) (problems []string) {
	p.Fset = l.fset
	p.TypesInfo = newInfo()
	if p.PkgPath == "unsafe" {
		p.Types = types.Unsafe // it has no source
		return nil
	}
	syntax, err := l.parse(p.CompiledGoFiles)
	if err != nil {
		return []string{err.Error()}
	}
	config := types.Config{
		Importer: importer(p.Imports), Sizes: p.TypesSizes,
		Error: func(err error) { problems = append(problems, err.Error()) },
	}
	if p.Module != nil && p.Module.GoVersion != "" {
		config.GoVersion = "go" + p.Module.GoVersion
	}
	if own := p.Module != nil && p.Module.Main; own || l.first {
		p.Syntax = syntax
		p.Types, _ = config.Check(p.PkgPath, l.fset, syntax, p.TypesInfo) // its error is the first problem
	} else {
		config.IgnoreFuncBodies = true
		p.Types, _ = config.Check(p.PkgPath, l.fset, syntax, nil)
	}
	return problems
}

// parse parses files that were not parsed before.
func (l *loader) parse(names []string) ([]*ast.File, error) {
	var files []*ast.File
	for _, name := range names {
		file, err := l.file(name)()
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

func (l *loader) file(name string) func() (*ast.File, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.files[name] == nil {
		l.files[name] = sync.OnceValues(func() (*ast.File, error) {
			return parser.ParseFile(l.fset, name, nil, parser.SkipObjectResolution|parser.ParseComments)
		})
	}
	return l.files[name]
}

func newInfo() *types.Info {
	return &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Instances: map[*ast.Ident]types.Instance{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Scopes: map[ast.Node]*types.Scope{}, FileVersions: map[*ast.File]string{},
	}
}

// An importer has the packages that a package imports, by the paths that it writes.
type importer map[string]*packages.Package

func (i importer) Import(path string) (*types.Package, error) {
	if p := i[path]; p != nil && p.Types != nil {
		return p.Types, nil
	}
	return nil, fmt.Errorf("no package %s", path)
}
