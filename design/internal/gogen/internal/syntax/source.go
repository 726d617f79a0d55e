package syntax

import (
	"bytes"
	"fmt"
	"go/format"
	"maps"
	"slices"
	"strings"
)

// Source returns the text of the file, laid out as gofmt does, with the imports that its
// declarations need.
func (f *File) Source() ([]byte, error) {
	var p printer
	for _, d := range f.Decls {
		d.print(&p)
	}
	var head printer
	head.doc(f.Doc)
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n\n%spackage %s\n", visible(f.Header), head.b.String(), f.Package)
	writeImports(&b, f.imports())
	b.WriteString("\n" + p.b.String())
	text, err := format.Source(b.Bytes())
	if err != nil {
		return nil, fmt.Errorf("the text is no Go: %w", err)
	}
	return text, nil
}

// imports returns the paths of the packages that the declarations name.
func (f *File) imports() []string {
	used := map[string]bool{}
	for _, d := range f.Decls {
		d.walk(func(x Expr) {
			if q, ok := x.(*Qualified); ok {
				used[q.Path] = true
			}
		})
	}
	return slices.Sorted(maps.Keys(used))
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
