package partiql

import (
	"strings"
	"unicode/utf8"
)

// A tokenKind is the kind of a token.
type tokenKind uint8

const (
	tokenEnd     tokenKind = iota
	tokenInvalid           // not a token of the language
	tokenWord              // an identifier or a keyword
	tokenQuoted            // a quoted identifier
	tokenString
	tokenNumber
	tokenParameter
	tokenOpen
	tokenClose
	tokenOpenList
	tokenCloseList
	tokenOpenMap
	tokenCloseMap
	tokenComma
	tokenDot
	tokenColon
	tokenSemicolon
	// The operators. The comparisons have the order of the ops.
	tokenEqual
	tokenNotEqual
	tokenLess
	tokenLessOrEqual
	tokenGreater
	tokenGreaterOrEqual
	tokenPlus
	tokenMinus
	tokenOtherOperator // * / % ||
	// << and >> come last: they are not operators.
	tokenOpenSet
	tokenCloseSet
)

// isOperator reports whether the token is an operator.
func (k tokenKind) isOperator() bool { return k >= tokenEqual && k <= tokenOtherOperator }

// A token is a part of the text of a statement.
type token struct {
	kind       tokenKind
	start, end int
}

// punctuation lists the tokens without letters, longer ones before their prefixes.
var punctuation = []struct {
	text string
	kind tokenKind
}{
	{"<<", tokenOpenSet}, {">>", tokenCloseSet},
	{"<=", tokenLessOrEqual}, {">=", tokenGreaterOrEqual}, {"<>", tokenNotEqual}, {"!=", tokenNotEqual}, {"||", tokenOtherOperator},
	{"=", tokenEqual}, {"<", tokenLess}, {">", tokenGreater}, {"+", tokenPlus}, {"-", tokenMinus},
	{"*", tokenOtherOperator}, {"/", tokenOtherOperator}, {"%", tokenOtherOperator},
	{"(", tokenOpen}, {")", tokenClose}, {"[", tokenOpenList}, {"]", tokenCloseList}, {"{", tokenOpenMap}, {"}", tokenCloseMap},
	{",", tokenComma}, {".", tokenDot}, {":", tokenColon}, {";", tokenSemicolon}, {"?", tokenParameter},
}

// lex returns the token that starts at or after from.
func lex(text string, from int) token {
	from, ok := skipSpace(text, from)
	switch {
	case !ok:
		return token{tokenInvalid, from, len(text)}
	case from == len(text):
		return token{tokenEnd, from, from}
	}
	switch c := text[from]; {
	case isLetter(c):
		return token{tokenWord, from, wordEnd(text, from)}
	case c == '\'':
		return lexQuoted(text, from, tokenString)
	case c == '"':
		return lexQuoted(text, from, tokenQuoted)
	case isDigit(c), c == '.' && from+1 < len(text) && isDigit(text[from+1]):
		return token{tokenNumber, from, numberEnd(text, from)}
	}
	for _, p := range punctuation {
		if strings.HasPrefix(text[from:], p.text) {
			return token{p.kind, from, from + len(p.text)}
		}
	}
	_, size := utf8.DecodeRuneInString(text[from:])
	return token{tokenInvalid, from, from + size}
}

// skipSpace skips white space and comments. It fails on an unterminated comment.
func skipSpace(text string, from int) (at int, ok bool) {
	for from < len(text) {
		switch rest := text[from:]; {
		case isSpace(rest[0]):
			from++
		case strings.HasPrefix(rest, "--"):
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				return len(text), true
			}
			from += end + 1
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				return from, false
			}
			from += 2 + end + 2
		default:
			return from, true
		}
	}
	return from, true
}

// lexQuoted returns a string or a quoted identifier; two quotes inside stand for one.
func lexQuoted(text string, from int, kind tokenKind) token {
	quote := text[from]
	for i := from + 1; i < len(text); i++ {
		switch {
		case text[i] != quote:
		case i+1 < len(text) && text[i+1] == quote:
			i++
		default:
			return token{kind, from, i + 1}
		}
	}
	return token{tokenInvalid, from, len(text)}
}

// unquote returns the content of a string or a quoted identifier.
func unquote(quoted string) string {
	quote := quoted[:1]
	return strings.ReplaceAll(quoted[1:len(quoted)-1], quote+quote, quote)
}

// numberEnd returns the end of the number that starts at from.
func numberEnd(text string, from int) int {
	at := digitsEnd(text, from)
	if at < len(text) && text[at] == '.' {
		at = digitsEnd(text, at+1)
	}
	if at < len(text) && text[at]|0x20 == 'e' {
		exponent := at + 1
		if exponent < len(text) && (text[exponent] == '+' || text[exponent] == '-') {
			exponent++
		}
		if end := digitsEnd(text, exponent); end > exponent {
			at = end
		}
	}
	return at
}

func digitsEnd(text string, from int) int {
	for from < len(text) && isDigit(text[from]) {
		from++
	}
	return from
}

func wordEnd(text string, from int) int {
	for from < len(text) && (isLetter(text[from]) || isDigit(text[from])) {
		from++
	}
	return from
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'
}
func isDigit(c byte) bool  { return c-'0' <= 9 }
func isLetter(c byte) bool { return c|0x20-'a' < 26 || c == '_' || c == '$' }

// place formats the position of a part of a statement as messages do:
// line:column:length, counted in characters from 1.
func place(text string, start, end int) string {
	before := text[:start]
	line := 1 + strings.Count(before, "\n")
	column := 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
	return itoa(line) + ":" + itoa(column) + ":" + itoa(utf8.RuneCountInString(text[start:end]))
}
