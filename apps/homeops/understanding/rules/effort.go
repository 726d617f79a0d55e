package rules

import (
	"strconv"
	"strings"

	"sortkey.dev/apps/homeops/understanding"
)

// effort returns how heavy the message calls an activity: by its words, or by the time it took.
// Only the clause itself and clauses without an activity of their own count.
func (p *parser) effort(all []clause, i int) (understanding.Effort, bool) {
	for k := range all {
		if all[k].sentence != all[i].sentence && k != i+1 && k != i-1 {
			continue
		}
		if _, own := all[k].match(); own && k != i {
			continue
		}
		set := all[k].all()
		if minutes := duration(all[k].tokens); minutes > 0 {
			return effortOf(minutes), true
		}
		switch {
		case set&heavy != 0:
			return understanding.High, true
		case set&easy != 0:
			return understanding.Low, true
		}
	}
	return "", false
}

// effortOf grades a duration: up to a quarter of an hour is low, up to an hour medium.
func effortOf(minutes int) understanding.Effort {
	switch {
	case minutes < 15:
		return understanding.Low
	case minutes <= 60:
		return understanding.Medium
	}
	return understanding.High
}

// numbers are the number words of durations in both languages.
var numbers = map[string]int{
	"en": 1, "ett": 1, "a": 1, "an": 1, "one": 1, "två": 2, "two": 2, "tre": 3, "three": 3, "fyra": 4, "four": 4, "fem": 5,
	"five": 5, "sex": 6, "six": 6, "tio": 10, "ten": 10, "femton": 15, "fifteen": 15, "tjugo": 20, "twenty": 20, "trettio": 30, "thirty": 30,
}

// units are the minutes of a unit of time.
var units = map[string]int{
	"min": 1, "mins": 1, "minut": 1, "minuter": 1, "minute": 1, "minutes": 1, "tim": 60, "timme": 60, "timmar": 60, "timma": 60,
	"h": 60, "hour": 60, "hours": 60, "halvtimme": 30, "kvart": 15,
}

// duration returns the minutes of a phrase such as "två timmar", or 0. Time expressions like "om
// en timme" are joined tokens and do not count.
func duration(tokens []token) int {
	var words []string
	for i := range tokens {
		if tokens[i].time == nil {
			words = append(words, strings.Fields(tokens[i].text)...)
		}
	}
	for i := 1; i < len(words); i++ {
		unit, ok := units[words[i]]
		if !ok {
			continue
		}
		if n, ok := numbers[words[i-1]]; ok {
			return n * unit
		}
		if n, err := strconv.Atoi(words[i-1]); err == nil && n > 0 && n < 1000 {
			return n * unit
		}
	}
	return 0
}
