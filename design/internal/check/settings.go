package check

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
)

// AWS's limits of tags, in characters.
const (
	maxTags     = 50
	maxTagKey   = 128
	maxTagValue = 256
)

// refusedSettings finds table settings that AWS rejects (L709).
func refusedSettings(s *subject) {
	for _, table := range s.design.Tables {
		refuse := func(place diag.Place, message, fix string) {
			s.report.Add(diag.Finding{Code: "L709", Place: place, Subject: "table " + table.Name, Message: message, Fix: fix})
		}
		if n := len(table.Tags); n > maxTags {
			refuse(table.Place, fmt.Sprintf("%s has %d tags, and a table can have %d", table.Name, n, maxTags), "")
		}
		for _, tag := range table.Tags {
			if why := refusedTag(tag); why != "" {
				refuse(table.Place, fmt.Sprintf("%s has the invalid tag %q: %s", table.Name, tag.Key, why), "")
			}
		}
		if scale := table.Billing.Autoscale; scale != nil && (scale.Target.Less(exact.Ratio(2, 10)) || exact.Ratio(9, 10).Less(scale.Target)) {
			refuse(table.Billing.Place, fmt.Sprintf("%s scales to a utilization of %s, and AWS accepts 0.2 to 0.9", table.Name, scale.Target),
				"Set target to 0.7, which leaves headroom while autoscaling reacts")
		}
	}
}

// refusedTag returns why AWS rejects a tag, or "".
func refusedTag(tag model.Tag) string {
	switch {
	case tag.Key == "":
		return "a tag needs a name"
	case strings.HasPrefix(strings.ToLower(tag.Key), "aws:"):
		return "names that begin with aws: are reserved"
	case utf8.RuneCountInString(tag.Key) > maxTagKey:
		return fmt.Sprintf("the name of a tag has at most %d characters", maxTagKey)
	case utf8.RuneCountInString(tag.Value) > maxTagValue:
		return fmt.Sprintf("the value of a tag has at most %d characters", maxTagValue)
	}
	if r, found := refusedRune(tag.Key); found {
		return fmt.Sprintf("names of tags can contain letters, digits, spaces and + - = . _ : / @, not %q", r)
	}
	if r, found := refusedRune(tag.Value); found {
		return fmt.Sprintf("values of tags can contain letters, digits, spaces and + - = . _ : / @, not %q", r)
	}
	return ""
}

// refusedRune finds the first character that is invalid in names and values of tags.
func refusedRune(text string) (r rune, found bool) {
	at := strings.IndexFunc(text, notInTag)
	if at < 0 {
		return 0, false
	}
	r, _ = utf8.DecodeRuneInString(text[at:])
	return r, true
}

func notInTag(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.Is(unicode.Zs, r) && !strings.ContainsRune("+-=._:/@", r)
}
