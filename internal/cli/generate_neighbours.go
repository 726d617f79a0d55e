package cli

import (
	"bytes"
	"fmt"
	"go/ast"
	gobuild "go/build"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"

	"sortkey.dev/design"
)

// generatedFrom returns the design file that the first line of a file says it was
// generated from; false if the file was not generated.
func generatedFrom(text []byte) (string, bool) {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	name, begins := strings.CutPrefix(strings.TrimRight(string(line), "\r"), design.GeneratedBegin)
	name, ends := strings.CutSuffix(name, design.GeneratedEnd)
	return name, begins && ends
}

// sameDesign rejects a folder whose files were generated from another design: the two
// would remove each other's files.
func (p *filePlan) sameDesign(text []byte) error {
	from, generated := generatedFrom(text)
	if !generated || from == p.source {
		return nil
	}
	return advise(fmt.Errorf("%s was generated from %s, and this is %s", p.target.dir, from, p.source),
		fmt.Sprintf("Nothing was written. If the design has a new name, remove what was generated under the old one first: %s and %s. Else choose another folder with --out.",
			p.path("*.gen.go"), p.path(p.target.name+"test/*.gen.go")))
}

// apart rejects a plan for the folder of another design that is generated in the same run.
func (p *filePlan) apart(others []*filePlan) error {
	dir, err := filepath.Abs(p.target.dir)
	if err != nil {
		return err
	}
	for _, other := range others {
		if taken, err := filepath.Abs(other.target.dir); err == nil && taken == dir && p.source != other.source {
			return advise(fmt.Errorf("%s and %s would both be generated into %s", other.source, p.source, p.target.dir),
				"Nothing was written. Call it once for each design, with another folder for one of them: --out.")
		}
	}
	return nil
}

// sameNames rejects a hand-written file that declares the same names as the generated package.
func sameNames(file string, text []byte, pkg string, generated map[string]bool) error {
	if built, err := gobuild.Default.MatchFile(filepath.Dir(file), filepath.Base(file)); err == nil && !built {
		return nil // Go ignores it
	}
	for _, name := range declarations(text, pkg) {
		if generated[name] {
			return advise(fmt.Errorf("%s declares %s, and so does the generated package", file, name),
				"Nothing was written. Give it another name there, or choose another folder with --out.")
		}
	}
	return nil
}

// declarations returns the top-level names that a file of a package declares, and its
// methods as Type.Method. A file of another package, or of another language, declares none.
func declarations(text []byte, pkg string) []string {
	tree, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil || tree.Name.Name != pkg {
		return nil
	}
	var names []string
	add := func(name string) {
		if name != "_" && name != "init" {
			names = append(names, name)
		}
	}
	for _, d := range tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				add(d.Name.Name)
			} else if len(d.Recv.List) == 1 {
				add(receiver(d.Recv.List[0].Type) + "." + d.Name.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					add(s.Name.Name)
				case *ast.ValueSpec:
					for _, name := range s.Names {
						add(name.Name)
					}
				}
			}
		}
	}
	return names
}

// receiver returns the type of a method's receiver.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.ParenExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}
