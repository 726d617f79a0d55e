package call

import "strings"

// A clause is one part of an update expression that generated code wrote: SET #s = :s.
type clause struct {
	word   string // SET, ADD, DELETE or REMOVE
	target string // #s, or #m.#k
	value  string // :s, or list_append(#s, :s); "" of REMOVE
}

// sections lists the words of update expressions, in the order in which they are written.
var sections = []string{"SET", "ADD", "DELETE", "REMOVE"}

// parseUpdate returns the clauses of an update expression. No placeholder is a word of an expression, because it begins
// with # or :.
func parseUpdate(text string) []clause {
	var all []clause
	word, begin, depth := "", 0, 0
	end := func(to int) {
		if part := strings.TrimSpace(text[begin:to]); part != "" && word != "" {
			all = append(all, parseClause(word, part))
		}
	}
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				end(i)
				begin = i + 1
			}
		default:
			next := sectionAt(text, i)
			if depth == 0 && next != "" {
				end(i)
				word, i = next, i+len(next)-1
				begin = i + 1
			}
		}
	}
	end(len(text))
	return all
}

// sectionAt returns the word of a section that begins at a place of an expression, or "".
func sectionAt(text string, at int) string {
	if at > 0 && text[at-1] != ' ' {
		return ""
	}
	for _, word := range sections {
		if strings.HasPrefix(text[at:], word+" ") {
			return word
		}
	}
	return ""
}

func parseClause(word, text string) clause {
	separator := " "
	if word == "SET" {
		separator = "="
	}
	target, value, _ := strings.Cut(text, separator)
	return clause{word, strings.TrimSpace(target), strings.TrimSpace(value)}
}

// formatUpdate returns an update expression of clauses.
func formatUpdate(clauses []clause) string {
	var x Expression
	for _, c := range clauses {
		switch c.word {
		case "SET":
			x.Set(c.target + " = " + c.value)
		case "ADD":
			x.Add(c.target + " " + c.value)
		case "DELETE":
			x.Delete(c.target + " " + c.value)
		default:
			x.Remove(c.target)
		}
	}
	return x.Update()
}

// isNested reports whether the clause changes a part of an attribute.
func (c clause) isNested() bool { return strings.ContainsAny(c.target, ".[") }

// rootOf returns the attribute that a path of placeholders begins with.
func rootOf(path string, names map[string]string) string {
	if end := strings.IndexAny(path, ".["); end >= 0 {
		path = path[:end]
	}
	if name, ok := names[path]; ok {
		return name
	}
	return path
}

// targets returns the attributes that clauses change.
func targets(clauses []clause, names map[string]string) []string {
	all := make([]string, len(clauses))
	for i, c := range clauses {
		all[i] = rootOf(c.target, names)
	}
	return all
}

// replacePlaceholders returns a text with other placeholders.
func replacePlaceholders(text string, replace func(string) string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		if text[i] != '#' && text[i] != ':' {
			b.WriteByte(text[i])
			i++
			continue
		}
		end := i + 1
		for end < len(text) && isNamePart(text[end]) {
			end++
		}
		b.WriteString(replace(text[i:end]))
		i = end
	}
	return b.String()
}
