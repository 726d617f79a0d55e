package pdftext

import (
	"strconv"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/unicode/norm"

	"sortkey.dev/apps/exambuddy/exchange/textfile"
)

// macRoman holds the characters of MacRomanEncoding from 0x80.
var macRoman = []rune("ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\u00a0ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\uf8ffÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ")

// baseEncoding returns the characters of an encoding. Windows-1252 is the fallback.
func baseEncoding(name, font string) [256]string {
	var all [256]string
	for i := 32; i < 256; i++ {
		if r := textfile.Rune1252(byte(i)); r != 0xfffd && i != 127 {
			all[i] = string(r)
		}
	}
	switch {
	case strings.Contains(font, "Dingbats"):
		for i := 33; i < 256; i++ {
			all[i] = "•"
		}
		all['3'], all['4'], all['5'], all['6'], all['7'], all['8'] = "✓", "✔", "✕", "✖", "✗", "✘"
		all['n'], all['o'], all['q'] = "■", "❏", "☐"
	case name == "MacRomanEncoding":
		for i, r := range macRoman {
			all[128+i] = string(r)
		}
	case name == "StandardEncoding" || name == "" && strings.Contains(font, "Standard"):
		all[0x27], all[0x60] = "’", "‘"
	}
	return all
}

// accents holds the combining character of each accent in the name of a glyph.
var accents = map[string]string{
	"acute": "\u0301", "grave": "\u0300", "circumflex": "\u0302", "dieresis": "\u0308", "tilde": "\u0303", "ring": "\u030a", "cedilla": "\u0327",
	"caron": "\u030c", "breve": "\u0306", "macron": "\u0304", "ogonek": "\u0328", "hungarumlaut": "\u030b", "dotaccent": "\u0307", "commaaccent": "\u0326", "dot": "\u0307",
}

// glyphs holds the characters of glyph names that are neither letters nor letters with accents.
var glyphs = map[string]string{
	"space": " ", "nbspace": " ", "exclam": "!", "quotedbl": `"`, "numbersign": "#", "dollar": "$", "percent": "%", "ampersand": "&", "quotesingle": "'",
	"quoteright": "’", "quoteleft": "‘", "parenleft": "(", "parenright": ")", "asterisk": "*", "plus": "+", "comma": ",", "hyphen": "-", "minus": "−",
	"period": ".", "slash": "/", "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
	"nine": "9", "colon": ":", "semicolon": ";", "less": "<", "equal": "=", "greater": ">", "question": "?", "at": "@", "bracketleft": "[",
	"backslash": `\`, "bracketright": "]", "asciicircum": "^", "underscore": "_", "grave": "`", "braceleft": "{", "bar": "|", "braceright": "}",
	"asciitilde": "~", "exclamdown": "¡", "cent": "¢", "sterling": "£", "currency": "¤", "yen": "¥", "brokenbar": "¦", "section": "§",
	"dieresis": "¨", "copyright": "©", "ordfeminine": "ª", "guillemotleft": "«", "guillemotright": "»", "logicalnot": "¬", "registered": "®",
	"macron": "¯", "degree": "°", "plusminus": "±", "acute": "´", "mu": "µ", "paragraph": "¶", "periodcentered": "·", "cedilla": "¸",
	"ordmasculine": "º", "onequarter": "¼", "onehalf": "½", "threequarters": "¾", "questiondown": "¿", "AE": "Æ", "Eth": "Ð", "multiply": "×",
	"Oslash": "Ø", "Thorn": "Þ", "germandbls": "ß", "ae": "æ", "eth": "ð", "divide": "÷", "oslash": "ø", "thorn": "þ", "OE": "Œ", "oe": "œ",
	"Lslash": "Ł", "lslash": "ł", "dotlessi": "ı", "Euro": "€", "bullet": "•", "endash": "–", "emdash": "—", "quotedblleft": "“", "quotedblright": "”",
	"quotedblbase": "„", "quotesinglbase": "‚", "ellipsis": "…", "dagger": "†", "daggerdbl": "‡", "perthousand": "‰", "guilsinglleft": "‹",
	"guilsinglright": "›", "trademark": "™", "fi": "fi", "fl": "fl", "ff": "ff", "ffi": "ffi", "ffl": "ffl", "florin": "ƒ", "fraction": "⁄",
	"checkmark": "✓", "a19": "✓", "a20": "✔", "arrowright": "→", "lessequal": "≤", "greaterequal": "≥", "notequal": "≠", "circle": "○", "square": "□",
}

