package patterns

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/gogen/internal/naming"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/gogen/internal/values"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
)

// A paramStruct is a struct of parameters.
type paramStruct struct {
	name   string
	doc    string
	fields []syntax.Field
}

// nameInputs decides which inputs of a call are parameters of their own, and which are fields
// of the struct of parameters.
func (m *Method) nameInputs() {
	verb := m.Call.Pattern.Verb
	fields := naming.Scope{}
	for _, input := range m.Call.Inputs {
		positional := false
		switch {
		case verb == model.Transact:
		case verb.Reads():
			positional = true
		case verb == model.Create || verb == model.Put:
			positional = input.Kind == program.Whole
		default:
			positional = input.Kind == program.Key || input.Composes && !input.Patched
		}
		if positional {
			m.addArgument(input)
		} else {
			m.addMember(fields, input)
		}
	}
	if m.params != nil {
		m.Args = append(m.Args, syntax.Param{Name: "params", Type: syntax.Name(m.params.name)})
	}
}

func (m *Method) addArgument(input *program.Input) {
	name := "key"
	if input.Kind == program.Key {
		m.Own[name] = true
	} else {
		name = m.Package.Items.Names.Param(m.Own, m.distinct(input, naming.Unexported))
	}
	m.places[input] = syntax.Name(name)
	m.Args = append(m.Args, syntax.Param{Name: name, Type: m.InputType(input)})
}

func (m *Method) addMember(taken naming.Scope, input *program.Input) {
	names := m.Package.Items.Names
	if m.params == nil {
		m.params = &paramStruct{
			name: names.Pkg.Take(m.Name+"Params", "Struct"),
			doc:  fmt.Sprintf("holds the other arguments of %s.", m.Name),
		}
		if m.Call.Pattern.Verb == model.Transact {
			m.params.doc = fmt.Sprintf("holds the arguments of %s.", m.Name)
		}
	}
	name := naming.Exported(m.distinct(input, naming.Exported))
	if input.Repeated {
		name = naming.Plural(name)
	}
	name = taken.Take(name, "Value")
	m.members[input] = name
	m.places[input] = syntax.Dot(syntax.Name("params"), name)
	if input.Kind == program.Group {
		m.addGroup(input)
	}
	if input.Repeated {
		m.Loops[input] = names.Param(m.Own, input.Name)
	}
	m.params.fields = append(m.params.fields, m.field(name, input))
}

func (m *Method) field(name string, input *program.Input) syntax.Field {
	f := syntax.Field{Name: name, Type: m.InputType(input)}
	if doc := m.inputDoc(input); doc != "" {
		f.Doc = []string{doc}
	}
	return f
}

// addGroup names the struct of the values of a repeated action.
func (m *Method) addGroup(input *program.Input) {
	group := &paramStruct{
		name: m.Package.Items.Names.Pkg.Take(m.Name+naming.Exported(input.Name), "Params"),
		doc:  fmt.Sprintf("holds the arguments of %[2]s for one %[1]s.", input.Entity.Name, m.Name),
	}
	taken := naming.Scope{}
	for _, member := range input.Members {
		name := taken.Take(naming.Exported(member.Name), "Value")
		m.members[member] = name
		group.fields = append(group.fields, m.field(name, member))
	}
	m.groups = append(m.groups, group)
	m.groupNames[input] = group.name
}

// distinct returns the name of an input, with the entity in front if another input has the
// same name and means something else: of the two, the one the pattern does not name, else
// the second.
func (m *Method) distinct(input *program.Input, spell func(string) string) string {
	owner := m.Package.owners[input.Attribute]
	if input.Attribute == nil || owner == nil {
		return input.Name
	}
	before := true
	for _, other := range m.Call.Inputs {
		if other == input {
			before = false
			continue
		}
		clear := before && (input.Of != nil || other.Of == nil) || !before && input.Of != nil && other.Of == nil
		if clear && (spell(other.Name) == spell(input.Name) || input.Of != nil && input.Composes && hasMember(other, input.Name)) {
			return owner.Name + "_" + input.Name
		}
	}
	return input.Name
}

