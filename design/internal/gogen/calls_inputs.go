package gogen

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
)

// nameInputs decides what of a call is a parameter of its own, and what a member of the
// struct of parameters.
func (m *method) nameInputs() {
	verb := m.call.Pattern.Verb
	members := scope{}
	for _, input := range m.call.Inputs {
		positional := false
		switch {
		case verb == model.Transact:
		case verb.Reads():
			positional = true
		case verb == model.Create || verb == model.Put:
			positional = input.Kind == program.Whole
		default:
			positional = input.Kind == program.Key || input.Composes
		}
		if positional {
			m.addArgument(input)
		} else {
			m.addMember(members, input)
		}
	}
	if m.params != nil {
		m.args = append(m.args, argument{"params", m.params.name})
	}
}

func (m *method) addArgument(input *program.Input) {
	name := "key"
	if input.Kind == program.Key {
		m.own[name] = true
	} else {
		name = m.param(m.own, m.distinct(input, unexported))
	}
	m.places[input] = name
	m.args = append(m.args, argument{name, m.inputType(input)})
}

func (m *method) addMember(members scope, input *program.Input) {
	if m.params == nil {
		m.params = &paramStruct{
			name: m.pkg.take(m.name+"Params", "Struct"),
			doc:  fmt.Sprintf("are what %s is given besides.", m.name),
		}
		if m.call.Pattern.Verb == model.Transact {
			m.params.doc = fmt.Sprintf("are what %s is given.", m.name)
		}
	}
	name := exported(m.distinct(input, exported))
	if input.Repeated {
		name = plural(name)
	}
	name = members.take(name, "Value")
	m.places[input] = "params." + name
	if input.Kind == program.Group {
		m.addGroup(input)
	}
	if input.Repeated {
		m.loops[input] = m.param(m.own, input.Name)
	}
	m.params.members = append(m.params.members, paramMember{name, m.inputType(input), m.inputDoc(input)})
}

// addGroup names the struct of the values of a repeated action.
func (m *method) addGroup(input *program.Input) {
	group := &paramStruct{
		name: m.pkg.take(m.name+exported(input.Name), "Params"),
		doc:  fmt.Sprintf("is one %s that %s changes.", input.Entity.Name, m.name),
	}
	members := scope{}
	for _, member := range input.Members {
		name := members.take(exported(member.Name), "Value")
		m.places[member] = name
		group.members = append(group.members, paramMember{name, m.inputType(member), m.inputDoc(member)})
	}
	m.groups = append(m.groups, group)
	m.groupNames[input] = group.name
}

// distinct is the name of an input, with the entity in front if another input has the
// same name and means something else: of the two, the one the pattern does not name, else
// the second.
func (m *method) distinct(input *program.Input, spell func(string) string) string {
	if input.Attribute == nil || m.owners[input.Attribute] == nil {
		return input.Name
	}
	before := true
	for _, other := range m.call.Inputs {
		if other == input {
			before = false
			continue
		}
		clear := before && (input.Of != nil || other.Of == nil) || !before && input.Of != nil && other.Of == nil
		if clear && (spell(other.Name) == spell(input.Name) || input.Of != nil && input.Composes && hasMember(other, input.Name)) {
			return m.owners[input.Attribute].Name + "_" + input.Name
		}
	}
	return input.Name
}

// hasMember reports whether an item given whole has an attribute of a name, or a key does.
func hasMember(input *program.Input, name string) bool {
	if input.Kind == program.Key {
		return slices.ContainsFunc(input.Members, func(m *program.Input) bool { return m.Name == name })
	}
	return input.Kind == program.Whole && input.Entity.Attribute(name) != nil
}

// inputType is the Go type of an input.
func (m *method) inputType(input *program.Input) string {
	var name string
	switch input.Kind {
	case program.Key:
		return m.keys[input.Entity]
	case program.Whole:
		name = m.entities[input.Entity]
	case program.Group:
		name = m.groupNames[input]
	case program.List:
		return "[]" + m.typeOf(input.Attribute, input.Type)
	default:
		name = m.typeOf(input.Attribute, input.Type)
		if isPointer(input.Type) {
			name = "*" + name
		}
		return name
	}
	if input.Repeated {
		return "[]" + name
	}
	return name
}

