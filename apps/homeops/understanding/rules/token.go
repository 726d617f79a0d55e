package rules

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"sortkey.dev/apps/homeops/understanding"
	"sortkey.dev/apps/homeops/understanding/timewords"
)

// A token is a word, a mark or an emoji of a message, with all its readings.
type token struct {
	text   string // composed, lower case, without letters that are drawn out
	span   understanding.Span
	mark   bool // punctuation
	symbol bool // emoji
	quoted bool // inside quotation marks

	classes class
	verbs   []verbForm
	objects []string
	member  string // id, if the token is a member's name
	time    *timewords.Expression
	learned *understanding.Word
	fuzzy   bool // the readings are those of a word with one letter more, less or different
}

// is reports whether the token has one of the classes.
func (t *token) is(c class) bool { return t.classes&c != 0 }

// known reports whether the token has any reading.
func (t *token) known() bool {
	return t.classes != 0 || len(t.verbs) > 0 || len(t.objects) > 0 || t.member != "" || t.time != nil || t.learned != nil || t.symbol || t.mark
}

// tokenize splits a text. Offsets are those of the text as it came, although readings need the
// composed form: clients may send "ä" as two runes.
func tokenize(text string) []token {
	var tokens []token
	for i := 0; i < len(text); {
		if end := urlEnd(text, i); end > i {
			i = end
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case isWordRune(r):
			end := wordEnd(text, i)
			tokens = append(tokens, splitWord(text, i, end)...)
			i = end
		case r == '\n' || unicode.IsPunct(r) || isMathSign(r):
			tokens = append(tokens, token{text: string(r), span: understanding.Span{Start: i, End: i + size}, mark: true})
			i += size
		case unicode.IsSymbol(r):
			tokens = append(tokens, token{text: string(r), span: understanding.Span{Start: i, End: i + size}, symbol: true})
			i += size
		default: // white space, variation selectors, joiners
			i += size
		}
	}
	markQuotes(tokens)
	return tokens
}

func isWordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) && r < 0xFE00
}

func isMathSign(r rune) bool {
	return r == '+' || r == '=' || r == '<' || r == '>' || r == '|' || r == '~'
}

// urlEnd returns the end of a link that begins at i, or i.
func urlEnd(text string, i int) int {
	rest := text[i:]
	if !strings.HasPrefix(rest, "http://") && !strings.HasPrefix(rest, "https://") && !strings.HasPrefix(rest, "www.") {
		return i
	}
	if n := strings.IndexFunc(rest, unicode.IsSpace); n >= 0 {
		return i + n
	}
	return len(text)
}

// wordEnd returns the end of the word that begins at i. A point or colon between digits belongs to
// the word, and so does an apostrophe or hyphen between letters: 15.30, 20:e, didn't, tv-spel.
func wordEnd(text string, i int) int {
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		if isWordRune(r) {
			i += size
			continue
		}
		next, _ := utf8.DecodeRuneInString(text[i+size:])
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		switch {
		case (r == '.' || r == ':') && unicode.IsDigit(before) && unicode.IsDigit(next):
		case r == ':' && unicode.IsDigit(before) && unicode.IsLetter(next):
		case (r == '\'' || r == '’' || r == '-') && unicode.IsLetter(before) && unicode.IsLetter(next):
		default:
			return i
		}
		i += size
	}
	return i
}

// contractions are the English endings that are words of their own.
var contractions = []string{"n't", "'ve", "'ll", "'re", "'m", "'d", "'s"}

// written lists contractions that people write without an apostrophe.
var written = map[string][2]string{
	"ive": {"i", "'ve"}, "im": {"i", "'m"}, "didnt": {"did", "n't"}, "havent": {"have", "n't"}, "hasnt": {"has", "n't"},
	"dont": {"do", "n't"}, "doesnt": {"does", "n't"}, "wont": {"will", "n't"}, "cant": {"can", "n't"}, "isnt": {"is", "n't"},
	"arent": {"are", "n't"}, "wasnt": {"was", "n't"}, "couldnt": {"could", "n't"}, "shouldnt": {"should", "n't"},
	"weve": {"we", "'ve"}, "youve": {"you", "'ve"}, "won't": {"will", "n't"}, "can't": {"can", "n't"}, "ain't": {"is", "n't"},
}

// splitWord returns the tokens of a word: two for a contraction, otherwise one.
func splitWord(text string, start, end int) []token {
	folded := fold(text[start:end])
	if pair, ok := written[folded]; ok {
		span := understanding.Span{Start: start, End: end}
		return []token{{text: pair[0], span: span}, {text: pair[1], span: span}}
	}
	for _, ending := range contractions {
		stem, ok := strings.CutSuffix(folded, ending)
		if !ok || stem == "" {
			continue
		}
		cut := end - len(ending)
		if strings.Contains(text[start:end], "’") {
			cut = end - len(ending) - len("’") + 1
		}
		cut = max(cut, start)
		return []token{
			{text: stem, span: understanding.Span{Start: start, End: cut}},
			{text: ending, span: understanding.Span{Start: cut, End: end}},
		}
	}
	return []token{{text: folded, span: understanding.Span{Start: start, End: end}}}
}

// fold returns a word composed, in lower case, with plain apostrophes and without drawn-out
// letters: three equal letters and doubled vowels become one, "diskaaade" and "diskaade" become
// "diskade". Words that have a double vowel of their own keep it.
func fold(word string) string {
	word = strings.ToLower(norm.NFC.String(word))
	word = strings.ReplaceAll(word, "’", "'")
	if !hasRepeat(word) {
		return word
	}
	return squeeze(word)
}

// hasRepeat reports whether a letter occurs three times in a row.
func hasRepeat(word string) bool {
	var prev, beforePrev rune
	for _, r := range word {
		if r == prev && r == beforePrev && unicode.IsLetter(r) {
			return true
		}
		prev, beforePrev = r, prev
	}
	return false
}

// squeeze reduces runs of three and more equal letters to one letter.
func squeeze(word string) string {
	runes := []rune(word)
	var b strings.Builder
	for i := 0; i < len(runes); {
		j := i
		for j < len(runes) && runes[j] == runes[i] {
			j++
		}
		n := j - i
		if n >= 3 && unicode.IsLetter(runes[i]) {
			n = 1
		}
		for range n {
			b.WriteRune(runes[i])
		}
		i = j
	}
	return b.String()
}

// singleVowels returns a word with its doubled vowels written once.
func singleVowels(word string) string {
	var b strings.Builder
	var prev rune
	for _, r := range word {
		if r == prev && strings.ContainsRune("aeiouyåäö", r) {
			continue
		}
		b.WriteRune(r)
		prev = r
	}
	return b.String()
}

// markQuotes marks the tokens between quotation marks. A mark without a partner quotes nothing.
func markQuotes(tokens []token) {
	open := -1
	for i := range tokens {
		switch tokens[i].text {
		case "\"", "”", "“", "„", "»", "«":
			if open < 0 {
				open = i
				continue
			}
			for j := open; j <= i; j++ {
				tokens[j].quoted = true
			}
			open = -1
		}
	}
}
