package model

import (
	"math"
	"strconv"
	"strings"

	"sortkey.dev/design/internal/exact"
)

// mostDigits is the number of digits of DynamoDB's numbers.
const mostDigits = 38

// ParseDefault parses the value that items have which lack an attribute. It returns the text as
// values of the attribute are written: a number has no zeros that say nothing.
func ParseDefault(a *Attribute, text string) (string, *SyntaxError) {
	r := &reader{text: text, pos: len(text)}
	switch a.Type.Base {
	case Bytes, JSON, ListOf, SetOf, MapOf, StructOf:
		return "", r.fail(0, "default is for a single value, and %s is %s: make it optional with ? instead", a.Name, a.Type)
	}
	if message, unknown := checkConstant(a, text); message != "" {
		err := r.fail(0, "%s", message)
		err.Unknown = unknown
		return "", err
	}
	if !a.Type.IsNumber() {
		return text, nil
	}
	number, err := exact.Parse(text)
	digits := plainDigits(number)
	if err != nil || !inRange(a.Type.Base, digits) {
		return "", r.fail(0, "%s is %s: %s is outside its range", a.Name, a.Type, shown(text))
	}
	return digits, nil
}

// plainDigits returns a number without an exponent and without zeros that say nothing.
func plainDigits(n exact.Number) string {
	if n.IsInt() {
		return n.String()
	}
	return strings.TrimRight(n.Fixed(60), "0")
}

// inRange reports whether values of a type can have these digits.
func inRange(base Base, digits string) bool {
	switch base {
	case Integer, Unixtime:
		_, err := strconv.ParseInt(digits, 10, 64)
		return err == nil
	case Numeric:
		f, err := strconv.ParseFloat(digits, 64)
		return err == nil && !math.IsInf(f, 0)
	}
	return len(strings.Trim(strings.ReplaceAll(digits, ".", ""), "-0")) <= mostDigits
}
