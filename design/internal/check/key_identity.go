package check

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// keyCollision finds two kinds of items of one table that can have the same primary
// key (K102): entities, and guard rows of unique values.
func keyCollision(s *subject) {
	for _, c := range s.layout.Collisions() {
		tags := s.options.Tags
		if c.A.Entity.HasTag(tags) && c.B.Entity.HasTag(tags) {
			s.report.Add(collision(rowOf(c.A), rowOf(c.B)))
		}
	}
	for _, table := range s.design.Tables {
		for i, guard := range table.Guards {
			mine := guardRow(table, guard)
			for _, other := range rowsBefore(table, i) {
				if other.canEqual(mine) {
					s.report.Add(collision(other, mine))
				}
			}
		}
	}
}

// rowsBefore returns all items of a table and the guards before the guard i.
func rowsBefore(table *model.Table, i int) []row {
	var all []row
	for _, item := range table.Items {
		all = append(all, rowOf(item))
	}
	for _, guard := range table.Guards[:i] {
		all = append(all, guardRow(table, guard))
	}
	return all
}

// A row is one kind of item of a table, with its primary key.
type row struct {
	table  *model.Table
	name   string
	prefix string // a proposed prefix of its key
	keys   []*model.Key
	at     diag.Place
}

func rowOf(item *model.Item) row {
	r := row{table: item.Table, name: item.Entity.Name, prefix: strings.ToUpper(item.Entity.Name), at: item.Place}
	for _, use := range primaryKey(item) {
		r.keys = append(r.keys, use.Key)
		if use.Key != nil && use.Key.Template != nil {
			r.at = use.place() // the sort key's, if it has one: a prefix belongs there
		}
	}
	return r
}

func guardRow(table *model.Table, guard *model.Guard) row {
	r := row{table: table, name: "the guard of " + guardName(guard), prefix: "UNIQUE_" + strings.ToUpper(attributeWords(guard.Attributes)), at: guard.Place}
	for _, name := range primaryNames(table) {
		r.keys = append(r.keys, guardKey(guard, name))
	}
	return r
}

// canEqual reports whether two kinds of items can have the same primary key.
func (a row) canEqual(b row) bool {
	for i := range a.keys {
		if a.keys[i] == nil || b.keys[i] == nil || !resolve.CanEqual(a.keys[i], b.keys[i]) {
			return false
		}
	}
	return true
}

func collision(a, b row) diag.Finding {
	return diag.Finding{
		Code: "K102", Place: b.at, Subject: "table " + b.table.Name,
		Message: fmt.Sprintf("%s (%s) and %s (%s) can have the same primary key in %s", a.name, keyTexts(a.keys), b.name, keyTexts(b.keys), b.table.Name),
		Fix:     apartFix(a, b),
		Related: []diag.Related{{Place: a.at, Message: "the key of " + a.name}},
	}
}

// apartFix returns advice with a key for one of the rows that the other cannot have.
func apartFix(a, b row) string {
	for _, r := range []row{b, a} {
		if fix := r.prefixFix(); fix != "" {
			return fix
		}
	}
	return fmt.Sprintf("Put %s and %s into separate tables, or begin each sort key with its own prefix", a.name, b.name)
}

// prefixFix returns advice to begin the last key with the name of the row, or "" if the key
// already does or is no template.
func (r row) prefixFix() string {
	last := r.keys[len(r.keys)-1]
	if last == nil || last.Template == nil || strings.HasPrefix(last.Template.Text, r.prefix) {
		return ""
	}
	text := r.prefix
	if holes(last.Template) > 0 {
		text += last.Template.Parts[0].Delimiter.String() + last.Template.Text
	}
	return fmt.Sprintf(`Begin %s of %s with a name of its own, such as "%s"`, last.Name, r.name, text)
}

// keyTexts formats a primary key for messages: "USER#{id}" / "PROFILE".
func keyTexts(keys []*model.Key) string {
	var texts []string
	for _, key := range keys {
		if key != nil {
			texts = append(texts, keyText(key))
		}
	}
	return strings.Join(texts, " / ")
}

func keyText(key *model.Key) string {
	if key.Template != nil {
		return `"` + key.Template.Text + `"`
	}
	return key.Attribute.Name
}

// idInKey finds primary keys that two items of one entity can share (K103).
func idInKey(s *subject) {
	for _, table := range s.design.Tables {
		for _, item := range table.Items {
			if !item.Entity.HasTag(s.options.Tags) || !complete(item) {
				continue
			}
			if identity(item) == nil {
				s.report.Add(idMissing(item))
			}
			for _, use := range primaryKey(item) {
				runsTogether(s, use)
			}
		}
	}
}

// complete reports whether the item has all keys of its table; K108 reports the others.
func complete(item *model.Item) bool {
	return !slices.ContainsFunc(primaryKey(item), func(u keyUse) bool { return u.Key == nil })
}

// identity returns the identifying attributes that the primary key contains whole: the id,
// or attributes declared unique. It returns nil if there are none.
func identity(item *model.Item) []*model.Attribute {
	have := keptInKey(item)
	if holds(have, item.Entity.ID) {
		return item.Entity.ID
	}
	for _, u := range item.Entity.Unique {
		if all := slices.Concat(u.Attributes, u.Per); holds(have, all) {
			return all
		}
	}
	return nil
}

