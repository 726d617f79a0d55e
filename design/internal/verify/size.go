package verify

import (
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
)

// sizeOf is what DynamoDB counts an item as: the bytes of its names and values.
func sizeOf(item access.Item) int64 {
	size := int64(0)
	for name, v := range item {
		size += int64(len(name)) + valueSize(v)
	}
	return size
}

func valueSize(v types.AttributeValue) int64 {
	size := int64(0)
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return int64(len(v.Value))
	case *types.AttributeValueMemberB:
		return int64(len(v.Value))
	case *types.AttributeValueMemberN:
		return numberSize(v.Value)
	case *types.AttributeValueMemberSS:
		for _, s := range v.Value {
			size += int64(len(s))
		}
	case *types.AttributeValueMemberNS:
		for _, n := range v.Value {
			size += numberSize(n)
		}
	case *types.AttributeValueMemberBS:
		for _, b := range v.Value {
			size += int64(len(b))
		}
	case *types.AttributeValueMemberL:
		size = 3 + int64(len(v.Value))
		for _, e := range v.Value {
			size += valueSize(e)
		}
	case *types.AttributeValueMemberM:
		return 3 + int64(len(v.Value)) + sizeOf(v.Value)
	default:
		return 1
	}
	return size
}

// numberSize counts one byte, one for every two digits or part of two, before the point
// and behind it, without the zeros at the ends of the number, and one for a sign.
func numberSize(text string) int64 {
	size := int64(1)
	if strings.HasPrefix(text, "-") {
		text, size = text[1:], size+1
	}
	whole, fraction, _ := strings.Cut(text, ".")
	whole, fraction = strings.TrimLeft(whole, "0"), strings.TrimRight(fraction, "0")
	switch {
	case fraction == "":
		whole = strings.TrimRight(whole, "0")
	case whole == "":
		fraction = strings.TrimLeft(fraction, "0")
	}
	return size + int64(len(whole)+1)/2 + int64(len(fraction)+1)/2
}

// entryOf is an item as a path holds it, or nil if the path does not hold it.
func entryOf(path resolve.Path, item access.Item) access.Item {
	if item == nil || path.Index == nil {
		return item
	}
	if !onPath(path, item) {
		return nil
	}
	x := path.Index
	if x.Project.Kind == model.ProjectAll || x.Project.Kind == "" {
		return item
	}
	entry := access.Item{}
	keep := func(name string) {
		if v, ok := item[name]; ok {
			entry[name] = v
		}
	}
	for _, name := range resolve.KeyNames(path) {
		keep(name.Name)
	}
	for _, name := range x.Project.Attributes {
		keep(name)
	}
	return entry
}

// onPath reports whether an item has all keys of a path.
func onPath(path resolve.Path, item access.Item) bool {
	if path.Index == nil {
		return true
	}
	lacks := func(key model.KeyName) bool { return item[key.Name] == nil }
	return !slices.ContainsFunc(path.Index.PK, lacks) && !slices.ContainsFunc(path.Index.SK, lacks)
}

// filled are the values of an item, with one value made so long that the item has the size
// the design says, if it has one that nothing asks for.
func (v *arranger) filled(item *sample.Item) sample.Values {
	values := item.Values()
	filler := v.filler(item.Entity)
	if filler == nil || item.Entity.Size.Avg == 0 {
		return values
	}
	missing := item.Entity.Size.Avg - sizeOf(stored(item))
	have, ok := values[filler]
	if !ok {
		missing -= int64(len(filler.Stored))
	}
	if longer, ok := stretched(filler.Type, have, missing); ok {
		values[filler] = longer
	}
	return values
}

// stretched is a value that takes so many bytes more.
func stretched(t model.Type, have sample.Value, by int64) (sample.Value, bool) {
	const words = "what is written here only takes room. "
	room := func(n int64) string { return strings.Repeat(words, int(n)/len(words)+1)[:n] }
	switch {
	case by <= 0:
		return have, false
	case t.Base == model.String:
		return sample.Value{Kind: sample.Text, Text: have.Text + room(by)}, true
	case t.Base == model.JSON && by > 2:
		by -= 2 - int64(len(have.Text)) // the quotes, and what it replaces
		return sample.Value{Kind: sample.Text, Text: `"` + room(max(by, 1)) + `"`}, true
	case t.Base == model.ListOf && t.Element.Base == model.String && by > 4:
		by-- // each element takes a byte besides
		if have.Kind == "" {
			by -= 3 // and so does the list, three
		}
		longer := sample.Value{Kind: sample.List, Elements: slices.Clone(have.Elements)}
		longer.Elements = append(longer.Elements, sample.Value{Kind: sample.Text, Text: room(by)})
		return longer, true
	}
	return have, false
}

// filler is a value of an entity that no key is made of and no pattern compares.
func (v *arranger) filler(e *model.Entity) *model.Attribute {
	fits := func(t model.Type) bool {
		return t.Base == model.String || t.Base == model.JSON || t.Base == model.ListOf && t.Element.Base == model.String
	}
	for _, a := range e.Attributes {
		if fits(a.Type) && !v.asked()[a] {
			return a
		}
	}
	return nil
}

// isKey reports whether an attribute is a key of an index of the entity's table. It counts
// as one also in items that lack the other keys and so are not in the index.
func (v *arranger) isKey(e *model.Entity, stored string) bool {
	home := v.layout.Home(e)
	if home == nil {
		return false
	}
	for _, x := range home.Table.Indexes {
		for _, key := range slices.Concat(x.PK, x.SK) {
			if key.Name == stored {
				return true
			}
		}
	}
	return false
}

// asked are the attributes that keys are made of or patterns compare.
func (v *arranger) asked() map[*model.Attribute]bool {
	if v.compared != nil {
		return v.compared
	}
	all := map[*model.Attribute]bool{}
	note := func(conditions []*model.Condition) {
		for _, c := range conditions {
			for _, a := range append([]*model.Attribute{c.Attribute}, comparedWith(c)...) {
				all[a] = true
			}
		}
	}
	d := v.layout.Design()
	for _, e := range d.Entities {
		for _, a := range e.ID {
			all[a] = true
		}
		for _, u := range e.Unique {
			for _, a := range append(append([]*model.Attribute(nil), u.Attributes...), u.Per...) {
				all[a] = true
			}
		}
		for _, a := range e.Attributes {
			all[a] = all[a] || v.isKey(e, a.Stored)
		}
		for _, entry := range v.layout.Entries(e) {
			note(entry.When())
			for _, key := range append(append([]*model.Key(nil), entry.PK...), entry.SK...) {
				for _, a := range key.Attributes() {
					all[a] = true
				}
			}
		}
	}
	for _, p := range d.Patterns {
		note(p.Where)
		note(p.Filter)
		if p.Order != nil {
			all[p.Order.Attribute] = true
		}
		for _, step := range p.Actions() {
			note(step.Where)
			note(step.If)
		}
		for _, r := range p.Requires {
			note(r.Where)
			note(r.If)
		}
	}
	v.compared = all
	return all
}
