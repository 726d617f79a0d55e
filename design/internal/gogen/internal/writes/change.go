package writes

import (
	"slices"

	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/resolve"
)

// changed tells the runtime which part of the item differs in the other version of the design, and what the call knows of the item
// besides what it sets.
func (a *action) changed() error {
	w := a.w
	if w.Guard != nil || w.Shards > 1 {
		return nil
	}
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
