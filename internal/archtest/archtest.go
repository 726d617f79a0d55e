// Package archtest checks the rules of this module: which folder may import which, where
// third-party modules may be used, how packages and exported names are documented, and how
// long files may be. It reads source text only and knows nothing of what the code does.
// Its own tests call it, on this module and on small broken ones.
//
// The rules are the tables in rules.go. A new package fails the test until it has a line
// there.
package archtest

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Rules describes what a module must comply with. Folders are named relative to the
// module's root, with slashes.
type Rules struct {
	// Module is the module's import path.
	Module string

	// MayImport says, per folder, which folders of the module its packages may import. The
	// longest matching folder decides. A key that ends in "/*" stands for each folder
	// directly below, with all that is in it. A value that ends in "/..." allows a folder
	// and everything in it, any other value one package; "./..." is the matching folder
	// itself. Test files may import any package: tests bring the parts together.
	MayImport map[string][]string

	// Doors lists the names of folders of systems that may not import the system's database, also if
	// the table allows it: apps/shop/web not apps/shop/shopdb, nor a package in it.
	Doors []string

	// Anywhere lists packages that every other may import: they depend on nothing of the module.
	Anywhere []string

	// Wiring lists folders whose packages may import any other.
	Wiring []string

	// Eager lists folders of tools for tests and benchmarks besides packages whose name ends in "test". Other
	// packages do not compile regular expressions before main, where every command would pay.
	Eager []string

	// MayUse says, per third-party module, where it may be imported. The values have the
	// form of MayImport's. Test files may use each of these modules.
	MayUse map[string][]string

	// TestOnly lists third-party modules for test files, and for packages whose name ends
	// in "test".
	TestOnly []string

	// MaxLines is the maximum length of a source file. Names with ".gen." are exempt.
	MaxLines int

	// EmptyNames lists names that say nothing, for files and folders.
	EmptyNames []string

	// Phrases lists wording that exported doc comments must not use.
	Phrases []Phrase

	// PhrasesLeft says, per folder, how many phrases its doc comments may still have.
	// Lower a number when a folder improves; never raise one.
	PhrasesLeft map[string]int
}

// A Finding is one broken rule.
type Finding struct {
	Path string // the file or folder at fault
	Text string // what is wrong and what to do
}

func (f Finding) String() string { return f.Path + ": " + f.Text }

// Check reads the module in tree and returns the violations, sorted by path. The error
// reports a failure to read the module.
func (r Rules) Check(tree fs.FS) ([]Finding, error) {
	c := &checker{Rules: r, folders: map[string]*folder{}, phrases: map[string][]phrase{}}
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return c.enter(tree, name)
		}
		return c.file(tree, name)
	})
	if err != nil {
		return nil, fmt.Errorf("read the module: %w", err)
	}
	for _, f := range c.folders {
		c.comment(f)
	}
	c.reportPhrases()
	slices.SortFunc(c.findings, func(a, b Finding) int { return strings.Compare(a.String(), b.String()) })
	return c.findings, nil
}

// checker is one run of Check.
type checker struct {
	Rules
	folders  map[string]*folder
	phrases  map[string][]phrase // by folder
	findings []Finding
}

func (c *checker) report(path, format string, args ...any) {
	c.findings = append(c.findings, Finding{path, fmt.Sprintf(format, args...)})
}

// enter decides whether a folder belongs to the module and checks its name.
func (c *checker) enter(tree fs.FS, dir string) error {
	base := path.Base(dir)
	if dir == "." {
		return nil
	}
	if base == "testdata" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") {
		return fs.SkipDir
	}
	if _, err := fs.Stat(tree, path.Join(dir, "go.mod")); err == nil {
		return fs.SkipDir // a module of its own
	}
	if slices.Contains(c.EmptyNames, base) {
		c.report(dir, "the name %q says nothing; name the folder after the thing it holds", base)
	}
	return nil
}

// file checks what can be seen in one file.
func (c *checker) file(tree fs.FS, name string) error {
	if path.Ext(name) != ".go" && name != "go.mod" {
		return nil
	}
	src, err := fs.ReadFile(tree, name)
	if err != nil {
		return err
	}
	if name == "go.mod" {
		c.goMod(name, src)
		return nil
	}
	base := path.Base(name)
	if lines := bytes.Count(src, []byte("\n")); lines > c.MaxLines && !strings.Contains(base, ".gen.") {
		c.report(name, "%d lines, more than %d; split it by what it holds", lines, c.MaxLines)
	}
	stem := strings.TrimSuffix(strings.TrimSuffix(base, ".go"), "_test")
	if slices.Contains(c.EmptyNames, stem) {
		c.report(name, "the name %q says nothing; name the file after the thing it holds", stem)
	}
	mode := parser.ParseComments | parser.SkipObjectResolution
	if strings.HasSuffix(name, "_test.go") || strings.Contains(base, ".gen.") {
		mode |= parser.ImportsOnly
	}
	files := token.NewFileSet()
	syntax, err := parser.ParseFile(files, name, src, mode)
	if err != nil {
		return err
	}
	c.imports(name, syntax)
	c.patterns(name, syntax)
	c.collect(name, syntax)
	c.wording(name, syntax, func(n ast.Node) int { return files.Position(n.Pos()).Line })
	return nil
}

