package check

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// fewFix says how the key of an entry gets more values (H502): a shard of the id, which reads
// query one after the other.
func fewFix(s *subject, e *resolve.Entry) string {
	key, entity := e.PK[0], e.Item.Entity
	shard, many := fmt.Sprintf("{%s|shard 10}", lastID(entity)), "or put an attribute with many values into it"
	collected := slices.ContainsFunc(s.layout.Readers(e), func(p *model.Pattern) bool { return p.Verb == model.Collect })
	if !collected && len(entity.ID) > 0 && len(e.PK) == 1 && (key.Template != nil || e.Path.Index != nil) {
		if change, ok := longerKey(s.layout, e, shard); ok {
			return fmt.Sprintf("Write %s, %s", change, many)
		}
	}
	return fmt.Sprintf("Put an attribute with many values into %s, or spread it with %s", key.Name, shard)
}

// longerKey says what to write so that the last attribute of an entry's partition key has one more
// placeholder at its end: a longer template, or a template instead of a plain attribute. It returns
// false if one change is not enough.
func longerKey(layout *resolve.Layout, e *resolve.Entry, hole string) (string, bool) {
	key, entity := e.PK[len(e.PK)-1], e.Item.Entity
	computed := key.Name + "_key"
	switch {
	case len(key.When) > 0:
	case key.Template != nil:
		return fmt.Sprintf(`%s: "%s" under items, %s`, key.Name, extended(key, e.Path.Table, hole), entity.Name), true
	case len(e.PK) == 1 && len(layout.On(e.Path)) == 1 && entity.Attribute(computed) == nil:
		place := "table " + e.Path.Table.Name
		if e.Path.Index != nil {
			place = "index " + e.Path.Index.Name
		}
		return fmt.Sprintf(`pk: %s in the %s and %s: "{%s}%s%s" under items, %s`,
			computed, place, computed, key.Attribute.Name, e.Path.Table.Delimiter, hole, entity.Name), true
	}
	return "", false
}

// extended returns the template of a key with one more placeholder at its end.
func extended(key *model.Key, t *model.Table, hole string) string {
	return strings.TrimSuffix(key.Template.Text, t.Delimiter.String()) + t.Delimiter.String() + hole
}

// growsFix says how a partition stops growing (H504): its items are divided by months, and reads
// ask for a range of them. That helps if the sort key orders by the time and no pattern needs the
// key without it.
func growsFix(s *subject, e *resolve.Entry) string {
	key, entity := e.PK[len(e.PK)-1], e.Item.Entity
	for _, a := range entity.Attributes {
		if a.Type.Base != model.Timestamp || a.Type.Optional || a == entity.TTL || a == entity.Deadline || a.InKey {
			continue
		}
		reads, divides := dividedReads(s, e, a)
		if change, ok := longerKey(s.layout, e, "{"+a.Name+"|month}"); ok && divides {
			return fmt.Sprintf("Write %s%s, or let old items expire with ttl", change, reads)
		}
	}
	return fmt.Sprintf("Let old items expire with ttl, or put %s into %s and the time into where of every pattern that uses the key", bucketOf(entity), key.Name)
}

// dividedReads says what the reads of an entry ask for if its partition key contains the month of
// an attribute. It returns false if one of its patterns could not ask.
func dividedReads(s *subject, e *resolve.Entry, a *model.Attribute) (string, bool) {
	var reads []string
	for _, p := range s.layout.Readers(e) {
		switch {
		case bindsValue(p.Where, a):
		case p.Verb == model.List && rangesFirst(e, p.Where, a):
			reads = append(reads, p.Name)
		default:
			return "", false
		}
	}
	if e.Path.IsTable() && slices.ContainsFunc(s.layout.Design().Patterns, func(p *model.Pattern) bool { return findsWithout(p, e.Item.Entity, a) }) {
		return "", false
	}
	if len(reads) == 0 {
		return "", true
	}
	return fmt.Sprintf(", and %s: between $from and $to with fanout: { %s: 12 } in %s", a.Name, a.Name, strings.Join(reads, ", ")), true
}

// rangesFirst reports whether a range of an attribute is what the sort key of an entry answers after
// everything that conditions give.
func rangesFirst(e *resolve.Entry, where []*model.Condition, a *model.Attribute) bool {
	for _, key := range e.SK {
		for _, part := range key.Parts() {
			if part.IsHole() && !bindsValue(where, part.Attribute) {
				return part.Attribute == a && len(part.Filters) == 0
			}
		}
	}
	return false
}

// findsWithout reports whether a write finds an item of an entity by a key without an attribute.
func findsWithout(p *model.Pattern, e *model.Entity, a *model.Attribute) bool {
	for _, step := range p.Actions() {
		if step.Entity == e && step.Verb != model.Create && step.Verb != model.Put && !bindsValue(step.Where, a) {
			return true
		}
	}
	return slices.ContainsFunc(p.Requires, func(r *model.Requirement) bool { return r.Entity == e && !bindsValue(r.Where, a) })
}
