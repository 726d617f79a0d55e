package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"runtime"
	"slices"
	"strings"
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
	dead  *deadCheck // for the first system; nil if dead functions are not looked for
}

func newLoader(dir string) *loader {
	return &loader{dir: dir, fset: token.NewFileSet(), files: map[string]func() (*ast.File, error){}}
}

// A part tells how much of a package is loaded and analyzed.
type part int

const (
	declarations part = iota // the types of what it declares
	functions                // and the bodies of its functions, for what analyzers tell its importers of them
	everything               // and what analyzers find in it
)

// A unit is a package as it is built on one system.
type unit struct {
	*packages.Package
	part
}

// list lists the packages of a module, their tests and their dependencies as they are built on a system, each after those
// that it imports. For the first system, all packages of the module are analyzed; for others, only those with a file that
// no system before had.
func (l *loader) list(system string) ([]*unit, error) {
	config := &packages.Config{
		Dir: l.dir,
		Env: append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0"),
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
			packages.NeedModule | packages.NeedTypesSizes | packages.NeedForTest,
		Tests: true,
	}
	own, err := packages.Load(config, "./...")
	if err != nil {
		return nil, err
	}
	if n := packages.PrintErrors(own); n > 0 {
		return nil, fmt.Errorf("%d errors in the list of packages", n)
	}
	own = slices.DeleteFunc(own, isTestMain)
	parts := l.parts(own)
	var units []*unit
	packages.Visit(own, nil, func(p *packages.Package) { units = append(units, &unit{p, parts[p]}) })
	return units, nil
}

// parts returns how much of each package is needed. Of a package that is the same, with more files, in its tests, only the
// latter is analyzed. On the first system, what the module imports is loaded with its functions, and so is what that imports
// of its own module, which may have the functions under another name.
func (l *loader) parts(own []*packages.Package) map[*packages.Package]part {
	first := len(l.files) == 0
	parts := map[*packages.Package]part{}
	tested := map[string]bool{} // by path
	for _, p := range own {
		tested[p.PkgPath] = tested[p.PkgPath] || p.ForTest == p.PkgPath
	}
	for _, p := range own {
		parts[p] = functions
		if !(tested[p.PkgPath] && p.ForTest == "") && (first || l.hasNewFile(p)) {
			parts[p] = everything
		}
	}
	if !first {
		return parts
	}
	for _, p := range own {
		for _, imported := range p.Imports {
			parts[imported] = max(parts[imported], functions)
			for _, inner := range imported.Imports {
				if inner.Module != nil && imported.Module != nil && inner.Module.Path == imported.Module.Path {
					parts[inner] = max(parts[inner], functions)
				}
			}
		}
	}
	return parts
}

// isTestMain reports whether a package is the program that go test writes to call tests.
func isTestMain(p *packages.Package) bool { return strings.HasSuffix(p.ID, ".test") }

func (l *loader) hasNewFile(p *packages.Package) bool {
	for _, name := range p.CompiledGoFiles {
		if l.files[name] == nil {
			return true
		}
	}
	return false
}

// each checks the types of packages, each after those that it imports, and gives those with functions to a function. It does
// so on every processor. A package that imports one with problems is left out. What was loaded of a package is forgotten
// but for its types.
func (l *loader) each(units []*unit, analyze func(*unit) (problems []string)) (problems []string) {
	checks := map[*packages.Package]func() bool{}
	places := make(chan struct{}, runtime.GOMAXPROCS(0))
	var mu sync.Mutex
	for _, u := range units {
		checks[u.Package] = sync.OnceValue(func() (good bool) {
			for _, dependency := range u.Imports {
				if !checks[dependency]() {
					return false
				}
			}
			places <- struct{}{}
			defer func() { <-places }()
			found := l.check(u)
			good = len(found) == 0
			if good && u.part >= functions {
				found = analyze(u)
			}
			u.Syntax, u.TypesInfo = nil, nil
			mu.Lock()
			defer mu.Unlock()
			problems = append(problems, found...)
			return good
		})
	}
	var wait sync.WaitGroup
	for _, check := range checks {
		wait.Go(func() { check() })
	}
	wait.Wait()
	return problems
}

// check checks the types of a package, and returns what is wrong with them.
func (l *loader) check(u *unit) (problems []string) {
	u.Fset = l.fset
	if u.PkgPath == "unsafe" {
		u.Types = types.Unsafe // it has no source
		u.part = declarations
		return nil
	}
	syntax, err := l.parse(u.CompiledGoFiles)
	if err != nil {
		return []string{err.Error()}
	}
	config := types.Config{
		Importer: importer(u.Imports), Sizes: u.TypesSizes, IgnoreFuncBodies: u.part == declarations,
		Error: func(err error) { problems = append(problems, err.Error()) },
	}
	if u.Module != nil && u.Module.GoVersion != "" {
		config.GoVersion = "go" + u.Module.GoVersion
	}
	if u.part >= functions {
		u.Syntax, u.TypesInfo = syntax, newInfo(l.size(syntax))
	}
	u.Types, _ = config.Check(u.PkgPath, l.fset, syntax, u.TypesInfo) // its error is the first problem
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

// size returns the number of bytes in files.
func (l *loader) size(files []*ast.File) (bytes int) {
	for _, file := range files {
		bytes += l.fset.File(file.FileStart).Size()
	}
	return bytes
}

// newInfo returns maps with room for what so many bytes of Go usually hold, because maps that grow take time.
func newInfo(bytes int) *types.Info {
	return &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue, bytes/14), Uses: make(map[*ast.Ident]types.Object, bytes/20),
		Defs: make(map[*ast.Ident]types.Object, bytes/100), Selections: make(map[*ast.SelectorExpr]*types.Selection, bytes/105),
		Scopes: make(map[ast.Node]*types.Scope, bytes/125), Implicits: make(map[ast.Node]types.Object, bytes/440),
		Instances: map[*ast.Ident]types.Instance{}, FileVersions: map[*ast.File]string{},
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
