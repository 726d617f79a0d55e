package check

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// Words at the end of the names of attributes that tell what they hold.
var (
	secretWords   = []string{"password", "passwd", "passphrase", "secret", "token", "cvv", "cvc", "iban", "ssn", "pin", "apikey", "api_key", "cardnumber", "card_number"}
	personalWords = []string{"email", "e_mail", "phone", "mobile", "phonenumber", "phone_number"}
	loginWords    = []string{"email", "e_mail", "username", "user_name", "login", "handle", "nickname"}
)

// endsInOne reports whether the last word of a name is one of several.
func endsInOne(name string, words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return endsIn(name, word) })
}

// secretInKey finds secrets in keys (K114), once per attribute of an entity. Hashes end in
// another word.
func secretInKey(s *subject) {
	namedInKeys(s, secretWords, func(use keyUse, i int, a *model.Attribute) bool {
		s.report.Add(diag.Finding{
			Code: "K114", Place: use.partPlace(i), Subject: subjectOf(use),
			Message: fmt.Sprintf("%s is a secret by its name, and the %s contains it in plain text", a.Name, use),
			Fix:     fmt.Sprintf("Put a hash of it into the key, such as %s_hash", a.Name),
		})
		return true
	})
}

// personalKey finds addresses and telephone numbers in keys (K116), once per attribute of an
// entity.
func personalKey(s *subject) {
	namedInKeys(s, personalWords, func(use keyUse, i int, a *model.Attribute) bool {
		s.report.Add(diag.Finding{
			Code: "K116", Place: use.partPlace(i), Subject: subjectOf(use),
			Message: fmt.Sprintf("%s is personal data by its name, and the %s contains it", a.Name, use),
			Fix:     fmt.Sprintf("Use an id as the key and find it by a hash of %s, or accept it with the reason why it may be seen", a.Name),
		})
		return true
	})
}

// caseNotFolded finds e-mail addresses and user names in keys that keep their case (K115), once
// per attribute of an entity.
func caseNotFolded(s *subject) {
	namedInKeys(s, loginWords, func(use keyUse, i int, a *model.Attribute) bool {
		part := use.Key.Parts()[i]
		_, lower := part.Filter(model.Lower)
		_, upper := part.Filter(model.Upper)
		if lower || upper {
			return false
		}
		s.report.Add(diag.Finding{
			Code: "K115", Place: use.partPlace(i), Subject: subjectOf(use),
			Message: fmt.Sprintf("The %s distinguishes upper and lower case of %s: Ann and ann are two", use, a.Name),
			Fix:     foldFix(use, a),
		})
		return true
	})
}

// foldFix returns advice to fold the case of an attribute in a key.
func foldFix(use keyUse, a *model.Attribute) string {
	if use.Key.Template != nil {
		return fmt.Sprintf("Write {%s|lower} in %s", a.Name, use.Name)
	}
	return fmt.Sprintf(`Name the key %s_key and write %s_key: "{%s|lower}" under items, %s`, use.Name, use.Name, a.Name, use.Item.Entity.Name)
}

// namedInKeys calls report for parts of keys that hold the whole text of an attribute whose name
// ends in one of the words, until it reports the attribute. It looks at the keys of guards, too.
func namedInKeys(s *subject, words []string, report func(use keyUse, i int, a *model.Attribute) bool) {
	seen := map[*model.Attribute]bool{}
	for _, use := range slices.Concat(s.keyUses(), s.guardUses()) {
		if use.Key == nil {
			continue
		}
		for i, part := range use.Key.Parts() {
			a := part.Attribute
			if !part.IsHole() || a.Type.Base != model.String || seen[a] || !endsInOne(a.Name, words) {
				continue
			}
			if _, sharded := part.Filter(model.Shard); !sharded {
				seen[a] = report(use, i, a)
			}
		}
	}
}
