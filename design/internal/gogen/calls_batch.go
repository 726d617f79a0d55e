package gogen

import (
	"fmt"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
)

// hasBatch reports whether many calls of the pattern can be made at once: reads by
// primary key, and puts and deletes without any condition.
func (m *method) hasBatch() bool {
	p, c := m.call.Pattern, m.call
	switch p.Verb {
	case model.Get:
		r := c.Read
		return r.Operation == resolve.GetItem && len(r.Checks) == 0 && len(r.Fans) == 0 && len(p.Select) == 0 && m.givesKey()
	case model.Put:
		return m.isPlain() && len(c.Inputs) == 1 && c.Inputs[0].Kind == program.Whole
	case model.Delete:
		return m.isPlain() && len(c.Inputs) == 1 && c.Inputs[0].Kind == program.Key
	}
	return false
}

// isPlain reports whether the call is one write without conditions.
func (m *method) isPlain() bool {
	return !m.call.Transaction() && len(m.call.Writes[0].Statement.Condition) == 0
}

// givesKey reports whether the inputs of a get are exactly the primary key.
func (m *method) givesKey() bool {
	attributes := resolve.PrimaryAttributes(m.call.Read.Entry.Item)
	if len(attributes) != len(m.call.Inputs) {
		return false
	}
	for i, input := range m.call.Inputs {
		if input.Kind != program.Value || m.call.Pattern.Where[i].Op != model.Eq {
			return false
		}
	}
	return true
}

// printBatches prints the methods that make many calls at once.
func (g *generator) printBatches(p *printer) error {
	for _, m := range g.patternMethods().list {
		if m.batch == "" {
			continue
		}
		switch m.call.Pattern.Verb {
		case model.Get:
			m.printBatchGet(p)
		default:
			m.printBatchWrite(p)
		}
	}
	return nil
}

func (m *method) printBatchGet(p *printer) {
	e := m.call.Pattern.Entity
	name := m.entities[e]
	p.doc(fmt.Sprintf("%s is %s for many keys: the items in the order of their keys, without those that are not there.", m.batch, m.name))
	p.line("func (db *DB) %s(ctx context.Context, keys []%s) ([]%s, error) {", m.batch, m.keys[e], name)
	p.line("var k marshal.KeyText")
	p.line("items := make([]access.Item, len(keys))")
	p.line("for i, key := range keys {")
	p.line("items[i] = key.primary(&k)")
	p.line("}")
	p.line("if err := k.Err(); err != nil {")
	p.line("return nil, fmt.Errorf(\"%s: %%w\", err)", m.call.Pattern.Name)
	p.line("}")
	p.line("return call.BatchGet(ctx, db.c, %s, items, %t, %s)", m.pattern, m.call.Read.Statement.Consistent, m.decoder(e, "db.c"))
	p.line("}")
	p.blank()
}

func (m *method) printBatchWrite(p *printer) {
	input := m.call.Inputs[0]
	e := input.Entity
	p.doc(fmt.Sprintf("%s is %s for many. It is no transaction: if it fails, an *access.BatchError says what was not done.", m.batch, m.name))
	if input.Kind == program.Whole {
		p.line("func (db *DB) %s(ctx context.Context, items []%s) error {", m.batch, m.entities[e])
		p.line("writes := make([]call.Action, len(items))")
		p.line("for i, item := range items {")
		p.line("_, writes[i] = db.%s(item)", m.builder)
	} else {
		p.line("func (db *DB) %s(ctx context.Context, keys []%s) error {", m.batch, m.keys[e])
		p.line("writes := make([]call.Action, len(keys))")
		p.line("for i, key := range keys {")
		p.line("writes[i] = db.%s(key)", m.builder)
	}
	p.line("}")
	p.line("return call.BatchWrite(ctx, db.c, %s, writes)", m.pattern)
	p.line("}")
	p.blank()
}
