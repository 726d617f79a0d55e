package gogen

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"sortkey.dev/design/internal/tabledef"
)

// printTables prints the definitions of all tables.
func (g *generator) printTables(p *printer) error {
	p.line("// The names of the tables, as the design has them.")
	p.line("const (")
	names := map[string]string{}
	for _, t := range g.design.Tables {
		names[t.Name] = g.tables[t]
		p.line("%s = %q", g.tables[t], t.Name)
	}
	p.line(")")
	p.blank()
	p.doc("Tables are the tables of the design, for provision.Apply.")
	p.line("func Tables() []provision.Table {")
	p.line("return []provision.Table{")
	for _, table := range tabledef.Of(g.design) {
		text := strings.TrimPrefix(literal(reflect.ValueOf(table), true), "provision.Table")
		p.line("%s,", strings.Replace(text, fmt.Sprintf("Name: %q", table.Name), "Name: "+names[table.Name], 1))
	}
	p.line("}")
	p.line("}")
	return nil
}

// literal is plain data as Go writes it: zero fields are left out, maps are sorted. The
// elements of slices and maps leave out their type, which Go knows.
func literal(v reflect.Value, named bool) string {
	typeName := ""
	if named {
		typeName = v.Type().String()
	}
	switch v.Kind() {
	case reflect.Struct:
		return typeName + "{" + structFields(v) + "}"
	case reflect.Slice:
		var all []string
		for i := range v.Len() {
			all = append(all, literal(v.Index(i), false))
		}
		if v.Type().Elem().Kind() == reflect.Struct && wide(v.Type().Elem()) {
			return typeName + "{\n" + strings.Join(all, ",\n") + ",\n}"
		}
		return typeName + "{" + strings.Join(all, ", ") + "}"
	case reflect.Map:
		var all []string
		keys := slices.SortedFunc(maps.Keys(keysOf(v)), strings.Compare)
		for _, key := range keys {
			all = append(all, fmt.Sprintf("%q: %s", key, literal(v.MapIndex(reflect.ValueOf(key)), false)))
		}
		return typeName + "{" + strings.Join(all, ", ") + "}"
	case reflect.String:
		return fmt.Sprintf("%q", v.String())
	}
	return fmt.Sprint(v.Interface())
}

func keysOf(v reflect.Value) map[string]bool {
	all := map[string]bool{}
	for _, key := range v.MapKeys() {
		all[key.String()] = true
	}
	return all
}

// wide reports whether values of a struct type take a line for each field.
func wide(t reflect.Type) bool { return t.NumField() > 2 }

func structFields(v reflect.Value) string {
	var all []string
	for i := range v.NumField() {
		if !v.Field(i).IsZero() {
			all = append(all, v.Type().Field(i).Name+": "+literal(v.Field(i), true))
		}
	}
	if wide(v.Type()) {
		return "\n" + strings.Join(all, ",\n") + ",\n"
	}
	return strings.Join(all, ", ")
}
