package pdftext

import (
	"bytes"
	"strconv"
)

// A token is an operand or an operator of a content stream.
type token struct {
	kind   kind
	number float64
	text   []byte // of a string, a name or an operator
	list   []token
}

type kind uint8

const (
	end kind = iota
	number
	text
	name
	list
	dict
	operator
)

// A lexer splits content streams and character maps into tokens.
type lexer struct {
	data []byte
	at   int
	r    *reader // counts the tokens in lists
	held int     // tokens in lists since the last operator
}

const maxNesting = 20

func space(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == 0
}

func delimiter(c byte) bool { return bytes.IndexByte([]byte("()<>[]{}/%"), c) >= 0 }

// skip moves to the next token.
func (l *lexer) skip() {
	for l.at < len(l.data) {
		switch c := l.data[l.at]; {
		case space(c):
			l.at++
		case c == '%':
			for l.at < len(l.data) && l.data[l.at] != '\n' && l.data[l.at] != '\r' {
				l.at++
			}
		default:
			return
		}
	}
}

// next returns the next token.
func (l *lexer) next(depth int) token {
	l.skip()
	if l.at >= len(l.data) || depth > maxNesting {
		l.at = len(l.data)
		return token{}
	}
	switch c := l.data[l.at]; {
	case c == '(':
		return token{kind: text, text: l.literal()}
	case c == '<' && l.at+1 < len(l.data) && l.data[l.at+1] == '<':
		l.at += 2
		return token{kind: dict, list: l.until('>', depth)}
	case c == '<':
		return token{kind: text, text: l.hex()}
	case c == '[':
		l.at++
		return token{kind: list, list: l.until(']', depth)}
	case c == '/':
		l.at++
		return token{kind: name, text: unescapeName(l.word())}
	case c == ']' || c == '>' || c == ')' || c == '{' || c == '}':
		l.at++
		return token{kind: operator, text: l.data[l.at-1 : l.at]}
	}
	word := l.word()
	if len(word) == 0 {
		l.at++
		return token{kind: operator}
	}
	if n, ok := parseNumber(word); ok {
		return token{kind: number, number: n}
	}
	return token{kind: operator, text: word}
}

// parseNumber parses a number of PDF, which has no exponent.
func parseNumber(word []byte) (float64, bool) {
	if c := word[0]; c != '+' && c != '-' && c != '.' && (c < '0' || c > '9') || len(word) > 40 {
		return 0, false
	}
	n, err := strconv.ParseFloat(string(word), 64)
	return n, err == nil && n > -1e9 && n < 1e9
}

// until returns the tokens up to a closing character. Each token is a step, so that a long list is
// bounded like a long content stream.
func (l *lexer) until(closing byte, depth int) []token {
	var all []token
	for {
		l.skip()
		if l.at >= len(l.data) {
			return all
		}
		if l.data[l.at] == closing {
			l.at++
			if closing == '>' && l.at < len(l.data) && l.data[l.at] == '>' {
				l.at++
			}
			return all
		}
		if !l.r.step() {
			return all
		}
		t := l.next(depth + 1)
		if t.kind == end {
			return all
		}
		if l.held++; l.held > l.r.limits.Operands {
			l.r.fail(ErrTooLarge)
			return all
		}
		all = append(all, t)
	}
}

func (l *lexer) word() []byte {
	start := l.at
	for l.at < len(l.data) && !space(l.data[l.at]) && !delimiter(l.data[l.at]) {
		l.at++
	}
	return l.data[start:l.at]
}

func unescapeName(word []byte) []byte {
	if bytes.IndexByte(word, '#') < 0 {
		return word
	}
	var out []byte
	for i := 0; i < len(word); i++ {
		if word[i] == '#' && i+2 < len(word) {
			if n, err := strconv.ParseUint(string(word[i+1:i+3]), 16, 8); err == nil {
				out = append(out, byte(n))
				i += 2
				continue
			}
		}
		out = append(out, word[i])
	}
	return out
}

// literal reads a string in parentheses.
func (l *lexer) literal() []byte {
	l.at++
	var out []byte
	for depth := 1; l.at < len(l.data); l.at++ {
		c := l.data[l.at]
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				l.at++
				return out
			}
		case '\\':
			l.at++
			out = l.escaped(out)
			continue
		}
		out = append(out, c)
	}
	return out
}

// escaped reads the character after a backslash.
func (l *lexer) escaped(out []byte) []byte {
	if l.at >= len(l.data) {
		return out
	}
	c := l.data[l.at]
	if i := bytes.IndexByte([]byte("nrtbf"), c); i >= 0 {
		return append(out, "\n\r\t\b\f"[i])
	}
	if c >= '0' && c <= '7' {
		value := 0
		for n := 0; n < 3 && l.at < len(l.data) && l.data[l.at] >= '0' && l.data[l.at] <= '7'; n++ {
			value = value*8 + int(l.data[l.at]-'0')
			l.at++
		}
		l.at--
		return append(out, byte(value))
	}
	if c == '\r' || c == '\n' { // a line that continues
		if c == '\r' && l.at+1 < len(l.data) && l.data[l.at+1] == '\n' {
			l.at++
		}
		return out
	}
	return append(out, c)
}

// hex reads a hexadecimal string.
func (l *lexer) hex() []byte {
	l.at++
	var digits []byte
	for l.at < len(l.data) && l.data[l.at] != '>' {
		if c := l.data[l.at]; !space(c) {
			digits = append(digits, c)
		}
		l.at++
	}
	l.at++
	if len(digits)%2 == 1 {
		digits = append(digits, '0')
	}
	out := make([]byte, 0, len(digits)/2)
	for i := 0; i+1 < len(digits); i += 2 {
		n, err := strconv.ParseUint(string(digits[i:i+2]), 16, 8)
		if err != nil {
			n = 0
		}
		out = append(out, byte(n))
	}
	return out
}

// inlineImage skips the data of an inline image after ID.
func (l *lexer) inlineImage() {
	for l.at+2 < len(l.data) {
		i := bytes.Index(l.data[l.at:], []byte("EI"))
		if i < 0 {
			break
		}
		l.at += i + 2
		before, after := byte(' '), byte(' ')
		if i > 0 {
			before = l.data[l.at-3]
		}
		if l.at < len(l.data) {
			after = l.data[l.at]
		}
		if space(before) && space(after) {
			return
		}
	}
	l.at = len(l.data)
}
