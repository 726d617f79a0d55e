package part

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

// readers holds the parts of a change that were read, by their names.
type readers struct {
	once sync.Once
	all  map[string]*Reader
	err  error
}

var _ access.Change = (*Change)(nil)

// part returns a part by its name. The parts are read on first use.
func (c *Change) part(name string) (*Reader, error) {
	c.readers.once.Do(func() {
		c.readers.all = map[string]*Reader{}
		for i := range c.Parts {
			r, err := c.NewReader(&c.Parts[i], nil)
			if err != nil {
				c.readers.err = fmt.Errorf("part %s: %w", c.Parts[i].Name, err)
				return
			}
			c.readers.all[c.Parts[i].Name] = r
		}
	})
	r := c.readers.all[name]
	if r == nil && c.readers.err == nil {
		return nil, fmt.Errorf("access: there is no part %s", name)
	}
	return r, c.readers.err
}

// AsNew implements access.Change.
func (c *Change) AsNew(parts []string, item access.Item) (access.Item, error) {
	for _, name := range parts {
		r, err := c.part(name)
		if err != nil {
			return nil, err
		}
		if r.Move != nil {
			if old, _ := r.Move.Places(item); !old {
				if len(parts) > 1 {
					continue
				}
				return nil, marshal.Skip
			}
			return r.Move.Read(item), nil
		}
		if len(parts) > 1 {
			if is, _ := r.Of(item); !is {
				continue
			}
		}
		if item, err = r.AsNew(item); err != nil {
			return nil, err
		}
	}
	return item, nil
}

// Image implements access.Change.
func (c *Change) Image(part string, item access.Item) (access.Item, error) {
	r, err := c.part(part)
	if err != nil || item == nil {
		return nil, err
	}
	image := maps.Clone(item)
	for _, s := range r.Set {
		switch {
		case s.Key:
			delete(image, s.Attribute)
		case image[s.Attribute] == nil:
			v, err := r.value(s, item)
			if err != nil {
				return nil, err
			}
			if v != nil {
				image[s.Attribute] = v
			}
		}
	}
	for _, name := range r.Remove {
		delete(image, name)
	}
	return image, nil
}

// Renamed implements access.Change.
func (c *Change) Renamed(part string) map[string]string {
	r, err := c.part(part)
	if err != nil {
		return nil
	}
	var names map[string]string
	for _, s := range r.Set {
		if s.From != "" {
			if names == nil {
				names = map[string]string{}
			}
			names[s.From] = s.Attribute
		}
	}
	return names
}

// Computed implements access.Change.
func (c *Change) Computed(part string) []string {
	r, err := c.part(part)
	if err != nil {
		return nil
	}
	return r.Computed()
}

// OldItem implements access.Change.
func (c *Change) OldItem(part string, item access.Item) (access.Item, error) {
	r, err := c.part(part)
	if err != nil {
		return nil, err
	}
	if r.Move != nil {
		return r.Move.Back(item)
	}
	return r.Old(item)
}

// Places implements access.Change.
func (c *Change) Places(part string) *access.Places {
	r, err := c.part(part)
	if err != nil {
		return nil
	}
	return r.places
}

// OldKeys implements access.Change.
func (c *Change) OldKeys(part string, changed []string, known access.Item) (access.Item, error) {
	r, err := c.part(part)
	if err != nil {
		return nil, err
	}
	keys := access.Item{}
	if r.Move != nil {
		for _, name := range r.Move.IndexKeysBack(changed) {
			if keys[name], err = r.Move.KeyBack(name, known); err != nil {
				return nil, err
			}
		}
		return keys, nil
	}
	for _, name := range r.Remove {
		sources := r.old.KeySources(r.Entity, name)
		if !slices.ContainsFunc(sources, func(s string) bool { return slices.Contains(changed, s) }) {
			continue
		}
		for _, s := range sources {
			if _, is := known[s]; !is {
				return nil, &access.UnknownError{Key: name, Attribute: s}
			}
		}
		present := maps.Clone(known)
		maps.DeleteFunc(present, func(name string, v types.AttributeValue) bool { return v == nil })
		text, has, err := r.old.KeyText(r.Entity, name, present)
		if err != nil {
			return nil, err
		}
		keys[name] = nil
		if has {
			keys[name] = marshal.S(text)
		}
	}
	return keys, nil
}

// Counter implements access.Change.
func (c *Change) Counter(part string) (access.Counter, error) {
	r, err := c.part(part)
	if err != nil {
		return nil, err
	}
	if r.Counts == nil {
		return nil, fmt.Errorf("access: the part %s is no counter", part)
	}
	return r.Counts, nil
}
