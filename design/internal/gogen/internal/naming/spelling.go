package naming

import (
	"go/token"
	"go/types"
	"strings"
	"unicode"

	"sortkey.dev/design/internal/model"
)

// initialisms lists the words that Go writes in capitals.
var initialisms = map[string]bool{
	"acl": true, "api": true, "arn": true, "ascii": true, "aws": true, "cpu": true, "crc": true, "css": true, "csv": true,
	"db": true, "dns": true, "eof": true, "fcm": true, "gps": true, "grpc": true, "gsi": true, "guid": true, "html": true,
	"http": true, "https": true, "iban": true, "id": true, "ip": true, "isbn": true, "iso": true, "json": true, "jwt": true,
	"lsi": true, "mfa": true, "otp": true, "pdf": true, "pk": true, "qps": true, "ram": true, "rpc": true, "sha": true,
	"sk": true, "sla": true, "sms": true, "smtp": true, "sql": true, "ssh": true, "ssl": true, "tcp": true, "tls": true,
	"ttl": true, "udp": true, "ui": true, "uid": true, "ulid": true, "uri": true, "url": true, "utc": true, "utf8": true,
	"uuid": true, "vm": true, "vpc": true, "xml": true, "yaml": true,
}

// Words splits a name at signs and where its case says so: thumbnailUrl, HTTPServer,
// timed_out, in-progress.
func Words(name string) []string {
	var all []string
	runes := []rune(name)
	start := -1
	end := func(i int) {
		if start >= 0 && i > start {
			all = append(all, string(runes[start:i]))
		}
		start = -1
	}
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end(i)
			continue
		case start < 0:
			start = i
			continue
		}
		last := runes[i-1]
		nextLower := i+1 < len(runes) && unicode.IsLower(runes[i+1])
		if unicode.IsUpper(r) && (!unicode.IsUpper(last) || nextLower && !pluralAt(runes, i)) {
			end(i)
			start = i
		}
	}
	end(len(runes))
	return all
}

// pluralAt reports whether the capital at i is followed by a small s that ends the word:
// IDs is one word.
func pluralAt(runes []rune, i int) bool {
	if i+1 >= len(runes) || runes[i+1] != 's' {
		return false
	}
	return i+2 == len(runes) || !unicode.IsLower(runes[i+2])
}

// Exported spells a name as Go exports it: QuestionIDs. A name that begins with a digit, or
// with a letter that has no capital, gets an X in front.
func Exported(name string) string {
	text := Joined(name)
	if !unicode.IsUpper([]rune(text)[0]) {
		return "X" + text
	}
	return text
}

// Joined spells a name as it stands behind another one: all its words with capitals.
func Joined(name string) string {
	var b strings.Builder
	shouts := strings.ToUpper(name) == name
	for _, word := range Words(name) {
		text := capital(word, shouts)
		if endsInDigit(b.String()) && unicode.IsDigit([]rune(text)[0]) {
			b.WriteByte('_') // 1.5 is not 15
		}
		b.WriteString(text)
	}
	if b.Len() == 0 {
		return "X"
	}
	return b.String()
}

// Unexported spells a name as Go keeps it in the package: questionIDs.
func Unexported(name string) string {
	all := Words(name)
	if len(all) == 0 {
		return "x"
	}
	first := strings.ToLower(all[0])
	shouts := strings.ToUpper(name) == name
	var b strings.Builder
	b.WriteString(first)
	for _, word := range all[1:] {
		text := capital(word, shouts)
		if endsInDigit(b.String()) && unicode.IsDigit([]rune(text)[0]) {
			b.WriteByte('_')
		}
		b.WriteString(text)
	}
	if !unicode.IsLetter([]rune(first)[0]) {
		return "x" + b.String()
	}
	return b.String()
}

// Allowed returns a name of the package, with another word behind it if it is a word of Go.
func Allowed(name, word string) string {
	if token.IsKeyword(name) || types.Universe.Lookup(name) != nil {
		return name + word
	}
	return name
}

// capital spells one word with a capital: an initialism all in capitals, others at their
// beginning. A word in capitals stays so unless the whole name is in capitals.
func capital(word string, shouts bool) string {
	small := strings.ToLower(word)
	if initialisms[small] || initialisms[strings.TrimRight(small, "0123456789")] { // GSI1
		return strings.ToUpper(word)
	}
	if one, plural := strings.CutSuffix(small, "s"); plural && initialisms[one] {
		return strings.ToUpper(one) + "s"
	}
	if strings.ToUpper(word) == word && !shouts {
		return word
	}
	runes := []rune(small)
	runes[0] = unicode.ToUpper(runes[0])
	return string(runes)
}

func endsInDigit(s string) bool { return s != "" && s[len(s)-1] >= '0' && s[len(s)-1] <= '9' }

// AsWritten returns a name of the design as it is where Go allows that, and else exported.
func AsWritten(name string) string {
	if strings.Contains(name, "_") || !token.IsIdentifier(name) {
		return Exported(name)
	}
	runes := []rune(name)
	runes[0] = unicode.ToUpper(runes[0])
	return string(runes)
}

// Receiver returns the name of a type's receiver: its first letter in lower case.
func Receiver(name string) string { return strings.ToLower(name[:1]) }

// LowerFirst spells an exported name as one of the package: its first word in lower case.
func LowerFirst(name string) string {
	if all := Words(name); len(all) > 0 {
		return strings.ToLower(all[0]) + strings.TrimPrefix(name, all[0])
	}
	return "x" + name
}

// Plural returns the name of several.
func Plural(name string) string {
	small := strings.ToLower(name)
	switch {
	case strings.HasSuffix(small, "y") && len(small) > 1 && !strings.Contains("aeiou", small[len(small)-2:len(small)-1]):
		return name[:len(name)-1] + "ies"
	case strings.HasSuffix(small, "s"), strings.HasSuffix(small, "x"), strings.HasSuffix(small, "ch"), strings.HasSuffix(small, "sh"):
		return name + "es"
	}
	return name + "s"
}

// Listed joins words as a sentence does: a, b and c.
func Listed(words []string) string {
	switch n := len(words); n {
	case 0:
		return ""
	case 1:
		return words[0]
	default:
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
}

// Attributes returns the names of attributes as the design spells them.
func Attributes(attributes []*model.Attribute) []string {
	all := make([]string, len(attributes))
	for i, a := range attributes {
		all[i] = a.Name
	}
	return all
}

// Sentence ends a text with a full stop.
func Sentence(text string) string {
	text = strings.TrimSpace(text)
	if text == "" || strings.ContainsAny(text[len(text)-1:], ".!?") {
		return text
	}
	return text + "."
}

// About begins a doc comment: the name, then the words of the design, or others if it has
// none.
func About(name, doc, otherwise string) string {
	doc = strings.TrimSpace(doc)
	if doc == "" {
		return name + " " + otherwise + "."
	}
	return name + ": " + Sentence(doc)
}
