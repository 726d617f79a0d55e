package gogen

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
)

// printReads prints the patterns that read.
func (g *generator) printReads(p *printer) error {
	for _, m := range g.patternMethods().reads() {
		if err := m.printRead(p); err != nil {
			return err
		}
	}
	printReadHelpers(p)
	return nil
}

func (m *method) printRead(p *printer) error {
	if m.call.Pattern.Verb == model.Collect {
		return m.printCollect(p)
	}
	r := m.call.Read
	result := m.entities[r.Entities[0]]
	if m.result != "" {
		result = m.result
	}
	decode, err := m.decode(result)
	if err != nil {
		return err
	}
	body := &printer{}
	switch {
	case m.call.Pattern.Verb == model.Get && r.Operation == resolve.GetItem:
		err = m.printGet(body, decode)
	case m.call.Pattern.Verb == model.Get:
		err = m.printQuery(body, "return call.QueryOne(ctx, db.c, &call.Query{", "}, "+decode+")")
	default:
		err = m.printQuery(body, "return call.List(db.c, call.Query{", "}, "+decode+")")
	}
	if err != nil {
		return err
	}
	m.printNames(p)
	p.doc(m.docs()...)
	if m.call.Pattern.Verb == model.Get {
		p.line("func (db *DB) %s(%s) (%s, error) {", m.name, signature(slices.Concat([]argument{{"ctx", "context.Context"}}, m.args)), result)
	} else {
		p.line("func (db *DB) %s(%s) access.List[%s] {", m.name, signature(m.args), result)
	}
	p.body.WriteString(body.body.String())
	p.line("}")
	p.blank()
	if m.result != "" {
		return m.printRow(p, m.result, r.Entities[0])
	}
	return nil
}

// namesVar is the variable with the names that expressions of the read use.
func (m *method) namesVar() string { return m.nameMap }

// printNames prints the names of the expressions.
func (m *method) printNames(p *printer) {
	names := m.readNames()
	if len(names) == 0 {
		return
	}
	printNameMap(p, m.namesVar(), names)
}

func printNameMap(p *printer, variable string, names []resolve.Name) {
	p.line("var %s = map[string]string{%s}", variable, pairs(names))
	p.blank()
}

// pairs are names as a map literal has them, on lines of some width if there are many.
func pairs(names []resolve.Name) string {
	const width = 100
	var b strings.Builder
	line := 0
	for i, n := range names {
		pair := fmt.Sprintf("%q: %q", n.Placeholder, n.Attribute)
		switch {
		case i > 0 && line+len(pair) > width:
			b.WriteString(",\n")
			line = 0
		case i > 0:
			b.WriteString(", ")
		}
		b.WriteString(pair)
		line += len(pair) + 2
	}
	if text := b.String(); strings.Contains(text, "\n") {
		return "\n" + text + ",\n"
	}
	return b.String()
}

// readNames are the names of all expressions. A projection has the keys too, so that
// any item can be where a page ends, and what tells entities apart.
func (m *method) readNames() []resolve.Name {
	names := slices.Clone(m.call.Read.Statement.Names)
	for _, attribute := range m.projection() {
		if !slices.ContainsFunc(names, func(n resolve.Name) bool { return n.Attribute == attribute }) {
			names = append(names, resolve.Name{Placeholder: freePlaceholder(names, attribute), Attribute: attribute})
		}
	}
	return names
}

// projection are the attributes a read asks for; none: all.
func (m *method) projection() []string {
	r := m.call.Read
	if len(r.Statement.Projection) == 0 {
		return nil
	}
	all := slices.Clone(r.Statement.Projection)
	add := func(name string) {
		if name != "" && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	if r.Operation == resolve.Query {
		for _, name := range r.Keys {
			add(name)
		}
	}
	if m.told() == byType {
		add(r.Entry.Path.Table.Type)
	}
	return all
}

func freePlaceholder(names []resolve.Name, attribute string) string {
	base := "#" + strings.Map(func(c rune) rune {
		if c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' {
			return c
		}
		return '_'
	}, attribute)
	free := base
	for n := 2; slices.ContainsFunc(names, func(have resolve.Name) bool { return have.Placeholder == free }); n++ {
		free = base + strconv.Itoa(n)
	}
	return free
}

// projectionText is the projection expression.
func (m *method) projectionText() string {
	names := m.readNames()
	var all []string
	for _, attribute := range m.projection() {
		i := slices.IndexFunc(names, func(n resolve.Name) bool { return n.Attribute == attribute })
		all = append(all, names[i].Placeholder)
	}
	return strings.Join(all, ", ")
}

// keyed is whose keys the read asks for.
func (m *method) keyed() keyed {
	item := m.call.Read.Entry.Item
	return keyed{item, item.Entity}
}

