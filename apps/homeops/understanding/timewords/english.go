package timewords

import (
	"slices"
	"strconv"
	"strings"
)

// english returns the English time words.
func english() *table {
	t := newTable(map[string]Expression{
		"later, later today, a bit later, later on, in a bit, in a while": {direction: future, part: later},
		"soon, shortly, in a minute, in a moment, in a sec":               {direction: future, part: soon},
		"today": {day: daysAway},
		"just now, earlier, earlier today, a moment ago, a while ago":      {direction: past, part: soon},
		"tonight, this evening, tonite, 2nite":                             {day: daysAway, part: evening},
		"in the evening, evening, after work, after dinner, after bedtime": {part: evening},
		"night":          {part: evening},
		"this afternoon": {day: daysAway, part: afternoon},
		"in the afternoon, afternoon, after school, after lunch": {part: afternoon},
		"this morning": {day: daysAway, part: morning},
		"in the morning, morning, first thing, before work, before school": {part: morning},
		"before lunch, before noon, by noon, by lunch, by lunchtime":       {part: forenoon},
		"at lunch, at noon, over lunch, during lunch, at lunchtime":        {part: noon},
		"before dinner, before supper, by dinner":                          {part: afternoon},
		"before midnight, by midnight, before bed, before bedtime":         {part: night},
		"tomorrow, tmrw, tmr, tomorow, tommorow, tommorrow, 2moro":         {direction: future, day: daysAway, n: 1},
		"the day after tomorrow, day after tomorrow":                       {direction: future, day: daysAway, n: 2},
		"by tomorrow":     {direction: future, day: daysAway, n: 1},
		"yesterday, ystd": {direction: past, day: daysAway, n: -1},
		"last night, yesterday evening, yesterday night": {direction: past, day: daysAway, n: -1, part: evening},
		"yesterday morning":   {direction: past, day: daysAway, n: -1, part: morning},
		"yesterday afternoon": {direction: past, day: daysAway, n: -1, part: afternoon},
		"the day before yesterday, day before yesterday, the other day":  {direction: past, day: daysAway, n: -2},
		"this weekend, at the weekend, on the weekend, over the weekend": {day: weekend},
		"by the weekend, before the weekend":                             {direction: future, day: weekend, before: true},
		"next weekend":                                                   {direction: future, day: weekend, n: 1},
		"last weekend":                                                   {direction: past, day: weekend, n: -1},
		"this week, later this week, by the end of the week":             {direction: future, day: week},
		"next week, sometime next week":                                  {direction: future, day: week, n: 1},
		"before next week":                                               {direction: future, day: week, n: 1, before: true},
		"last week":                                                      {direction: past, day: daysAway, n: -7},
		"by tonight, by this evening":                                    {direction: future, day: daysAway, part: evening},
		"last month":                                                     {direction: past, span: span{set: true, months: 1}},
		"next month":                                                     {direction: future, span: span{set: true, months: 1}},
		"last year":                                                      {direction: past, span: span{set: true, months: 12}},
	})
	t.numbers = map[string]int{
		"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
		"eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "half": 1,
	}
	t.units = units(map[string]span{
		"min mins minute minutes": {seconds: 60}, "hour hours hr hrs h": {seconds: 3600}, "day days": {days: 1},
		"week weeks": {days: 7}, "month months": {months: 1},
	})
	t.weekdays = weekdays("sunday monday tuesday wednesday thursday friday saturday")
	t.months = months("january february march april may june july august september october november december",
		"jan feb mar apr may jun jul aug sep oct nov dec")
	t.grammar = englishGrammar
	return t
}

// englishGrammar reads "in an hour", "two days ago", "at 4", "half past six", "on Friday", "on the
// 20th of March", "3 March", "before 3 March", "by 3 March".
func englishGrammar(t *table, words []string, i int) (Expression, int) {
	switch w := word(words, i); w {
	case "in", "within":
		if s, n := t.englishDistance(words, i+1); n > 0 {
			return Expression{direction: future, span: s}, n + 1
		}
	case "at", "by", "around", "before", "about":
		if e, n := t.pastTheHour(words, i+1); n > 0 {
			return e, n + 1
		}
		if c, n, bare := t.hours(words, i+1); n > 0 && (w == "at" || !bare) && t.units[word(words, i+1+n)] == (span{}) {
			return Expression{clock: c}, n + 1
		}
		if e, n := t.englishDate(words, i+1); n > 0 && w == "before" {
			e.before = true
			return e, n + 1
		} else if n > 0 && w == "by" {
			e.direction = future
			return e, n + 1
		}
	case "half", "quarter":
		if e, n := t.pastTheHour(words, i); n > 0 {
			return e, n
		}
	case "on":
		if e, n := t.englishDate(words, i+1); n > 0 {
			return e, n + 1
		}
	}
	if s, n := t.englishDistance(words, i); n > 0 && word(words, i+n) == "ago" {
		return Expression{direction: past, span: s}, n + 1
	}
	if c, n, bare := t.hours(words, i); n > 0 && !bare {
		return Expression{clock: c}, n
	}
	if first := word(words, i); first != "the" && first != "may" && word(words, i+1) != "may" {
		if e, n := t.englishDate(words, i); n > 0 && e.month != 0 {
			return e, n
		}
	}
	return t.englishWeekday(words, i)
}

