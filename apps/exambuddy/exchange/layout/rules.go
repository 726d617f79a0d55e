package layout

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"sortkey.dev/internal/lazyregexp"
)

var (
	plainNumber    = lazyregexp.New(`^(?:Q\s*)?(\d{1,4})\s*[.):]\s*(.*)$`)
	explicitNumber = lazyregexp.New(`(?i)^(?:q|question|fråga|frage|spørsmål|spørgsmål|kysymys)\.?\s*(?:no\.?|nr\.?|number|#)?\s*:?\s*#?(\d{1,4})\b\s*(?:of\s+\d+)?\s*[.):–-]*\s*(.*)$`)
	letterOption   = lazyregexp.New(`^([✓✔√☑*]\s*)?[(\[]?([A-Ja-j])(?:[.):\]]|\s*[–-])\s*(.*)$`)
	boxLine        = lazyregexp.New(`^(?:[-•]\s*)?([☐☑☒○◯●□■◻◼]|\[[ xX✓✔]?\])\s+(.+)$`)

	answerLine = lazyregexp.New(`(?i)^[-*•]?\s*(?:(?:the\s+)?correct(?:\s+answers?|\s+options?|\s+choices?)?|right\s+answers?|answers?|ans|key|rätt\s+svar|rätta\s+svar|svar|riktig\s+svar|antwort|richtige\s+antwort|lösung)\s*(?:\([a-z ]*\)|is|are)?\s*[:=–-]\s*(.+)$`)

	explanationLine = lazyregexp.New(`(?i)^(?:explanation|rationale|reason|reasoning|why|förklaring|motivering|erklärung|begründung|forklaring)\s*[:–-]\s*(.*)$`)
	keyHeading      = lazyregexp.New(`(?i)^(?:answer\s*keys?|answers|key|solutions?|correct\s+answers|facit|rätta\s+svar|lösungen|lösungsschlüssel|fasit)\s*:?$`)
	keyPair         = lazyregexp.New(`(?:^|[\s,;|])(?:Q\s*)?(\d{1,4})\s*[.):=–-]?\s*\(?((?:[A-Ja-j](?:\s*[,&/+]\s*|\s+and\s+))*[A-Ja-j]|True|False|TRUE|FALSE)\)?(?:$|[\s,;|.])`)

	checkAfter = lazyregexp.New(`(?i)\s*(?:[✓✔√☑]|\((?:correct|right|rätt|richtig|x)\)|\[(?:correct|x)\]|<--?|←)\s*(?:\(?correct\)?)?$`)
)

// A start is the beginning of a question.
type start struct {
	number   int
	text     string
	explicit bool // begins with a word such as Question
}

// questionLine parses the number of a question; nil if the line has none.
func questionLine(text string) *start {
	if m := explicitNumber.FindStringSubmatch(text); m != nil {
		n, _ := strconv.Atoi(m[1])
		return &start{number: n, text: m[2], explicit: true}
	}
	m := plainNumber.FindStringSubmatch(text)
	if m == nil || m[2] != "" && unicode.IsDigit(rune(m[2][0])) && !strings.Contains(text, " ") { // 3.14
		return nil
	}
	n, _ := strconv.Atoi(m[1])
	return &start{number: n, text: m[2]}
}

// optionLine parses the letter of an option; 0 if the line has none. The letter is upper case.
func optionLine(text string) (letter rune, rest string, checked bool) {
	m := letterOption.FindStringSubmatch(text)
	if m == nil || m[3] == "" && len(text) > 3 {
		return 0, "", false
	}
	// A dash or a point after a letter is a mark only if a space follows.
	after := text[len(text)-len(m[3]):]
	if m[3] != "" && !strings.HasSuffix(strings.TrimSuffix(text, after), " ") && !strings.ContainsAny(text[:len(text)-len(after)], ")]") {
		return 0, "", false
	}
	return unicode.ToUpper([]rune(m[2])[0]), m[3], m[1] != ""
}

// splitInline splits a line that holds several options, such as "A) one  B) two". next is the index
// of the first option that it may hold. It returns the text before the options.
func splitInline(text string, next int) (before string, options []string) {
	type mark struct{ start, end int }
	var marks []mark
	from := 0
	for index := next; index < 10; index++ {
		found := markOf(text[from:], index, index == next && next > 0 || index == next && startsWithOption(text))
		if found == nil {
			break
		}
		marks = append(marks, mark{from + found[0], from + found[1]})
		from += found[1]
	}
	if len(marks) == 0 || marks[0].start > 0 && len(marks) < 3 {
		return text, nil
	}
	if marks[0].start == 0 && len(marks) == 2 && !strings.Contains(text[:marks[1].start+1], "  ") && !strings.HasSuffix(text[:marks[1].start], " ") {
		marks = marks[:1]
	}
	for i, m := range marks {
		end := len(text)
		if i+1 < len(marks) {
			end = marks[i+1].start
		}
		option := strings.TrimSpace(text[m.end:end])
		if strings.ContainsAny(text[m.start:m.end], "✓✔√☑*") {
			option = "✓ " + option
		}
		options = append(options, option)
	}
	return strings.TrimSpace(text[:marks[0].start]), options
}

func startsWithOption(text string) bool {
	letter, _, _ := optionLine(text)
	return letter == 'A'
}

// letters holds the marks of the options from A to J: at the beginning of a line, where more forms are
// marks, and inside.
var letters = func() (all [10]struct{ atStart, inside *lazyregexp.Regexp }) {
	for i := range all {
		letter := string(rune('A'+i)) + string(rune('a'+i))
		all[i].atStart = lazyregexp.New(`^[✓✔√☑*]?\s*[(\[]?[` + letter + `](?:[.):\]]|\s*[–-])\s*`)
		all[i].inside = lazyregexp.New(`(\s)([✓✔√☑*]?\s?(?:[(\[][` + letter + `][)\]]|[` + letter + `][.)])\s)`)
	}
	return all
}()

// markOf finds the mark of an option such as "B)".
func markOf(text string, index int, atStart bool) []int {
	if atStart {
		return letters[index].atStart.FindStringIndex(text)
	}
	m := letters[index].inside.FindStringSubmatchIndex(text)
	if m == nil {
		return nil
	}
	return m[4:6]
}

// uncheck removes the check mark of an option.
func uncheck(text string) (string, bool) {
	text = strings.TrimSpace(text)
	for _, mark := range []string{"✓", "✔", "√", "☑"} {
		if rest, ok := strings.CutPrefix(text, mark); ok {
			return strings.TrimSpace(rest), true
		}
	}
	if at := checkAfter.FindStringIndex(text); at != nil && at[0] > 0 {
		return strings.TrimSpace(text[:at[0]]), true
	}
	if rest, ok := strings.CutSuffix(text, "*"); ok && rest != "" && !strings.Contains(rest, "*") {
		return strings.TrimSpace(rest), true
	}
	return text, false
}

// join joins two lines of a text. A word that a hyphen divides stays as it is printed.
func join(a, b string) string {
	switch {
	case a == "":
		return b
	case strings.HasSuffix(a, "\u00ad"):
		return strings.TrimSuffix(a, "\u00ad") + b
	case strings.HasSuffix(a, "-") && len(a) > 1 && unicode.IsLetter(rune(a[len(a)-2])):
		return a + b
	}
	return a + " " + b
}

func endsSentence(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(text)
	return strings.ContainsRune(".?!:", r)
}

// cutText shortens a text for a message.
func cutText(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
