package gogen

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
)

// printTx prints the transaction of several patterns.
func (g *generator) printTx(p *printer) error {
	writes := g.patternMethods().writes()
	if len(writes) == 0 {
		return nil
	}
	p.doc("Tx does the writes of several patterns together: all of them or none. Its methods only collect; Commit does it. " +
		"It is for one goroutine, and for one Commit. Two patterns that write one item do not go together.")
	p.line("type Tx struct {")
	p.line("db *DB")
	p.line("tx *call.Tx")
	p.line("}")
	p.blank()
	p.doc("Tx begins a transaction. Nothing happens before Commit.")
	p.line("func (db *DB) Tx() *Tx { return &Tx{db: db, tx: call.NewTx(db.c)} }")
	p.blank()
	p.doc("Commit does all writes or none. What is in the way is in an *access.TxError, one reason for each action.")
	p.line("func (tx *Tx) Commit(ctx context.Context, options ...access.WriteOption) error {")
	p.line("return tx.tx.Commit(ctx, options...)")
	p.line("}")
	p.blank()
	p.doc("Len is how many actions there are. DynamoDB takes 100 in one transaction.")
	p.line("func (tx *Tx) Len() int { return tx.tx.Len() }")
	p.blank()
	for _, m := range writes {
		m.printTxMethod(p)
	}
	return nil
}

func (m *method) printTxMethod(p *printer) {
	list, spread := "write", ""
	if m.call.Transaction() {
		list, spread = "writes", "..."
	}
	call := fmt.Sprintf("tx.db.%s(%s)", m.builder, argumentNames(m.args))
	p.doc(m.txDocs()...)
	given := m.given()
	if given == nil {
		p.line("func (tx *Tx) %s(%s) {", m.name, signature(m.args))
		if spread == "" {
			p.line("tx.tx.Add(%s, %s)", m.pattern, call)
		} else {
			p.line("tx.tx.Add(%s, %s...)", m.pattern, call)
		}
		p.line("}")
		p.blank()
		return
	}
	p.line("func (tx *Tx) %s(%s) %s {", m.name, signature(m.args), m.entities[given.Entity])
	p.line("%s, %s := %s", m.places[given], list, call)
	p.line("tx.tx.Add(%s, %s%s)", m.pattern, list, spread)
	p.line("return %s", m.asStored(given.Entity, m.places[given]))
	p.line("}")
	p.blank()
}

// txDocs is the doc comment of a pattern as a part of a transaction.
func (m *method) txDocs() []string {
	docs := []string{fmt.Sprintf("%s is %s as a part of the transaction; see DB.%s for its price and errors.", m.name, m.name, m.name)}
	if text := m.renamed(); text != "" {
		docs = append(docs, text)
	}
	if m.call.Transaction() {
		docs = append(docs, strings.Replace(m.actions(), "TransactWriteItems:", "Its actions:", 1))
	}
	return docs
}

// printWriteHelpers prints the functions and variables that writes use, if they do.
func (c *calls) printWriteHelpers(p *printer) error {
	text := p.body.String()
	p.section("what writes share")
	p.line("// Primary keys, and what a condition that an item is there calls them.")
	p.line("var (")
	for _, t := range c.design.Tables {
		if usesName(text, c.keyLists[t]) {
			p.line("%s = %s", c.keyLists[t], goStrings(tableKeys(t)))
		}
		if usesName(text, c.keyMaps[t]) {
			p.line("%s = map[string]string{%q: %q}", c.keyMaps[t], "#"+t.PK.Name, t.PK.Name)
		}
	}
	p.line(")")
	p.blank()
	c.printFaults(p, text)
	c.printSteps(p)
	for _, item := range c.stored() {
		if c.usesPrimary(item.Entity) {
			c.printPrimary(p, item)
		}
	}
	c.printTimeOfID(p, p.body.String())
	for _, helper := range writeHelpers {
		if strings.Contains(p.body.String(), helper.name+"(") {
			p.doc(helper.doc)
			p.line("%s", helper.text)
			p.blank()
		}
	}
	return nil
}

