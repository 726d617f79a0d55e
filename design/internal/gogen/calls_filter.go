package gogen

import (
	"slices"
	"strconv"
	"strings"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// filter is the filter expression in Go, and what of it depends on lists and sets.
func (m *method) filter() (string, []resolve.Clause) {
	var texts, parts []string
	var open []resolve.Clause
	for _, c := range m.call.Read.Statement.Filter {
		if openValue(c) == nil {
			texts = append(texts, c.Text)
			continue
		}
		parts = append(parts, filterVar(len(open)))
		open = append(open, c)
	}
	if len(texts) > 0 {
		text := strings.Join(texts, " AND ")
		if len(parts) > 0 {
			text += " AND "
			return strconv.Quote(text) + " + " + strings.Join(parts, ` + " AND " + `), open
		}
		return strconv.Quote(text), nil
	}
	return strings.Join(parts, ` + " AND " + `), open
}

// openFilters makes the conditions of filters by lists and by sets, which depend on how many
// values these have, and returns what must hold so that there are requests: none of the lists
// is empty. DynamoDB has no empty sets: who has one lacks the attribute.
func (m *method) openFilters(p *printer, clauses []resolve.Clause) string {
	var filled []string
	p.line("in := access.Item{}")
	for i, c := range clauses {
		v := openValue(c)
		x := m.at(m.call.Ref(nil, v.Operand.Param, v.Attribute)).x
		if !v.List {
			p.line("%s := %q", filterVar(i), c.Else.Text)
			p.line("if len(%s) > 0 {", x)
			p.line("%s, in[%q] = %q, %s", filterVar(i), v.Placeholder, c.Text, plainValue(m, v.Attribute, x))
			p.line("}")
			continue
		}
		filled = append(filled, "len("+x+") > 0")
		p.line("%s := oneOf(in, %q, %q, %s, func(v %s) types.AttributeValue { return %s })", filterVar(i), m.placeholder(v.Attribute.Stored),
			strings.TrimSuffix(v.Placeholder, "…"), x, m.typeOf(v.Attribute, v.Attribute.Type), plainValue(m, v.Attribute, "v"))
	}
	return strings.Join(filled, " && ")
}

// openValue is the value of a filter that decides what the filter is; nil if none does.
func openValue(c resolve.Clause) *resolve.Value {
	i := slices.IndexFunc(c.Values, isOpen)
	if i < 0 {
		return nil
	}
	return &c.Values[i]
}

// isOpen reports whether a value is a list or a set of the caller's, which may be empty.
func isOpen(v resolve.Value) bool {
	return v.List || v.Operand != nil && v.Operand.Param != "" && v.Attribute.Type.Base == model.SetOf
}

// filterVar is the variable of the i-th filter by a list.
func filterVar(i int) string {
	if i == 0 {
		return "filter"
	}
	return "filter" + strconv.Itoa(i+1)
}
