package loader

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"sortkey.dev/design/internal/exact"
)

// scalar checks a text against its form. Forms with their own grammar are parsed when the
// model is built.
func (c *shapeChecker) scalar(n *node, f *form, s slot) bool {
	switch {
	case f.isNumber():
		return c.number(n, f, s)
	case f == yesNo:
		if n.quoted || !slices.Contains(f.values, n.text) {
			c.fail("F005", n.place, s.write(), "%s is true or false, not %s", s.name, c.asWritten(n))
			return false
		}
	case len(f.values) > 0:
		if !slices.Contains(f.values, n.text) {
			c.fail("F006", n.place, "", "%s is %s, not %s%s", s.name, inWords(f.values), shown(n.text), c.found.didYouMean(n.text, f.values))
			return false
		}
	case f == templateText && !n.quoted && (numberPattern.MatchString(n.text) || slices.Contains(yesNo.values, n.text)):
		c.fail("F005", n.place, fmt.Sprintf(`Write %s: "%s"`, s.name, n.text), "%s must be text, but %s without quotes is not text", s.name, n.text)
		return false
	case f.grammar():
	case f.pattern != nil && !f.pattern.MatchString(n.text):
		c.fail("F006", n.place, "", "%s is %s, not %s", s.name, f.words, shown(n.text))
		return false
	}
	return true
}

func (f *form) isNumber() bool { return len(f.json) == 1 && f.json[0] == "number" }

// grammar reports whether the form has its own parser.
func (f *form) grammar() bool {
	switch f {
	case typeText, templateText, conditionText, clausesText, orderText, rateText, bytesText, durationText, statedText, formulaText, freeText:
		return true
	}
	return false
}

func (c *shapeChecker) number(n *node, f *form, s slot) bool {
	if n.quoted && numberPattern.MatchString(n.text) {
		c.fail("F005", n.place, fmt.Sprintf("Write %s without quotes.", n.text), "%s must be %s, not text", s.name, f.words)
		return false
	}
	value, err := parseNumber(n.text)
	if err != nil || n.quoted || !f.pattern.MatchString(n.text) {
		c.fail("F005", n.place, s.write(), "%s is %s, not %s", s.name, f.words, c.asWritten(n))
		return false
	}
	low := f.least != "" && value.Less(c.bound(f.least)) || f.above != "" && value.Cmp(c.bound(f.above)) <= 0
	high := f.most != "" && c.bound(f.most).Less(value)
	if low || high {
		c.fail("F006", n.place, "", "%s is %s, not %s", s.name, f.words, n.text)
		return false
	}
	return true
}

// bound returns the parsed bound of a form, cached because many values are compared with it.
func (c *shapeChecker) bound(text string) exact.Number {
	value, known := c.bounds[text]
	if !known {
		value = exact.MustParse(text)
		c.bounds[text] = value
	}
	return value
}

func (c *shapeChecker) asWritten(n *node) string {
	if n.quoted {
		return "the text " + shown(n.text)
	}
	return shown(n.text)
}

func (c *shapeChecker) emptyValue(n *node, v *valueSpec, s slot) {
	switch {
	case n.text != "":
		c.fail("F005", n.place, s.write(), "%s is %s, which means no value; quote it if it is meant as text", s.name, n.text)
	case v.least == 0 && v.names != nil:
		c.fail("F005", n.place, "Write {} if there is nothing to say.", "%s has no value", s.name)
	default:
		c.fail("F005", n.place, s.write(), "%s has no value: it is %s", s.name, v.words())
	}
}

func (c *shapeChecker) wrongKind(n *node, v *valueSpec, s slot) {
	found := map[kind]string{scalar: "a single value", mapping: "a mapping", list: "a list"}[n.kind]
	c.fail("F005", n.place, s.write(), "%s is %s, not %s", s.name, v.words(), found)
}

// words describes the allowed values for messages.
func (v *valueSpec) words() string {
	switch {
	case v.form != nil:
		return v.form.words
	case v.block != nil:
		k := v.block.telling()
		return "a mapping such as { " + k.name + ": " + k.example + " }"
	case v.names != nil:
		return "a mapping { name: value }"
	case v.element != nil:
		return "a list [a, b]"
	}
	var words []string
	for _, o := range v.options {
		words = append(words, o.words())
	}
	return inWords(words)
}

// telling returns the most characteristic key of a block: a required one.
func (b *blockSpec) telling() *keySpec {
	if len(b.oneOf) > 0 {
		return b.key(b.oneOf[0])
	}
	for _, k := range b.keys {
		if k.required {
			return k
		}
	}
	return b.keys[0]
}

// write returns advice with an example of a key.
func (s slot) write() string {
	if s.example == "" {
		return ""
	}
	return fmt.Sprintf("Write it as %s: %s", s.name, s.example)
}

// isTemplate reports a template that was written without quotes and became a mapping
// or lost its end to a comment.
func (c *shapeChecker) isTemplate(n *node, v *valueSpec, s slot) bool {
	text := v.option(scalar)
	if text.form != templateText {
		return false
	}
	if n.kind != mapping && n.kind != scalar || n.quoted {
		return false
	}
	written, after := n.around()
	switch n.kind {
	case mapping:
		if !n.flow || len(n.entries) > 0 && n.entries[0].value.kind != empty {
			return false
		}
	case scalar:
		if !strings.HasPrefix(strings.TrimLeft(after, " \t"), "#{") {
			return false
		}
	}
	if !s.inFlow {
		written += after
	}
	written = strings.ReplaceAll(strings.TrimSpace(written), `"`, "")
	c.fail("F008", n.place, fmt.Sprintf(`Write %s: "%s"`, s.name, short(written)), "the template of %s is not quoted, so YAML does not parse it as text", s.name)
	return true
}

// splitTexts reports texts that YAML splits at commas: inside { } the text enum(A, B) is a key
// with the value enum(A, and another key B).
func (c *shapeChecker) splitTexts(n *node) {
	if !n.flow {
		return
	}
	for i := 0; i < len(n.entries); i++ {
		e := n.entries[i]
		text := e.value.text
		if e.value.kind != scalar || e.value.quoted || strings.Count(text, "(") <= strings.Count(text, ")") {
			continue
		}
		for i+1 < len(n.entries) && n.entries[i+1].value.kind == empty && strings.Count(text, "(") > strings.Count(text, ")") {
			i++
			text += ", " + n.entries[i].key.text
			n.entries[i].unfit = true
		}
		e.unfit = true
		n.flawed = true
		c.fail("F006", e.value.place, fmt.Sprintf(`Write %s: "%s"`, short(e.key.text), short(text)),
			"inside { } YAML splits a text at commas: quote %s", short(text))
	}
}

// longest is the maximum length of texts in messages and suggestions.
const longest = 64

func short(text string) string {
	if utf8.RuneCountInString(text) <= longest {
		return text
	}
	return string([]rune(text)[:longest]) + "…"
}

// shown returns a text quoted on one line, truncated if it is long.
func shown(text string) string {
	if strings.Contains(text, "\n") {
		text = strings.Join(strings.Fields(text), " ")
	}
	return `"` + short(text) + `"`
}
