package resolve

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"sortkey.dev/design/internal/model"
)

// with is the text and one more part. Literals that meet become one.
func (t Text) with(parts ...TextPart) Text {
	all := slices.Clone(t)
	for _, p := range parts {
		last := len(all) - 1
		switch {
		case p.Value == nil && p.Literal == "":
		case p.Value == nil && last >= 0 && all[last].Value == nil:
			all[last].Literal += p.Literal
		default:
			all = append(all, p)
		}
	}
	return all
}

func literal(s string) TextPart { return TextPart{Literal: s} }

// valueText is a value of an attribute as the hole of a key writes it.
func valueText(v model.Operand, p model.Part) TextPart {
	if v.IsConstant() {
		if text, ok := filterConstant(v.Constant, p); ok {
			return literal(text)
		}
	}
	return TextPart{Value: &v, Attribute: p.Attribute, Filters: p.Filters}
}

// filterConstant writes a constant as a hole would. It leaves shards, whose number
// only the code that writes items computes, and times it cannot read.
func filterConstant(text string, p model.Part) (string, bool) {
	for _, f := range p.Filters {
		switch f.Name {
		case model.Pad:
			if strings.HasPrefix(text, "-") {
				return "", false // no key holds it
			}
			text = strings.Repeat("0", max(0, f.N-len(text))) + text
		case model.Lower:
			text = lower(text)
		case model.Upper:
			text = upper(text)
		case model.Prefix:
			runes := []rune(text)
			text = string(runes[:min(f.N, len(runes))])
		case model.Shard:
			return "", false
		default:
			width := len(timeShapes[f.Name])
			if p.Attribute.Type.Base != model.Timestamp || len(text) < width {
				return "", false
			}
			text = text[:width]
		}
	}
	return text, true
}

// Before is the last text that sorts before another: its last character lowered by one,
// then the largest character there is. Only texts that go on with that character, which
// is not assigned and never will be, lie between the two.
func Before(text string) string {
	last, size := utf8.DecodeLastRuneInString(text)
	rest := text[:len(text)-size]
	switch {
	case last == 0 || text == "":
		return rest
	case last == 0xE000: // surrogates are no characters
		return rest + "\uD7FF" + string(largest)
	}
	return rest + string(last-1) + string(largest)
}

// before is the exclusive upper bound a value makes.
func before(p TextPart) TextPart {
	if p.Value == nil {
		return literal(Before(p.Literal))
	}
	p.Before = true
	return p
}

// String is the text as people read it: USER#{email|lower}.
func (t Text) String() string {
	var b strings.Builder
	for _, p := range t {
		b.WriteString(p.String())
	}
	return b.String()
}

// exact is the text as a request holds it: with the characters that cannot be seen.
func (t Text) exact() string {
	var b strings.Builder
	for _, p := range t {
		if p.Value == nil {
			b.WriteString(p.Literal)
		} else {
			b.WriteString(p.String())
		}
	}
	return b.String()
}

// String is the literal, or the value in braces with what is done to it.
func (p TextPart) String() string {
	if p.Value == nil {
		return visible.Replace(p.Literal)
	}
	var b strings.Builder
	b.WriteString("{" + strings.TrimPrefix(p.Value.String(), "$"))
	for _, f := range p.Filters {
		b.WriteString("|" + string(f.Name))
		if f.N > 0 {
			b.WriteString(" " + strconv.Itoa(f.N))
		}
	}
	if p.Before {
		b.WriteString("|before")
	}
	b.WriteString("}")
	return b.String()
}

// visible writes the two ends of all characters so that they can be seen.
var visible = strings.NewReplacer("\x00", `\u{0}`, string(largest), `\u{10FFFF}`)

// String is the condition as people read it: SK begins_with ATTEMPT#.
func (c KeyCondition) String() string {
	s := c.Name + " " + string(c.Op) + " " + c.Low.String()
	if c.Op == model.Between {
		s += " and " + c.High.String()
	}
	return s
}

// String is the request as people read it, on one line.
func (r *Read) String() string {
	conditions := make([]string, 0, len(r.Partition)+len(r.Sort))
	for _, c := range slices.Concat(r.Partition, r.Sort) {
		conditions = append(conditions, c.String())
	}
	s := string(r.Operation) + " " + r.Entry.Path.String() + ": " + strings.Join(conditions, ", ")
	if r.Descending {
		s += ", backwards"
	}
	for _, c := range r.Checks {
		s += ", then check " + c.String()
	}
	for _, c := range r.Filter {
		s += ", filter " + c.String()
	}
	if r.Queries > 1 {
		s += ", " + strconv.FormatInt(r.Queries, 10) + " times"
	}
	return s
}
