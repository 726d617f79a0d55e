package yaml

import (
	"strconv"
	"unicode/utf8"
)

// escapes maps the letter after \ to its character.
var escapes = map[byte]rune{
	'0': 0, 'a': '\a', 'b': '\b', 't': '\t', '\t': '\t', 'n': '\n', 'v': '\v', 'f': '\f', 'r': '\r', 'e': 0x1b,
	' ': ' ', '"': '"', '/': '/', '\\': '\\', 'N': 0x85, '_': 0xa0, 'L': 0x2028, 'P': 0x2029,
}

// escape parses an escape sequence inside double quotes.
func (p *scalarParser) escape(n *Node) bool {
	start := p.pos
	letter := p.at(p.pos + 1)
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[letter]
	switch c, ok := escapes[letter]; {
	case ok && letter != 0:
		p.text.put(c, start)
		p.pos += 2
		return true
	case letter == '\n':
		p.pos++
		return p.foldQuoted(n, '"', true)
	case digits > 0:
		return p.escapedCharacter(start, digits)
	case letter == 0:
		p.openQuote(n, `the text begins with " and never ends`)
		return false
	}
	_, size := utf8.DecodeRuneInString(p.src[start+1:])
	p.problem(Syntax, start, start+1+size, `after \ inside double quotes comes a letter YAML knows; use single quotes for a plain \`)
	return false
}

// escapedCharacter parses the code point of a character.
func (p *scalarParser) escapedCharacter(start, digits int) bool {
	end := min(start+2+digits, p.lineEnd())
	code, err := strconv.ParseUint(p.src[start+2:end], 16, 32)
	if err != nil || end != start+2+digits || !utf8.ValidRune(rune(code)) || code > utf8.MaxRune {
		p.problem(Syntax, start, start+2, `after \%c come %d digits 0-9 and a-f that number a character`, p.src[start+1], digits)
		return false
	}
	p.text.put(rune(code), start)
	p.pos = end
	return true
}