// keptInKey returns the attributes whose values the primary key distinguishes. Attributes
// with lower and upper count: with these filters both spellings are meant to be one value.
func keptInKey(item *model.Item) []*model.Attribute {
	var kept []*model.Attribute
	for _, use := range primaryKey(item) {
		if use.Key == nil {
			continue
		}
		for _, part := range use.Key.Parts() {
			if part.IsHole() && keepsApart(part) && !slices.Contains(kept, part.Attribute) {
				kept = append(kept, part.Attribute)
			}
		}
	}
	return kept
}

func keepsApart(part model.Part) bool {
	return !slices.ContainsFunc(part.Filters, func(f model.Filter) bool {
		return f.Name != model.Pad && f.Name != model.Lower && f.Name != model.Upper && f.Name != model.Escape
	})
}

func idMissing(item *model.Item) diag.Finding {
	entity, kept := item.Entity, keptInKey(item)
	var missing []*model.Attribute
	for _, a := range entity.ID {
		if !slices.Contains(kept, a) {
			missing = append(missing, a)
		}
	}
	same := "all of them share one item"
	if len(kept) > 0 {
		same = "all with the same " + attributeNames(kept) + " share one item"
	}
	keys := primaryKey(item)
	last := keys[len(keys)-1]
	finding := diag.Finding{
		Code: "K103", Place: last.place(), Subject: "entity " + entity.Name,
		Message: fmt.Sprintf("The primary key of %s in %s does not contain its id %s: %s", entity.Name, item.Table.Name, attributeNames(missing), same),
		Fix:     idFix(last, missing),
		Related: []diag.Related{{Place: entity.IDPlace, Message: "the id of " + entity.Name}},
	}
	for _, a := range missing {
		if use, part, found := inPrimaryKey(item, a); found {
			finding.Related = append(finding.Related, diag.Related{
				Place: use.partPlace(part), Message: fmt.Sprintf("%s contains only a part of %s", use.Key.Parts()[part], a.Name),
			})
		}
	}
	return finding
}

// idFix returns advice with a key that contains the id.
func idFix(last keyUse, missing []*model.Attribute) string {
	holes := make([]string, len(missing))
	for i, a := range missing {
		holes[i] = "{" + a.Name + "}"
	}
	d := last.Path.Table.Delimiter.String()
	tail := strings.Join(holes, d)
	entity := last.Item.Entity.Name
	switch {
	case last.Key.Template != nil && len(missing) == 1 && slices.Contains(last.Key.Attributes(), missing[0]):
		part := slices.IndexFunc(last.Key.Template.Parts, func(p model.Part) bool { return p.Attribute == missing[0] })
		return fmt.Sprintf("Write %s: %s, or correct the id of %s", last.Name, rewritten(last.Key.Template, part, tail), entity)
	case last.Key.Template != nil:
		text := strings.TrimSuffix(last.Key.Template.Text, d)
		return fmt.Sprintf(`Write %s: "%s%s%s", or correct the id of %s`, last.Name, text, d, tail, entity)
	case !last.Sort && len(missing) == 1:
		return fmt.Sprintf("Add sk: %s to %s, or correct the id of %s", missing[0].Name, last.Path, entity)
	}
	return fmt.Sprintf("Put %s into the primary key, or correct the id of %s", attributeNames(missing), entity)
}

// runsTogether finds two placeholders of a primary key without a delimiter between them, so
// that two pairs of values give the same text (K103).
func runsTogether(s *subject, use keyUse) {
	before, between := -1, ""
	for i, part := range use.Key.Parts() {
		switch {
		case !part.IsHole():
			between += part.Literal
			continue
		case before >= 0 && ambiguous(use.Key.Parts()[before], between, part):
			first := use.Key.Parts()[before]
			border := first.String() + part.Delimiter.String() + part.String()
			s.report.Add(diag.Finding{
				Code: "K103", Place: use.partPlace(i), Subject: "entity " + use.Item.Entity.Name,
				Message: fmt.Sprintf("%s%s%s in the %s has no delimiter: two different pairs of %s and %s can make the same key", first, between, part, use, first.Attribute.Name, part.Attribute.Name),
				Fix:     fmt.Sprintf("Write %s with %s between them", border, part.Delimiter),
			})
		}
		before, between = i, ""
	}
}

// ambiguous reports whether the text of two adjacent placeholders can be split in two ways. Only
// the last value of a key contains the delimiter.
func ambiguous(a model.Part, between string, b model.Part) bool {
	if strings.Contains(between, a.Delimiter.String()) || !openEnded(a) || !openEnded(b) {
		return false
	}
	return between == "" || (a.Attribute.Type.Base == model.String && b.Attribute.Type.Base == model.String)
}

// openEnded reports whether the text of a part has no fixed width.
func openEnded(part model.Part) bool {
	if _, padded := part.Filter(model.Pad); padded {
		return false
	}
	if _, cut := part.Filter(model.Prefix); cut {
		return false
	}
	switch part.Attribute.Type.Base {
	case model.String, model.Integer, model.Numeric, model.Decimal, model.Geohash:
		return true
	}
	return false
}
