package shape

import (
	"cmp"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

// KnownBack returns what the key of an item of the new place, and other attributes of it, tell of the item of the old place, under
// its names there. An attribute that the item does not have is nil.
func (m *Move) KnownBack(key, known access.Item) access.Item {
	m.once.Do(m.prepare)
	d := m.back
	told := access.Item{}
	for name, v := range key {
		if name, stored := d.name(name); stored {
			told[name] = v
		}
	}
	for i := range d.source.Attributes {
		a := &d.source.Attributes[i]
		for name, v := range key {
			t := d.source.keys[name]
			if t == nil {
				continue
			}
			text, is := v.(*types.AttributeValueMemberS)
			if !is {
				continue
			}
			if part, ok := t.read(a, text.Value); ok {
				if name, stored := d.name(a.Name); stored {
					told[name] = typed(a, part)
				}
			}
		}
	}
	if name := d.to.table.Type; name != "" {
		told[name] = marshal.S(d.entity.label())
	}
	for name, v := range known {
		if name, stored := d.name(name); stored {
			told[name] = v
		}
	}
	return told
}

// KeyBack returns a key of the items of the old place, made of attributes that are known; nil if the item does not have it. The error
// is an *access.UnknownError if the key is made of others, too.
func (m *Move) KeyBack(name string, known access.Item) (types.AttributeValue, error) {
	m.once.Do(m.prepare)
	d := m.back
	if d.entity.keys[name] == nil {
		if v, is := known[name]; is {
			return v, nil
		}
		return nil, &access.UnknownError{Key: name, Attribute: name}
	}
	for _, source := range d.plain.KeySources(m.Entity, name) {
		if _, is := known[source]; !is {
			return nil, &access.UnknownError{Key: name, Attribute: source}
		}
	}
	present := maps.Clone(known)
	maps.DeleteFunc(present, func(_ string, v types.AttributeValue) bool { return v == nil })
	text, has, err := d.plain.KeyText(m.Entity, name, present)
	if err != nil || !has {
		return nil, err
	}
	return marshal.S(text), nil
}

// IndexKeysBack returns the keys of indexes of the old place that are made of one of some attributes.
func (m *Move) IndexKeysBack(changed []string) []string {
	m.once.Do(m.prepare)
	var all []string
	for _, k := range m.back.entity.Keys {
		if slices.Contains(m.Old.primary(), k.Name) {
			continue
		}
		if slices.ContainsFunc(m.back.plain.KeySources(m.Entity, k.Name), func(s string) bool { return slices.Contains(changed, s) }) {
			all = append(all, k.Name)
		}
	}
	return all
}

// Read returns an item of the old place as readers of the new version take it. The item may be a part of one, without its key.
func (m *Move) Read(old access.Item) access.Item {
	m.once.Do(m.prepare)
	d := m.forth
	made := make(access.Item, len(old)+2)
	for name, v := range old {
		if name, stored := d.name(name); stored {
			made[name] = v
		}
	}
	for name, v := range d.values {
		if made[name] == nil {
			made[name] = v
		}
	}
	d.fromKey(old, made)
	if name := d.to.table.Type; name != "" {
		made[name] = marshal.S(d.entity.label())
	}
	for _, k := range d.entity.Keys {
		if text, has, err := d.plain.KeyText(d.entity.Name, k.Name, made); err == nil && has {
			made[k.Name] = marshal.S(text)
		}
	}
	return made
}

// Places reports whether an item can be one of the old place, and one of the new place, by its key and the attribute that names its entity.
// An item without them can be both.
func (m *Move) Places(item access.Item) (old, new bool) {
	m.once.Do(m.prepare)
	return m.back.mayHold(item), m.forth.mayHold(item)
}

// mayHold reports whether an item can be one that is made.
func (d *direction) mayHold(item access.Item) bool {
	t := d.to.table
	if v, is := item[cmp.Or(t.Type, "-")].(*types.AttributeValueMemberS); is && t.Type != "" && v.Value != d.entity.label() {
		return false
	}
	for _, name := range t.primary() {
		if item[name] == nil {
			return true
		}
	}
	return d.to.matches(d.entity, item)
}