// printFaults prints what makes errors of failed conditions, for each entity.
func (c *calls) printFaults(p *printer, text string) {
	lines := &printer{}
	for _, e := range c.design.Entities {
		if !hasSealed(e) && usesName(text, c.faults[e]) {
			lines.line("%s = call.FaultOf(%s)", c.faults[e], c.decoders[e])
		}
	}
	if lines.empty() {
		return
	}
	p.line("// What makes the errors of conditions that do not hold.")
	p.line("var (")
	p.body.WriteString(lines.body.String())
	p.line(")")
	p.blank()
}

// usesPrimary reports whether a key of the entity is given by a caller.
func (c *calls) usesPrimary(e *model.Entity) bool {
	return slices.ContainsFunc(c.list, func(m *method) bool {
		return m.batch != "" && m.call.Read != nil && m.call.Pattern.Entity == e ||
			len(m.call.Writes) > 0 && slices.ContainsFunc(m.call.Writes, func(w *program.Write) bool {
				key := m.keyInput(w)
				return key != nil && key.Entity == e
			})
	})
}

// printPrimary prints what makes the primary key from the struct of it.
func (c *calls) printPrimary(p *printer, item *model.Item) {
	e := item.Entity
	p.doc("primary is the key as DynamoDB takes it.")
	lines := &printer{}
	for _, name := range tableKeys(item.Table) {
		key := item.Key(name)
		lines.line("%q: %s,", name, c.primaryValue(item, key))
	}
	p.line("func (key %s) primary(k *marshal.KeyText) access.Item {", c.keys[e])
	p.line("return access.Item{")
	p.body.WriteString(lines.body.String())
	p.line("}")
	p.line("}")
	p.blank()
}

func (c *calls) primaryValue(item *model.Item, key *model.Key) string {
	field := func(a *model.Attribute) string { return "key." + c.fields[a] }
	if key.Template == nil {
		if key.Kind() != "S" {
			return naturalValue(key.Attribute, field(key.Attribute))
		}
		step, err := keyStep(model.Part{Attribute: key.Attribute}, field(key.Attribute))
		if err != nil {
			step = "Done()"
		}
		if rest, hole := strings.CutPrefix(step, "Hole("); hole {
			step = "Whole(" + rest
		}
		return fmt.Sprintf("marshal.S(k.Of(%q).%s.%s())", item.Entity.Name, step, finish(item.Table, key.Name))
	}
	for _, computed := range item.Computed {
		if computed.Name == key.Name {
			return "marshal.S(" + c.keyExpr(item.Entity, computed, "k", field) + ")"
		}
	}
	return ""
}

