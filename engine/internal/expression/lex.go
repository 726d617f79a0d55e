package expression

import "unicode/utf8"

// A tokenKind is the kind of a token.
type tokenKind uint8

const (
	tokenEnd tokenKind = iota
	tokenOther
	tokenWord  // an attribute or function name
	tokenName  // #placeholder
	tokenValue // :placeholder
	tokenNumber
	tokenEqual
	tokenNotEqual
	tokenLess
	tokenLessOrEqual
	tokenGreater
	tokenGreaterOrEqual
	tokenOpen
	tokenClose
	tokenOpenIndex
	tokenCloseIndex
	tokenDot
	tokenComma
	tokenPlus
	tokenMinus
	tokenAnd
	tokenOr
	tokenNot
	tokenBetween
	tokenIn
	tokenSet
	tokenRemove
	tokenAdd
	tokenDelete
)

var punctuation = [utf8.RuneSelf]tokenKind{
	'=': tokenEqual, '(': tokenOpen, ')': tokenClose, '[': tokenOpenIndex, ']': tokenCloseIndex,
	'.': tokenDot, ',': tokenComma, '+': tokenPlus, '-': tokenMinus,
}

// A token is a part of the text of an expression.
type token struct {
	kind       tokenKind
	start, end int
}

// lex returns the token that starts at or after from. All languages have keywords except
// projections, whose words are all names.
func lex(text string, from int, l language) token {
	for from < len(text) && isSpace(text[from]) {
		from++
	}
	if from == len(text) {
		return token{tokenEnd, from, from}
	}
	switch c := text[from]; {
	case isLetter(c):
		end := wordEnd(text, from+1)
		kind := tokenWord
		if l != projectionLanguage {
			kind = keyword(text[from:end])
		}
		return token{kind, from, end}
	case c == '#' || c == ':':
		return lexPlaceholder(text, from)
	case isDigit(c):
		return token{tokenNumber, from, numberEnd(text, from)}
	case c == '<' || c == '>':
		return lexComparator(text, from)
	case c < utf8.RuneSelf && punctuation[c] != 0:
		return token{punctuation[c], from, from + 1}
	default:
		_, size := utf8.DecodeRuneInString(text[from:])
		return token{tokenOther, from, from + size}
	}
}

func lexPlaceholder(text string, from int) token {
	end := wordEnd(text, from+1)
	switch {
	case end == from+1:
		return token{tokenOther, from, end}
	case text[from] == '#':
		return token{tokenName, from, end}
	default:
		return token{tokenValue, from, end}
	}
}

func lexComparator(text string, from int) token {
	next := byte(0)
	if from+1 < len(text) {
		next = text[from+1]
	}
	switch less := text[from] == '<'; {
	case less && next == '=':
		return token{tokenLessOrEqual, from, from + 2}
	case less && next == '>':
		return token{tokenNotEqual, from, from + 2}
	case less:
		return token{tokenLess, from, from + 1}
	case next == '=':
		return token{tokenGreaterOrEqual, from, from + 2}
	default:
		return token{tokenGreater, from, from + 1}
	}
}

// numberEnd returns the end of the number that starts at from. A number that starts
// with a zero ends after it.
func numberEnd(text string, from int) int {
	end := from + 1
	if text[from] == '0' {
		return end
	}
	for end < len(text) && isDigit(text[end]) {
		end++
	}
	return end
}

func wordEnd(text string, from int) int {
	for from < len(text) && (isLetter(text[from]) || isDigit(text[from]) || text[from] == '_') {
		from++
	}
	return from
}

func isSpace(c byte) bool  { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
func isDigit(c byte) bool  { return c-'0' <= 9 }
func isLetter(c byte) bool { return c|0x20-'a' < 26 }

// keyword returns the kind of a word, in any case.
func keyword(word string) tokenKind {
	if len(word) < 2 || len(word) > 7 {
		return tokenWord
	}
	var buf [7]byte
	switch string(upper(&buf, word)) {
	case "AND":
		return tokenAnd
	case "OR":
		return tokenOr
	case "NOT":
		return tokenNot
	case "BETWEEN":
		return tokenBetween
	case "IN":
		return tokenIn
	case "SET":
		return tokenSet
	case "REMOVE":
		return tokenRemove
	case "ADD":
		return tokenAdd
	case "DELETE":
		return tokenDelete
	default:
		return tokenWord
	}
}

// upper writes a word of at most seven letters into buf in upper case.
func upper(buf *[7]byte, word string) []byte {
	for i := range len(word) {
		buf[i] = upperCase(word[i])
	}
	return buf[:len(word)]
}

func upperCase(c byte) byte {
	if c-'a' < 26 {
		return c - 'a' + 'A'
	}
	return c
}
