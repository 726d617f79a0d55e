package iacgen

import (
	"fmt"
	"strings"
	"unicode"

	"sortkey.dev/design/internal/iamgen"
)

// names gives out identifiers, each once: CloudFormation knows letters and digits only, so
// that two tables can come to the same one.
type names struct{ used map[string]bool }

func newNames() *names { return &names{used: map[string]bool{}} }

func (n *names) once(name, join string) string {
	for try, i := name, 2; ; try, i = fmt.Sprintf("%s%s%d", name, join, i), i+1 {
		if !n.used[try] {
			n.used[try] = true
			return try
		}
	}
}

// snake is a name as Terraform identifies things: aah-questions is aah_questions.
func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		switch {
		case r <= unicode.MaxASCII && unicode.IsLetter(r):
			b.WriteRune(unicode.ToLower(r))
		case r <= unicode.MaxASCII && unicode.IsDigit(r):
			if i == 0 {
				b.WriteString("t_")
			}
			b.WriteRune(r)
		default:
			b.WriteRune('_')
		}
	}
	return b.String()
}

// hyphenated is the name of a design in names that stand beside those of other designs:
// Ask a Human is ask-a-human.
func hyphenated(name string) string { return strings.ReplaceAll(snake(name), "_", "-") }

// tableID is the logical name of a table.
func tableID(name string) string { return strings.TrimSuffix(iamgen.Letters(name), "Table") + "Table" }
