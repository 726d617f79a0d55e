package iacgen

import (
	"fmt"
	"strings"
	"unicode"

	"sortkey.dev/design/internal/iamgen"
)

// names assigns unique identifiers: CloudFormation allows only letters and digits, so two
// table names can map to the same identifier.
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

// snake returns a name as a Terraform identifier: aah-questions is aah_questions.
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

// hyphenated returns the name of a design for use in global names: Ask a Human is
// ask-a-human.
func hyphenated(name string) string { return strings.ReplaceAll(snake(name), "_", "-") }

// tableID returns the logical name of a table.
func tableID(name string) string { return strings.TrimSuffix(iamgen.Letters(name), "Table") + "Table" }
