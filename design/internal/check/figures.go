package check

import (
	"strings"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/figures"
)

// aName returns a name with its article: an Attempt, a Question.
func aName(name string) string {
	if name != "" && strings.ContainsRune("AEIOaeio", rune(name[0])) {
		return "an " + name
	}
	return "a " + name
}

// money formats an amount for a sentence.
func money(n exact.Number) string {
	if n.Sign() > 0 && n.Less(exact.Ratio(1, 100)) {
		return "less than a cent"
	}
	return "$" + figures.Grouped(n.Fixed(2))
}

// figure formats a number, without decimals above ten and with one below.
func figure(n exact.Number) string {
	if n.Less(exact.Int(10)) {
		return n.Round(1).String()
	}
	return figures.Grouped(n.Fixed(0))
}

// counted formats a number with its noun: 1 day, 30 days.
func counted(n exact.Number, thing string) string {
	if n.Equal(exact.One) {
		return "1 " + thing
	}
	return n.String() + " " + thing + "s"
}

// gigabytes formats a number of bytes in GB.
func gigabytes(bytes exact.Number) string { return figure(bytes.Over(1<<30)) + " GB" }
