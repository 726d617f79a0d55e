package writes

import (
	"maps"
	"slices"
	"strings"

	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/resolve"
)

// changed tells the runtime which part of the item differs in the other version of the design, and what the call knows of the item
// besides what it sets.
func (a *action) changed() error {
	w := a.w
	if w.Guard != nil {
		if name := strings.TrimPrefix(w.Name, "guard "); a.m.Package.Added.Unique[name] {
			a.set("Part", syntax.Str(name))
		}
		return nil
	}
	if w.Shards > 1 {
		return nil
	}
	a.counted()
	c := a.m.Package.ChangedBy(w.Item.Entity, w.Statement.Names, w.Operation == resolve.PutItem)
	if c == nil {
		return nil
	}
	a.set("Part", syntax.Str(c.Part))
	if w.Operation == resolve.PutItem || !c.Moved && (w.Operation != resolve.UpdateItem || len(c.Sources) == 0) {
		return nil
	}
	known := &syntax.Composite{Type: library.Access("Item"), Layout: syntax.Fit}
	for _, key := range w.Key {
		for _, part := range key.Low {
			if part.Value == nil || part.Shards > 0 || part.Attribute.Stored == "" || !c.Moved && !slices.Contains(c.Sources, part.Attribute.Stored) {
				continue
			}
			x, err := a.scope.PartValue(w, part)
			if err != nil {
				return err
			}
			known.Elems = append(known.Elems, syntax.Elem{Key: syntax.Str(part.Attribute.Stored), Value: a.m.Package.Stored(part.Attribute, x)})
		}
	}
	if len(known.Elems) > 0 {
		a.set("Known", known)
	}
	return nil
}

// counted names the counters that only the new version has, of the action on an item that they count or that keeps them.
func (a *action) counted() {
	e := a.w.Item.Entity
	var counted, keeps []string
	for _, name := range slices.Sorted(maps.Keys(a.m.Package.Added.Counts)) {
		if a.m.Package.Added.Counts[name] == e.LocalName() {
			counted = append(counted, name)
		}
		if keeper, _, _ := strings.Cut(name, "."); keeper == e.Name {
			keeps = append(keeps, name)
		}
	}
	if len(counted) > 0 {
		a.set("Counted", syntax.Strings(counted...))
	}
	if len(keeps) > 0 {
		a.set("Counters", syntax.Strings(keeps...))
	}
}
