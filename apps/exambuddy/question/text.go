package question

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"sortkey.dev/internal/lazyregexp"
)

// Canonical folds what makes no difference between two texts: compatibility forms such as
// ligatures, case, and white space around and between words.
func Canonical(text string) string {
	text = norm.NFKC.String(strings.ToValidUTF8(text, "\ufffd"))
	text = strings.Map(foldRune, strings.NewReplacer("ß", "ss", "ẞ", "ss").Replace(text))
	// Folding can make a sequence that is not in normal form.
	return strings.Join(strings.FieldsFunc(norm.NFKC.String(text), blankRune), " ")
}

// foldRune returns the same rune for all cases of a letter. Package cases of golang.org/x/text folds
// more, but swaps the two cases of Cherokee letters.
func foldRune(r rune) rune {
	folded := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		folded = min(folded, next)
	}
	return folded
}

// blankRune reports whether a rune separates words or is invisible.
func blankRune(r rune) bool {
	return unicode.IsSpace(r) || r == '\u200b' || r == '\ufeff' || r == '\u00ad'
}

// Hash returns a hash of the canonical text of a question. Two questions of a project with the
// same hash are duplicates, whatever their options are.
func Hash(q Question) string {
	text := Canonical(q.Text)
	if passage := Canonical(q.Passage); passage != "" {
		text = passage + "\n" + text
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}

// OptionID returns an id for an option with a text. It depends on the text only, so it tells a
// candidate nothing about the order in which options were written.
func OptionID(text string) string {
	sum := sha256.Sum256([]byte(Canonical(text)))
	return "o" + hex.EncodeToString(sum[:4])
}

// Identify gives an id to every option, target, statement, blank and region without one. The ids
// do not follow the order of options. Options with ids keep them.
func Identify(q *Question) {
	if q.Type == TrueFalse && len(q.Options) == 2 && q.Options[0].ID == "" && q.Options[1].ID == "" {
		q.Options[0].ID, q.Options[1].ID = "true", "false"
	}
	identifyOptions(q.Options)
	identifyOptions(q.Targets)
	identifyOptions(q.Statements)
	for i := range q.Blanks {
		if q.Blanks[i].ID == "" {
			q.Blanks[i].ID = fmt.Sprintf("b%d", i+1)
		}
		identifyOptions(q.Blanks[i].Choices)
	}
	for i := range q.Regions {
		if r := &q.Regions[i]; r.ID == "" {
			r.ID = OptionID(fmt.Sprintf("region %d %d %d %d", r.X, r.Y, r.Width, r.Height))
		}
	}
}

func identifyOptions(options []Option) {
	used := map[string]bool{}
	for _, o := range options {
		used[o.ID] = true
	}
	for i := range options {
		if options[i].ID != "" {
			continue
		}
		seed := options[i].Text
		if seed == "" && options[i].Image != nil {
			seed = options[i].Image.File
		}
		id := OptionID(seed)
		for n := 2; used[id]; n++ {
			id = OptionID(fmt.Sprintf("%s %d", seed, n))
		}
		options[i].ID, used[id] = id, true
	}
}

// gap matches the place of a blank in a text.
var gap = lazyregexp.New(`_{2,}`)

// Gaps returns the parts of a text around its blanks. A text with n runs of underscores has n+1
// parts.
func Gaps(text string) []string { return gap.Split(text, -1) }

// answerText folds a typed answer as its accepted answers ask.
func answerText(text string, accepted Accepted) string {
	text = Canonical(text)
	if accepted.IgnoreAccents {
		text = norm.NFC.String(strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Mn, r) {
				return -1
			}
			return r
		}, norm.NFD.String(text)))
	}
	if accepted.IgnorePunctuation {
		text = strings.Join(strings.FieldsFunc(text, func(r rune) bool {
			return unicode.IsPunct(r) || unicode.IsSymbol(r) || unicode.IsSpace(r)
		}), " ")
	}
	return text
}
