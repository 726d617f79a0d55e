package gogen

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// A printer collects the text of one file. Indentation is left to go/format.
type printer struct {
	before strings.Builder // above the package clause
	body   strings.Builder
}

// line writes a line; with arguments it is a format.
func (p *printer) line(format string, args ...any) {
	if len(args) == 0 {
		p.body.WriteString(format)
	} else {
		fmt.Fprintf(&p.body, format, args...)
	}
	p.body.WriteByte('\n')
}

// blank writes an empty line.
func (p *printer) blank() { p.body.WriteByte('\n') }

// section writes a comment that stands for itself.
func (p *printer) section(title string) {
	p.blank()
	p.line("// ── %s ──", title)
	p.blank()
}

// doc writes a doc comment: paragraphs wrapped to the width of a page, lines that begin
// with a tab as they are.
func (p *printer) doc(paragraphs ...string) {
	first := true
	for _, paragraph := range paragraphs {
		if strings.TrimSpace(paragraph) == "" {
			continue
		}
		if !first {
			p.line("//")
		}
		first = false
		if strings.HasPrefix(paragraph, "\t") {
			for line := range strings.SplitSeq(paragraph, "\n") {
				p.line("%s", strings.TrimRight("//"+line, " \t"))
			}
			continue
		}
		for _, line := range wrap(paragraph, 88) {
			p.line("// %s", line)
		}
	}
}

// packageDoc writes the comment above the package clause.
func (p *printer) packageDoc(paragraphs ...string) {
	inner := &printer{}
	inner.doc(paragraphs...)
	p.before.WriteString(inner.body.String())
}

func (p *printer) empty() bool { return strings.TrimSpace(p.body.String()) == "" }

// wrap breaks a text into lines of at most width bytes, between words.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		switch {
		case line == "":
			line = word
		case len(line)+1+len(word) > width:
			lines = append(lines, line)
			line = word
		default:
			line += " " + word
		}
	}
	if line == "" {
		return lines
	}
	return append(lines, line)
}

// imported are the packages generated code may use, by the name it uses them by. No
// generated name is one of these, so a selector on one of them always means the package.
var imported = map[string]string{
	"access":    "sortkey.dev/access",
	"call":      "sortkey.dev/access/call",
	"context":   "context",
	"dynamodb":  "github.com/aws/aws-sdk-go-v2/service/dynamodb",
	"engine":    "sortkey.dev/engine",
	"errors":    "errors",
	"fmt":       "fmt",
	"iter":      "iter",
	"json":      "encoding/json",
	"maps":      "maps",
	"marshal":   "sortkey.dev/access/marshal",
	"provision": "sortkey.dev/access/provision",
	"slices":    "slices",
	"stream":    "sortkey.dev/access/stream",
	"strings":   "strings",
	"testing":   "testing",
	"time":      "time",
	"types":     "github.com/aws/aws-sdk-go-v2/service/dynamodb/types",
}

// FitsPackage reports whether a generated package can have a name.
func FitsPackage(name string) bool {
	small := strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
	return small && token.IsIdentifier(name) && name != "_" && name != "main" && imported[name] == ""
}

// file makes a file of what was printed: header, package, imports, and all of it laid
// out as gofmt does.
func (g *generator) file(name, pkg string, p *printer) (File, error) {
	before, body := visible(p.before.String()), visible(p.body.String())
	imports, err := g.importsOf(pkg, body)
	if err != nil {
		return File{}, fmt.Errorf("the text of %s is no Go: %w", name, err)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s%s%s\n\n%spackage %s\n", HeaderBegin, g.source(), HeaderEnd, before, pkg)
	writeImports(&b, imports)
	b.WriteString("\n" + body)
	text, err := format.Source(b.Bytes())
	if err != nil {
		return File{}, fmt.Errorf("the text of %s is no Go: %w", name, err)
	}
	return File{Name: name, Text: text}, nil
}

// visible writes out characters that Go source does not take. Strings of the design are
// quoted; comments show them as they are.
func visible(text string) string {
	hidden := func(c rune) bool { return c != '\n' && c != '\t' && unicode.IsControl(c) || c == '\ufeff' }
	if !strings.ContainsFunc(text, hidden) {
		return text
	}
	var b strings.Builder
	for _, c := range text {
		if hidden(c) {
			b.WriteString(strings.Trim(strconv.QuoteRune(c), "'"))
			continue
		}
		b.WriteRune(c)
	}
	return b.String()
}

// importsOf are the paths of the packages a text uses.
func (g *generator) importsOf(pkg, body string) ([]string, error) {
	known := imported
	if pkg != g.options.Package {
		known = maps.Clone(imported)
		known[g.options.Package] = g.options.ImportPath
	}
	tree, err := parser.ParseFile(token.NewFileSet(), "", "package "+pkg+"\n"+body, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	used := map[string]bool{}
	ast.Inspect(tree, func(n ast.Node) bool {
		if selector, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := selector.X.(*ast.Ident); ok && known[x.Name] != "" {
				used[known[x.Name]] = true
			}
		}
		return true
	})
	return slices.Sorted(maps.Keys(used)), nil
}

// writeImports writes an import declaration: the standard library, others, our own.
func writeImports(b *bytes.Buffer, paths []string) {
	switch len(paths) {
	case 0:
		return
	case 1:
		fmt.Fprintf(b, "\nimport %q\n", paths[0])
		return
	}
	groups := make([][]string, 3)
	for _, path := range paths {
		first, _, _ := strings.Cut(path, "/")
		switch {
		case !strings.Contains(first, "."):
			groups[0] = append(groups[0], path)
		case first != "sortkey.dev":
			groups[1] = append(groups[1], path)
		default:
			groups[2] = append(groups[2], path)
		}
	}
	b.WriteString("\nimport (\n")
	for _, group := range groups {
		for _, path := range group {
			fmt.Fprintf(b, "\t%q\n", path)
		}
		if len(group) > 0 {
			b.WriteString("\n")
		}
	}
	b.WriteString(")\n")
}
