package migrate

import (
	"sortkey.dev/access"
	parts "sortkey.dev/access/part"
)

// A Conversion computes the value of a new attribute from that of an old one.
type Conversion = parts.Conversion

// part is a part of a migration with the descriptions of its items read.
type part struct {
	*parts.Reader
	state access.Item // the key of the state row, which is no item of the design
}

// compile returns a part that can be computed.
func (m *Migration) compile(p *Part, convert map[string]Conversion) (*part, error) {
	change := &parts.Change{Tables: m.Tables, Parts: m.Parts}
	r, err := change.NewReader(p, convert)
	if err != nil {
		return nil, err
	}
	return &part{Reader: r}, nil
}

// of reports whether the part is one of an item. The error says why the item is of no entity.
func (p *part) of(item access.Item) (bool, error) {
	if p.isState(item) || access.IsStateRow(item) {
		return false, nil
	}
	return p.Of(item)
}

// isOriginal reports whether an item has a copy elsewhere. The error says why the item is of no entity.
func (p *part) isOriginal(item access.Item) (bool, error) {
	if p.isState(item) {
		return false, nil
	}
	return p.IsOriginal(item)
}

// isCopy reports whether an item of the new place is a copy.
func (p *part) isCopy(item access.Item) bool { return !p.isState(item) && p.IsCopy(item) }

func (p *part) isState(item access.Item) bool {
	for name, value := range p.state {
		if !parts.Equal(item[name], value) {
			return false
		}
	}
	return len(p.state) > 0
}
