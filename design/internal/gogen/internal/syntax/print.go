package syntax

import (
	"strconv"
	"strings"
)

// A printer writes the text of a tree. Indentation is left to go/format.
type printer struct{ b strings.Builder }

// String returns the text of an expression.
func String(x Expr) string {
	if x == nil {
		return ""
	}
	var p printer
	x.print(&p)
	return p.b.String()
}

// Text returns the text of statements.
func Text(body []Stmt) string {
	var p printer
	p.body(body)
	return p.b.String()
}

func (p *printer) write(texts ...string) {
	for _, text := range texts {
		p.b.WriteString(text)
	}
}

// operand prints an expression, in parentheses if it binds less strongly than needed.
func (p *printer) operand(x Expr, needed int) {
	if x.binds() < needed {
		p.write("(")
		x.print(p)
		p.write(")")
		return
	}
	x.print(p)
}

func (p *printer) list(all []Expr) {
	for i, x := range all {
		if i > 0 {
			p.write(", ")
		}
		x.print(p)
	}
}

func (x *Ident) print(p *printer)     { p.write(x.Name) }
func (x *Qualified) print(p *printer) { p.write(x.Package, ".", x.Name) }
func (x *Literal) print(p *printer)   { p.write(x.Text) }

func (x *Selector) print(p *printer) {
	p.operand(x.X, bindsPrimary)
	p.write(".", x.Name)
}

func (x *Call) print(p *printer) {
	p.operand(x.Fun, bindsPrimary)
	p.write("(")
	if x.Tall {
		for _, arg := range x.Args {
			arg.print(p)
			p.write(",\n")
		}
	} else {
		p.list(x.Args)
	}
	if x.Spread {
		p.write("...")
	}
	p.write(")")
}

func (e Elem) text() string {
	switch {
	case e.Field != "":
		return e.Field + ": " + String(e.Value)
	case e.Key != nil:
		return String(e.Key) + ": " + String(e.Value)
	}
	return String(e.Value)
}

// lineWidth is the maximum width of a line that is filled.
const lineWidth = 120

func (x *Composite) print(p *printer) {
	if x.Type != nil {
		x.Type.print(p)
	}
	texts := make([]string, len(x.Elems))
	for i, e := range x.Elems {
		texts[i] = e.text()
	}
	wide := strings.Join(texts, ", ")
	fits := x.Layout == Wide || x.Layout == Fit && len(wide) <= lineWidth && !strings.Contains(wide, "\n")
	switch {
	case len(texts) == 0 || fits:
		p.write("{", wide, "}")
	case x.Layout == Tall || x.Layout == Fit:
		p.write("{\n", strings.Join(texts, ",\n"), ",\n}")
	default:
		p.write("{", filled(texts), "}")
	}
}

// filled puts as many texts on a line as fit. A text of several lines has its own.
func filled(texts []string) string {
	var lines []string
	line := 0
	for i, text := range texts {
		switch {
		case i > 0 && line > 0 && line+len(text) <= lineWidth && !strings.Contains(text, "\n"):
			lines[len(lines)-1] += ", " + text
			line += len(text) + 2
		default:
			lines = append(lines, text)
			line = len(text) + 2
		}
		if strings.Contains(text, "\n") {
			line = 0
		}
	}
	if len(lines) == 1 && !strings.Contains(lines[0], "\n") {
		return lines[0]
	}
	return "\n" + strings.Join(lines, ",\n") + ",\n"
}

func (x *Func) print(p *printer) {
	p.write("func")
	p.signature(x.Params, x.Results)
	p.write(" {")
	if len(x.Body) == 1 {
		if r, ok := x.Body[0].(*Return); ok {
			p.write(" return ")
			p.list(r.Values)
			p.write(" }")
			return
		}
	}
	p.write("\n")
	p.body(x.Body)
	p.write("}")
}

func (p *printer) signature(params, results []Param) {
	p.write("(")
	p.params(params)
	p.write(")")
	switch {
	case len(results) == 0:
	case len(results) == 1 && results[0].Name == "":
		p.write(" ")
		results[0].Type.print(p)
	default:
		p.write(" (")
		p.params(results)
		p.write(")")
	}
}

// params prints parameters, those of one type together.
func (p *printer) params(all []Param) {
	for i, param := range all {
		if i > 0 {
			p.write(", ")
		}
		p.write(param.Name)
		if i+1 < len(all) && param.Name != "" && Equal(all[i+1].Type, param.Type) {
			continue
		}
		if param.Name != "" {
			p.write(" ")
		}
		param.Type.print(p)
	}
}

func (x *Binary) print(p *printer) {
	p.operand(x.X, x.binds())
	p.write(" ", x.Op)
	if x.Break {
		p.write("\n")
	} else {
		p.write(" ")
	}
	needed := x.binds() + 1
	if y, ok := x.Y.(*Binary); ok && y.Op == x.Op && (x.Op == "&&" || x.Op == "||") {
		needed = x.binds()
	}
	p.operand(x.Y, needed)
}

func (x *Unary) print(p *printer) {
	p.write(x.Op)
	p.operand(x.X, bindsUnary)
}

func (x *Index) print(p *printer) {
	p.operand(x.X, bindsPrimary)
	p.write("[")
	x.Index.print(p)
	p.write("]")
}

func (x *Slice) print(p *printer) {
	p.operand(x.X, bindsPrimary)
	p.write("[:")
	x.High.print(p)
	p.write("]")
}

func (x *Assert) print(p *printer) {
	p.operand(x.X, bindsPrimary)
	p.write(".(")
	x.Type.print(p)
	p.write(")")
}

func (x *ListType) print(p *printer) {
	p.write("[")
	if x.Len > 0 {
		p.write(strconv.Itoa(x.Len))
	}
	p.write("]")
	x.Elem.print(p)
}

func (x *MapType) print(p *printer) {
	p.write("map[")
	x.Key.print(p)
	p.write("]")
	x.Elem.print(p)
}

func (x *FuncType) print(p *printer) {
	p.write("func")
	p.signature(x.Params, x.Results)
}

func (x *StructType) print(p *printer) {
	end := "\n"
	if x.Wide {
		end = "; "
	}
	p.write("struct {", strings.TrimPrefix(end, ";"))
	for i, f := range x.Fields {
		for _, line := range f.Doc {
			p.write("// ", visible(line), "\n")
		}
		if f.Type != nil {
			p.write(f.Name, " ")
			f.Type.print(p)
		}
		if f.Tag != "" {
			p.write(" `", f.Tag, "`")
		}
		if i+1 < len(x.Fields) || !x.Wide {
			p.write(end)
		}
	}
	p.write(strings.TrimPrefix(end, ";"), "}")
}