// goMod rejects replace directives: a build must mean the same on every machine.
func (c *checker) goMod(name string, src []byte) {
	for line := range strings.Lines(string(src)) {
		if word, _, _ := strings.Cut(strings.TrimSpace(line), " "); word == "replace" || word == "replace(" {
			c.report(name, "has a replace directive; require the version instead")
		}
	}
}

// imports checks every import of one file.
func (c *checker) imports(name string, syntax *ast.File) {
	isTest := strings.HasSuffix(name, "_test.go")
	from := path.Dir(name)
	for _, spec := range syntax.Imports {
		target, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			c.report(name, "import %s cannot be read", spec.Path.Value)
			continue
		}
		inside, own := strings.CutPrefix(target, c.Module+"/")
		first, _, _ := strings.Cut(target, "/")
		switch {
		case own && !isTest:
			c.inside(name, from, inside)
		case !own && strings.Contains(first, "."): // the standard library has no dots
			c.outside(name, from, target, isTest)
		}
	}
}

// patterns reports regular expressions that the variables of a package compile before main.
func (c *checker) patterns(name string, syntax *ast.File) {
	if from := path.Dir(name); strings.HasSuffix(path.Base(from), "test") || allows(c.Eager, from, "") {
		return
	}
	for _, d := range syntax.Decls {
		variables, ok := d.(*ast.GenDecl)
		if !ok || variables.Tok != token.VAR {
			continue
		}
		ast.Inspect(variables, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.Name == "MustCompile" {
				if p, ok := s.X.(*ast.Ident); ok && p.Name == "regexp" {
					c.report(name, "compiles a regular expression before main; use lazyregexp.New")
				}
			}
			_, isFunction := n.(*ast.FuncLit)
			return !isFunction // it runs later
		})
	}
}

// inside checks an import of another package of the module.
func (c *checker) inside(name, from, target string) {
	if allows(c.Wiring, from, "") || allows(c.Anywhere, target, "") {
		return
	}
	key, base, ok := c.rule(from)
	if !ok {
		c.report(name, "no rule for folder %s; add a line to the import table", from)
		return
	}
	if database, ok := c.database(from); ok && below(database, target) {
		c.report(name, "may not import %s: a door calls the domain, never the database", target)
		return
	}
	allowed := c.MayImport[key]
	for _, pattern := range allowed {
		if covers(pattern, target, base) {
			return
		}
	}
	c.report(name, "may not import %s; packages in %s may import: %s", target, base, or(allowed, "nothing of this module"))
}

// database returns the folder of the database of the system to which a door belongs.
func (c *checker) database(from string) (string, bool) {
	parts := strings.Split(from, "/")
	if len(parts) < 3 || parts[0] != "apps" || !slices.Contains(c.Doors, parts[2]) {
		return "", false
	}
	return path.Join("apps", parts[1], parts[1]+"db"), true
}

// outside checks an import of another module.
func (c *checker) outside(name, from, target string, isTest bool) {
	for _, module := range c.TestOnly {
		if below(module, target) {
			if !isTest && !strings.HasSuffix(path.Base(from), "test") {
				c.report(name, "%s is for tests only", target)
			}
			return
		}
	}
	module := ""
	for m := range c.MayUse {
		if below(m, target) && len(m) > len(module) {
			module = m
		}
	}
	switch {
	case module == "":
		c.report(name, "module of %s is not in the table of outside modules; do without it or add it with a reason", target)
	case !isTest && !allows(c.MayUse[module], from, from):
		c.report(name, "may not import %s; that module may be used in: %s", target, strings.Join(c.MayUse[module], ", "))
	}
}

// rule returns the line of MayImport that applies to a folder, and the folder that matches it.
func (c *checker) rule(dir string) (key, base string, ok bool) {
	for child := ""; ; dir, child = path.Dir(dir), dir {
		if _, found := c.MayImport[dir+"/*"]; found && child != "" {
			return dir + "/*", child, true
		}
		if _, found := c.MayImport[dir]; found {
			return dir, dir, true
		}
		if dir == "." {
			return "", "", false
		}
	}
}

// allows reports whether one of the patterns covers the folder.
func allows(patterns []string, folder, base string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return covers(p, folder, base) })
}

// covers reports whether the pattern includes the folder; base replaces "." in the
// pattern.
func covers(pattern, folder, base string) bool {
	if rest, ok := strings.CutPrefix(pattern, "./"); ok {
		pattern = base + "/" + rest
	}
	if dir, ok := strings.CutSuffix(pattern, "/..."); ok {
		return below(dir, folder)
	}
	return pattern == folder
}

// below reports whether name is dir or in it.
func below(dir, name string) bool {
	return name == dir || strings.HasPrefix(name, dir+"/")
}

// or joins names for a message, or returns none if there are no names.
func or(names []string, none string) string {
	if len(names) == 0 {
		return none
	}
	return strings.Join(names, ", ")
}