// englishDistance reads "an hour", "20 min" and "half an hour".
func (t *table) englishDistance(words []string, i int) (span, int) {
	if word(words, i) == "half" && word(words, i+1) == "an" && word(words, i+2) == "hour" {
		return span{set: true, seconds: 1800}, 3
	}
	if word(words, i) == "half" {
		return span{}, 0
	}
	return t.distance(words, i)
}

// pastTheHour reads "half past six", "half six" and "quarter to nine".
func (t *table) pastTheHour(words []string, i int) (Expression, int) {
	minute, skip := 30, 1
	switch word(words, i) {
	case "half":
	case "quarter":
		minute = 15
	default:
		return Expression{}, 0
	}
	switch word(words, i+1) {
	case "past":
		skip = 2
	case "to":
		minute, skip = -minute, 2
	}
	if minute != 30 && skip == 1 {
		return Expression{}, 0
	}
	c, n, bare := t.hours(words, i+skip)
	if n == 0 || !bare || c.hour == 0 || c.hour > 12 || word(words, i+skip) == "a" || word(words, i+skip) == "an" {
		return Expression{}, 0
	}
	hour := c.hour
	if minute < 0 {
		minute += 60
		if hour--; hour == 0 {
			hour = 12
		}
	}
	return Expression{clock: clock{set: true, hour: hour, minute: minute}}, n + skip
}

// lengths are units after which "march 10" is no day: "I will march 10 km".
var lengths = []string{"km", "kilometers", "kilometres", "miles", "meters", "metres", "m", "steps", "laps"}

// modals are words after which "march" is a verb, and wishes those after which "to march" is one: "move it to march 10" is a date.
var (
	modals = strings.Fields("will 'll can could should shall must would might may gonna gotta") // package rules splits "I'll"
	wishes = strings.Fields("want wants wanted have has had need needs going like love plan hope try used ought got able ready promise")
)

// isVerb reports whether the word at position i is the verb of "I will march 10" or "we have to march 10".
func isVerb(words []string, i int) bool {
	before := i - 1
	for slices.Contains([]string{"not", "n't", "also", "just", "probably"}, word(words, before)) {
		before--
	}
	return word(words, i) == "march" &&
		(slices.Contains(modals, word(words, before)) || word(words, before) == "to" && slices.Contains(wishes, word(words, before-1)))
}

// englishDate reads "the 20th", "the 3rd of March", "3 March" and "March 3rd".
func (t *table) englishDate(words []string, i int) (Expression, int) {
	if month := t.months[word(words, i)]; month != 0 {
		n, isOrdinal := dayNumber(word(words, i+1))
		if unit := word(words, i+2); !isOrdinal && (t.units[unit].set || slices.Contains(lengths, unit) || isVerb(words, i)) {
			return Expression{}, 0
		}
		return onDay(n, month, 2)
	}
	length := 1
	if word(words, i) == "the" {
		length++
	}
	n, isOrdinal := dayNumber(word(words, i+length-1))
	if word(words, i+length) == "of" && isOrdinal {
		length++
	}
	switch month := t.months[word(words, i+length)]; {
	case month != 0:
		return onDay(n, month, length+1)
	case isOrdinal && length == 2:
		return onDay(n, 0, length)
	}
	return Expression{}, 0
}

// dayNumber returns the number of "20th", "3rd" or "3", 0 if it is none.
func dayNumber(w string) (n int, ordinal bool) {
	for _, suffix := range []string{"st", "nd", "rd", "th"} {
		if digits, ok := strings.CutSuffix(w, suffix); ok {
			w, ordinal = digits, true
		}
	}
	n, err := strconv.Atoi(w)
	if err != nil || len(w) > 2 {
		return 0, false
	}
	return n, ordinal
}

// englishWeekday reads a weekday with the words around it. A weekday alone names no time: "the
// Sunday paper". "on Friday" may be past or future.
func (t *table) englishWeekday(words []string, i int) (Expression, int) {
	e := Expression{day: onWeekday}
	for length := 0; length < 3; length++ {
		w := word(words, i+length)
		if d, ok := t.weekdays[w]; ok {
			e.weekday = d
			return e, length + 1
		}
		switch w {
		case "on":
		case "by", "for", "this", "until":
			e.direction = future
		case "before":
			e.direction, e.before = future, true
		case "next":
			e.direction, e.day = future, nextWeek
		case "last":
			e.direction = past
		default:
			return Expression{}, 0
		}
	}
	return Expression{}, 0
}
