package partiql

import (
	"strings"
)

// print formats a tree as a statement that parses to the same tree: everything is
// quoted and in parentheses.
func print(t *tree) string {
	var b strings.Builder
	switch t.kind {
	case kindSelect:
		printSelect(&b, t)
	case kindExists:
		b.WriteString("EXISTS(")
		printSelect(&b, t)
		b.WriteString(")")
	case kindInsert:
		b.WriteString("INSERT INTO " + printNames(t.from) + " VALUE " + printNode(t.value))
	case kindUpdate:
		b.WriteString("UPDATE " + printNames(t.from))
		for _, c := range t.changes {
			if c.value == nil {
				b.WriteString(" REMOVE " + printNode(c.target))
			} else {
				b.WriteString(" SET " + printNode(c.target) + " = " + printNode(c.value))
			}
		}
		printWhere(&b, t)
	case kindDelete:
		b.WriteString("DELETE FROM " + printNames(t.from))
		printWhere(&b, t)
	}
	if t.returning != (returning{}) {
		b.WriteString(" " + t.returning.String())
	}
	return b.String()
}

func printSelect(b *strings.Builder, t *tree) {
	b.WriteString("SELECT ")
	if t.columns == nil {
		b.WriteString("*")
	}
	b.WriteString(printAll(t.columns))
	b.WriteString(" FROM " + printNames(t.from))
	printWhere(b, t)
	for i, term := range t.order {
		b.WriteString([]string{" ORDER BY ", ", "}[min(i, 1)] + quoteName(term.name))
		if term.desc {
			b.WriteString(" DESC")
		}
	}
	if t.limit != nil {
		b.WriteString(" LIMIT " + printNode(t.limit))
	}
}

func printWhere(b *strings.Builder, t *tree) {
	if t.where != nil {
		b.WriteString(" WHERE " + printNode(t.where))
	}
}

func quoteName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

func printNames(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = quoteName(name)
	}
	return strings.Join(quoted, ".")
}

func printAll(nodes []*node) string {
	texts := make([]string, len(nodes))
	for i, n := range nodes {
		texts[i] = printNode(n)
	}
	return strings.Join(texts, ", ")
}

var infixTexts = map[op]string{
	opOr: "OR", opAnd: "AND", opEqual: "=", opNotEqual: "<>", opLess: "<", opLessOrEqual: "<=", opGreater: ">", opGreaterOrEqual: ">=",
	opPlus: "+", opMinus: "-",
}

func printNode(n *node) string {
	switch n.op {
	case opPath:
		return printPath(n.path)
	case opString:
		return "'" + strings.ReplaceAll(n.text, "'", "''") + "'"
	case opNumber:
		return n.text
	case opTrue:
		return "TRUE"
	case opFalse:
		return "FALSE"
	case opNull:
		return "NULL"
	case opMissing:
		return "MISSING"
	case opParameter:
		return "?"
	case opList:
		return "[" + printAll(n.operands) + "]"
	case opSet:
		return "<<" + printAll(n.operands) + " >>"
	case opMap:
		var fields []string
		for i := 0; i < len(n.operands); i += 2 {
			fields = append(fields, printNode(n.operands[i])+": "+printNode(n.operands[i+1]))
		}
		return "{" + strings.Join(fields, ", ") + "}"
	case opCall:
		return n.text + "(" + printAll(n.operands) + ")"
	case opNot:
		return "(NOT " + printNode(n.operands[0]) + ")"
	case opBetween:
		return "(" + printNode(n.operands[0]) + " BETWEEN " + printNode(n.operands[1]) + " AND " + printNode(n.operands[2]) + ")"
	case opIn:
		return "(" + printNode(n.operands[0]) + " IN [" + printAll(n.operands[1:]) + "])"
	case opIs:
		return "(" + printNode(n.operands[0]) + " IS " + n.text + ")"
	default:
		return "(" + printNode(n.operands[0]) + " " + infixTexts[n.op] + " " + printNode(n.operands[1]) + ")"
	}
}

func printPath(path []step) string {
	var b strings.Builder
	for i, s := range path {
		switch {
		case s.inList:
			b.WriteString("[" + itoa(s.position) + "]")
		case i > 0:
			b.WriteString("." + quoteName(s.name))
		default:
			b.WriteString(quoteName(s.name))
		}
	}
	return b.String()
}
