package across

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/verify/internal/state"
)

// A spot is a place of a table that a call touches.
type spot struct {
	table *model.Table
	key   access.Item
}

// touched returns the places that a staging and its call may change, by address.
func (w *world) touched(st *staging, writes []call.Action) map[string]spot {
	all := map[string]spot{}
	add := func(t *model.Table, item access.Item) { all[state.Address(t, item)] = spot{t, state.KeyOf(t, item)} }
	for at, r := range st.maker.Placed {
		if have := w.maker.tables.Rows[at]; r == nil && have != nil {
			r = have
		}
		if r != nil {
			add(r.Table, r.Item)
		}
	}
	for _, r := range st.own {
		add(r.Table, r.Item)
		for _, g := range w.oracle.Guards(r) {
			add(g.Table, g.Item)
		}
	}
	for _, one := range writes {
		item := one.Key
		if item == nil {
			item = one.Item
		}
		for _, t := range w.caller.layout.Design().Tables {
			if t.Name == one.Table && w.exists[t.Name] {
				add(t, item)
			}
		}
	}
	return all
}

// set stores the rows of a staging. It reports false if DynamoDB does not take one of them.
func (w *world) set(ctx context.Context, st *staging) (bool, error) {
	for _, at := range slices.Sorted(maps.Keys(st.maker.Placed)) {
		var err error
		switch r := st.maker.Placed[at]; {
		case r != nil:
			item, failed := w.sealed(r)
			if failed != nil {
				return false, failed
			}
			err = w.put(ctx, r.Table, item)
		case w.maker.tables.Rows[at] != nil:
			err = w.erase(ctx, w.maker.tables.Rows[at].Table, w.maker.tables.Rows[at].Item)
		}
		if err != nil {
			return false, unless(refusal(err), err)
		}
	}
	for _, r := range st.own {
		for _, one := range append(w.oracle.Guards(r), r) {
			item, err := w.sealed(one)
			if err == nil && w.exists[one.Table.Name] {
				err = w.put(ctx, one.Table, item)
			}
			if err != nil {
				return false, unless(refusal(err), err)
			}
		}
	}
	return true, nil
}

// unless returns an error, or nil if it is expected.
func unless(expected bool, err error) error {
	if expected {
		return nil
	}
	return fmt.Errorf("arranging rows: %w", err)
}

// restore puts the tables back to what they were.
func (w *world) restore(ctx context.Context, touched map[string]spot) {
	for at, spot := range touched {
		if item := w.stored[at]; item != nil {
			w.put(ctx, spot.table, item)
			continue
		}
		w.erase(ctx, spot.table, spot.key)
	}
}
