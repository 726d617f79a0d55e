package accounts

import (
	"net/mail"
	"strings"
	"unicode"

	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/refusal"
)

// passwordProvider is the provider of identities with a password.
const passwordProvider = "password"

const maxAddress = 254 // bytes, as SMTP allows

// CheckAddress returns an e-mail address as it is kept, or refuses it.
func CheckAddress(typed string) (string, error) {
	typed = strings.TrimSpace(typed)
	if typed == "" {
		return "", addressRefusal("required", "Enter your e-mail address.")
	}
	parsed, err := mail.ParseAddress(typed)
	if err != nil || parsed.Address != typed || parsed.Name != "" || len(typed) > maxAddress || strings.ContainsFunc(typed, unfit) {
		return "", addressRefusal("format", "Enter an e-mail address such as ada@example.org.")
	}
	_, domain, _ := strings.Cut(typed[strings.LastIndexByte(typed, '@'):], "@")
	if !strings.Contains(domain, ".") || strings.HasPrefix(domain, "[") {
		return "", addressRefusal("format", "Enter an e-mail address such as ada@example.org.")
	}
	return typed, nil
}

func addressRefusal(constraint, message string) error {
	return refusal.OfField(refusal.Field{Name: "address", Constraint: constraint}, "%s", message)
}

func unfit(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || r == '"' }

// fold returns the spelling of an address that accounts are found by. Mail servers tell no
// upper-case letters from lower-case ones.
func fold(address string) string { return strings.ToLower(strings.TrimSpace(address)) }

// identityOf returns the key of the identity of an address.
func (d *desk) identityOf(address string) platformdb.IdentityKey {
	return platformdb.IdentityKey{Provider: passwordProvider, SubjectHash: d.p.Box.Hash("identity", passwordProvider, fold(address))}
}

// hashOf returns the hash of an address under which mails to it are limited.
func (d *desk) hashOf(address string) string { return d.p.Box.Hash("mail limit", fold(address)) }
