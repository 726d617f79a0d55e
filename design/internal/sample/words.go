package sample

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"sortkey.dev/design/internal/model"
)

var (
	people  = []string{"Ada Lind", "Bo Öberg", "Cleo Marsh", "Dario Conti", "Edit Nagy", "Femi Ade", "Greta Holm", "Hugo Sand", "Ines Rey", "Jun Sato"}
	words   = []string{"amber", "birch", "coral", "delta", "ember", "fjord", "grove", "haven", "iris", "juniper"}
	titles  = []string{"First steps", "Kitchen table", "Spring review", "Road signs", "Night shift", "Garden tools", "Winter plan", "Open house"}
	phrases = []string{"Works as expected", "Picked up on Friday", "Needs a second look", "Done before lunch", "Two parts are missing", "As good as new"}
	cities  = []string{"Stockholm", "Uppsala", "Malmö", "Lund"}
)

func pick(list []string, i int) string { return list[i%len(list)] }

// round returns a suffix that keeps texts apart once a list has been gone through.
func round(list []string, i int) string {
	if i < len(list) {
		return ""
	}
	return fmt.Sprintf(" %d", i/len(list)+1)
}

// A shape generates texts for attributes whose name contains one of the words.
type shape struct {
	names []string
	make  func(g *generator, d *draft, i int) string
}

// shapes are tried in order. No text holds the delimiter of keys.
var shapes = []shape{
	{[]string{"email", "mail"}, func(_ *generator, _ *draft, i int) string {
		return ascii(strings.ReplaceAll(strings.ToLower(pick(people, i)), " ", ".")) + strings.TrimSpace(round(people, i)) + "@example.org"
	}},
	{[]string{"hash", "token", "secret", "key_", "fingerprint", "signature"}, func(g *generator, _ *draft, _ int) string {
		return hex.EncodeToString(g.bytes(8))
	}},
	{[]string{"idempotency"}, func(g *generator, _ *draft, _ int) string { return "req-" + hex.EncodeToString(g.bytes(4)) }},
	{[]string{"url", "uri", "link"}, func(_ *generator, _ *draft, i int) string {
		return fmt.Sprintf("/media/%s-%d.webp", pick(words, i), i+1)
	}},
	{[]string{"object_key", "objectkey", "path"}, func(_ *generator, _ *draft, i int) string {
		return fmt.Sprintf("uploads/%s-%d.pdf", pick(words, i), i+1)
	}},
	{[]string{"file"}, func(_ *generator, _ *draft, i int) string { return fmt.Sprintf("%s-%d.pdf", pick(words, i), i+1) }},
	{[]string{"content_type", "mime"}, func(*generator, *draft, int) string { return "application/pdf" }},
	{[]string{"agent"}, func(_ *generator, _ *draft, i int) string {
		return pick([]string{"Firefox on Linux", "Safari on iPhone"}, i)
	}},
	{[]string{"title", "subject"}, func(_ *generator, _ *draft, i int) string { return pick(titles, i) + round(titles, i) }},
	{[]string{"city", "place", "location"}, func(_ *generator, _ *draft, i int) string { return pick(cities, i) }},
	{[]string{"window", "bucket", "slot"}, func(_ *generator, d *draft, i int) string {
		return d.at.Format("2006-01-02T15") + fmt.Sprintf(":%02d", i%60)
	}},
	{[]string{"scope"}, func(_ *generator, _ *draft, i int) string { return fmt.Sprintf("login:ip:10.0.0.%d", i+1) }},
	{[]string{"alias", "tag", "categor", "label", "slug", "badge"}, func(_ *generator, _ *draft, i int) string { return pick(words, i) + strings.TrimSpace(round(words, i)) }},
	{[]string{"phone"}, func(_ *generator, _ *draft, i int) string { return fmt.Sprintf("+46 70 000 00 %02d", i%100) }},
	{[]string{"currency"}, func(*generator, *draft, int) string { return "SEK" }},
	{[]string{"action"}, func(_ *generator, _ *draft, i int) string { return pick([]string{"publish", "edit", "archive"}, i) }},
	{[]string{"username", "login"}, func(_ *generator, _ *draft, i int) string {
		return ascii(strings.ToLower(strings.Fields(pick(people, i))[0])) + strings.TrimSpace(round(people, i))
	}},
	{[]string{"name", "author", "owner"}, func(_ *generator, _ *draft, i int) string { return pick(people, i) + round(people, i) }},
}

// words returns a text for an attribute by what it is called.
func (g *generator) words(d *draft, a *model.Attribute, attempt int) string {
	name := strings.ToLower(a.Name)
	i := d.serial + attempt
	if isID(a.Name) {
		return fmt.Sprintf("%s_%d", stem(a.Name), 101+i)
	}
	for _, s := range shapes {
		if hasAny(name, s.names...) {
			return s.make(g, d, i)
		}
	}
	if g.inKey(d.entity, a) {
		return pick(words, i) + strings.TrimSpace(round(words, i))
	}
	return pick(phrases, i) + round(phrases, i)
}

// inKey reports whether the attribute is in the id or in a key, where a short word
// reads better than a sentence.
func (g *generator) inKey(e *model.Entity, a *model.Attribute) bool {
	if slices.Contains(e.ID, a) {
		return true
	}
	for _, entry := range g.layout.Entries(e) {
		for _, key := range slices.Concat(entry.PK, entry.SK) {
			if slices.Contains(key.Attributes(), a) {
				return true
			}
		}
	}
	return false
}

// isID reports whether a name ends in id as a word of its own: itemId, item_id.
func isID(name string) bool {
	return name == "id" || strings.HasSuffix(name, "_id") || strings.HasSuffix(name, "Id") || strings.HasSuffix(name, "ID")
}

func hasAny(name string, parts ...string) bool {
	for _, part := range parts {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// ascii drops what has no place in an address.
func ascii(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == 'ö':
			return 'o'
		case r > unicode.MaxASCII:
			return -1
		}
		return r
	}, s)
}