func (m *method) printGet(p *printer, decode string) error {
	r := m.call.Read
	s := r.Statement
	keys := &printer{}
	for _, c := range s.Key {
		x, err := m.keyOf(nil, m.keyed(), c.Name, c.Kind, c.Low)
		if err != nil {
			return err
		}
		keys.line("%q: %s,", c.Name, x)
	}
	usesText := usesKey(keys.body.String())
	if usesText {
		p.line("var k marshal.KeyText")
	}
	p.line("return call.GetOne(ctx, db.c, &call.Get{")
	p.line("Pattern: %s,", m.pattern)
	p.line("Key: access.Item{")
	p.body.WriteString(keys.body.String())
	p.line("},")
	if text := m.projectionText(); text != "" {
		p.line("Projection: %q,", text)
		p.line("Names: %s,", m.namesVar())
	}
	if s.Consistent {
		p.line("Consistent: true,")
	}
	if usesText {
		p.line("Err: k.Err(),")
	}
	p.line("}, %s)", decode)
	return nil
}

// usesKey reports whether a text makes keys with the variable k.
func usesKey(text string) bool {
	return strings.Contains(text, "&k") || strings.Contains(text, "k.Of(")
}

// printQuery prints a query: its requests, then what all of them share between two texts.
func (m *method) printQuery(p *printer, open, end string) error {
	r := m.call.Read
	s := r.Statement
	filter, parts := m.filter()
	requests, err := m.requests(parts)
	if err != nil {
		return err
	}
	errs := m.printErrorKeepers(p, requests.before+requests.inline)
	p.body.WriteString(requests.before)
	p.line("%s", open)
	p.line("Pattern: %s,", m.pattern)
	p.line("KeyCondition: %q,", s.KeyCondition)
	if filter != "" {
		p.line("Filter: %s,", filter)
	}
	if text := m.projectionText(); text != "" {
		p.line("Projection: %q,", text)
	}
	p.line("Names: %s,", m.namesVar())
	p.line("Requests: %s,", requests.inline)
	p.line("Partition: %s,", goStrings(m.partition()))
	between := m.mayInvert()
	for _, option := range []struct {
		on   bool
		text string
	}{
		{between != "", "Between: " + between + ","},
		{r.Descending, "Descending: true,"},
		{s.Consistent, "Consistent: true,"},
		{s.All, "AllAttributes: true,"},
		{m.call.Pattern.Limit > 0, fmt.Sprintf("Limit: %d,", m.call.Pattern.Limit)},
		{errs != "", "Err: " + errs + ","},
	} {
		if option.on {
			p.line("%s", option.text)
		}
	}
	p.line("%s", end)
	return nil
}

// printErrorKeepers declares what notes the errors of values as the statements make them,
// and returns the expression of these errors; "" if there are none.
func (m *method) printErrorKeepers(p *printer, text string) string {
	var errs []string
	if usesKey(text) {
		p.line("var k marshal.KeyText")
		errs = append(errs, "k.Err()")
	}
	if usesName(text, "encode") {
		p.line("encode := new(marshal.Encode(%q))", m.call.Read.Entities[0].Name)
		errs = append(errs, "encode.Err()")
	}
	if len(errs) > 1 {
		return "errors.Join(" + strings.Join(errs, ", ") + ")"
	}
	return strings.Join(errs, "")
}

// partition are the placeholders of the partition key.
func (m *method) partition() []string {
	r := m.call.Read
	var all []string
	for _, v := range r.Statement.Values {
		for _, c := range r.Partition {
			if isTextOf(v, c.Low) {
				all = append(all, v.Placeholder)
			}
		}
	}
	return all
}

// mayInvert is the expression of the placeholders of a range whose ends the caller gives; "" if
// there is none.
func (m *method) mayInvert() string {
	r := m.call.Read
	for _, c := range r.Read.Sort {
		if !c.MayInvert() {
			continue
		}
		var low, high string
		for _, v := range r.Statement.Values {
			switch {
			case isTextOf(v, c.Low):
				low = v.Placeholder
			case isTextOf(v, c.High):
				high = v.Placeholder
			}
		}
		return fmt.Sprintf("[2]string{%q, %q}", low, high)
	}
	return ""
}

// isTextOf reports whether a value is the text of a key condition itself.
func isTextOf(v resolve.Value, t resolve.Text) bool {
	return v.Operand == nil && len(v.Text) > 0 && len(t) > 0 && &v.Text[0] == &t[0]
}

// queryRequests are what a query sends: an expression, and the statements before it.
type queryRequests struct{ before, inline string }

