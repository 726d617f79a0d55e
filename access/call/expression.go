package call

import (
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
)

// An Expression builds the expressions of a write whose parts depend on values: an
// attribute that is set or removed, a condition that holds only sometimes. The caller
// chooses the placeholders. The zero value is ready.
type Expression struct {
	set, add, del, remove, conditions []string
	known                             map[string]string // names that clauses may use
	names                             map[string]string // names that were added one by one
	values                            access.Item
}

// NewExpression begins an expression whose clauses use some of the names in a map. The map is
// never changed.
func NewExpression(names map[string]string) Expression { return Expression{known: names} }

// Set adds a clause to SET: #s = :s.
func (e *Expression) Set(clause string) { e.set = append(e.set, clause) }

// Add adds a clause to ADD: #n :n.
func (e *Expression) Add(clause string) { e.add = append(e.add, clause) }

// Delete adds a clause to DELETE: #s :s.
func (e *Expression) Delete(clause string) { e.del = append(e.del, clause) }

// Remove adds a clause to REMOVE: #r.
func (e *Expression) Remove(clause string) { e.remove = append(e.remove, clause) }

// And adds a condition that has to hold together with the others.
func (e *Expression) And(condition string) { e.conditions = append(e.conditions, condition) }

// Or changes the last condition so that it also holds if another one does.
func (e *Expression) Or(condition string) {
	last := &e.conditions[len(e.conditions)-1]
	*last = "(" + condition + " OR " + *last + ")"
}

// Name sets the attribute that a placeholder stands for.
func (e *Expression) Name(placeholder, attribute string) {
	if e.names == nil {
		e.names = map[string]string{}
	}
	e.names[placeholder] = attribute
}

// Value sets the value that a placeholder stands for.
func (e *Expression) Value(placeholder string, v types.AttributeValue) {
	if e.values == nil {
		e.values = access.Item{}
	}
	e.values[placeholder] = v
}

// Update returns the update expression, "" without a clause.
func (e *Expression) Update() string {
	var b strings.Builder
	for _, section := range []struct {
		keyword string
		clauses []string
	}{{"SET ", e.set}, {"ADD ", e.add}, {"DELETE ", e.del}, {"REMOVE ", e.remove}} {
		if len(section.clauses) == 0 {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(section.keyword)
		b.WriteString(strings.Join(section.clauses, ", "))
	}
	return b.String()
}

// Condition returns the condition expression, "" without a condition.
func (e *Expression) Condition() string {
	if len(e.conditions) < 2 {
		return strings.Join(e.conditions, "")
	}
	parts := make([]string, len(e.conditions))
	for i, condition := range e.conditions {
		// Only where they are needed: DynamoDB refuses redundant parentheses.
		if hasOr(condition) {
			condition = "(" + condition + ")"
		}
		parts[i] = condition
	}
	return strings.Join(parts, " AND ")
}

// Names returns the names of the placeholders that clauses use, nil if there are none. The
// caller must not change the map: it may be the one the expression began with.
func (e *Expression) Names() map[string]string {
	if e.known == nil {
		return e.names
	}
	used := e.used(make([]string, 0, 16))
	if len(used) == len(e.known) && len(e.names) == 0 {
		return e.known
	}
	names := make(map[string]string, len(used)+len(e.names))
	maps.Copy(names, e.names)
	for _, placeholder := range used {
		names[placeholder] = e.known[placeholder]
	}
	return names
}

// used appends the known placeholders that clauses use, each once.
func (e *Expression) used(found []string) []string {
	for _, clauses := range [...][]string{e.set, e.add, e.del, e.remove, e.conditions} {
		for _, clause := range clauses {
			found = e.appendUsed(found, clause)
		}
	}
	return found
}

func (e *Expression) appendUsed(found []string, clause string) []string {
	for {
		start := strings.IndexByte(clause, '#')
		if start < 0 {
			return found
		}
		clause = clause[start:]
		end := 1
		for end < len(clause) && isNamePart(clause[end]) {
			end++
		}
		placeholder := clause[:end]
		if _, ok := e.known[placeholder]; ok && !slices.Contains(found, placeholder) {
			found = append(found, placeholder)
		}
		clause = clause[end:]
	}
}

// isNamePart reports whether a placeholder goes on with a character.
func isNamePart(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// SetOrRemove adds the assignment of an attribute to the value p points to, such as #s = :s, or
// removes the attribute if p is nil.
func SetOrRemove[T any](e *Expression, clause string, p *T, value func(T) types.AttributeValue) {
	name, placeholder, _ := strings.Cut(clause, " = ")
	if p == nil {
		e.Remove(name)
		return
	}
	e.Set(clause)
	e.Value(placeholder, value(*p))
}

// Values returns the values of the placeholders, nil if there are none.
func (e *Expression) Values() access.Item { return e.values }

// hasOr reports whether a condition has an OR outside of parentheses, which an AND beside
// it would tear apart.
func hasOr(condition string) bool {
	depth := 0
	for _, word := range strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(condition)) {
		switch {
		case word == "(":
			depth++
		case word == ")":
			depth--
		case depth == 0 && strings.EqualFold(word, "OR"):
			return true
		}
	}
	return false
}
