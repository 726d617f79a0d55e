package writes

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/gogen/internal/items"
	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/patterns"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/gogen/internal/values"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
)

// tables builds the variables and methods that writes share, as far as they use them.
func tables(p *patterns.Package, writes []syntax.Decl) []syntax.Decl {
	i := p.Items
	all := []syntax.Decl{&syntax.Section{Title: "keys, errors and lifecycles"}}
	keys := &syntax.Group{Doc: syntax.Doc{"The primary keys of tables, and their names in conditions that an item exists."}, Keyword: "var"}
	for _, t := range i.Design.Tables {
		if list := p.KeyLists[t]; syntax.UsesAny(writes, list) {
			keys.Specs = append(keys.Specs, syntax.Spec{Name: list, Value: syntax.Strings(items.TableKeys(t)...)})
		}
		if names := p.KeyMaps[t]; syntax.UsesAny(writes, names) {
			value := syntax.Make(syntax.MapOf(syntax.Name("string"), syntax.Name("string")), syntax.Elem{Key: syntax.Str("#" + t.PK.Name), Value: syntax.Str(t.PK.Name)})
			keys.Specs = append(keys.Specs, syntax.Spec{Name: names, Value: value})
		}
	}
	all = append(all, keys)
	faults := &syntax.Group{Doc: syntax.Doc{"The functions that make the errors of failed conditions."}, Keyword: "var"}
	for _, e := range i.Design.Entities {
		if fault := p.Faults[e]; !values.HasSealed(e) && syntax.UsesAny(writes, fault) {
			faults.Specs = append(faults.Specs, syntax.Spec{Name: fault, Value: library.Call("FaultOf", syntax.Name(i.Names.Decoders[e]))})
		}
	}
	if len(faults.Specs) > 0 {
		all = append(all, faults)
	}
	all = append(all, lifecycles(p, writes)...)
	for _, item := range i.Stored() {
		if usesPrimary(p, item.Entity) {
			all = append(all, i.PrimaryFunc(item))
		}
	}
	return all
}

// lifecycles builds the lifecycles that writes compare with.
func lifecycles(p *patterns.Package, writes []syntax.Decl) []syntax.Decl {
	var all []syntax.Decl
	for _, e := range p.Items.Design.Entities {
		for _, a := range e.Attributes {
			if a.Lifecycle == nil || !syntax.UsesAny(writes, p.Steps[a]) {
				continue
			}
			steps := &syntax.Composite{Type: library.Access("Steps"), Layout: syntax.Tall}
			for _, from := range a.Type.Values {
				if next := a.Lifecycle.Next[from]; len(next) > 0 {
					list := syntax.Strings(next...)
					list.Type = nil
					steps.Elems = append(steps.Elems, syntax.Elem{Key: syntax.Str(from), Value: list})
				}
			}
			doc := fmt.Sprintf("%s lists the states that may follow each %s of %s.", p.Steps[a], a.Name, e.Name)
			all = append(all, &syntax.VarDecl{Doc: syntax.Doc{doc}, Name: p.Steps[a], Value: steps})
		}
	}
	return all
}

// usesPrimary reports whether a key of the entity is given by a caller.
func usesPrimary(p *patterns.Package, e *model.Entity) bool {
	return slices.ContainsFunc(p.Methods, func(m *patterns.Method) bool {
		return m.Batch != "" && m.Call.Read != nil && m.Call.Pattern.Entity == e ||
			slices.ContainsFunc(m.Call.Writes, func(w *program.WriteStep) bool {
				key := KeyInput(m, w)
				return key != nil && key.Entity == e
			})
	})
}
