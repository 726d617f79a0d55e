package shapes

import (
	"errors"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
)

var (
	constantsLock sync.Mutex
	constantsSeen = make(map[string]*types.Package)
)

// constantsOf returns the declared constants of a named type of this module, in the order of their
// names; none if it has no constants.
func constantsOf(t *testing.T, kind reflect.Type) []reflect.Value {
	basic := kind.Kind() == reflect.String || kind.Kind() >= reflect.Int && kind.Kind() <= reflect.Uint64
	if !basic || kind.Name() == "" || !strings.HasPrefix(kind.PkgPath(), module) {
		return nil
	}
	declared := declarationsOf(t, kind.PkgPath())
	var values []reflect.Value
	for _, name := range declared.Scope().Names() {
		c, ok := declared.Scope().Lookup(name).(*types.Const)
		if !ok {
			continue
		}
		named, ok := c.Type().(*types.Named)
		if !ok || named.Obj().Name() != kind.Name() {
			continue
		}
		v := reflect.New(kind).Elem()
		switch c.Val().Kind() {
		case constant.String:
			v.SetString(constant.StringVal(c.Val()))
		case constant.Int:
			n, _ := constant.Int64Val(c.Val())
			v.Set(reflect.ValueOf(n).Convert(kind))
		default:
			continue
		}
		values = append(values, v)
	}
	return values
}

// declarationsOf type-checks the constants and types of a package of this module, without its
// imports.
func declarationsOf(t *testing.T, path string) *types.Package {
	constantsLock.Lock()
	defer constantsLock.Unlock()
	if known, ok := constantsSeen[path]; ok {
		return known
	}
	folder := filepath.Join(moduleRoot(t), strings.TrimSuffix(strings.TrimPrefix(path, module), "_test"))
	set := token.NewFileSet()
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, name := range names {
		file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(file.Name.Name, "_test") != strings.HasSuffix(path, "_test") {
			continue
		}
		file.Decls, file.Imports = withoutCode(file.Decls), nil
		files = append(files, file)
	}
	config := types.Config{Error: func(error) {}, Importer: none{}, IgnoreFuncBodies: true}
	checked, _ := config.Check(path, set, files, nil) // imports are missing by intention
	constantsSeen[path] = checked
	return checked
}

// withoutCode keeps constants and types.
func withoutCode(declarations []ast.Decl) []ast.Decl {
	var kept []ast.Decl
	for _, d := range declarations {
		if general, ok := d.(*ast.GenDecl); ok && (general.Tok == token.CONST || general.Tok == token.TYPE) {
			kept = append(kept, d)
		}
	}
	return kept
}

// none imports nothing.
type none struct{}

// Import returns an error.
func (none) Import(string) (*types.Package, error) { return nil, errors.New("not imported") }

// moduleRoot returns the folder of go.mod.
func moduleRoot(t *testing.T) string {
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			t.Fatal("no go.mod above the test")
		}
		folder = parent
	}
}
