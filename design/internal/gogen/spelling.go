package gogen

import (
	"go/token"
	"go/types"
	"strings"
	"unicode"
)

// initialisms are words Go writes in capitals.
var initialisms = map[string]bool{
	"acl": true, "api": true, "arn": true, "ascii": true, "aws": true, "cpu": true, "crc": true, "css": true, "csv": true,
	"db": true, "dns": true, "eof": true, "fcm": true, "gps": true, "grpc": true, "gsi": true, "guid": true, "html": true,
	"http": true, "https": true, "iban": true, "id": true, "ip": true, "isbn": true, "iso": true, "json": true, "jwt": true,
	"lsi": true, "mfa": true, "otp": true, "pdf": true, "pk": true, "qps": true, "ram": true, "rpc": true, "sha": true,
	"sk": true, "sla": true, "sms": true, "smtp": true, "sql": true, "ssh": true, "ssl": true, "tcp": true, "tls": true,
	"ttl": true, "udp": true, "ui": true, "uid": true, "ulid": true, "uri": true, "url": true, "utc": true, "utf8": true,
	"uuid": true, "vm": true, "vpc": true, "xml": true, "yaml": true,
}

// words splits a name at signs and where its case says so: thumbnailUrl, HTTPServer,
// timed_out, in-progress.
func words(name string) []string {
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

// exported is a name as Go exports it: QuestionIDs. One that begins with a digit, or with
// a letter that has no capital, gets an X in front.
func exported(name string) string {
	text := joined(name)
	if !unicode.IsUpper([]rune(text)[0]) {
		return "X" + text
	}
	return text
}

// joined is a name as it stands behind another: the words of it with capitals.
func joined(name string) string {
	var b strings.Builder
	shouts := strings.ToUpper(name) == name
	for _, word := range words(name) {
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

// unexported is a name as Go keeps it in the package: questionIDs.
func unexported(name string) string {
	all := words(name)
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

// allowed is a name of the package that is no word of Go: such a name gets another word
// behind it.
func allowed(name, word string) string {
	if token.IsKeyword(name) || types.Universe.Lookup(name) != nil {
		return name + word
	}
	return name
}

// capital is one word with a capital: an initialism all in capitals, others at their
// beginning. A word of capitals stays so unless the whole name shouts.
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

// asWritten is a name of the design that is kept as it is where Go allows that.
func asWritten(name string) string {
	if strings.Contains(name, "_") || !token.IsIdentifier(name) {
		return exported(name)
	}
	runes := []rune(name)
	runes[0] = unicode.ToUpper(runes[0])
	return string(runes)
}

// begins is the first letter of a type's name in lower case, for its receiver.
func begins(name string) string { return strings.ToLower(name[:1]) }
