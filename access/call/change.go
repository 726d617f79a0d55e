package call

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
)

// Generated code holds the statements of the new version of a design. While a migration is under way, this file makes of them what is sent in
// its phases: the old version's write from the new one's, and the new version's item from what is stored.

// changes reports whether the phase decides how writes are sent.
func changes(writes []Action) bool {
	return slices.ContainsFunc(writes, func(w Action) bool { return w.Part != "" || len(w.Counted)+len(w.Counters) > 0 })
}

// inPhaseOf returns the write as it is sent in the phase of a client that Begin returned.
func (w *Action) inPhaseOf(c *access.Client) Action {
	if w.Part == "" || w.Err != nil {
		own := *w
		if c.Phase() < access.PhaseRead && len(w.Counters) > 0 {
			own.Err = cmp.Or(own.Err, (&counting{c: c, phase: c.Phase()}).keeper(&own))
		}
		return own
	}
	return WriteInPhase(c.Phase(), func() Action { return w.old(c.Design().Change) }, func() Action { return *w })
}

// phased holds the writes of a transaction as they are sent in the present phase of each client.
type phased struct {
	client  *access.Client // sends them
	writes  []Action
	read    bool             // items were read for them
	changed func(error) bool // reports whether they failed because an item was no longer as it was read
}

func writesInPhase(ctx context.Context, c *access.Client, k *recorder, writes []Action) (*phased, error) {
	clients := []*access.Client{c}
	byClient := map[*access.Client][]Action{}
	for _, w := range writes {
		of := cmp.Or(w.client, c)
		if !slices.Contains(clients, of) {
			clients = append(clients, of)
		}
		byClient[of] = append(byClient[of], w)
	}
	all := &phased{client: c, changed: func(error) bool { return false }}
	for _, of := range clients {
		own := byClient[of]
		if !changes(own) {
			all.writes = append(all.writes, own...)
			continue
		}
		begun, err := of.Begin(ctx)
		if err != nil {
			return nil, err
		}
		items, with := rowsInPhase(begun.Phase(), own)
		items, read, err := withSources(ctx, begun, items)
		if err != nil {
			return nil, err
		}
		if others := all.changed; len(read) > 0 {
			all.changed = func(err error) bool { return others(err) || read.changed(ctx, begun, items, err) }
		}
		change := begun.Design().Change
		sent := with(WritesInPhase(begun.Phase(), func() []Action { return oldWrites(change, items) }, func() []Action { return items }))
		if sent, err = countsInPhase(ctx, begun, k, sent); err != nil {
			return nil, err
		}
		all.read = all.read || len(read) > 0 || wereRead(sent)
		if others := all.changed; wereRead(sent) {
			all.changed = func(err error) bool { return others(err) || readChanged(ctx, begun, k, sent, err) }
		}
		for i := range sent {
			if of != c {
				sent[i].client = begun
			}
		}
		if of == c {
			all.client = begun
		}
		all.writes = append(all.writes, sent...)
	}
	return all, nil
}

func oldWrites(change access.Change, writes []Action) []Action {
	old := make([]Action, len(writes))
	for i := range writes {
		old[i] = writes[i].old(change)
	}
	return old
}

// old returns the write as the old version of the design does it.
func (w *Action) old(change access.Change) Action {
	if w.Part == "" || w.Err != nil {
		return *w
	}
	old := *w
	old.Fault = faultAsNew(w, change)
	renamed := change.Renamed(w.Part)
	old.Renamed = renamed
	names := swapped(renamed) // of the old version by those of the new one
	if places := change.Places(w.Part); places != nil {
		old.Err = old.inOldPlace(w, change, places, names)
		return old
	}
	old.Names = renamedIn(w.Names, names)
	switch w.Kind {
	case Put:
		old.Item, old.Err = change.OldItem(w.Part, w.Item)
	case Update:
		old.Err = old.oldUpdate(w, change, names)
	}
	return old
}

// inOldPlace makes the write that of the old version to an item that lies elsewhere there.
func (w *Action) inOldPlace(new *Action, change access.Change, places *access.Places, names map[string]string) (err error) {
	w.places = places
	w.Table, w.KeyNames = places.Old.Table, places.Old.Keys
	w.Names = renamedIn(renamedIn(new.Names, names), oldKeyNames(places))
	if w.Kind == Put {
		w.Item, err = places.Old.Item(new.Item)
		return err
	}
	known := places.Old.Known(new.Key, new.Known)
	if w.Key, err = places.Old.Key(known); err != nil || w.Kind != Update {
		return err
	}
	var kept []clause
	var changed []string
	for _, c := range parseUpdate(new.Update) {
		name, stored := places.Old.Name(rootOf(c.target, new.Names))
		if !stored {
			continue
		}
		kept, changed = append(kept, c), append(changed, name)
		note(known, name, c, new.Values)
	}
	if new.Expects == Anything { // it may make the item, whose key in the new place says more than its attributes
		u := union{w: w}
		told := places.Old.Known(new.Key, nil)
		for _, name := range slices.Sorted(maps.Keys(told)) {
			if !slices.Contains(changed, name) && !slices.Contains(w.KeyNames, name) {
				kept, changed = append(kept, clause{"SET", u.name(name), u.value(told[name])}), append(changed, name)
			}
		}
	}
	return w.setOldKeys(new.Part, change, kept, changed, known)
}

