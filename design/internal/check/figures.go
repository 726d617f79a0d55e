package check

import (
	"strings"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/figures"
)

// aName is a name with its article: an Attempt, a Question.
func aName(name string) string {
	if name != "" && strings.ContainsRune("AEIOaeio", rune(name[0])) {
		return "an " + name
	}
	return "a " + name
}

// money is an amount a month as a sentence holds it.
func money(n exact.Number) string {
	if n.Sign() > 0 && n.Less(exact.Ratio(1, 100)) {
		return "less than a cent"
	}
	return "$" + figures.Grouped(n.Fixed(2))
}

// figure is a count of something, to a whole number above ten and to one decimal below.
func figure(n exact.Number) string {
	if n.Less(exact.Int(10)) {
		return n.Round(1).String()
	}
	return figures.Grouped(n.Fixed(0))
}

// counted is a number of things: 1 day, 30 days.
func counted(n exact.Number, thing string) string {
	if n.Equal(exact.One) {
		return "1 " + thing
	}
	return n.String() + " " + thing + "s"
}

// gigabytes are bytes as a sentence holds them.
func gigabytes(bytes exact.Number) string { return figure(bytes.Over(1<<30)) + " GB" }
