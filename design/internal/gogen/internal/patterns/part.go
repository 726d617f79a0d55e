package patterns

import "sortkey.dev/design/internal/gogen/internal/naming"

// A Part is one part of a snapshot as a method of its own: it has the parameters of the whole,
// and its own names and type.
type Part struct {
	*Method
	Field string // of the result
	Type  string // of the field's value
}

// nameParts names the fields and types of the parts of a snapshot.
func (m *Method) nameParts() {
	names, fields := m.Package.Items.Names, naming.Scope{}
	for _, call := range m.Call.Parts {
		own := *m
		part := Part{Method: &own, Field: fields.Take(naming.Exported(call.Pattern.Part), "Item")}
		own.Call, own.Result, own.NameMap = call, "", names.Pkg.Take("names"+m.Name+part.Field, "Map")
		switch p := call.Pattern; {
		case p.Row != nil:
			own.Result = m.Package.Row(p.Row, p.Entity).Type
		case len(p.Select) > 0:
			own.Result = names.Pkg.Take(m.Name+part.Field+"Row", "Struct")
		}
		if part.Type = own.Result; part.Type == "" {
			part.Type = names.Entities[call.Pattern.Entity]
		}
		m.Parts = append(m.Parts, part)
	}
}
