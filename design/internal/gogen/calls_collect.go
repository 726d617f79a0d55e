package gogen

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/model"
)

// printCollect prints a pattern that reads several entities with one query.
func (m *method) printCollect(p *printer) error {
	r := m.call.Read
	members := scope{}
	type kind struct {
		entity             *model.Entity
		field, typ, decode string
	}
	var kinds []kind
	for _, item := range bySpecificity(r.Entry.Path.Table) {
		e := item.Entity
		if !slices.Contains(r.Entities, e) {
			continue
		}
		k := kind{entity: e, typ: m.entities[e], decode: m.decoder(e, "db.c")}
		if len(m.call.Pattern.Select) > 0 {
			k.typ = m.pkg.take(m.name+m.entities[e]+"Row", "Struct")
			k.decode = m.rowDecoder(k.typ, e, "db.c")
		}
		k.field = members.take(plural(m.entities[e]), "Items")
		kinds = append(kinds, k)
	}
	m.printNames(p)
	p.doc(fmt.Sprintf("%s is what %s finds, each in the order of the key.", m.result, m.name))
	p.line("type %s struct {", m.result)
	for _, e := range r.Entities {
		i := slices.IndexFunc(kinds, func(k kind) bool { return k.entity == e })
		p.line("%s []%s", kinds[i].field, kinds[i].typ)
	}
	p.line("}")
	p.blank()
	p.doc(m.docs()...)
	p.line("func (db *DB) %s(%s) (%s, error) {", m.name, signature(slices.Concat([]argument{{"ctx", "context.Context"}}, m.args)), m.result)
	p.line("var found %s", m.result)
	if err := m.printQuery(p, "query := call.Query{", "}"); err != nil {
		return err
	}
	p.line("err := call.CollectAll(ctx, db.c, &query, func(item access.Item) error {")
	if m.told() == byType {
		p.line("switch textAt(item, %q) {", r.Entry.Path.Table.Type)
	} else {
		p.line("switch {")
	}
	for _, k := range kinds {
		if m.told() == byType {
			p.line("case %q:", k.entity.Name)
		} else {
			p.line("case %s:", m.isOne(k.entity))
		}
		p.line("one, err := %s(item)", k.decode)
		p.line("if err == nil {")
		p.line("found.%s = append(found.%s, one)", k.field, k.field)
		p.line("}")
		p.line("return err")
	}
	p.line("}")
	p.line("return marshal.Skip")
	p.line("})")
	if m.call.Pattern.Limit > 0 {
		p.line("if err != nil && !errors.Is(err, access.ErrTruncated) {")
		p.line("return %s{}, err", m.result)
		p.line("}")
		p.line("return found, err")
	} else {
		p.line("if err != nil {")
		p.line("return %s{}, err", m.result)
		p.line("}")
		p.line("return found, nil")
	}
	p.line("}")
	p.blank()
	if len(m.call.Pattern.Select) == 0 {
		return nil
	}
	for _, k := range kinds {
		if err := m.printRow(p, k.typ, k.entity); err != nil {
			return err
		}
	}
	return nil
}
