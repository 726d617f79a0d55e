package timewords

import (
	"strings"
	"time"
)

// swedish returns the Swedish time words.
func swedish() *table {
	t := newTable(map[string]Expression{
		"sen, sedan, senare, lite senare, senare idag, senare i dag":                                       {direction: future, part: later},
		"strax, snart, alldeles strax, om en stund, om ett tag":                                            {direction: future, part: soon},
		"idag, i dag, under dagen":                                                                         {day: daysAway},
		"nyss, precis, alldeles nyss, just nu":                                                             {direction: past, part: soon},
		"ikväll, i kväll, ikvell, ikvall, i afton":                                                         {day: daysAway, part: evening},
		"på kvällen, kväll, till kvällen":                                                                  {part: evening},
		"efter jobbet, efter middagen, efter maten, efter kvällsmaten, efter läggningen, efter nattningen": {part: evening},
		"i eftermiddag, ieftermiddag":                                                                      {day: daysAway, part: afternoon},
		"på eftermiddagen, eftermiddag, efter skolan, efter lunch":                                         {part: afternoon},
		"i förmiddag, iförmiddag":                                                                          {day: daysAway, part: forenoon},
		"på förmiddagen, förmiddag, innan lunch, före lunch, till lunch":                                   {part: forenoon},
		"på lunchen, vid lunch, på lunchrasten":                                                            {part: noon},
		"inatt, i natt":   {day: daysAway, part: night},
		"imorse, i morse": {direction: past, day: daysAway, part: morning},
		"imorgon, i morgon, imorn, imorrn, imorron, i morrn, imoron":         {direction: future, day: daysAway, n: 1},
		"imorgon bitti, i morgon bitti, imorn bitti, imorrn bitti":           {direction: future, day: daysAway, n: 1, part: morning},
		"bitti, på morgonen, tidigt, direkt på morgonen":                     {part: morning},
		"innan jobbet, före jobbet, innan skolan, innan frukost":             {part: morning},
		"i övermorgon, iövermorgon, övermorgon":                              {direction: future, day: daysAway, n: 2},
		"igår, i går, igårkväll":                                             {direction: past, day: daysAway, n: -1},
		"igår kväll, i går kväll":                                            {direction: past, day: daysAway, n: -1, part: evening},
		"igår morse, igår morgon":                                            {direction: past, day: daysAway, n: -1, part: morning},
		"i förrgår, iförrgår, förrgår, häromdagen":                           {direction: past, day: daysAway, n: -2},
		"i helgen, till helgen, nu i helgen, under helgen, på helgen":        {direction: future, day: weekend},
		"innan helgen, före helgen":                                          {direction: future, day: weekend, before: true},
		"nästa helg":                                                         {direction: future, day: weekend, n: 1},
		"i veckan, den här veckan, denna vecka, den här vecka, under veckan": {direction: future, day: week},
		"nästa vecka, nästkommande vecka, nästa v":                           {direction: future, day: week, n: 1},
		"innan nästa vecka, före nästa vecka":                                {direction: future, day: week, n: 1, before: true},
		"förra veckan":                                                       {direction: past, day: daysAway, n: -7},
		"i helgen som var, förra helgen":                                     {direction: past, day: weekend, n: -1},
		"tidigare idag, tidigare i dag":                                      {direction: past, part: soon},
		"före midnatt, innan midnatt, innan läggdags, innan jag lägger mig":  {part: night},
		"före middagen, innan middagen, innan middag, till middagen":         {part: afternoon},
		"förra månaden":                                                      {direction: past, span: span{set: true, months: 1}},
		"nästa månad":                                                        {direction: future, span: span{set: true, months: 1}},
		"förra året, i fjol":                                                 {direction: past, span: span{set: true, months: 12}},
	})
	t.numbers = map[string]int{
		"en": 1, "ett": 1, "två": 2, "tre": 3, "fyra": 4, "fem": 5, "sex": 6, "sju": 7, "åtta": 8, "nio": 9, "tio": 10,
		"elva": 11, "tolv": 12, "femton": 15, "tjugo": 20, "trettio": 30, "fyrtio": 40, "fyrtiofem": 45, "några": 3,
	}
	t.units = units(map[string]span{
		"min minut minuter": {seconds: 60}, "tim timme timmar timma": {seconds: 3600}, "halvtimme halvtimma": {seconds: 1800},
		"kvart": {seconds: 900}, "dag dagar dygn": {days: 1}, "vecka veckor": {days: 7}, "månad månader": {months: 1},
	})
	t.weekdays = weekdays("söndag måndag tisdag onsdag torsdag fredag lördag")
	t.months = months("januari februari mars april maj juni juli augusti september oktober november december",
		"jan feb mar apr maj jun jul aug sep okt nov dec")
	t.grammar = swedishGrammar
	return t
}

