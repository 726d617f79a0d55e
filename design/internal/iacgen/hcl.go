package iacgen

import (
	"fmt"
	"strings"

	"sortkey.dev/internal/lazyregexp"
)

// Elements of Terraform code.
type (
	// A block is a block with its labels: resource "aws_dynamodb_table" "orders".
	block struct {
		head string
		body []any // attr, block, comment or blank
	}
	// An attr is name = value.
	attr struct {
		name  string
		value any
	}
	comment string
	blank   struct{}
	// raw is an expression in source form.
	raw string
	// call is a function with one argument: jsonencode({ … }).
	call struct {
		name     string
		argument any
	}
)

// hclText formats code as terraform fmt does.
func hclText(body []any) string { return strings.Join(hclLines(body), "\n") + "\n" }

// hclLines returns the lines of a body. The values of attributes on adjacent lines are
// aligned; a value of several lines ends the alignment.
func hclLines(body []any) []string {
	var lines []string
	var column []attr
	flush := func() {
		lines = append(lines, aligned(column)...)
		column = nil
	}
	for _, item := range body {
		if a, ok := item.(attr); ok {
			if value := hclValue(a.value); len(value) == 1 {
				column = append(column, a)
				continue
			}
		}
		flush()
		switch item := item.(type) {
		case attr:
			value := hclValue(item.value)
			lines = append(append(lines, item.name+" = "+value[0]), value[1:]...)
		case block:
			if len(item.body) == 0 {
				lines = append(lines, item.head+" {}")
				continue
			}
			lines = append(append(append(lines, item.head+" {"), indented(hclLines(item.body), "  ")...), "}")
		case comment:
			lines = append(lines, "# "+string(item))
		case blank:
			lines = append(lines, "")
		}
	}
	flush()
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return lines
}

// aligned returns attributes with aligned values.
func aligned(attrs []attr) []string {
	width := 0
	for _, a := range attrs {
		width = max(width, len(a.name))
	}
	lines := make([]string, len(attrs))
	for i, a := range attrs {
		lines[i] = fmt.Sprintf("%-*s = %s", width, a.name, hclValue(a.value)[0])
	}
	return lines
}

// hclValue returns the lines of a value.
func hclValue(v any) []string {
	switch v := v.(type) {
	case raw:
		return []string{string(v)}
	case string:
		return []string{hclString(v)}
	case call:
		lines := hclValue(v.argument)
		lines[0] = v.name + "(" + lines[0]
		lines[len(lines)-1] += ")"
		return lines
	case object:
		return hclObject(v)
	case list:
		return hclList(v)
	}
	return []string{yamlScalar(v)} // numbers and booleans look the same
}

func hclObject(o object) []string {
	var body []any
	for _, m := range o {
		if !isNothing(m.value) {
			body = append(body, attr{hclKey(m.name), m.value})
		}
	}
	if len(body) == 0 {
		return []string{"{}"}
	}
	return append(append([]string{"{"}, indented(hclLines(body), "  ")...), "}")
}

// hclList formats plain values on one line and others on separate lines.
func hclList(l list) []string {
	items := make([]string, len(l))
	for i, item := range l {
		lines := hclValue(item)
		if len(lines) > 1 {
			return hclTallList(l)
		}
		items[i] = lines[0]
	}
	return []string{"[" + strings.Join(items, ", ") + "]"}
}

func hclTallList(l list) []string {
	lines := []string{"["}
	for _, item := range l {
		value := hclValue(item)
		value[len(value)-1] += ","
		lines = append(lines, indented(value, "  ")...)
	}
	return append(lines, "]")
}

var identifier = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_-]*$`)

func hclKey(name string) string {
	if identifier.MatchString(name) {
		return name
	}
	return hclString(name)
}

// hclString quotes a text and escapes template sequences.
func hclString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04x`, r)
		case (r == '$' || r == '%') && strings.HasPrefix(s[i+1:], "{"):
			b.WriteRune(r)
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
