package gogen

import (
	"fmt"
	"strconv"
	"strings"

	"sortkey.dev/design/internal/model"
)

// printScans prints a method for each entity that reads all of them.
func (g *generator) printScans(p *printer) error {
	for _, item := range g.stored() {
		g.printScan(p, item)
	}
	return nil
}

func (g *generator) printScan(p *printer, item *model.Item) {
	e := item.Entity
	name, method := g.entities[e], g.scans[e]
	filter, names, values := scanFilter(item)
	p.doc(fmt.Sprintf("%s reads every %s there is, in no order. It reads, and pays for, the whole table %s: it is for jobs and exports, not for requests.",
		method, name, item.Table.Name))
	p.line("func (db *DB) %s() access.Scan[%s] {", method, name)
	p.line("return call.Scan(db.c, call.Sweep{")
	p.line("Pattern: &access.Pattern{Name: %q, Table: %q, Keys: %s},", method, item.Table.Name, goStrings(tableKeys(item.Table)))
	if filter != "" {
		p.line("Filter: %q,", filter)
		p.line("Names: map[string]string{%s},", names)
		p.line("Values: access.Item{%s},", values)
	}
	p.line("}, %s)", g.onlyThese(item))
	p.line("}")
	p.blank()
}

// onlyThese is the decode function of a scan, which skips items of other entities that
// the filter lets through.
func (g *generator) onlyThese(item *model.Item) string {
	decode := g.decoder(item.Entity, "db.c")
	if !needsShape(item) || len(g.shape(item)) == 0 {
		return decode
	}
	name := g.entities[item.Entity]
	return fmt.Sprintf("func(item access.Item) (%s, error) {\nif !%s(item) {\nreturn %s{}, marshal.Skip\n}\nreturn %s(item)\n}",
		name, g.shapes[item.Entity], name, decode)
}

// scanFilter is the filter of a scan: the type, or what the keys begin with.
func scanFilter(item *model.Item) (filter, names, values string) {
	if t := item.Table; t.Type != "" {
		return "#type = :type", fmt.Sprintf("%q: %q", "#type", t.Type), fmt.Sprintf("%q: marshal.S(%q)", ":type", item.Entity.Name)
	}
	if !needsShape(item) {
		return "", "", ""
	}
	var filters, nameList, valueList []string
	for i, name := range tableKeys(item.Table) {
		begin := beginning(item.Key(name))
		if begin == "" {
			continue
		}
		hash, colon := "#k"+strconv.Itoa(i), ":k"+strconv.Itoa(i)
		filters = append(filters, fmt.Sprintf("begins_with(%s, %s)", hash, colon))
		nameList = append(nameList, fmt.Sprintf("%q: %q", hash, name))
		valueList = append(valueList, fmt.Sprintf("%q: marshal.S(%q)", colon, begin))
	}
	return strings.Join(filters, " AND "), strings.Join(nameList, ", "), strings.Join(valueList, ", ")
}

// beginning is the literal a key begins with.
func beginning(key *model.Key) string {
	text := ""
	for _, part := range key.Parts() {
		if part.IsHole() {
			break
		}
		text += part.Literal
	}
	return text
}

// goStrings is a slice of texts in Go.
func goStrings(texts []string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = strconv.Quote(text)
	}
	return "[]string{" + strings.Join(quoted, ", ") + "}"
}
