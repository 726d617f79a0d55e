// Package reply reads short answers to the bot's own questions: yes or no to "Menade du diskning?",
// and how heavy an activity was.
//
// It is no classifier: it is applied only to replies and buttons, where "aa" is an answer. The
// system's ingest calls it before it classifies a reply; the rest after a "nej" goes to the
// classifier.
package reply

import (
	"strings"
	"unicode"

	"sortkey.dev/apps/homeops/understanding"
)

// An Answer is the answer of a reply.
type Answer string

// The answers.
const (
	Yes       Answer = "yes"
	No        Answer = "no"        // a bare denial
	Instead   Answer = "instead"   // a denial, and what is right: "nej, jag handlade"
	Ambiguous Answer = "ambiguous" // "kanske": do nothing
	None      Answer = "none"      // no answer: an ordinary message
)

// The words of both languages, folded: drawn-out vowels are written once.
var (
	yes = set("ja japp jepp jo precis absolut a aa mm okej ok jada jadå exakt korrekt stämmer visst självklart sant mhm jajemen jajamän yes yep yeah yup correct exactly right sure indeed true y j 👍 ✅ ✔ 👌 🙌 ☑ jup jaa jajamensan ja-a")
	no  = set("nej nä näe nix nope no nah nej-nej n 👎 ❌ 🚫 nejdå nepp")
	// Words that sound like a denial and are none.
	maybe  = set("kanske typ nja njä maybe perhaps kinda sorta möjligen eventuellt hmm hm tja dunno")
	unless = set("nähä nämen nåja noja")
)

// phrases maps answers of several words.
var phrases = map[string]Answer{
	"just det": Yes, "det stämmer": Yes, "det gjorde jag": Yes, "ja tack": Yes, "ja precis": Yes, "ja det gjorde jag": Yes,
	"that's right": Yes, "i did": Yes, "yes i did": Yes, "yes please": Yes,
	"inte riktigt": Ambiguous, "vet inte": Ambiguous, "vet ej": Ambiguous, "ingen aning": Ambiguous, "not really": Ambiguous,
	"not sure": Ambiguous, "sort of": Ambiguous, "i guess": Ambiguous, "både ja och nej": Ambiguous, "yes and no": Ambiguous,
	"det stämmer inte": No, "inte alls": No, "not at all": No, "det gjorde jag inte": No, "i didn't": No,
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[fold(w)] = true
	}
	return m
}

// fold returns a word in lower case with runs of equal vowels and of three letters written once.
func fold(word string) string {
	var b strings.Builder
	var previous rune
	run := 0
	for _, r := range strings.ToLower(word) {
		if r == previous {
			run++
		} else {
			previous, run = r, 1
		}
		if run == 1 || run == 2 && !strings.ContainsRune("aeiouyåäö", r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Read returns the answer of a reply, and for Instead the text that follows the denial.
func Read(text string) (answer Answer, rest string) {
	words, ends := split(text)
	if len(words) == 0 {
		return None, ""
	}
	if a, ok := phrases[strings.Join(words, " ")]; ok {
		return a, ""
	}
	folded := make([]string, len(words))
	for i, w := range words {
		folded[i] = fold(w)
	}
	switch first := folded[0]; {
	case unless[first]:
		return None, ""
	case all(folded, yes):
		return Yes, ""
	case all(folded, no):
		return No, ""
	case maybe[first] && len(words) <= 3:
		return Ambiguous, ""
	case no[first]:
		rest := strings.TrimLeftFunc(text[ends[0]:], func(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) })
		if a, _ := Read(rest); a == Ambiguous || a == Yes {
			return Ambiguous, "" // "nej, eller jo"
		}
		return Instead, rest
	}
	return None, ""
}

// all reports whether every word is in a set.
func all(words []string, in map[string]bool) bool {
	for _, w := range words {
		if !in[w] {
			return false
		}
	}
	return true
}

// split returns the lower-case words and emoji of a text, and the offsets at which they end.
func split(text string) (words []string, ends []int) {
	start := -1
	flush := func(end int) {
		if start >= 0 {
			words, ends = append(words, strings.ToLower(strings.ReplaceAll(text[start:end], "’", "'"))), append(ends, end)
		}
		start = -1
	}
	for i, r := range text {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) && r < 0xFE00 || start >= 0 && (r == '\'' || r == '’' || r == '-'):
			if start < 0 {
				start = i
			}
		case unicode.IsSymbol(r) && !(r >= 0x1F3FB && r <= 0x1F3FF): // an emoji, without the colour of its skin
			flush(i)
			words, ends = append(words, string(r)), append(ends, i+len(string(r)))
		default:
			flush(i)
		}
	}
	flush(len(text))
	return words, ends
}

// efforts maps the words of a rating.
var efforts = map[string]understanding.Effort{
	"1": understanding.Low, "2": understanding.Medium, "3": understanding.High,
	"lätt": understanding.Low, "lagom": understanding.Medium, "tungt": understanding.High, "tung": understanding.High,
	"låg": understanding.Low, "medel": understanding.Medium, "hög": understanding.High, "jobbigt": understanding.High,
	"low": understanding.Low, "medium": understanding.Medium, "high": understanding.High,
	"easy": understanding.Low, "light": understanding.Low, "ok": understanding.Medium, "hard": understanding.High, "heavy": understanding.High,
}

// Effort returns the rating of a reply to "Hur tungt var …? 1 2 3". The rating must be the whole
// reply.
func Effort(text string) (understanding.Effort, bool) {
	words, _ := split(text)
	if len(words) != 1 {
		return "", false
	}
	e, ok := efforts[words[0]]
	return e, ok
}