// glyphText returns the text of a glyph name; "" if it is not known.
func glyphText(name string) string {
	name, _, _ = strings.Cut(name, ".")
	if text, ok := glyphs[name]; ok {
		return text
	}
	if len(name) == 1 {
		return name
	}
	if accent, ok := accents[name[min(1, len(name)):]]; ok {
		return norm.NFC.String(name[:1] + accent)
	}
	for _, prefix := range []string{"uni", "u"} {
		if digits, ok := strings.CutPrefix(name, prefix); ok && len(digits) >= 4 {
			if n, err := strconv.ParseUint(digits, 16, 32); err == nil && n <= 0x10ffff {
				return string(rune(n))
			}
		}
	}
	return ""
}

// parseMap parses a ToUnicode map.
func (f *font) parseMap(data []byte, r *reader) {
	l := &lexer{data: data, r: r}
	var args []token
	for r.spend(1 + len(data)/bytesPerStep); r.step(); {
		t := l.next(0)
		switch {
		case t.kind == end:
			return
		case t.kind != operator && len(args) >= r.limits.Operands:
			r.fail(ErrTooLarge)
			return
		case t.kind != operator:
			args = append(args, t)
			continue
		}
		switch string(t.text) {
		case "endcodespacerange":
			for _, a := range args {
				if a.kind == text && len(a.text) > 0 {
					f.lengths[len(a.text)] = true
				}
			}
		case "endbfchar":
			for i := 0; i+1 < len(args); i += 2 {
				f.add(codeOf(args[i].text), utf16Text(args[i+1].text))
			}
		case "endbfrange":
			for i := 0; i+2 < len(args); i += 3 {
				f.addRange(args[i], args[i+1], args[i+2], r)
			}
		}
		args, l.held = args[:0], 0
	}
}

// maxCode is the largest code of a string: codes splits strings into at most two bytes.
const maxCode = 0xffff

// add adds the characters of a code.
func (f *font) add(c uint32, text string) {
	if c <= maxCode {
		f.toUnicode[c] = text
	}
}

// addRange adds the characters of a range of codes.
func (f *font) addRange(from, to, target token, r *reader) {
	first, last := codeOf(from.text), codeOf(to.text)
	if target.kind == list {
		for i, t := range target.list {
			if first+uint32(i) <= last {
				f.add(first+uint32(i), utf16Text(t.text))
			}
		}
		return
	}
	start := []rune(utf16Text(target.text))
	if len(start) == 0 {
		return
	}
	prefix, base := string(start[:len(start)-1]), start[len(start)-1]
	for c := first; c <= min(last, maxCode) && r.spend(1+len(prefix)/bytesPerStep); c++ {
		f.add(c, prefix+string(base+rune(c-first)))
	}
}

func codeOf(data []byte) uint32 {
	value := uint32(0)
	for _, b := range data[:min(len(data), 4)] {
		value = value<<8 | uint32(b)
	}
	return value
}

// maxMapped bounds the bytes of the text of one code. Ligatures need a few letters.
const maxMapped = 128

// utf16Text decodes the text of a code.
func utf16Text(data []byte) string {
	data = data[:min(len(data), maxMapped)]
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = uint16(data[2*i])<<8 | uint16(data[2*i+1])
	}
	if len(data) == 1 {
		units = []uint16{uint16(data[0])}
	}
	return string(utf16.Decode(units))
}