// writeHelpers are functions that some writes call.
var writeHelpers = []struct{ name, doc, text string }{
	{"same", "same is the value that all items of a call agree on; if they differ, err says so.",
		`func same[T any, V comparable](err *error, items []T, entity, attribute string, value func(T) V) V {
	var first V
	for i, one := range items {
		switch v := value(one); {
		case i == 0:
			first = v
		case v != first && *err == nil:
			*err = &access.KeyError{Entity: entity, Attribute: attribute, Reason: "differs between the items of one call"}
		}
	}
	return first
}`},
	{"alike", "alike reports whether a value is the same for all items of a call.",
		`func alike[T any, V comparable](items []T, value func(T) V) bool {
	for _, one := range items {
		if value(one) != value(items[0]) {
			return false
		}
	}
	return true
}`},
	{"agree", "agree makes sure that a value of all items is what it must be.",
		`func agree[T any](err *error, items []T, entity, attribute string, is func(T) bool) {
	for _, one := range items {
		if !is(one) && *err == nil {
			*err = &access.KeyError{Entity: entity, Attribute: attribute, Reason: "differs between the items of one call"}
		}
	}
}`},
	{"refused", "refused are writes that say what is wrong with all of them together.",
		`func refused(writes []call.Action, err error) []call.Action {
	switch {
	case err == nil:
		return writes
	case len(writes) == 0:
		return []call.Action{{Err: err}}
	}
	writes[0].Err = errors.Join(err, writes[0].Err)
	return writes
}`},
	{"total", "total is a sum over all items.",
		`func total[T any](items []T, value func(T) int64) int64 {
	var sum int64
	for _, one := range items {
		sum += value(one)
	}
	return sum
}`},
	{"ofEach", "ofEach is a value of every item.",
		`func ofEach[T, V any](items []T, value func(T) V) []V {
	all := make([]V, len(items))
	for i, one := range items {
		all[i] = value(one)
	}
	return all
}`},
	{"onlyIf", "onlyIf is a value, or nothing.",
		`func onlyIf[V any](holds bool, value V) V {
	if !holds {
		var none V
		return none
	}
	return value
}`},
	{"given", "given is a value that a condition compares or an update sets. If there is none, encode says so.",
		`func given[T any](encode *marshal.Encoder, attribute string, p *T) T {
	if p == nil {
		encode.Refuse(attribute, "is nil, and an expression needs it")
	}
	return orZero(p)
}`},
	{"orZero", "orZero is what a pointer points to, and nothing if it is nil.",
		`func orZero[T any](p *T) T {
	if p == nil {
		var none T
		return none
	}
	return *p
}`},
	{"settled", "settled leaves out the rows of unique values that a call both frees and takes: such a value stays.",
		`func settled(writes []call.Action) []call.Action {
	stays := func(w call.Action) bool {
		return w.Err == nil && slices.ContainsFunc(writes, func(other call.Action) bool {
			switch {
			case other.Err != nil || other.Table != w.Table || other.Name != w.Name:
				return false
			case w.Kind == call.Delete && other.Taken != nil:
				return sameKey(w.KeyNames, w.Key, other.Item)
			case w.Taken != nil && other.Kind == call.Delete:
				return sameKey(w.KeyNames, w.Item, other.Key)
			}
			return false
		})
	}
	var left []call.Action
	for _, w := range writes {
		if !stays(w) {
			left = append(left, w)
		}
	}
	return left
}

func sameKey(names []string, a, b access.Item) bool {
	for _, name := range names {
		x, _ := a[name].(*types.AttributeValueMemberS)
		y, _ := b[name].(*types.AttributeValueMemberS)
		if x == nil || y == nil || x.Value != y.Value {
			return false
		}
	}
	return true
}`},
	{"addsUp", "addsUp reports whether a sum is anything but nothing. One that cannot be made is.",
		`func addsUp(terms ...access.Decimal) bool {
	var sum access.Decimal
	for _, term := range terms {
		next, err := sum.Add(term)
		if err != nil {
			return true
		}
		sum = next
	}
	return sum.Cmp("0") != 0
}`},
	{"shardFrom", "shardFrom is one of n shards by chance, beginning with the first.",
		`func shardFrom(first, n int64) string {
	shard, _ := marshal.ParseInt(marshal.AnyShard(int(n)))
	return marshal.FormatInt(first + shard)
}`},
	{"addUp", "addUp is a sum. One with more digits than DynamoDB takes is refused.",
		`func addUp(encode *marshal.Encoder, attribute string, terms ...access.Decimal) access.Decimal {
	var sum access.Decimal
	for _, term := range terms {
		next, err := sum.Add(term)
		if err != nil {
			encode.Refuse(attribute, err.Error())
			return sum
		}
		sum = next
	}
	return sum
}`},
	{"oneOfThese", "oneOfThese adds the condition that an attribute is one of several values, of which DynamoDB takes 100 at a time. Of none it never is.",
		`func oneOfThese[T any](x *call.Expression, name, placeholder string, all []T, value func(T) types.AttributeValue) {
	if len(all) == 0 {
		x.And("attribute_exists(" + name + ") AND attribute_not_exists(" + name + ")")
		return
	}
	var conditions []string
	n := 0
	for chunk := range slices.Chunk(all, 100) {
		placeholders := make([]string, len(chunk))
		for i, v := range chunk {
			placeholders[i] = placeholder + marshal.FormatInt(int64(n))
			x.Value(placeholders[i], value(v))
			n++
		}
		conditions = append(conditions, name+" IN ("+strings.Join(placeholders, ", ")+")")
	}
	x.And(strings.Join(conditions, " OR "))
}`},
}
