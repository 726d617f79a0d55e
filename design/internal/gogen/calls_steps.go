package gogen

import (
	"fmt"
	"strings"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
)

// printTransitions prints what refuses changes of state that a lifecycle does not have. A
// state that is not there, or that the caller leaves out, is none to begin or end with.
func (m *method) printTransitions(p *printer, w *program.Write) error {
	for _, t := range w.Transitions() {
		from, err := m.operand(w, t.From, t.Attribute)
		if err != nil {
			return err
		}
		to, err := m.operand(w, t.To, t.Attribute)
		if err != nil {
			return err
		}
		var given []string // the conditions under which there is a step
		for _, at := range []place{from, to} {
			if at.pointer {
				given = append(given, at.x+" != nil")
			}
		}
		if t.Keeps {
			given = append(given, from.value()+" != "+to.value())
		}
		if len(given) > 0 {
			p.line("if %s {", strings.Join(given, " && "))
		}
		p.line("encode.Step(%q, %s, string(%s), string(%s))", t.Attribute.Name, m.stepsOf[t.Attribute], from.value(), to.value())
		if len(given) > 0 {
			p.line("}")
		}
	}
	return nil
}

// misstep says which error refuses changes of state, or is "".
func (m *method) misstep() string {
	for _, w := range m.call.Writes {
		for _, t := range w.Transitions() {
			return fmt.Sprintf("*access.LifecycleError if no step leads from the old %s to the new one", t.Attribute.Name)
		}
	}
	return ""
}

// printSteps prints the lifecycles that writes compare with.
func (c *calls) printSteps(p *printer) {
	text := p.body.String()
	for _, e := range c.design.Entities {
		for _, a := range e.Attributes {
			if a.Lifecycle == nil || !usesName(text, c.stepsOf[a]) {
				continue
			}
			p.doc(fmt.Sprintf("%s are the states that may follow each %s of %s.", c.stepsOf[a], a.Name, e.Name))
			p.line("var %s = marshal.Steps{", c.stepsOf[a])
			for _, from := range a.Type.Values {
				if next := a.Lifecycle.Next[from]; len(next) > 0 {
					p.line("%q: %s,", from, strings.TrimPrefix(goStrings(next), "[]string"))
				}
			}
			p.line("}")
			p.blank()
		}
	}
}

// nameSteps names the lifecycles.
func (c *calls) nameSteps(e *model.Entity) {
	for _, a := range e.Attributes {
		if a.Lifecycle != nil {
			c.stepsOf[a] = c.pkg.take("stepsOf"+c.entities[e]+c.fields[a], "Lifecycle")
		}
	}
}
