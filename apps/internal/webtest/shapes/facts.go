package shapes

import (
	"html/template"
	"reflect"
	"slices"
	"strings"
	"text/template/parse"
)

// facts is what the templates of a page tell about its data.
type facts struct {
	asked  map[string]bool // names of fields that a condition asks about
	named  map[string]bool // names of fields and methods
	fields []string        // names of the fields of forms
}

// factsOf reads the templates of a page, without those of the kit.
func factsOf(set *template.Template) facts {
	f := facts{asked: make(map[string]bool), named: make(map[string]bool)}
	for _, t := range set.Templates() {
		if t.Tree == nil || t.Tree.Root == nil || strings.HasPrefix(t.Name(), "ui-") || strings.Contains(t.Name(), "$") {
			continue
		}
		f.read(t.Tree.Root)
	}
	return f
}

// optional reports whether a template asks whether a field is set. Package webkit does so for its
// own types, whose tests are there.
func (f facts) optional(owner reflect.Type, field string) bool {
	return owner != nil && !strings.HasSuffix(owner.PkgPath(), "/webkit") && f.asked[field]
}

// uses reports whether a template may show a field: it names the field or a method of its owner.
func (f facts) uses(owner reflect.Type, field reflect.StructField) bool {
	if f.named[field.Name] || field.Anonymous || strings.HasSuffix(owner.PkgPath(), "/webkit") {
		return true
	}
	for i := range reflect.PointerTo(owner).NumMethod() {
		if f.named[reflect.PointerTo(owner).Method(i).Name] {
			return true
		}
	}
	return false
}

func (f *facts) read(node parse.Node) {
	switch n := node.(type) {
	case *parse.ListNode:
		if n != nil {
			for _, child := range n.Nodes {
				f.read(child)
			}
		}
	case *parse.IfNode:
		f.branch(&n.BranchNode, true)
	case *parse.WithNode:
		f.branch(&n.BranchNode, true)
	case *parse.RangeNode:
		f.branch(&n.BranchNode, false)
	case *parse.ActionNode:
		f.pipe(n.Pipe)
	case *parse.TemplateNode:
		f.pipe(n.Pipe)
	}
}

func (f *facts) branch(n *parse.BranchNode, condition bool) {
	if condition {
		f.ask(n.Pipe)
	}
	f.pipe(n.Pipe)
	f.read(n.List)
	f.read(n.ElseList)
}

// ask notes the fields of a condition.
func (f *facts) ask(node parse.Node) {
	switch n := node.(type) {
	case *parse.PipeNode:
		for _, command := range n.Cmds {
			for _, argument := range command.Args {
				f.ask(argument)
			}
		}
	case *parse.FieldNode:
		f.note(n.Ident)
	case *parse.VariableNode:
		f.note(n.Ident[1:])
	case *parse.ChainNode:
		f.note(n.Field)
	}
}

// note takes the last name of a chain; before IsZero it is the one before.
func (f *facts) note(chain []string) {
	chain = slices.DeleteFunc(slices.Clone(chain), func(name string) bool { return name == "IsZero" })
	if len(chain) > 0 {
		f.asked[chain[len(chain)-1]] = true
	}
}

// pipe notes the names of form fields: {{ui "field" "Form" .Data.Form "Name" "answer"}}.
func (f *facts) pipe(pipe *parse.PipeNode) {
	if pipe == nil {
		return
	}
	for _, command := range pipe.Cmds {
		for _, argument := range command.Args {
			f.name(argument)
			if nested, ok := argument.(*parse.PipeNode); ok {
				f.pipe(nested)
			}
		}
		f.component(command.Args)
	}
}

// name notes the names of a chain.
func (f *facts) name(node parse.Node) {
	var chain []string
	switch n := node.(type) {
	case *parse.FieldNode:
		chain = n.Ident
	case *parse.VariableNode:
		chain = n.Ident[1:]
	case *parse.ChainNode:
		chain = n.Field
		if nested, ok := n.Node.(*parse.PipeNode); ok {
			f.pipe(nested)
		}
	}
	for _, name := range chain {
		f.named[name] = true
	}
}

// inputs are the components with a value in a form.
var inputs = []string{"field", "choices", "check", "segmented"}

func (f *facts) component(arguments []parse.Node) {
	if len(arguments) < 2 || !slices.Contains(inputs, textOf(arguments[1])) {
		return
	}
	for i := 2; i+1 < len(arguments); i += 2 {
		if name := textOf(arguments[i+1]); textOf(arguments[i]) == "Name" && name != "" && !slices.Contains(f.fields, name) {
			f.fields = append(f.fields, name)
		}
	}
}

// textOf returns the text of a constant, or "".
func textOf(node parse.Node) string {
	if s, ok := node.(*parse.StringNode); ok {
		return s.Text
	}
	return ""
}
