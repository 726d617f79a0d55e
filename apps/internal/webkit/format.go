package webkit

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Number returns a whole number with its digits in groups: 12,345.
func Number[N ~int | ~int32 | ~int64 | ~uint64](n N) string {
	return group(fmt.Sprint(n))
}

// Decimal returns a number with up to places digits after the point: 1,234.5.
func Decimal(n float64, places int) string {
	if math.IsNaN(n) || math.IsInf(n, 0) {
		return "–"
	}
	text := strconv.FormatFloat(n, 'f', places, 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	if text == "-0" {
		return "0"
	}
	return group(text)
}

// group sets commas between the thousands of a number in text.
func group(text string) string {
	sign, digits := "", text
	if strings.HasPrefix(text, "-") {
		sign, digits = "−", text[1:]
	}
	whole, part, point := strings.Cut(digits, ".")
	var out strings.Builder
	out.WriteString(sign)
	for i, digit := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			out.WriteByte(',')
		}
		out.WriteRune(digit)
	}
	if point {
		out.WriteString("." + part)
	}
	return out.String()
}

// Percent returns a share of 1 as a percentage: 42 %.
func Percent(share float64) string {
	if share > 0 && share < 0.01 {
		return "< 1 %"
	}
	return Decimal(math.Round(share*100), 0) + " %"
}

// Money returns an amount in hundredths with its currency: €12.50, 12.50 SEK.
func Money(cents int64, currency string) string {
	sign := ""
	magnitude := uint64(cents)
	if cents < 0 {
		sign = "−"
		magnitude = -magnitude
	}
	amount := fmt.Sprintf("%s.%02d", Number(magnitude/100), magnitude%100)
	switch currency {
	case "":
		return sign + amount
	case "EUR":
		return sign + "€" + amount
	case "USD":
		return sign + "$" + amount
	case "GBP":
		return sign + "£" + amount
	}
	return sign + amount + "\u00a0" + currency
}

// Bytes returns a size: 1.5 MB.
func Bytes(n int64) string {
	size, unit := float64(n), 0
	units := []string{"B", "KB", "MB", "GB", "TB"}
	for math.Abs(size) >= 1000 && unit < len(units)-1 {
		size /= 1000
		unit++
	}
	places := 1
	if unit == 0 || math.Abs(size) >= 100 {
		places = 0
	}
	return Decimal(size, places) + " " + units[unit]
}

// Duration returns a length of time in its two largest units: "2 h 5 min", "45 s".
func Duration(d time.Duration) string {
	if d < 0 {
		return "−" + Duration(-max(d, -math.MaxInt64))
	}
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%d s", d/time.Second)
	case d < time.Hour:
		return twoUnits(d, time.Minute, "min", time.Second, "s")
	case d < 24*time.Hour:
		return twoUnits(d, time.Hour, "h", time.Minute, "min")
	}
	const day = 24 * time.Hour
	count := Number(int64(d / day))
	text := count + " days"
	if count == "1" {
		text = "1 day"
	}
	if hours := d % day / time.Hour; hours > 0 && d < 10*day {
		text += fmt.Sprintf(" %d h", hours)
	}
	return text
}

func twoUnits(d, large time.Duration, largeName string, small time.Duration, smallName string) string {
	text := fmt.Sprintf("%d %s", d/large, largeName)
	if rest := d % large / small; rest > 0 {
		text += fmt.Sprintf(" %d %s", rest, smallName)
	}
	return text
}

// Clock returns a length of time as a clock shows it: 4:05, 1:02:03.
func Clock(d time.Duration) string {
	d = max(d, 0)
	h, m, s := d/time.Hour, d/time.Minute%60, d/time.Second%60
	if h > 0 {
		return fmt.Sprintf("%d:%02d:%02d", h, m, s)
	}
	return fmt.Sprintf("%d:%02d", m, s)
}

// Relative returns a time as seen from now: "5 minutes ago", "in 2 hours", "just now".
func Relative(at, now time.Time) string {
	d := now.Sub(at)
	ahead := d < 0
	if ahead {
		d = -max(d, -math.MaxInt64)
	}
	if d < 45*time.Second {
		if ahead {
			return "in a moment"
		}
		return "just now"
	}
	text := roughly(d)
	if ahead {
		return "in " + text
	}
	return text + " ago"
}

func roughly(d time.Duration) string {
	const day = 24 * time.Hour
	for _, unit := range []struct {
		below, size time.Duration
		name        string
	}{
		{time.Hour - 30*time.Second, time.Minute, "minute"},
		{day - 30*time.Minute, time.Hour, "hour"},
		{30 * day, day, "day"},
		{365 * day, 30 * day, "month"},
		{math.MaxInt64, 365 * day, "year"},
	} {
		if d < unit.below {
			n := max(1, (d+unit.size/2)/unit.size)
			return plural(int(n), unit.name)
		}
	}
	return "a long time"
}

func plural(n int, name string) string {
	if n == 1 {
		return "1 " + name
	}
	return Number(n) + " " + name + "s"
}

// Exact returns a time to the minute with its zone.
func Exact(at time.Time) string { return at.Format("Mon 2 Jan 2006, 15:04 MST") }

// Initials returns the first letters of the first and the last word of a name.
func Initials(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return r == ' ' || r == '-' || r == '_' || r == '.' || r == '@' })
	if len(words) == 0 {
		return "?"
	}
	first := []rune(words[0])
	text := string(first[:1])
	if len(words) > 1 {
		text += string([]rune(words[len(words)-1])[:1])
	}
	return strings.ToUpper(text)
}
