package part

import (
	"fmt"
	"maps"
	"reflect"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

// New returns the part that an item must have, without attributes that it must not have.
func (r *Reader) New(item access.Item) (access.Item, error) {
	whole, made := maps.Clone(item), access.Item{}
	for _, s := range r.Set {
		delete(whole, s.Attribute)
	}
	for _, s := range r.Set {
		v, err := r.value(s, whole)
		if err != nil {
			return nil, err
		}
		if s.isDefault() && item[s.Attribute] != nil {
			v = item[s.Attribute]
		}
		if v != nil {
			whole[s.Attribute], made[s.Attribute] = v, v
		}
	}
	return made, nil
}

// value returns the value of one attribute of the part, nil if the item has none. The item holds the
// attributes of the part that come before it.
func (r *Reader) value(s Source, item access.Item) (types.AttributeValue, error) {
	switch {
	case s.Key:
		text, has, err := r.new.KeyText(r.As, s.Attribute, item)
		if err != nil || !has {
			return nil, err
		}
		if len(text) == 0 {
			return nil, fmt.Errorf("%s would be empty", s.Attribute)
		}
		return marshal.S(text), nil
	case s.From != "" && s.Convert != "":
		if r.convert[s.Convert] == nil {
			return nil, fmt.Errorf("the conversion %s is missing", s.Convert)
		}
		if item[s.From] == nil {
			return nil, nil
		}
		v, err := r.convert[s.Convert](item[s.From])
		if err != nil {
			return nil, fmt.Errorf("%s cannot be converted: %w", s.From, err)
		}
		return v, nil
	case s.From != "":
		return item[s.From], nil
	}
	return constant(s)
}

// AsNew returns an item of the last version as readers of the next one take it: with the values of the attributes that have
// other names or other defaults there. It is the item itself if there are none.
func (r *Reader) AsNew(item access.Item) (access.Item, error) {
	changed := item
	for _, s := range r.Set {
		if s.Key || s.isDefault() && item[s.Attribute] != nil {
			continue
		}
		v, err := r.value(s, item)
		if err != nil {
			return nil, err
		}
		if len(changed) == len(item) && reflect.ValueOf(changed).Pointer() == reflect.ValueOf(item).Pointer() {
			changed = maps.Clone(item)
		}
		if v == nil {
			delete(changed, s.Attribute)
		} else {
			changed[s.Attribute] = v
		}
	}
	return changed, nil
}

// Equal compares stored values. Numbers that differ in their text alone are equal where they are whole
// attributes, as a copy keeps the text.
func Equal(a, b types.AttributeValue) bool { return reflect.DeepEqual(a, b) }

// EqualItems compares items, as Equal does.
func EqualItems(a, b access.Item) bool { return reflect.DeepEqual(a, b) }

// Old returns an item of the next version as the last one stores it: without the part, and with what only the last version
// stores. Attributes that the next version does not have are missing.
func (r *Reader) Old(item access.Item) (access.Item, error) {
	old := maps.Clone(item)
	for _, name := range r.Computed() {
		delete(old, name)
	}
	for _, s := range r.Set {
		if s.From == "" || item[s.Attribute] == nil {
			continue
		}
		if s.Convert != "" {
			return nil, fmt.Errorf("%s was %s, and there is no conversion back", s.Attribute, s.From)
		}
		old[s.From] = item[s.Attribute]
	}
	for _, name := range r.Remove {
		if !r.old.HasKey(r.Entity, name) {
			continue
		}
		text, has, err := r.old.KeyText(r.Entity, name, old)
		if err != nil {
			return nil, err
		}
		if has {
			old[name] = marshal.S(text)
		}
	}
	return old, nil
}