// hasMember reports whether a whole item has an attribute of a name, or a key does.
func hasMember(input *program.Input, name string) bool {
	if input.Kind == program.Key {
		return slices.ContainsFunc(input.Members, func(m *program.Input) bool { return m.Name == name })
	}
	return input.Kind == program.Whole && input.Entity.Attribute(name) != nil
}

// InputType returns the Go type of an input.
func (m *Method) InputType(input *program.Input) syntax.Expr {
	if input.Repeated && (input.Kind == program.Whole || input.Kind == program.Group) {
		return syntax.ListOf(m.ItemType(input))
	}
	return m.ItemType(input)
}

// ItemType returns the Go type of an input, or of one item of a repeated one.
func (m *Method) ItemType(input *program.Input) syntax.Expr {
	i := m.Package.Items
	switch input.Kind {
	case program.Key:
		return syntax.Name(i.Names.Keys[input.Entity])
	case program.Whole:
		return i.Entity(input.Entity)
	case program.Group:
		return syntax.Name(m.groupNames[input])
	case program.List:
		return syntax.ListOf(i.Values.TypeOf(input.Attribute, input.Type))
	}
	typ := i.Values.TypeOf(input.Attribute, input.Type)
	if values.IsPointer(input.Type) {
		return syntax.Pointer(typ)
	}
	return typ
}

// inputDoc explains an input whose name does not, and returns "" for others.
func (m *Method) inputDoc(input *program.Input) string {
	switch {
	case input.Kind == program.Whole && input.Repeated, input.Kind == program.Group:
		return fmt.Sprintf("Usually %d; a transaction takes at most 100 actions.", input.Most)
	case input.Kind == program.Whole, input.Attribute == nil:
		return ""
	}
	owner := m.Package.owners[input.Attribute]
	if owner == nil {
		return ""
	}
	of := owner.Name + "." + input.Attribute.Name
	switch twin := m.twin(input); {
	case twin != "":
		return fmt.Sprintf("%s of the item with %s.", of, twin)
	case input.Attribute == owner.Version && strings.HasSuffix(input.Name, input.Attribute.Name):
		return fmt.Sprintf("The %s that was read.", of)
	case isChange(input, owner):
		return fmt.Sprintf("The change of %s by this call; negative to decrease it.", of)
	case input.Name != input.Attribute.Name:
		return fmt.Sprintf("For %s.", of)
	case input.Patched && input.Type.Base == model.SetOf:
		return fmt.Sprintf("%s; without elements it stays as it is.", of)
	case input.Patched:
		return fmt.Sprintf("%s; nil leaves it as it is.", of)
	case input.Type.Optional:
		return fmt.Sprintf("%s; may be nil.", of)
	}
	return ""
}

// isChange reports whether an input is a change of a counter that the caller computes.
func isChange(input *program.Input, owner *model.Entity) bool {
	return slices.ContainsFunc(owner.Counters, func(c *model.Counter) bool {
		return c.Attribute == input.Attribute && strings.HasPrefix(input.Name, c.Attribute.Name+"_change")
	})
}

// twin tells the item of a value from another item of the same entity in the same call, if
// there is one: by the names of the parameters that its key is made of.
func (m *Method) twin(input *program.Input) string {
	if input.Of == nil || !slices.ContainsFunc(m.Call.Inputs, func(other *program.Input) bool {
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

// Params builds the structs of parameters.
func (m *Method) Params() []syntax.Decl {
	structs := m.groups
	if m.params != nil {
		structs = append([]*paramStruct{m.params}, structs...)
	}
	var all []syntax.Decl
	for _, s := range structs {
		all = append(all, &syntax.TypeDecl{Doc: syntax.Doc{s.name + " " + s.doc}, Name: s.name, Type: &syntax.StructType{Fields: s.fields}})
	}
	return all
}

// ParamField returns the type of a field of the struct of parameters.
func (m *Method) ParamField(name string) syntax.Expr {
	i := slices.IndexFunc(m.params.fields, func(f syntax.Field) bool { return f.Name == name })
	return m.params.fields[i].Type
}