// note notes what is known of an attribute after a clause.
func note(known access.Item, name string, c clause, values access.Item) {
	delete(known, name)
	switch v, is := values[c.value]; {
	case c.isNested():
	case c.word == "REMOVE":
		known[name] = nil
	case c.word == "SET" && is:
		known[name] = v
	}
}

// faultAsNew returns the fault of a write for an item that the old version stored.
func faultAsNew(w *Action, change access.Change) func(Failure) error {
	fault := w.Fault
	if fault == nil {
		return nil
	}
	parts := []string{w.Part}
	return func(f Failure) error {
		if f.Current != nil {
			if item, err := change.AsNew(parts, f.Current); err == nil {
				f.Current = item
			}
		}
		return fault(f)
	}
}

// renamedIn returns the names of an expression with other attributes.
func renamedIn(names, by map[string]string) map[string]string {
	if len(by) == 0 {
		return names
	}
	renamed := maps.Clone(names)
	for placeholder, name := range names {
		if other, is := by[name]; is {
			renamed[placeholder] = other
		}
	}
	return renamed
}

// oldUpdate makes the update that of the old version: without the attributes that only the new one stores, and with the keys that only
// the old one does.
func (w *Action) oldUpdate(new *Action, change access.Change, names map[string]string) error {
	computed := change.Computed(new.Part)
	known, oldName := access.Item{}, func(name string) string { return cmp.Or(names[name], name) }
	for name, v := range new.Known {
		known[oldName(name)] = v
	}
	var kept []clause
	var changed []string
	for _, c := range parseUpdate(new.Update) {
		root := rootOf(c.target, new.Names)
		if slices.Contains(computed, root) && names[root] == "" {
			continue
		}
		kept = append(kept, c)
		changed = append(changed, oldName(root))
		note(known, oldName(root), c, new.Values)
	}
	return w.setOldKeys(new.Part, change, kept, changed, known)
}

// setOldKeys makes the update one of clauses and of the keys that only the old version stores and that are made of what they change.
func (w *Action) setOldKeys(part string, change access.Change, kept []clause, changed []string, known access.Item) error {
	keys, err := change.OldKeys(part, changed, known)
	if err != nil {
		return err
	}
	w.Update = formatUpdate(kept)
	u := union{w: w}
	var more []clause
	for _, name := range slices.Sorted(maps.Keys(keys)) {
		if keys[name] == nil {
			more = append(more, clause{"REMOVE", u.name(name), ""})
		} else {
			more = append(more, clause{"SET", u.name(name), u.value(keys[name])})
		}
	}
	u.write(more)
	w.withoutUnused()
	return nil
}

// withoutUnused removes the names and values that no expression uses: DynamoDB refuses them.
func (w *Action) withoutUnused() {
	used := map[string]bool{}
	for _, text := range []string{w.Update, w.Condition} {
		replacePlaceholders(text, func(placeholder string) string {
			used[placeholder] = true
			return placeholder
		})
	}
	w.Names, w.Values = maps.Clone(w.Names), maps.Clone(w.Values)
	maps.DeleteFunc(w.Names, func(placeholder, _ string) bool { return !used[placeholder] })
	maps.DeleteFunc(w.Values, func(placeholder string, _ types.AttributeValue) bool { return !used[placeholder] })
}

// affected reports whether a pattern reads items that the phase of a migration decides about.
func affected(c *access.Client, p *access.Pattern) bool {
	return len(p.Parts) > 0 && c.Design().Change != nil
}

// asNew returns a function that decodes items with parts that the old version stored.
func asNew[T any](c *access.Client, parts []string, decode func(access.Item) (T, error)) func(access.Item) (T, error) {
	change := c.Design().Change
	return func(item access.Item) (T, error) {
		item, err := change.AsNew(parts, item)
		if err != nil {
			var none T
			return none, err
		}
		return decode(item)
	}
}

// decoderIn returns the function that decodes items of a pattern in the phase of a client that Begin returned.
func decoderIn[T any](c *access.Client, p *access.Pattern, decode func(access.Item) (T, error)) func(access.Item) (T, error) {
	if !affected(c, p) || c.Phase() >= access.PhaseRead {
		return decode
	}
	return asNew(c, p.Parts, decode)
}

// namesOf returns the names of the expressions of a pattern in the phase of a client that Begin returned.
func namesOf(c *access.Client, p *access.Pattern, names map[string]string) map[string]string {
	if !affected(c, p) || c.Phase() >= access.PhaseRead {
		return names
	}
	return oldNames(c, p, names)
}

// oldNames returns the names of the expressions of a pattern as the old version stores them.
func oldNames(c *access.Client, p *access.Pattern, names map[string]string) map[string]string {
	for _, part := range p.Parts {
		names = renamedIn(names, swapped(c.Design().Change.Renamed(part)))
	}
	return names
}
