// Package figures formats numbers for people: money, quantities, shares and sizes. All
// packages of the design compiler format numbers with it, so that the terminal, the findings
// and the report agree.
package figures

import (
	"strings"

	"sortkey.dev/design/internal/exact"
)

// Money formats an amount: with two decimals, or four if it is less than a cent.
func Money(n exact.Number) string {
	switch {
	case n.Sign() < 0:
		return "-" + Money(exact.Zero.Sub(n))
	case n.IsZero():
		return "$0"
	case n.Less(exact.MustParse("0.0001")):
		return "<$0.0001"
	case n.Less(exact.One):
		return "$" + trimZeros(n.Fixed(4), 2)
	}
	return "$" + Grouped(n.Fixed(2))
}

// Quantity formats a number: grouped, with decimals only where they matter.
func Quantity(n exact.Number) string {
	switch {
	case n.IsInt():
		return Grouped(n.Fixed(0))
	case n.Less(exact.Ratio(1, 1000)):
		return n.String()
	case n.Less(exact.Int(10)):
		return trimZeros(n.Fixed(3), 0)
	case n.Less(exact.Int(1000)):
		return trimZeros(n.Fixed(1), 0)
	}
	return Grouped(n.Fixed(0))
}

// Percent formats a share of one as a percentage.
func Percent(n exact.Number) string { return trimZeros(n.Times(100).Fixed(1), 0) + " %" }

// Bytes formats a size in the largest unit that gives a number of at least one.
func Bytes(n exact.Number) string {
	for _, unit := range []struct {
		name string
		size int64
	}{{"TB", 1 << 40}, {"GB", 1 << 30}, {"MB", 1 << 20}, {"KB", 1 << 10}} {
		if !n.Less(exact.Int(unit.size)) {
			return trimZeros(n.Over(unit.size).Fixed(1), 0) + " " + unit.name
		}
	}
	return n.Fixed(0) + " B"
}

// trimZeros removes trailing zeros of the decimals, but keeps at least keep decimals.
func trimZeros(s string, keep int) string {
	whole, decimals, ok := strings.Cut(s, ".")
	if !ok {
		return Grouped(s)
	}
	for len(decimals) > keep && strings.HasSuffix(decimals, "0") {
		decimals = decimals[:len(decimals)-1]
	}
	if decimals == "" {
		return Grouped(whole)
	}
	return Grouped(whole) + "." + decimals
}

// Grouped inserts commas between groups of three digits.
func Grouped(s string) string {
	whole, decimals, dot := strings.Cut(s, ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if dot {
		return sign + whole + "." + decimals
	}
	return sign + whole
}
