package check

import (
	"fmt"
	"strconv"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// DynamoDB's limits of a key value, in bytes.
const (
	maxPartitionKey = 2048
	maxSortKey      = 1024
)

// keyTooLong finds keys whose stated sizes exceed the limit (K104). Text without a stated
// size counts as zero: unbounded text alone is not a finding.
func keyTooLong(s *subject) {
	for _, use := range s.keyUses() {
		if use.Key == nil || use.Key.Kind() == "N" || use.Key.Kind() == "" {
			continue
		}
		limit := int64(maxPartitionKey)
		if use.Sort {
			limit = maxSortKey
		}
		length := lengthOf(use.Key)
		switch {
		case length.bytes > limit:
			s.report.Add(tooLong(use, length, fmt.Sprintf("The %s is about %d bytes long, and the limit is %d", use, length.bytes, limit)))
		case length.bytes+length.stated > limit:
			s.report.Add(tooLong(use, length, fmt.Sprintf("The %s is about %d bytes long on average; one twice as long exceeds the limit of %d", use, length.bytes, limit)))
		}
	}
}

// A keyLength is the estimated length of a key's value.
type keyLength struct {
	bytes        int64
	stated       int64 // bytes that are averages by the stated sizes
	longest      int   // index of the longest placeholder; 0 if there is none
	longestBytes int64
}

func lengthOf(key *model.Key) keyLength {
	length := keyLength{longestBytes: -1}
	for i, part := range key.Parts() {
		n, average := partBytes(part)
		length.bytes += n
		if average {
			length.stated += n
		}
		if part.IsHole() && n > length.longestBytes {
			length.longest, length.longestBytes = i, n
		}
	}
	return length
}

// tooLong describes a key that is too long, with advice for its longest part.
func tooLong(use keyUse, length keyLength, message string) diag.Finding {
	part := use.Key.Parts()[length.longest]
	finding := diag.Finding{Code: "K104", Place: use.partPlace(length.longest), Subject: subjectOf(use), Message: message}
	if !part.IsHole() {
		finding.Fix = "Shorten its literal text"
		return finding
	}
	finding.Fix = fmt.Sprintf("Limit the length of %s, put its hash into the key instead, or remove it from the key", part.Attribute.Name)
	finding.Related = []diag.Related{{Place: part.Attribute.Place, Message: fmt.Sprintf("%s takes about %d bytes of it", part.Attribute.Name, length.longestBytes)}}
	return finding
}

// partBytes returns the maximum length of a part of a key or, if average is true, its
// average length by the stated size. The length of text without a stated size is 0.
func partBytes(part model.Part) (bytes int64, average bool) {
	if !part.IsHole() {
		return int64(len(part.Literal)), false
	}
	for i := len(part.Filters) - 1; i >= 0; i-- {
		f := part.Filters[i]
		switch f.Name {
		case model.Shard:
			return int64(len(strconv.Itoa(f.N - 1))), false
		case model.Prefix:
			return int64(f.N), false
		case model.ByYear, model.ByMon, model.ByDate, model.ByHour:
			_, width := f.Name.Period()
			return int64(width), false
		case model.Pad:
			return max(int64(f.N), widths[part.Attribute.Type.Base]), false
		}
	}
	t := part.Attribute.Type
	if t.Base == model.Enum {
		for _, v := range t.Values {
			bytes = max(bytes, int64(len(v)))
		}
		return bytes, false
	}
	if width, ok := widths[t.Base]; ok {
		return width, false
	}
	return part.Attribute.Size, true
}

// widths maps types to the length of their longest text.
var widths = map[model.Base]int64{
	model.Integer: 20, model.Numeric: 40, model.Decimal: 40, model.Unixtime: 10, model.Bool: 5,
	model.Timestamp: 24, model.Date: 10, model.Week: 8,
	model.UUID: 36, model.UUIDv7: 36, model.ULID: 26, model.Geohash: 12,
}

// delimiterInValue finds free text in keys where the delimiter would end it (K106), once per attribute and
// table. An open placeholder and an escaped one take any text. Values that a program generates,
// by their name, are assumed not to contain it.
func delimiterInValue(s *subject) {
	type told struct {
		table     *model.Table
		attribute string // a name means the same in all entities of a table
	}
	seen := map[told]bool{}
	for _, use := range s.keyUses() {
		if use.Key == nil || use.Key.Template == nil {
			continue
		}
		for i, part := range use.Key.Template.Parts {
			a := part.Attribute
			if a == nil || a.Type.Base != model.String || part.TakesDelimiter() || madeByProgram(a.Name) || seen[told{use.Path.Table, a.Name}] {
				continue
			}
			seen[told{use.Path.Table, a.Name}] = true
			s.report.Add(diag.Finding{
				Code: "K106", Place: use.partPlace(i), Subject: subjectOf(use),
				Message: fmt.Sprintf("%s is free text in the %s: values that contain %s are rejected when the key is built", a.Name, use, part.Delimiter),
				Fix:     fmt.Sprintf("Write %s: %s, in every key that contains %s", use.Name, rewritten(use.Key.Template, i, escaped(part).String()), a.Name),
			})
		}
	}
}

// escaped returns a part with the filter escape.
func escaped(part model.Part) model.Part {
	part.Filters = append(part.Filters[:len(part.Filters):len(part.Filters)], model.Filter{Name: model.Escape})
	return part
}

func holes(t *model.Template) int {
	n := 0
	for _, part := range t.Parts {
		if part.IsHole() {
			n++
		}
	}
	return n
}

// madeByProgram reports whether a name suggests a generated value: chatId, cellKey,
// token_hash.
func madeByProgram(name string) bool {
	return namedAsID(name) || endsIn(name, "key") || endsIn(name, "hash") || endsIn(name, "token")
}

// namedAsID reports whether a name suggests an id: id, chatId, user_id.
func namedAsID(name string) bool { return endsIn(name, "id") }

// endsIn reports whether the last word of a name is word.
func endsIn(name, word string) bool {
	return strings.EqualFold(name, word) || strings.HasSuffix(name, "_"+word) ||
		strings.HasSuffix(name, strings.ToUpper(word[:1])+word[1:]) || strings.HasSuffix(name, strings.ToUpper(word))
}

// padAndFilter finds padding followed by another filter (K112). Only shard can follow pad,
// and it discards the zeros.
func padAndFilter(s *subject) {
	for _, table := range s.design.Tables {
		for _, c := range computedOf(table) {
			for i, part := range c.Template.Parts {
				rest := besidesPad(part)
				if len(rest.Filters) == 0 {
					continue
				}
				s.report.Add(diag.Finding{
					Code: "K112", Place: partPlace(c.Template, i), Subject: "table " + table.Name,
					Message: fmt.Sprintf("%s pads %s, but %s discards the zeros", part, part.Attribute.Name, rest.Filters[0].Name),
					Fix:     fmt.Sprintf("Write %s: %s", c.Name, rewritten(c.Template, i, rest.String())),
				})
			}
		}
	}
}

// besidesPad returns a padded part with only its other filters; it has none if the part is not
// padded.
func besidesPad(part model.Part) model.Part {
	rest := model.Part{Attribute: part.Attribute}
	pad, padded := part.Filter(model.Pad)
	if !padded {
		return rest
	}
	for _, f := range part.Filters {
		if f != pad {
			rest.Filters = append(rest.Filters, f)
		}
	}
	return rest
}
