package shape

import (
	"slices"
	"strconv"
	"strings"

	"sortkey.dev/access"
)

// holds reports whether all conditions hold, as DynamoDB would decide on the stored item: a
// comparison with something missing is false, and != is true.
func (e *entityReader) holds(r *Reader, conditions []Condition, item access.Item) bool {
	for _, c := range conditions {
		if !e.one(r, c, item) {
			return false
		}
	}
	return true
}

func (e *entityReader) one(r *Reader, c Condition, item access.Item) bool {
	a := e.attributes[c.Attribute]
	if a == nil {
		return false
	}
	have, present := e.value(r, a, item)
	if a.Sealed || !isScalar(a.Type) {
		present = !absent(item[a.Name])
	}
	switch {
	case c.Op == "exists":
		return present
	case c.Op == "missing":
		return !present
	}
	values := make([]string, len(c.Values))
	for i, v := range c.Values {
		name, is := strings.CutPrefix(v, "{")
		if !is {
			values[i] = v
			continue
		}
		other := e.attributes[strings.TrimSuffix(name, "}")]
		found := other != nil
		if found {
			values[i], found = e.value(r, other, item)
		}
		if !found {
			return c.Op == "!="
		}
	}
	if !present {
		return c.Op == "!="
	}
	return compare(baseOf(a.Type), have, c.Op, values)
}

func isScalar(text string) bool {
	kind := kindOr(baseOf(text), "S")
	return !strings.HasPrefix(text, "set<") && kind != "L" && kind != "M" && kind != "B"
}

// compare decides a comparison of texts, or of numbers.
func compare(base, have, op string, values []string) bool {
	order := func(i int) int { return strings.Compare(have, values[i]) }
	if kinds[base] == "N" {
		order = func(i int) int { return compareNumbers(have, values[i]) }
	}
	switch op {
	case "in":
		return slices.ContainsFunc(values, func(v string) bool { return have == v || kinds[base] == "N" && compareNumbers(have, v) == 0 })
	case "between":
		return order(0) >= 0 && order(1) <= 0
	case "begins_with":
		return strings.HasPrefix(have, values[0])
	case "=":
		return order(0) == 0
	case "!=":
		return order(0) != 0
	case "<":
		return order(0) < 0
	case "<=":
		return order(0) <= 0
	case ">":
		return order(0) > 0
	}
	return order(0) >= 0
}

// compareNumbers compares exactly where it can.
func compareNumbers(a, b string) int {
	x, err := access.ParseDecimal(a)
	y, other := access.ParseDecimal(b)
	if err == nil && other == nil {
		return x.Cmp(y)
	}
	f, _ := strconv.ParseFloat(a, 64)
	g, _ := strconv.ParseFloat(b, 64)
	switch {
	case f < g:
		return -1
	case f > g:
		return 1
	}
	return 0
}