// requests are the values of each query: of one, or of every combination of the values
// there is a request for each of. Nothing is one of no values, so then there is none.
func (m *method) requests(open []resolve.Clause) (queryRequests, error) {
	before, loops := &printer{}, &printer{}
	for _, fan := range m.call.Read.Fans {
		m.openFan(loops, fan)
	}
	values, err := m.requestValues()
	if err != nil {
		return queryRequests{}, err
	}
	if len(m.call.Read.Fans) == 0 && len(open) == 0 {
		return queryRequests{inline: "[]call.Request{{Values: " + values + "}}"}, nil
	}
	before.line("var requests []call.Request")
	filled := ""
	if len(open) > 0 {
		filled = m.openFilters(before, open)
		loops.line("values := %s", values)
		loops.line("maps.Copy(values, in)")
		values = "values"
	}
	lead, err := m.lead()
	if err != nil {
		return queryRequests{}, err
	}
	loops.line("requests = append(requests, call.Request{")
	loops.line("Values: %s,", values)
	if lead != "" {
		loops.line("Lead: %s,", lead)
	}
	loops.line("})")
	for range m.call.Read.Fans {
		loops.line("}")
	}
	if filled != "" {
		before.line("if %s {", filled)
		loops.line("}")
	}
	return queryRequests{before: before.body.String() + loops.body.String(), inline: "requests"}, nil
}

// placeholder is what stands for an attribute in the expressions of the read.
func (m *method) placeholder(attribute string) string {
	for _, n := range m.call.Read.Statement.Names {
		if n.Attribute == attribute {
			return n.Placeholder
		}
	}
	return ""
}

// openFan begins the loop over the values of a part of the keys.
func (m *method) openFan(p *printer, fan *program.Fan) {
	switch {
	case fan.Shards > 0:
		name := "shard"
		if slices.Contains(slices.Collect(maps.Values(m.fans)), name) {
			name = m.own.take(name, "")
		}
		m.fans[fan] = name
		p.line("for %s := range int64(%d) {", m.fans[fan], fan.Shards)
	case fan.Values != nil:
		m.fans[fan] = m.param(m.own, fan.Attribute.Name)
		texts := make([]string, len(fan.Values))
		for i, v := range fan.Values {
			texts[i] = m.constant(fan.Attribute, v.Constant)
			if at, err := m.operand(nil, v, fan.Attribute); err == nil {
				texts[i] = at.value()
			}
		}
		p.line("for _, %s := range []%s{%s} {", m.fans[fan], m.typeOf(fan.Attribute, elementOf(fan.Attribute.Type)), strings.Join(texts, ", "))
	default:
		m.fans[fan] = m.param(m.own, fan.Attribute.Name)
		ref := m.call.Ref(nil, fan.Param, fan.Attribute)
		p.line("for _, %s := range %s {", m.fans[fan], m.at(ref).x)
	}
}

// requestValues is the expression of the values of one request.
func (m *method) requestValues() (string, error) {
	r := m.call.Read
	p := &printer{}
	for _, v := range r.Statement.Values {
		if isOpen(v) {
			continue
		}
		x, err := m.requestValue(v)
		if err != nil {
			return "", err
		}
		p.line("%q: %s,", v.Placeholder, x)
	}
	return "access.Item{\n" + p.body.String() + "}", nil
}

func (m *method) requestValue(v resolve.Value) (string, error) {
	r := m.call.Read
	if v.Operand != nil {
		if v.Operand.IsConstant() {
			return m.storedConstant(v.Attribute, v.Operand.Constant), nil
		}
		at, err := m.operand(nil, *v.Operand, v.Attribute)
		return plainValue(m, v.Attribute, rounded(v.Attribute, at.value(), v.Up)), err
	}
	for _, c := range slices.Concat(r.Partition, r.Read.Sort) {
		if isTextOf(v, c.Low) || isTextOf(v, c.High) {
			return m.keyOf(nil, m.keyed(), c.Name, v.Kind, v.Text)
		}
	}
	return "", fmt.Errorf("%s: %s is the value of no key", m.call.Pattern.Name, v.Placeholder)
}

// plainValue is the stored form of a value that is compared; what cannot be stored
// DynamoDB refuses.
func plainValue(m *method, a *model.Attribute, x string) string {
	switch a.Type.Base {
	case model.Timestamp:
		return "marshal.Time(" + x + ")"
	case model.Numeric:
		return "marshal.F(" + x + ")"
	case model.Decimal:
		return "marshal.Dec(" + x + ")"
	case model.Date, model.Week, model.Enum:
		return "marshal.Text(" + x + ")"
	}
	return m.valueOf(a, a.Type, x)
}

// lead is the expression of how many bytes all sort keys of a request begin with; "" if
// there is one request or none.
func (m *method) lead() (string, error) {
	r := m.call.Read
	if len(r.Fans) == 0 || len(r.Lead) == 0 {
		return "", nil
	}
	if isLiteral(r.Lead) {
		return fmt.Sprintf("len(%q)", literalText(r.Lead)), nil
	}
	key := r.Entry.Item.Key(r.Sort[0])
	chain, err := m.chain(nil, m.keyed(), key, r.Lead)
	return chain + ".Len()", err
}
