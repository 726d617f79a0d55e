package archtest

import (
	"go/ast"
	"path"
	"regexp"
	"strings"
)

// A Phrase is wording that a doc comment must not use.
type Phrase struct {
	Pattern *regexp.Regexp
	Instead string // what to write
}

// phrases lists the wording that obscures a doc comment most. CONTRIBUTING.md has the
// glossary.
var phrases = []Phrase{
	{regexp.MustCompile(`(?i)\b(is|are|was|were) (what|how|who|whom|those|that which)\b`),
		"begin with the name and a verb, such as returns, reports whether, holds or lists"},
	{regexp.MustCompile(`(?i)\b(nobody|somebody|whoever|whomever)\b`),
		"name the caller, client, user, operator or worker"},
	{regexp.MustCompile(`(?i)\bgiven besides\b`),
		"write required or optional arguments"},
	{regexp.MustCompile(`(?i)\b(deeds?|chores?|in the way|signs? of life)\b`),
		"use the word of the glossary: audit event, background job, conflict, heartbeat"},
}

// wording collects the phrases in the exported doc comments of a file. Test files and
// generated files are exempt.
func (c *checker) wording(name string, syntax *ast.File, line func(ast.Node) int) {
	if strings.HasSuffix(name, "_test.go") || ast.IsGenerated(syntax) {
		return
	}
	for _, comment := range exportedComments(syntax) {
		text := strings.Join(strings.Fields(comment.Text()), " ")
		for _, p := range c.Phrases {
			for _, found := range p.Pattern.FindAllString(text, -1) {
				dir := path.Dir(name)
				c.phrases[dir] = append(c.phrases[dir], phrase{name, line(comment), found, p.Instead})
			}
		}
	}
}

// A phrase is one use of a Phrase.
type phrase struct {
	file    string
	line    int
	text    string
	instead string
}

// reportPhrases reports the phrases of each folder that has more of them than PhrasesLeft
// allows.
func (c *checker) reportPhrases() {
	for dir, found := range c.phrases {
		if len(found) <= c.PhrasesLeft[dir] {
			continue
		}
		for _, p := range found {
			c.report(p.file, "line %d: the doc comment says %q; %s", p.line, p.text, p.instead)
		}
	}
}

// exportedComments returns the doc and line comments of a file's package clause, exported
// declarations, fields and methods.
func exportedComments(syntax *ast.File) []*ast.CommentGroup {
	all := []*ast.CommentGroup{syntax.Doc}
	for _, decl := range syntax.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && (d.Recv == nil || exportedReceiver(d.Recv)) {
				all = append(all, d.Doc)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				all = append(all, specComments(d, spec)...)
			}
		}
	}
	present := all[:0]
	for _, comment := range all {
		if comment != nil {
			present = append(present, comment)
		}
	}
	return present
}

// exportedReceiver reports whether a method belongs to an exported type.
func exportedReceiver(receiver *ast.FieldList) bool {
	t := receiver.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.IsExported()
		default:
			return false
		}
	}
}

// specComments returns the comments of one exported type, constant or variable. The
// comment of a declaration without parentheses belongs to its only spec, and that of a
// group to the group's first spec.
func specComments(d *ast.GenDecl, spec ast.Spec) []*ast.CommentGroup {
	var all []*ast.CommentGroup
	if spec == d.Specs[0] {
		all = append(all, d.Doc)
	}
	switch s := spec.(type) {
	case *ast.TypeSpec:
		if s.Name.IsExported() {
			return append(append(all, s.Doc, s.Comment), fieldComments(s.Type)...)
		}
	case *ast.ValueSpec:
		if s.Names[0].IsExported() {
			return append(all, s.Doc, s.Comment)
		}
	}
	return nil
}

// fieldComments returns the comments of the exported fields of a struct or of the exported
// methods of an interface.
func fieldComments(t ast.Expr) []*ast.CommentGroup {
	var fields *ast.FieldList
	switch x := t.(type) {
	case *ast.StructType:
		fields = x.Fields
	case *ast.InterfaceType:
		fields = x.Methods
	default:
		return nil
	}
	var all []*ast.CommentGroup
	for _, f := range fields.List {
		if len(f.Names) == 0 || f.Names[0].IsExported() {
			all = append(append(all, f.Doc, f.Comment), fieldComments(f.Type)...)
		}
	}
	return all
}
