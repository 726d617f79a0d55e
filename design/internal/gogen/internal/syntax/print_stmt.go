package syntax

import "strings"

func (p *printer) body(body []Stmt) {
	for _, s := range body {
		s.print(p)
		p.write("\n")
	}
}

func (s *Define) print(p *printer) {
	p.write(strings.Join(s.Names, ", "), " := ")
	p.list(s.Values)
}

func (s *Assign) print(p *printer) {
	p.list(s.Left)
	p.write(" = ")
	p.list(s.Right)
}

func (s *Var) print(p *printer) {
	p.write("var ", s.Name, " ")
	s.Type.print(p)
}

func (s *Do) print(p *printer) { s.X.print(p) }

func (s *Inc) print(p *printer) {
	s.X.print(p)
	p.write("++")
}

func (s *If) print(p *printer) {
	p.write("if ")
	if s.Init != nil {
		s.Init.print(p)
		p.write("; ")
	}
	s.Cond.print(p)
	p.write(" {")
	if s.Note != "" {
		p.write(" // ", visible(s.Note))
	}
	p.write("\n")
	p.body(s.Then)
	if len(s.Else) > 0 {
		p.write("} else {\n")
		p.body(s.Else)
	}
	p.write("}")
}

func (s *Range) print(p *printer) {
	p.write("for ")
	switch {
	case s.Value != "" && s.Key == "":
		p.write("_, ", s.Value, " := ")
	case s.Value != "":
		p.write(s.Key, ", ", s.Value, " := ")
	case s.Key != "":
		p.write(s.Key, " := ")
	}
	p.write("range ")
	s.X.print(p)
	p.write(" {\n")
	p.body(s.Body)
	p.write("}")
}

func (s *Switch) print(p *printer) {
	p.write("switch ")
	if s.Tag != nil {
		s.Tag.print(p)
		p.write(" ")
	}
	p.write("{\n")
	for _, c := range s.Cases {
		p.write("case ")
		p.list(c.Values)
		p.write(":\n")
		p.body(c.Body)
	}
	p.write("}")
}

func (s *Return) print(p *printer) {
	p.write("return ")
	p.list(s.Values)
}

func (s *Noted) print(p *printer) {
	s.Stmt.print(p)
	p.write(" // ", visible(s.Note))
}
