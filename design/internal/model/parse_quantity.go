package model

import (
	"fmt"
	"strings"
	"time"

	"sortkey.dev/design/internal/exact"
)

// A unit multiplies the number before it.
type unit struct {
	name string
	by   exact.Number
}

func unitNamed(units []unit, name string) (unit, bool) {
	for _, u := range units {
		if u.name == name {
			return u, true
		}
	}
	return unit{}, false
}

func unitNames(units []unit) []string {
	names := make([]string, len(units))
	for i, u := range units {
		names[i] = u.name
	}
	return names
}

// splitNumber splits a quantity into its number and the rest.
func splitNumber(text string) (number, rest string) {
	r := reader{text: text}
	number = r.run(func(c byte) bool { return isDigit(c) || c == '.' })
	return number, text[r.pos:]
}

// wrongUnit returns an error about the unit of a quantity.
func wrongUnit(text, found string, units []unit, meant map[string]string, form string) *SyntaxError {
	start := len(text) - len(found)
	hint := didYouMean(found, unitNames(units))
	if m := meant[strings.ToLower(found)]; m != "" {
		hint = fmt.Sprintf("; did you mean %s?", m)
	}
	if found == "" {
		return failAll(text, "%s has no unit: write it as %s", shown(text), form)
	}
	return failAt(text, start, len(text), "there is no unit %s: write it as %s%s", shown(found), form, hint)
}

// rateUnits lists the units of rates, as multiples per month of 730 hours.
var rateUnits = []unit{
	{"s", exact.Int(HoursPerMonth * 3600)},
	{"minute", exact.Int(HoursPerMonth * 60)},
	{"hour", exact.Int(HoursPerMonth)},
	{"day", exact.Ratio(HoursPerMonth, 24)},
	{"week", exact.Ratio(HoursPerMonth, 7*24)},
	{"month", exact.One},
	{"year", exact.Ratio(1, 12)},
}

var meantRateUnits = map[string]string{
	"sec": "s", "second": "s", "min": "minute", "m": "minute", "h": "hour", "hr": "hour", "d": "day",
	"w": "week", "wk": "week", "mo": "month", "y": "year", "yr": "year", "daily": "day",
}

const rateForm = "50/day, 3/s or 1M/month"

// ParseRate parses a rate: 50/day, 0.5/s, 1M/month.
func ParseRate(text string) (Rate, *SyntaxError) {
	number, rest := splitNumber(text)
	n, err := exact.Parse(number)
	if err != nil {
		return Rate{}, failAll(text, "%s is not a rate: write it as %s", shown(text), rateForm)
	}
	suffix, per, slash := strings.Cut(rest, "/")
	by, known := magnitude(suffix)
	switch {
	case !slash:
		return Rate{}, failAll(text, "%s does not say per what: write it as %s", shown(text), rateForm)
	case !known:
		start := len(number)
		return Rate{}, failAt(text, start, start+len(suffix), "%s is not part of a rate: k and M are thousands and millions, as in %s", shown(suffix), rateForm)
	}
	u, ok := unitNamed(rateUnits, per)
	if !ok {
		return Rate{}, wrongUnit(text, per, rateUnits, meantRateUnits, rateForm)
	}
	return Rate{Text: text, PerMonth: n.Mul(by).Mul(u.by)}, nil
}

// magnitude returns the factor of a suffix.
func magnitude(suffix string) (exact.Number, bool) {
	switch suffix {
	case "":
		return exact.One, true
	case "k":
		return exact.Int(1000), true
	case "M":
		return exact.Int(1_000_000), true
	}
	return exact.Zero, false
}

var byteUnits = []unit{
	{"B", exact.One}, {"KB", exact.Int(1 << 10)}, {"MB", exact.Int(1 << 20)}, {"GB", exact.Int(1 << 30)},
}

var meantByteUnits = map[string]string{
	"b": "B", "byte": "B", "bytes": "B", "k": "KB", "kb": "KB", "kib": "KB", "m": "MB", "mb": "MB", "mib": "MB",
	"g": "GB", "gb": "GB", "gib": "GB", "tb": "GB", "tib": "GB",
}

const (
	bytesForm = "400B, 3.5KB, 2MB or 1GB"
	mostBytes = 1 << 50 // far above any table, far below what would overflow a sum
)

// ParseBytes parses a size in bytes: 400B, 3.5KB (of 1024), 2MB, 1GB. It rounds up to whole
// bytes.
func ParseBytes(text string) (int64, *SyntaxError) {
	number, rest := splitNumber(text)
	n, err := exact.Parse(number)
	if err != nil {
		return 0, failAll(text, "%s is not a size: write it as %s", shown(text), bytesForm)
	}
	u, ok := unitNamed(byteUnits, rest)
	if !ok {
		return 0, wrongUnit(text, rest, byteUnits, meantByteUnits, bytesForm)
	}
	size := n.Mul(u.by).Ceil()
	if exact.Int(mostBytes).Less(size) {
		return 0, failAll(text, "%s is larger than any table: sizes go up to %dGB", shown(text), mostBytes>>30)
	}
	return size.Int64(), nil
}

var durationUnits = []unit{
	{"m", exact.Int(60)}, {"h", exact.Int(3600)}, {"d", exact.Int(24 * 3600)},
	{"w", exact.Int(7 * 24 * 3600)}, {"y", exact.Int(365 * 24 * 3600)},
}

var meantDurationUnits = map[string]string{
	"s": "m", "min": "m", "minute": "m", "minutes": "m", "hour": "h", "hours": "h", "day": "d", "days": "d",
	"week": "w", "weeks": "w", "year": "y", "years": "y", "month": "30d", "months": "30d", "mo": "30d",
}

const (
	durationForm = "30m, 24h, 90d, 4w or 2y"
	mostSeconds  = 100 * 365 * 24 * 3600
)

// ParseDuration parses a duration of whole seconds: 30m, 24h, 90d, 4w, 2y (of 365 days).
func ParseDuration(text string) (Duration, *SyntaxError) {
	number, rest := splitNumber(text)
	n, err := exact.Parse(number)
	if err != nil {
		return 0, failAll(text, "%s is not a duration: write it as %s", shown(text), durationForm)
	}
	u, ok := unitNamed(durationUnits, rest)
	if !ok {
		return 0, wrongUnit(text, rest, durationUnits, meantDurationUnits, durationForm)
	}
	seconds := n.Mul(u.by)
	switch {
	case seconds.IsZero():
		return 0, failAll(text, "a duration must be positive; omit it if there is no limit")
	case exact.Int(mostSeconds).Less(seconds):
		return 0, failAll(text, "%s is too long: durations go up to 100y; omit it if there is no limit", shown(text))
	case !seconds.IsInt():
		return 0, failAll(text, "%s is not a whole number of seconds: write it as %s", shown(text), durationForm)
	}
	return Duration(time.Duration(seconds.Int64()) * time.Second), nil
}
