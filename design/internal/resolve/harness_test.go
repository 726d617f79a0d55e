package resolve

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"strings"
	"testing"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/keytext"
)

// load loads a design that must be without findings.
func load(t testing.TB, text string) *Layout {
	t.Helper()
	var report diag.Report
	d := loader.Load([]loader.Source{{Name: "test.design.yaml", Text: []byte(text)}}, &report)
	for _, f := range report.Findings() {
		t.Fatalf("the design of the test: %s %s %s\n%s", f.Place, f.Code, f.Message, text)
	}
	return New(d)
}

// planOf returns the plan of the pattern of that name.
func planOf(t testing.TB, l *Layout, name string) *Plan {
	t.Helper()
	p := l.Design().Pattern(name)
	if p == nil {
		t.Fatalf("the design of the test has no pattern %s", name)
	}
	return l.Plan(p)
}

// A record is an item: values by attribute, as text.
type record struct {
	entity *model.Entity
	values map[string]string
	number int // which one it is
}

// text returns the text that a hole makes of a value.
func text(p model.Part, value string) string {
	for _, f := range p.Filters {
		switch f.Name {
		case model.Pad:
			value = strings.Repeat("0", max(0, f.N-len(value))) + value
		case model.Lower:
			value = strings.ToLower(value)
		case model.Upper:
			value = strings.ToUpper(value)
		case model.Prefix:
			value = value[:min(f.N, len(value))]
		case model.ByDate:
			value = value[:10]
		case model.ByMon:
			value = value[:7]
		case model.ByHour:
			value = value[:13]
		case model.Shard:
			h := fnv.New32a()
			h.Write([]byte(value))
			value = fmt.Sprint(h.Sum32() % uint32(f.N))
		}
	}
	return value
}

// keyOf returns the value of a key, and false if the item has none.
func (r record) keyOf(k *model.Key) (string, bool) {
	for _, c := range k.When {
		if !r.holds(c, nil) {
			return "", false
		}
	}
	var b strings.Builder
	for _, p := range k.Parts() {
		if p.IsHole() {
			b.WriteString(text(p, r.values[p.Attribute.Name]))
		} else {
			b.WriteString(p.Literal)
		}
	}
	return b.String(), true
}

// order compares two values of a type.
func order(t model.Type, a, b string) int {
	if t.IsNumber() {
		return exact.MustParse(a).Cmp(exact.MustParse(b))
	}
	return cmp.Compare(a, b)
}

// holds reports whether an item fulfils a condition, in the simplest way.
func (r record) holds(c *model.Condition, params map[string]string) bool {
	value := r.values[c.Attribute.Name]
	operand := func(i int) string {
		if p := c.Values[i].Param; p != "" {
			return params[p]
		}
		return c.Values[i].Constant
	}
	than := func(i int) int { return order(c.Attribute.Type, value, operand(i)) }
	switch c.Op {
	case model.Eq:
		return than(0) == 0
	case model.Ne:
		return than(0) != 0
	case model.Lt:
		return than(0) < 0
	case model.Lte:
		return than(0) <= 0
	case model.Gt:
		return than(0) > 0
	case model.Gte:
		return than(0) >= 0
	case model.Between:
		return than(0) >= 0 && than(1) <= 0
	case model.BeginsWith:
		return strings.HasPrefix(value, operand(0))
	case model.In:
		for i := range c.Values {
			if than(i) == 0 {
				return true
			}
		}
	}
	return false
}

// fill returns the text of a request with the values of the caller. Parts that stand for
// one value after the other take theirs from each.
func fill(t Text, params map[string]string, each map[*model.Attribute]string) string {
	var b strings.Builder
	for _, p := range t {
		if p.Value == nil {
			b.WriteString(p.Literal)
			continue
		}
		value, isEach := each[p.Attribute]
		part := model.Part{Attribute: p.Attribute, Filters: p.Filters}
		switch {
		case !p.Each || !isEach:
			value = text(part, params[p.Value.Param])
		case len(p.Values) == 0: // the number of a shard
		default:
			value = text(part, value)
		}
		if p.Before {
			value = keytext.Before(value)
		}
		b.WriteString(value)
	}
	return b.String()
}

// matches reports whether a key fulfils a key condition in DynamoDB.
func matches(c KeyCondition, key string, params map[string]string, each map[*model.Attribute]string) bool {
	low := fill(c.Low, params, each)
	compare := func(bound string) int {
		if c.Kind == "N" {
			return exact.MustParse(key).Cmp(exact.MustParse(bound))
		}
		return cmp.Compare(key, bound)
	}
	switch c.Op {
	case model.Eq:
		return compare(low) == 0
	case model.BeginsWith:
		return strings.HasPrefix(key, low)
	case model.Between:
		return compare(low) >= 0 && compare(fill(c.High, params, each)) <= 0
	case model.Lt:
		return compare(low) < 0
	case model.Lte:
		return compare(low) <= 0
	case model.Gt:
		return compare(low) > 0
	case model.Gte:
		return compare(low) >= 0
	}
	return false
}
