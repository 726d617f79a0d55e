package iacgen

import (
	"fmt"
	"strconv"
	"strings"

	"sortkey.dev/internal/lazyregexp"
)

// Elements of a template: objects keep their order, and members without a value are omitted.
type (
	object []member
	member struct {
		name  string
		value any
	}
	list []any
	// tagged is an intrinsic function of CloudFormation in its short form: !Ref Name.
	tagged struct {
		tag   string
		value any
	}
	// number is a number in source form.
	number string
)

func ref(name string) tagged { return tagged{"!Ref", name} }
func sub(text string) tagged { return tagged{"!Sub", text} }
func getAtt(id, attribute string) tagged {
	return tagged{"!GetAtt", id + "." + attribute}
}

// listOf returns texts as a list.
func listOf(texts []string) list {
	var all list
	for _, t := range texts {
		all = append(all, t)
	}
	return all
}

// yamlText formats a tree as YAML.
func yamlText(o object) string { return strings.Join(yamlLines(o), "\n") + "\n" }

// yamlLines returns the lines of a value that is not on the line of its name.
func yamlLines(v any) []string {
	var lines []string
	switch v := v.(type) {
	case object:
		for _, m := range v {
			if isNothing(m.value) {
				continue
			}
			lines = append(lines, yamlBehind(yamlScalar(m.name)+":", m.value)...)
		}
	case list:
		for _, item := range v {
			lines = append(lines, yamlItem(item)...)
		}
	default:
		return []string{yamlScalar(v)}
	}
	return lines
}

// yamlBehind formats a value after the beginning of its line.
func yamlBehind(head string, v any) []string {
	if t, ok := v.(tagged); ok {
		return yamlBehind(head+" "+t.tag, t.value)
	}
	switch v.(type) {
	case object, list:
		return append([]string{head}, indented(yamlLines(v), "  ")...)
	}
	return []string{head + " " + yamlScalar(v)}
}

// yamlItem formats an item of a list.
func yamlItem(v any) []string {
	if _, ok := v.(tagged); ok {
		return yamlBehind("-", v)
	}
	lines := indented(yamlLines(v), "  ")
	lines[0] = "-" + lines[0][1:]
	return lines
}

func indented(lines []string, by string) []string {
	all := make([]string, len(lines))
	for i, line := range lines {
		all[i] = by + line
	}
	return all
}

// isNothing reports whether a member is omitted.
func isNothing(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case object:
		return len(v) == 0
	case list:
		return len(v) == 0
	}
	return false
}

// plain matches text that needs no quotes in YAML.
var plain = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_./-]*(::?[A-Za-z0-9_./-]+)*$`)

// notText matches words that YAML parsers do not read as text.
var notText = lazyregexp.New(`(?i)^(y|n|yes|no|on|off|true|false|null)$`)

func yamlScalar(v any) string {
	switch v := v.(type) {
	case string:
		return yamlString(v)
	case number:
		return string(v)
	case int:
		return strconv.Itoa(v)
	case bool:
		return strconv.FormatBool(v)
	}
	return yamlString(fmt.Sprint(v))
}

func yamlString(s string) string {
	switch {
	case plain.MatchString(s) && !notText.MatchString(s):
		return s
	case strings.ContainsFunc(s, func(r rune) bool {
		return r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == 0xfeff || r == 0x2028 || r == 0x2029
	}):
		return yamlEscaped(s)
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}

// yamlEscaped quotes text with non-printable characters.
func yamlEscaped(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r >= 0x7f && r < 0xa0:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r == 0xfeff || r == 0x2028 || r == 0x2029:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
