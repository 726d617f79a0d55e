package speech

import (
	"slices"
	"strings"

	"sortkey.dev/apps/homeops/understanding"
)

// A Fault says why a text does not pass the tone gate.
type Fault string

// The faults. The empty Fault is none.
const (
	TooLong    Fault = "too_long"
	TooLoud    Fault = "emoji" // more than one
	Blame      Fault = "blame"
	Command    Fault = "command"
	Judgement  Fault = "judgement"
	Comparison Fault = "comparison"
)

// MaxLine is the length of a line in characters.
const MaxLine = 200

// phrases holds the word sequences that no text may have, in both languages: a household may mix
// them.
var phrases = map[Fault][]string{
	Blame: {
		"du borde", "ni borde", "ditt fel", "har inte gjort", "glömde igen", "varför har du", "skärp", "skärp dig", "slarvar",
		"you should", "your fault", "has not done", "hasn t done", "forgot again", "why have you", "why didn t you", "get it together",
	},
	Command: {
		"gör detta", "gör det nu", "du måste", "ni måste", "måste", "se till att",
		"do this", "do it now", "you must", "must", "have to", "has to", "make sure",
	},
	Judgement: {
		"bra jobbat", "dåligt", "dålig", "duktig", "duktigt", "fantastiskt", "lat", "lata", "snyggt jobbat", "bäst", "sämst",
		"good job", "great job", "well done", "badly", "bad job", "not good", "lazy", "awesome", "best", "worst", "proud",
	},
	Comparison: {
		"mer än", "mindre än", "bättre än", "sämre", "sämre än", "oftare än", "mest av alla",
		"more than", "less than", "better than", "worse", "worse than", "more often than", "fewer than",
	},
}

// comparatives are words that compare two members when both are named in a line.
var comparatives = []string{
	"mer", "mindre", "fler", "färre", "oftare", "bättre", "sämre", "mest", "minst", "än", "före", "leder",
	"more", "less", "fewer", "better", "worse", "most", "least", "than", "ahead", "leads",
}

// absolutes blame together with "you".
var absolutes = []string{"alltid", "aldrig", "always", "never"}

var you = []string{"du", "ni", "dig", "you"}

// Check returns the first fault of a text with the given number of lines at most; members are the
// names of the household.
func Check(text string, maxLines int, members []string) Fault {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if len(lines) > maxLines || strings.TrimSpace(text) == "" {
		return TooLong
	}
	emoji := 0
	for _, r := range text {
		if isEmoji(r) {
			emoji++
		}
	}
	if emoji > 1 {
		return TooLoud
	}
	for _, line := range lines {
		if len([]rune(line)) > MaxLine {
			return TooLong
		}
		if fault := checkLine(line, members); fault != "" {
			return fault
		}
	}
	return ""
}

func checkLine(line string, members []string) Fault {
	words := understanding.Words(line)
	joined := " " + strings.Join(words, " ") + " "
	for _, fault := range []Fault{Blame, Command, Judgement, Comparison} {
		for _, phrase := range phrases[fault] {
			if strings.Contains(joined, " "+phrase+" ") {
				return fault
			}
		}
	}
	has := func(any []string) bool {
		return slices.ContainsFunc(any, func(w string) bool { return slices.Contains(words, w) })
	}
	if has(absolutes) && has(you) {
		return Blame
	}
	named := 0
	for _, name := range members {
		if parts := understanding.Words(name); len(parts) > 0 && strings.Contains(joined, " "+strings.Join(parts, " ")+" ") {
			named++
		}
	}
	if named >= 2 && has(comparatives) {
		return Comparison
	}
	return ""
}

// isEmoji reports whether a character is shown as a picture. Arrows and the check mark of our own
// sentences count too.
func isEmoji(r rune) bool {
	return r >= 0x1F000 || r >= 0x2600 && r <= 0x27BF || r >= 0x2190 && r <= 0x21FF
}
