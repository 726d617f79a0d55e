package model

import (
	"strings"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/internal/lazyregexp"
)

// statedNumber matches a number: about, sign, dollars, digits, decimals, suffix.
var statedNumber = lazyregexp.New(`^~?(-?)(\$?)([0-9]{1,40}|[0-9]{1,3}(?:,[0-9]{3}){1,12})(?:\.([0-9]{1,18}))?(k|M|%)?$`)

// ParseStated parses a value a document states: $1.75, ~$0.01, 9, 2.16M, 25%, 1,000. Anything
// else is a text, such as u3qcnm; only an empty value is an error.
func ParseStated(text string) (Stated, *SyntaxError) {
	trimmed := strings.TrimSpace(text)
	if trimmed == "" {
		return Stated{}, failAll(text, "a value is missing: write what the document states, such as $1.75, 9, 25%% or a text")
	}
	s := Stated{Text: trimmed}
	m := statedNumber.FindStringSubmatch(trimmed)
	if m == nil || (m[2] == "$" && m[5] == "%") {
		return s, nil
	}
	digits := m[1] + strings.ReplaceAll(m[3], ",", "")
	if m[4] != "" {
		digits += "." + m[4]
	}
	n, err := exact.Parse(digits)
	if err != nil {
		return s, nil
	}
	s.IsNumber, s.Decimals, s.Unit = true, len(m[4]), m[2]
	if m[5] == "%" {
		s.Unit = "%"
	}
	s.Value = n.Mul(s.scale())
	return s, nil
}

// scale returns the factor between the written number and the value.
func (s Stated) scale() exact.Number {
	switch {
	case strings.HasSuffix(s.Text, "%"):
		return exact.Ratio(1, 100)
	case strings.HasSuffix(s.Text, "k"):
		return exact.Int(1000)
	case strings.HasSuffix(s.Text, "M"):
		return exact.Int(1_000_000)
	}
	return exact.One
}

// Rounded rounds n to the digits of the stated value, so that $1.7498 agrees with a stated
// $1.75, and 2,163,000 with 2.16M.
func (s Stated) Rounded(n exact.Number) exact.Number {
	scale := s.scale()
	written, _ := n.Div(scale)
	return written.Round(s.Decimals).Mul(scale)
}
