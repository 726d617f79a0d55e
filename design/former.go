package design

import (
	"errors"
	"fmt"
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// FormerNames lists the lines of was and from that mean nothing any more: the last version of the design's history has the new names, and
// all tables have that version.
func (d *Design) FormerNames() ([]string, error) {
	h, err := d.History()
	if errors.Is(err, ErrNoHistory) || d.model == nil || d.reading.Failed() {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if err := h.damaged(); err != nil {
		return nil, err
	}
	if first, err := h.firstUnsettled(); err != nil || first > 0 {
		return nil, err
	}
	number, id := h.Last()
	last, err := h.model(number)
	if err != nil {
		return nil, err
	}
	f := &former{version: id}
	for _, e := range d.model.Entities {
		f.entity(e, last.Entity(e.Name))
	}
	for _, t := range d.model.Tables {
		i := slices.IndexFunc(last.Tables, func(other *model.Table) bool { return other.Name == t.Name })
		if i < 0 {
			continue
		}
		f.add(t.WasPlace, t.Was != "", "was: %s", t.Was)
		for _, x := range t.Indexes {
			f.add(x.WasPlace, x.Was != "" && last.Tables[i].Index(x.Name) != nil, "was: %s", x.Was)
		}
	}
	return f.all, nil
}

// former collects lines.
type former struct {
	version string
	all     []string
}

func (f *former) entity(e, last *model.Entity) {
	if last == nil {
		return
	}
	f.add(e.WasPlace, e.Was != "", "was: %s", e.Was)
	for _, from := range e.From {
		f.add(from.Place, true, "from %s", from.Entity)
	}
	for _, a := range e.Attributes {
		before := last.Attribute(a.Name)
		if before == nil {
			continue
		}
		f.add(a.WasPlace, a.Was != "", "was: %s", a.Was)
		known := len(a.WasValues) > 0
		for value := range a.WasValues {
			known = known && slices.Contains(before.Type.Values, value)
		}
		f.add(a.WasPlace, a.Was == "" && known, "was of the values of %s", a.Name)
	}
}

func (f *former) add(at diag.Place, is bool, format string, args ...any) {
	if is {
		f.all = append(f.all, fmt.Sprintf("%s:%d: %s is history since version %s, and may go", at.File, at.Line, fmt.Sprintf(format, args...), f.version))
	}
}
