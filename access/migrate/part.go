package migrate

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
	"sortkey.dev/access/shape"
)

// A Conversion computes the value of a new attribute from that of an old one. A nil value means that
// the item does not get the attribute. An error makes the item a conflict.
type Conversion func(old types.AttributeValue) (types.AttributeValue, error)

// part is a Part with the descriptions of its items read.
type part struct {
	*Part
	table   *Table
	old     *shape.Reader
	new     *shape.Reader
	convert map[string]Conversion
	state   access.Item // the key of the state row, which is no item of the design
	sources []string    // stored attributes that decide the part, sorted
}

// compile returns a part that can be computed.
func (m *Migration) compile(p *Part, convert map[string]Conversion) (*part, error) {
	t := m.table(p.Table)
	if t == nil {
		return nil, fmt.Errorf("the migration has no table %s", p.Table)
	}
	c := &part{Part: p, table: t, old: shape.NewReader(t.Old), new: shape.NewReader(t.New), convert: convert}
	made := map[string]bool{}
	for _, s := range p.Set {
		made[s.Attribute] = true
		switch {
		case s.Key:
			sources := c.new.KeySources(p.As, s.Attribute)
			if len(sources) == 0 && !hasKey(t.New, p.As, s.Attribute) {
				return nil, fmt.Errorf("%s has no key %s", p.As, s.Attribute)
			}
			c.sources = append(c.sources, sources...)
		case s.From != "":
			c.sources = append(c.sources, s.From)
			if s.Convert != "" && convert != nil && convert[s.Convert] == nil {
				return nil, fmt.Errorf("%s needs the conversion %s, which is written in Go: see migrate.Options", s.Attribute, s.Convert)
			}
		}
	}
	slices.Sort(c.sources)
	c.sources = slices.DeleteFunc(slices.Compact(c.sources), func(name string) bool { return made[name] })
	return c, nil
}

func hasKey(t *shape.Table, entity, key string) bool {
	for _, e := range t.Entities {
		if e.Name == entity {
			return slices.ContainsFunc(e.Keys, func(k shape.Key) bool { return k.Name == key })
		}
	}
	return false
}

// of reports whether the part is one of an item, which is of the last version or has parts of both. The
// error says why the item is of no entity.
func (p *part) of(item access.Item) (bool, error) {
	if p.isState(item) {
		return false, nil
	}
	entity, wrong := p.old.Entity(item)
	if wrong == nil {
		return entity == p.Entity, nil
	}
	if entity, other := p.new.Entity(item); other == nil {
		return entity == p.As, nil
	}
	return false, wrong
}

func (p *part) isState(item access.Item) bool {
	for name, value := range p.state {
		if !equal(item[name], value) {
			return false
		}
	}
	return len(p.state) > 0
}

// compute returns the part that an item must have, without attributes that it must not have.
func (p *part) compute(item access.Item) (access.Item, error) {
	whole, made := maps.Clone(item), access.Item{}
	for _, s := range p.Set {
		delete(whole, s.Attribute)
	}
	for _, s := range p.Set {
		v, err := p.value(s, whole)
		if err != nil {
			return nil, err
		}
		if v != nil {
			whole[s.Attribute], made[s.Attribute] = v, v
		}
	}
	return made, nil
}

// value returns the value of one attribute of the part, nil if the item has none. The item holds the
// attributes of the part that come before it.
func (p *part) value(s Source, item access.Item) (types.AttributeValue, error) {
	switch {
	case s.Key:
		text, has, err := p.new.KeyText(p.As, s.Attribute, item)
		if err != nil || !has {
			return nil, err
		}
		if len(text) == 0 {
			return nil, fmt.Errorf("%s would be empty", s.Attribute)
		}
		return marshal.S(text), nil
	case s.From != "" && s.Convert != "":
		if p.convert[s.Convert] == nil {
			return nil, fmt.Errorf("the conversion %s is missing", s.Convert)
		}
		if item[s.From] == nil {
			return nil, nil
		}
		v, err := p.convert[s.Convert](item[s.From])
		if err != nil {
			return nil, fmt.Errorf("%s cannot be converted: %w", s.From, err)
		}
		return v, nil
	case s.From != "":
		return item[s.From], nil
	}
	return constant(s)
}

// constant returns a value in the words of design files as it is stored.
func constant(s Source) (types.AttributeValue, error) {
	switch base, _, _ := strings.Cut(strings.TrimSuffix(s.Type, "?"), "("); base {
	case "int", "number", "decimal", "unixtime":
		return &types.AttributeValueMemberN{Value: s.Value}, nil
	case "bool":
		return &types.AttributeValueMemberBOOL{Value: s.Value == "true"}, nil
	case "bytes", "list", "map", "set":
		return nil, fmt.Errorf("%s: a constant cannot be of type %s", s.Attribute, s.Type)
	}
	return marshal.S(s.Value), nil
}

// wrong returns the attributes of a part that are not as they must be, sorted.
func (p *part) wrong(item, want access.Item) []string {
	var names []string
	for _, s := range p.Set {
		if !equal(item[s.Attribute], want[s.Attribute]) {
			names = append(names, s.Attribute)
		}
	}
	slices.Sort(names)
	return names
}

// absent reports whether an attribute of the part is missing that the item must have.
func (p *part) absent(item, want access.Item) bool {
	for _, s := range p.Set {
		if want[s.Attribute] != nil && item[s.Attribute] == nil {
			return true
		}
	}
	return false
}

// equal compares stored values. Numbers that differ in their text alone are equal where they are whole
// attributes, as a copy keeps the text.
func equal(a, b types.AttributeValue) bool { return reflect.DeepEqual(a, b) }