// inputDoc says what an input is, where its name does not.
func (m *method) inputDoc(input *program.Input) string {
	switch {
	case input.Kind == program.Whole && input.Repeated, input.Kind == program.Group:
		return fmt.Sprintf("Usually %d; a transaction takes 100 actions in all.", input.Most)
	case input.Kind == program.Whole, input.Attribute == nil:
		return ""
	}
	owner := m.owners[input.Attribute]
	if owner == nil {
		return ""
	}
	of := owner.Name + "." + input.Attribute.Name
	switch twin := m.twin(input); {
	case twin != "":
		return fmt.Sprintf("%s of the item with %s.", of, twin)
	case input.Attribute == owner.Version && strings.HasSuffix(input.Name, input.Attribute.Name):
		return fmt.Sprintf("The %s that was read.", of)
	case m.isChange(input, owner):
		return fmt.Sprintf("By how much %s changes with this call, below 0 if it falls: what is counted does not tell.", of)
	case input.Name != input.Attribute.Name:
		return fmt.Sprintf("For %s.", of)
	case input.Type.Optional:
		return fmt.Sprintf("%s; nil if it has none.", of)
	}
	return ""
}

// isChange reports whether an input is a change of a counter that the caller computes.
func (m *method) isChange(input *program.Input, owner *model.Entity) bool {
	return slices.ContainsFunc(owner.Counters, func(c *model.Counter) bool {
		return c.Attribute == input.Attribute && strings.HasPrefix(input.Name, c.Attribute.Name+"_change")
	})
}

// twin tells the item of a value from another of the same entity in the same call, if there
// is one: by the names of what its key is made of.
func (m *method) twin(input *program.Input) string {
	if input.Of == nil || !slices.ContainsFunc(m.call.Inputs, func(other *program.Input) bool {
		return other != input && other.Of != nil && other.Of != input.Of && other.Attribute == input.Attribute
	}) {
		return ""
	}
	var all []string
	for _, c := range input.Of.Step.Where {
		if len(c.Values) == 1 && c.Values[0].Param != "" && slices.Contains(resolve.PrimaryAttributes(input.Of.Item), c.Attribute) {
			all = append(all, c.Attribute.Name+" = $"+c.Values[0].Param)
		}
	}
	return strings.Join(all, " and ")
}

// plural is the name of several.
func plural(name string) string {
	small := strings.ToLower(name)
	switch {
	case strings.HasSuffix(small, "y") && len(small) > 1 && !strings.Contains("aeiou", small[len(small)-2:len(small)-1]):
		return name[:len(name)-1] + "ies"
	case strings.HasSuffix(small, "s"), strings.HasSuffix(small, "x"), strings.HasSuffix(small, "ch"), strings.HasSuffix(small, "sh"):
		return name + "es"
	}
	return name + "s"
}

// signature are parameters as Go writes them, those of one type together.
func signature(args []argument) string {
	var b strings.Builder
	for i, a := range args {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(a.name)
		if i+1 == len(args) || args[i+1].typ != a.typ {
			b.WriteString(" " + a.typ)
		}
	}
	return b.String()
}

// argumentNames are the parameters as a call passes them on.
func argumentNames(args []argument) string {
	all := make([]string, len(args))
	for i, a := range args {
		all[i] = a.name
	}
	return strings.Join(all, ", ")
}

// printParams prints the structs of parameters.
func (m *method) printParams(p *printer) {
	structs := m.groups
	if m.params != nil {
		structs = append([]*paramStruct{m.params}, structs...)
	}
	for _, s := range structs {
		p.doc(s.name + " " + s.doc)
		p.line("type %s struct {", s.name)
		for _, member := range s.members {
			if member.doc != "" {
				p.line("// %s", member.doc)
			}
			p.line("%s %s", member.name, member.typ)
		}
		p.line("}")
		p.blank()
	}
}
