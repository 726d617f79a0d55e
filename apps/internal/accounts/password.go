package accounts

import (
	_ "embed"
	"strings"
	"sync"
	"unicode/utf8"

	"sortkey.dev/apps/internal/refusal"
)

// Lengths of a password, in characters.
const (
	MinPassword = 8
	MaxPassword = 200
)

// commonest lists the commonest passwords of at least MinPassword characters, folded.
//
//go:embed commonest.txt
var commonest string

var isCommon = sync.OnceValue(func() map[string]bool {
	all := make(map[string]bool)
	for word := range strings.FieldsSeq(commonest) {
		all[word] = true
	}
	return all
})

// CheckPassword refuses a password that is easy to guess.
func (p *Passwords) CheckPassword(password, address string) error {
	return p.checkPassword(password, address)
}

func (d *desk) checkPassword(password, address string) error {
	folded, name := strings.ToLower(password), fold(address)
	local, _, _ := strings.Cut(name, "@")
	switch length := utf8.RuneCountInString(password); {
	case length < MinPassword || length > MaxPassword || !utf8.ValidString(password):
		return refusal.OutOfRange("password", "length", MinPassword, MaxPassword, "A password has %d to %d characters.", MinPassword, MaxPassword)
	case isCommon()[folded]:
		return passwordRefusal("This is one of the passwords that are guessed first. Choose another one.")
	case folded == name || folded == local:
		return passwordRefusal("Your e-mail address is not a good password. Choose another one.")
	case strings.Count(folded, folded[:1]) == len(folded):
		return passwordRefusal("A single repeated character is guessed first. Choose another password.")
	}
	return nil
}

func passwordRefusal(message string) error {
	return refusal.OfField(refusal.Field{Name: "password", Constraint: "format"}, "%s", message)
}