// swedishGrammar reads "om en timme", "för två dagar sen", "kl 16", "halv sju", "på fredag", "i
// måndags", "den 20:e mars", "3 mars", "före 3 mars", "senast 3 mars".
func swedishGrammar(t *table, words []string, i int) (Expression, int) {
	switch w := word(words, i); w {
	case "om", "inom":
		if s, n := t.distance(words, i+1); n > 0 {
			return Expression{direction: future, span: s}, n + 1
		}
	case "för":
		if s, n := t.distance(words, i+1); n > 0 && (word(words, i+1+n) == "sen" || word(words, i+1+n) == "sedan") {
			return Expression{direction: past, span: s}, n + 2
		}
	case "kl", "klockan", "vid", "klocka":
		if w == "kl" && word(words, i+1) == "." {
			e, n := swedishGrammar(t, append([]string{"kl"}, words[i+2:]...), 0)
			return e, n + min(n, 1)
		}
		if e, n := t.halfPast(words, i+1); n > 0 {
			return e, n + 1
		}
		if c, n, bare := t.hours(words, i+1); n > 0 && !(w == "vid" && bare && len(word(words, i+1)) > 2) {
			return Expression{clock: c}, n + 1
		}
	case "halv":
		return t.halfPast(words, i)
	case "före", "innan":
		if e, n := swedishGrammar(t, words, i+1); n > 0 && e.day == monthDay {
			e.before = true
			return e, n + 1
		}
	case "senast":
		if e, n := swedishGrammar(t, words, i+1); n > 0 && e.day == monthDay {
			e.direction = future
			return e, n + 1
		}
	case "den":
		return t.swedishDate(words, i+1)
	}
	if c, n, bare := t.hours(words, i); n > 0 && !bare {
		return Expression{clock: c}, n
	}
	if t.months[word(words, i+1)] != 0 {
		if e, n := t.swedishDate(words, i); n > 0 {
			return e, n - 1
		}
	}
	return t.swedishWeekday(words, i)
}

// halfPast reads "halv sju", half past six.
func (t *table) halfPast(words []string, i int) (Expression, int) {
	if word(words, i) != "halv" {
		return Expression{}, 0
	}
	c, n, bare := t.hours(words, i+1)
	if n == 0 || !bare || c.hour == 0 || c.hour > 12 {
		return Expression{}, 0
	}
	hour := c.hour - 1
	if hour == 0 {
		hour = 12
	}
	return Expression{clock: clock{set: true, hour: hour, minute: 30}}, n + 1
}

// swedishDate reads "20:e" and "3 mars" and counts a word "den" before it.
func (t *table) swedishDate(words []string, i int) (Expression, int) {
	digits, ordinal := word(words, i), false
	for _, suffix := range []string{":e", ":a", "e", "a"} {
		if rest, ok := strings.CutSuffix(digits, suffix); ok {
			digits, ordinal = rest, true
			break
		}
	}
	n, ok := t.number(digits)
	month := t.months[word(words, i+1)]
	switch {
	case !ok || !ordinal && month == 0 || t.numbers[digits] != 0:
		return Expression{}, 0
	case month == 0:
		return onDay(n, 0, 2)
	}
	return onDay(n, month, 3)
}

// swedishWeekday reads a weekday with the words around it.
func (t *table) swedishWeekday(words []string, i int) (Expression, int) {
	if word(words, i) == "i" {
		if name, ok := strings.CutSuffix(word(words, i+1), "s"); ok {
			if d, ok := t.weekdays[name]; ok {
				return Expression{direction: past, day: onWeekday, weekday: d}, 2
			}
		}
	}
	e := Expression{direction: future, day: onWeekday}
	length := 0
	for ; length < 3; length++ {
		w := word(words, i+length)
		if d, ok := t.weekdays[strings.TrimSuffix(w, "en")]; ok {
			e.weekday = d
			return e, length + 1
		}
		switch w {
		case "på", "till", "senast", "nu", "under":
		case "före", "innan":
			e.before = true
		case "nästa":
			e.day = nextWeek
		case "förra":
			e.direction = past
		default:
			return Expression{}, 0
		}
	}
	return Expression{}, 0
}

// units returns the spans by each of the words that name them.
func units(lists map[string]span) map[string]span {
	m := map[string]span{}
	for list, s := range lists {
		s.set = true
		for w := range strings.FieldsSeq(list) {
			m[w] = s
		}
	}
	return m
}

// weekdays returns the days by their names, which are given from Sunday on.
func weekdays(names string) map[string]time.Weekday {
	m := map[string]time.Weekday{}
	for i, name := range strings.Fields(names) {
		m[name] = time.Weekday(i)
	}
	return m
}

// months returns the months by their names and short names.
func months(lists ...string) map[string]time.Month {
	m := map[string]time.Month{}
	for _, names := range lists {
		for i, name := range strings.Fields(names) {
			m[name] = time.Month(i + 1)
		}
	}
	return m
}

// onDay returns the expression of a day of a month, or of any month if it is 0, and its number of
// words. There is none for a day that no year has, such as 31 February.
func onDay(n int, month time.Month, length int) (Expression, int) {
	leap := civil{2028, max(month, time.January), n}
	if n == 0 || !leap.exists() {
		return Expression{}, 0
	}
	return Expression{day: monthDay, n: n, month: month}, length
}
